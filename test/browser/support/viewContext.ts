import type { ViewContext } from '../../../src/shared/protocol/chat.ts';

/** What a page shows beside its thread, unless a test says otherwise. */
export const viewContext: ViewContext = {
  connected: true,
  connection: '',
  branch: 'main',
  mainBranch: 'main',
  offeredBranch: '',
  identity: 'dev',
  sendKey: 'enter',
  showThinking: 'collapsed',
  readOnly: false,
  lifetime: 0,
  examples: ['revenue by month in 2024'],
  guardFormulas: true,
  timeZones: {},
  certified: [],
  chartSpecs: [],
};

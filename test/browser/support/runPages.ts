/** The page of a run, its rows and its answers side by side. */
import {
  ROW_STATES,
  type RunCell,
  type RunComparison,
  type RunPage,
  type RunRow,
  type ShownComparison,
  type ToRuns,
} from '../../../src/shared/protocol/runs.ts';
import { emptyDraft, type ToWebview, type ViewContext } from '../../../src/shared/protocol/chat.ts';
import { emptyThread, type Thread } from '../../../src/shared/thread/model.ts';

export const cell = (state: RunCell['state'], message = '', canOpen = false): RunCell => ({ state, message, canOpen });
export const row = (name: string, state: RunRow['state'], more: Partial<RunRow> = {}): RunRow => ({
  ...{ name, text: `${name}?`, state, message: '', canOpen: false, canAccept: false },
  cells: [cell('answered', '3 rows', true), cell('waiting'), cell('asking')],
  ...more,
});
export const nothing: RunComparison = { queries: [], members: [], notes: [] };
export const main = { branch: 'main', identity: 'ann' };
export const dev = { branch: 'dev/new_rows', identity: 'ann' };
export const three = ['ann', 'bob', 'eve'].map((identity) => ({ branch: 'main', identity }));
const base: RunPage = {
  ...{ title: 'Title', isRunning: false, summary: 'Summary', hasSides: false, canAskAgain: false },
  ...{ contexts: [main, dev], rows: [], comparison: nothing },
};
export const twice = [cell('answered', '3 rows', true), cell('failed', 'No such view', true)];
export const open = { canOpen: true, cells: twice };
export const many = [
  ...ROW_STATES.filter((state) => !/^(changed|same|waiting|errored)$/.test(state)).map((state) =>
    row(state, state, { cells: [] }),
  ),
  row('one', 'same', open),
  row('two', 'changed', {
    change: 'rows',
    message: '1 of 2 rows changed',
    canAccept: true,
    ...open,
  }),
  row('three', 'changed', { change: 'numbers', ...open }),
  row('four', 'waiting', { cells: [cell('asking'), cell('waiting')] }),
  row('five', 'errored', { message: 'Timeout', cells: [cell('canceled'), cell('canceled')] }),
];

export const values = (...own: object[]) => ({ values: own });
export const results: ShownComparison = {
  dimensions: ['region', 'kind'],
  measures: [
    { name: 'sum', isNumber: true },
    { name: 'letter', isNumber: false },
  ],
  counts: { same: 1, changed: 2, added: 1, removed: 1 },
  isPartial: true,
  precision: 1,
  rows: [
    {
      status: 'same',
      key: ['East', 'a'],
      cells: [values({ text: '1' }, { text: '1' }), values({ text: 'x' }, { text: 'x' })],
    },
    {
      status: 'changed',
      key: ['West', null],
      cells: [
        { ...values({ text: '1' }, { text: '2', isChanged: true }), absolute: '+1', percent: '+100%' },
        values({ text: null }, { text: '', isChanged: true }),
      ],
    },
    {
      status: 'changed',
      key: ['South', ''],
      cells: [
        { ...values({ text: '2' }, { text: '1', isChanged: true }), absolute: '-1', percent: '-50%' },
        values({ text: 'y' }, { text: 'y' }),
      ],
    },
    {
      status: 'added',
      key: ['North', 'b'],
      cells: [values({}, { text: '7' }), values({}, { text: 'z', isForbidden: true })],
    },
  ],
};
const definition = (title: string, aggType?: string) => ({
  ...{ name: 'orders.sum', title, description: `What ${title} is`, type: 'number' },
  ...(aggType ? { aggType } : {}),
});
export const comparison: RunComparison = {
  notes: [],
  members: [
    { name: 'orders.sum', definitions: [definition('Sum', 'sum'), definition('Net')], isChanged: [false, true] },
    { name: 'orders.new', definitions: [undefined, definition('New')], isChanged: [false, true] },
  ],
  queries: [
    {
      title: 'First',
      sql: [
        {
          contexts: [1],
          lines: [
            { side: 'both', text: 'SELECT' },
            { side: 'left', text: '  a' },
            { side: 'right', text: '  b' },
          ],
        },
      ],
      results,
    },
    { title: '', sql: [], results: { ...results, ...{ rows: results.rows.slice(0, 1), isPartial: false } } },
  ],
};

export const viewContext = {
  ...{ connected: true, connection: '', branch: 'main', mainBranch: 'main', offeredBranch: '', identity: 'ann' },
  ...{ sendKey: 'enter', showThinking: 'collapsed', readOnly: false, lifetime: 0, examples: [], guardFormulas: true },
  ...{ timeZones: {}, certified: [], chartSpecs: [] },
} as ViewContext;
export const thread = (id: string, more: Partial<Thread> = {}): Thread => ({
  ...emptyThread(id),
  turns: [
    { id: `${id}1`, question: { id: `${id}1`, content: 'one?', time: 0 }, items: [], outcome: { state: 'done' } },
  ],
  ...more,
});
export const side = (context: number, shown: Thread): ToRuns => {
  const message: ToWebview = { type: 'snapshot', seq: 1, thread: shown, viewContext, draft: emptyDraft, l10n: {} };
  return { type: 'side', context, message };
};
export const runs = (page: Partial<RunPage>): ToRuns => ({
  type: 'runs',
  page: { ...base, ...page },
  remember: 'me',
  l10n: {},
});
export const pair = { hasSides: true, rows: [row('one', 'changed', { message: 'It differs', ...open })] };

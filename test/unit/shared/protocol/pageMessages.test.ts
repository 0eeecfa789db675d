/** Messages between the host and the pages: other frames and faulty pages can post anything. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromWebview } from '../../../../src/shared/protocol/fromWebview.ts';
import { isFromResults, isToResults } from '../../../../src/shared/protocol/results.ts';
import { isFromRuns, isToRuns } from '../../../../src/shared/protocol/runs.ts';

const filter = { condition: 'greater', value: '1', to: '' };
/** How a grid shows rows, and changes of it that no grid makes. */
const shown = {
  columns: [1, 0],
  sorting: { column: 1, direction: 'ascending' },
  filters: [[0, filter]],
  isWhole: true,
};
const faulty = [
  { columns: [-1] },
  { columns: '01' },
  { sorting: { column: 0, direction: 'up' } },
  { filters: [[0]] },
  { filters: [[0, { ...filter, condition: 'matches' }]] },
  { locale: 1 },
];

const NOTHING = [undefined, null, 'ready', [], {}, { type: 'unknown' }, { type: 'constructor' }];

/** Checks that `accepted` are messages, and `rejected` and anything else are not. */
function check(isMessage: (message: unknown) => boolean, accepted: object[], rejected: unknown[]): void {
  for (const message of accepted) assert.ok(isMessage(message), JSON.stringify(message));
  for (const message of [...rejected, ...NOTHING]) assert.ok(!isMessage(message), JSON.stringify(message));
}

describe('messages from a page', () => {
  it('of the chat have every field with its declared type', () => {
    check(
      isFromWebview,
      [
        { type: 'renameThread', threadId: 't', title: 'Orders' },
        { type: 'attachUris', uris: ['file:///a'] },
        { type: 'attach' },
        { type: 'errorAction', action: 'retry' },
        { type: 'threadAct', act: 'pin', threadId: 't' },
        { type: 'openResults', toolCallId: 'q' },
        { type: 'exportResults', toolCallId: 'q', shown },
      ],
      [
        { type: 'renameThread', threadId: 't' },
        { type: 'renameThread', threadId: 1, title: 'Orders' },
        { type: 'attachUris', uris: [1] },
        { type: 'saveChart', toolCallId: 'q', format: 'exe', data: '' },
        { type: 'listThreads', query: '', count: 0.5 },
        { type: 'command', name: 'workbench.action.quit' },
        { type: 'openLink' },
        { type: 'errorAction', action: 'toString' },
        { type: 'errorAction', action: ['retry'] },
        { type: 'threadAct', act: 'constructor', threadId: 't' },
        { type: 'threadAct', act: 'pin' },
        ...faulty.map((change) => ({ type: 'openResults', toolCallId: 'q', shown: { ...shown, ...change } })),
        'attach',
      ],
    );
  });

  it('of a run name rows and contexts by position, and hold valid messages of the chat', () => {
    check(
      isFromRuns,
      [
        ...['ready', 'cancel', 'askAgain', 'export'].map((type) => ({ type })),
        ...['openRow', 'accept'].map((type) => ({ type, row: 0 })),
        { type: 'openCell', row: 1, context: 0 },
        { type: 'problem', text: 'a' },
        { type: 'side', context: 1, message: { type: 'stop' } },
      ],
      [
        ...[undefined, '0', 0.5, -1].map((row) => ({ type: 'openRow', row })),
        { type: 'accept' },
        { type: 'openCell', row: 0 },
        { type: 'openCell', context: 0 },
        { type: 'problem' },
        { type: 'side', context: 'left', message: { type: 'stop' } },
        { type: 'side', context: 0, message: { type: 'openLink' } },
        { type: 'side', context: 0 },
      ],
    );
  });

  it('with results copy and report only text, and say how they show rows', () => {
    check(
      isFromResults,
      [
        ...['ready', 'loadAll', 'openSql'].map((type) => ({ type })),
        { type: 'exportResults', shown },
        { type: 'copy', text: 'a' },
        { type: 'problem', text: '' },
      ],
      [
        { type: 'copy' },
        { type: 'copy', text: 1 },
        { type: 'problem', text: null },
        { type: 'exportResults' },
        ...faulty.map((change) => ({ type: 'exportResults', shown: { ...shown, ...change } })),
      ],
    );
  });
});

describe('messages to a page', () => {
  it('are those of its host', () => {
    check(
      isToRuns,
      [
        { type: 'runs', page: {} },
        { type: 'row', row: {} },
        { type: 'page', change: {} },
        { type: 'side', context: 0, message: { type: 'events' } },
      ],
      [
        { type: 'runs' },
        { type: 'page' },
        { type: 'side', context: 'top', message: { type: 'events' } },
        { type: 'side', context: 0, message: { type: 'ready' } },
        { type: 'ready' },
      ],
    );
    check(isToResults, [{ type: 'table' }, { type: 'rows' }], [{ type: 'ready' }]);
  });
});

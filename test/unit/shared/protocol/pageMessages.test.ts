/** Messages between the host and the pages: other frames and faulty pages can post anything. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromCompare, isToCompare, sideLabels } from '../../../../src/shared/protocol/compare.ts';
import { canOpen, isToAnswers, ROW_STATES } from '../../../../src/shared/protocol/evals.ts';
import { isToEveryone } from '../../../../src/shared/protocol/everyone.ts';
import { isFromWebview } from '../../../../src/shared/protocol/fromWebview.ts';
import { isFromResults, isToResults } from '../../../../src/shared/protocol/results.ts';
import { isFromRunPage } from '../../../../src/shared/protocol/runPage.ts';

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
        { type: 'pickImage' },
        { type: 'errorAction', action: 'retry' },
        { type: 'threadAct', act: 'pin', threadId: 't' },
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
        'pickImage',
      ],
    );
  });

  it('that compares two threads name a side, and hold a valid message of the chat', () => {
    check(
      isFromCompare,
      [
        { type: 'ready' },
        { type: 'exportComparison' },
        { type: 'openThread', side: 'left' },
        { type: 'side', side: 'right', message: { type: 'stop' } },
        { type: 'problem', text: 'a' },
      ],
      [
        { type: 'openThread' },
        { type: 'problem' },
        { type: 'openThread', side: 'top' },
        { type: 'side', side: 'top', message: { type: 'stop' } },
        { type: 'side', side: 'left', message: { type: 'openLink' } },
        { type: 'side', side: 'left' },
      ],
    );
  });

  it('with results copy and report only text', () => {
    check(
      isFromResults,
      [
        ...['ready', 'exportResults', 'loadAll', 'openSql'].map((type) => ({ type })),
        { type: 'copy', text: 'a' },
        { type: 'problem', text: '' },
      ],
      [{ type: 'copy' }, { type: 'copy', text: 1 }, { type: 'problem', text: null }],
    );
  });

  it('with a run open an entry by its position', () => {
    check(
      isFromRunPage,
      [
        ...['ready', 'cancel', 'askAgain'].map((type) => ({ type })),
        { type: 'open', index: 0 },
        { type: 'problem', text: 'a' },
      ],
      [{ type: 'open' }, { type: 'open', index: '0' }, { type: 'open', index: 0.5 }, { type: 'problem' }],
    );
  });
});

describe('messages to a page', () => {
  it('are those of its host', () => {
    check(
      isToCompare,
      [{ type: 'heads' }, { type: 'compared' }, { type: 'side', side: 'left', message: { type: 'events' } }],
      [
        { type: 'side', side: 'top', message: { type: 'events' } },
        { type: 'side', side: 'left', message: { type: 'ready' } },
        { type: 'ready' },
      ],
    );
    check(isToAnswers, [{ type: 'answers' }, { type: 'row' }, { type: 'run' }], [{ type: 'ready' }]);
    check(isToResults, [{ type: 'table' }, { type: 'rows' }], [{ type: 'ready' }]);
    check(isToEveryone, [{ type: 'everyone', state: {} }], [{ type: 'everyone' }, { type: 'other', state: {} }]);
  });
});

describe('labels of two sides', () => {
  const main = { branch: 'main', identity: 'dev' };

  it('show what differs: the branch, the identity or both', () => {
    const labels = (right: object) =>
      Object.values(sideLabels({ question: '', left: main, right: { ...main, ...right } }));
    assert.deepEqual(labels({ branch: 'beta' }), ['main', 'beta']);
    assert.deepEqual(labels({ identity: 'eu' }), ['dev', 'eu']);
    assert.deepEqual(labels({ branch: 'beta', identity: 'eu' }), ['main · dev', 'beta · eu']);
  });
});

describe('a compared question', () => {
  it('opens side by side if both branches answered', () => {
    const row = { name: 'a', text: 'b', message: '' };
    assert.deepEqual(
      ROW_STATES.filter((state) => canOpen({ ...row, state })),
      ROW_STATES.filter((state) => !['asking', 'waiting', 'canceled'].includes(state)),
    );
  });
});

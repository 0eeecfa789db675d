/** What the host does with the actions of a chat view. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { Intent } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

type Handle = (services: object, view: object, intent: Intent) => Promise<unknown>;

describe('The focus', () => {
  let handleIntent: Handle;
  let done: string[] = [];
  const window = {
    activeTextEditor: undefined as object | undefined,
    visibleTextEditors: [],
    tabGroups: { activeTabGroup: {} },
    onDidChangeTextEditorSelection: () => ({ dispose: () => undefined }),
    onDidChangeActiveTextEditor: () => ({ dispose: () => undefined }),
    showSaveDialog: () => Promise.resolve(undefined),
  };

  before(async () => {
    ({ handleIntent } = await loadWithEditor<{ handleIntent: Handle }>('vscode/conversation/intents.ts', {
      l10n: {},
      window,
      workspace: {},
      commands: {
        executeCommand: (command: string) => {
          if (command !== 'noop') done.push(command.replace('analyticsChat.', ''));
          return Promise.resolve(undefined);
        },
      },
    }));
  });
  beforeEach(() => (done = []));

  async function act(intent: Intent): Promise<string[]> {
    const view = {
      session: { thread: emptyThread('one') },
      reveal: () => done.push('reveal'),
      post: ({ type, what }: { type: string; what: string }) => void done.push(`${type} ${what}`),
    };
    const threadLists = { act: (_view: object, what: string) => Promise.resolve(void done.push(what)) };
    await handleIntent({ sessions: { activate: () => undefined }, threadLists }, view, intent);
    return done;
  }
  const returned = ['reveal', 'focus last'];

  for (const [name, command] of Object.entries({
    ...{ branch: 'switchBranch', identity: 'switchIdentity', compare: 'compareBranches' },
    ...{ sql: 'pickSql', export: 'exportChat' },
  }) as [Extract<Intent, { type: 'command' }>['name'], string][])
    it(`returns to the chat after the prompts of /${name}`, async () => {
      assert.deepEqual(await act({ type: 'command', name }), [command, ...returned]);
    });

  it('stays on the page that /help opens', async () => {
    assert.deepEqual(await act({ type: 'command', name: 'help' }), ['help']);
  });

  it('returns to the chat after the prompts of its buttons', async () => {
    assert.deepEqual(await act({ type: 'connect' }), ['connect', ...returned]);
    done = [];
    assert.deepEqual(await act({ type: 'switchConnection' }), ['switchConnection', ...returned]);
    done = [];
    assert.deepEqual(await act({ type: 'threadAct', act: 'export', threadId: 'one' }), ['export', ...returned]);
    done = [];
    assert.deepEqual(await act({ type: 'exportResults', toolCallId: 'q' }), returned);
    done = [];
    assert.deepEqual(await act({ type: 'saveChart', toolCallId: 'q', format: 'svg', data: '<svg/>' }), returned);
  });

  it('returns to the chat after the choice of a place for SQL, but stays in an editor with the SQL', async () => {
    assert.deepEqual(await act({ type: 'insertSql', toolCallId: 'q' }), ['insertSql', ...returned]);
    done = [];
    window.activeTextEditor = { document: { uri: { scheme: 'file' } } };
    assert.deepEqual(await act({ type: 'insertSql', toolCallId: 'q' }), ['insertSql']);
  });
});

/** What the host does with the actions of a chat view: where prompts give the focus back, and for which chat they are. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import type { SlashCommand } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { ChatView } from '../../../../src/vscode/host/chatView.ts';
import { registered, type ServiceStubs } from '../areas.ts';

describe('The focus', () => {
  /** What was done, in order: commands, titles of prompts, notifications, and calls of the view. */
  let done: string[] = [];
  let activeTextEditor: object | undefined;
  const nothing = () => ({ dispose: () => undefined });
  const show = (text: string): Promise<undefined> => Promise.resolve(void done.push(text));
  let hide = (): void => undefined;
  const editor = {
    commands: { executeCommand: (id: string) => (id === 'noop' ? Promise.resolve() : show(id)) },
    window: {
      get activeTextEditor() {
        return activeTextEditor;
      },
      visibleTextEditors: [],
      tabGroups: { activeTabGroup: {} },
      onDidChangeTextEditorSelection: nothing,
      onDidChangeActiveTextEditor: nothing,
      showSaveDialog: () => Promise.resolve(undefined),
      showInputBox: ({ title }: { title: string }) => show(title),
      showQuickPick: (_items: object, { title }: { title: string }) => show(title),
      showInformationMessage: show,
      createQuickPick: () => ({
        title: '',
        onDidAccept: nothing,
        onDidChangeValue: nothing,
        onDidHide: (listener: () => void) => ((hide = listener), nothing()),
        show(): void {
          done.push(this.title);
          hide();
        },
      }),
    },
  };
  const session = { thread: emptyThread('one') } as ChatSession;
  const view = {
    session,
    reveal: () => done.push('reveal'),
    post: ({ type, what }: { type: string; what: string }) => void done.push(`${type} ${what}`),
  } as unknown as ChatView;
  const services: ServiceStubs = {
    sessions: {
      ...{ active: session, all: [session], get: () => session, connectionOf: () => undefined },
      activate: (to: ChatSession) => done.push(`activate ${to.thread.id}`),
    },
    branches: { label: 'main', main: 'main', offered: [], recent: [] },
    connections: { current: undefined, all: [], unusable: [] },
    identities: { names: () => [], on: () => '' },
    repository: { isReadOnly: () => false },
    history: () => Promise.resolve({ list: () => Promise.resolve([]) } as never),
  };
  const activated = 'activate one';
  const returned = ['reveal', 'focus last'];
  const handlersOf = (area: string) => registered(area, services, editor);
  const take = (): string[] => done.splice(0);

  beforeEach(() => {
    [done, activeTextEditor] = [[], undefined];
  });

  for (const [name, area, shown] of [
    ['branch', 'connection', 'Analytics Chat: Switch Branch'],
    ['identity', 'connection', 'Analytics Chat: Switch Identity'],
    ['compare', 'runs', 'Analytics Chat: Compare'],
    ['sql', 'insert', 'There is no generated SQL in this chat yet.'],
    ['export', 'threads', 'There is nothing to export in this chat yet.'],
  ] as const satisfies readonly (readonly [SlashCommand, string, string])[])
    it(`returns to the chat after the prompts of /${name}`, async () => {
      await (await handlersOf(area)).slash[name](view);
      assert.deepEqual(take(), [shown, ...returned]);
    });

  it('stays on the page that /help opens', async () => {
    const { intents } = await handlersOf('conversation');
    await intents.command(view, { type: 'command', name: 'help' });
    assert.deepEqual(take(), [activated, 'markdown.showPreview']);
  });

  it('returns to the chat after the prompts of its buttons', async () => {
    const { intents: connection } = await handlersOf('connection');
    const wizard = 'Analytics Chat: Chat API URL';
    await connection.connect(view, { type: 'connect' });
    assert.deepEqual(take(), [wizard, ...returned]);
    await connection.switchBranch(view, { type: 'switchBranch' });
    assert.deepEqual(take(), ['Analytics Chat: Switch Branch', ...returned]);
    await connection.switchConnection(view, { type: 'switchConnection' });
    assert.deepEqual(take(), [activated, wizard, ...returned]);
    await connection.switchIdentity(view, { type: 'switchIdentity' });
    assert.deepEqual(take(), [activated, 'Analytics Chat: Switch Identity', ...returned]);
    const { intents: threads } = await handlersOf('threads');
    await threads.threadAct(view, { type: 'threadAct', act: 'export', threadId: 'one' });
    assert.deepEqual(take(), ['Export chat', ...returned]);
    const { intents: results } = await handlersOf('results');
    await results.exportResults(view, { type: 'exportResults', toolCallId: 'q' });
    assert.deepEqual(take(), returned);
    await results.saveChart(view, { type: 'saveChart', toolCallId: 'q', format: 'svg', data: '<svg/>' });
    assert.deepEqual(take(), returned);
  });

  it('returns to the chat after a prompt that fails', async () => {
    const serviceToken = { authentication: 'serviceToken' };
    const sessions = { ...services.sessions, connectionOf: () => serviceToken };
    const { intents } = await registered('connection', { ...services, sessions }, editor);
    await assert.rejects(async () => intents.switchIdentity(view, { type: 'switchIdentity' }), /service token/);
    assert.deepEqual(take(), [activated, ...returned]);
  });

  it('returns to the chat after the choice of a place for SQL, but stays in an editor with the SQL', async () => {
    const { intents } = await handlersOf('insert');
    const notice = 'There is no generated SQL in this chat yet.';
    await intents.insertSql(view, { type: 'insertSql', toolCallId: 'q' });
    assert.deepEqual(take(), [activated, notice, ...returned]);
    activeTextEditor = { document: { uri: { scheme: 'file' } } };
    await (await handlersOf('insert')).intents.insertSql(view, { type: 'insertSql', toolCallId: 'q' });
    assert.deepEqual(take(), [activated, notice]);
  });
});

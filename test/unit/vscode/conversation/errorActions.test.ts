/** What the buttons of an error do. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { emptyThread, type ErrorAction } from '../../../../src/shared/thread/model.ts';
import { withItems } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

type Handle = (services: object, view: object, action: ErrorAction) => Promise<unknown>;

const SWITCH_BRANCH = 'Analytics Chat: Switch Branch';

describe('The actions of an error', () => {
  let handleErrorAction: Handle;
  /** What was done, in order: titles of prompts, commands, and calls of the services. */
  let done: string[] = [];
  /** Whether the user answers the prompt that the action opens, or cancels it. */
  let answers = false;
  /** Called while the prompt is open. */
  let meanwhile: () => void = () => undefined;
  let selected: (event: { kind: number }) => void = () => undefined;

  const tabGroups = { activeTabGroup: { activeTab: 'a file' } };
  const nothing = { dispose: () => undefined };
  const prompt = <Answer>(title: string, answer: Answer): Answer | undefined => {
    done.push(title);
    meanwhile();
    return answers ? answer : undefined;
  };

  /** A quick pick whose first branch the user picks. */
  class QuickPick {
    title = '';
    items: object[] = [];
    activeItems: object[] = [];
    selectedItems: object[] = [];
    #accept = (): void => undefined;
    #hide = (): void => undefined;
    onDidChangeValue = () => nothing;
    onDidAccept = (listener: () => void) => ((this.#accept = listener), nothing);
    onDidHide = (listener: () => void) => ((this.#hide = listener), nothing);
    dispose = (): void => undefined;
    hide = (): void => this.#hide();
    show(): void {
      this.selectedItems = this.items.slice(-1);
      if (prompt(this.title, true)) this.#accept();
      else this.#hide();
    }
  }

  before(async () => {
    ({ handleErrorAction } = await loadWithEditor<{ handleErrorAction: Handle }>(
      'vscode/conversation/errorActions.ts',
      {
        TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
        window: {
          onDidChangeTextEditorSelection: (listener: typeof selected) => ((selected = listener), nothing),
          createQuickPick: () => new QuickPick(),
          showQuickPick: (items: object[], { title }: { title: string }) => Promise.resolve(prompt(title, items[0])),
          showInputBox: ({ title }: { title: string }) => Promise.resolve(prompt(title, 'the-key')),
          tabGroups,
        },
        commands: {
          executeCommand: (...command: string[]) => {
            if (command[0] !== 'noop') done.push(command.join(' '));
            return Promise.resolve();
          },
        },
      },
    ));
  });
  beforeEach(() => {
    [done, answers, meanwhile] = [[], false, () => undefined];
    tabGroups.activeTabGroup.activeTab = 'a file';
  });

  const views = (view: object): object => ({
    views: { all: [view], showIn: () => void done.push('show') },
    repository: { isReadOnly: () => false },
  });

  function act(action: ErrorAction, draft = '', failedToRead = false): Promise<unknown> {
    const does = (what: string) => (): unknown => (done.push(what), Promise.resolve());
    const error = { kind: 'badRequest', message: 'It failed.', actions: [] };
    const thread = { ...withItems(emptyThread('one')), error };
    const session = {
      thread,
      failedToRead,
      send: ({ text }: { text: string }) => void done.push(`send ${text}`),
      ...{ retry: does('retry'), attach: does('attach'), reattach: does('reattach') },
      stopAndSend: (edited?: { text: string }) => void done.push(`stop and send ${edited?.text ?? ''}`.trim()),
    };
    const entry = {
      ...{ name: 'of the chat', chatApiUrl: 'https://a.example/chat', authentication: 'apiKey', dataQueryUrl: '' },
    };
    const services = {
      log: { show: does('show log') },
      sessions: {
        draft: () => ({ text: draft, images: [] }),
        keepDraft: (_id: string, { text }: { text: string }) => void done.push(`keep "${text}"`),
        activate: does('activate'),
        active: session,
        create: () => (done.push('create'), session),
        connectionOf: () => entry,
      },
      branches: { label: 'main', main: 'main', offered: [], recent: [], switchTo: () => Promise.resolve() },
      connections: { current: { ...entry, name: 'of new chats' }, all: [], unusable: [] },
      credentials: { store: () => Promise.resolve('stored') },
      identities: { names: () => ['ana'], all: () => new Map(), on: () => 'ana', switchTo: () => Promise.resolve() },
    };
    const view = { session, reveal: does('reveal') };
    const post = ({ type, what }: { type: string; what: string }) => void done.push(`${type} ${what}`);
    const shown = Object.assign(view, { post });
    return handleErrorAction({ ...services, ...views(shown) }, shown, action);
  }

  it('open the settings of the extension or of the proxy, or the log', async () => {
    await act('openSettings');
    await act('openProxySettings');
    await act('showLog');
    assert.deepEqual(done, [
      'workbench.action.openSettings @ext:analytics-chat.analytics-chat',
      'workbench.action.openSettings http.proxy',
      'show log',
    ]);
  });

  it('return the focus to the chat after the user has switched the branch or identity, then ask again', async () => {
    answers = true;
    await act('switchBranch');
    assert.deepEqual(done, [SWITCH_BRANCH, 'reveal', 'focus last', 'retry']);
    done = [];
    await act('switchIdentity');
    assert.deepEqual(done, ['activate', 'Analytics Chat: Switch Identity', 'reveal', 'focus last', 'retry']);
  });

  it('do not ask again if the user cancels the prompt', async () => {
    for (const action of ['switchBranch', 'switchIdentity', 'connect', 'addConnection', 'setApiKey'] as const)
      await act(action);
    assert.ok(!done.includes('retry'));
    assert.equal(done.filter((what) => what === 'reveal').length, 5);
  });

  it('set up the connection of their chat', async () => {
    await act('connect');
    await act('setApiKey');
    assert.deepEqual(
      done.filter((what) => !['reveal', 'focus last'].includes(what)),
      ['Analytics Chat: Chat API URL (of the chat)', 'Analytics Chat: API key (of the chat)'],
    );
  });

  it('leave the focus in an editor that the user clicks while the prompt is open', async () => {
    meanwhile = () => selected({ kind: 2 });
    await act('switchBranch');
    assert.ok(!done.includes('reveal') && !done.includes('focus last'));
    // A selection of a command, such as one that follows a file change, is not a move of the user.
    meanwhile = () => selected({ kind: 3 });
    await act('switchBranch');
    assert.ok(done.includes('reveal'));
  });

  it('leave the focus in a tab that opens while the prompt is open', async () => {
    meanwhile = () => (tabGroups.activeTabGroup.activeTab = 'a comparison');
    await act('switchBranch');
    assert.deepEqual(done, [SWITCH_BRANCH]);
  });

  it('send the edited question instead of the failed one', async () => {
    await act('retry');
    assert.deepEqual(done, ['retry']);
    done = [];
    await act('retry', ' orders by week ');
    assert.deepEqual(done, ['keep ""', 'send orders by week']);
    answers = true;
    for (const action of ['switchBranch', 'switchIdentity', 'setApiKey'] as const) {
      done = [];
      await act(action, 'orders by week');
      assert.ok(done.includes('send orders by week') && !done.includes('retry'), action);
    }
  });

  it('ask the refused question in a new chat', async () => {
    await act('askInNewChat', ' orders by week ');
    assert.deepEqual(done, ['keep ""', 'create', 'show', 'focus composer', 'send orders by week']);
  });

  it('read the thread again if that failed, and leave the composer alone', async () => {
    await act('retry', 'half a ques', true);
    assert.deepEqual(done, ['retry']);
  });

  it('follow the answer that runs, or stop it and send the message', async () => {
    await act('attach');
    await act('resume');
    await act('stopAndSend');
    await act('stopAndSend', ' orders by week ');
    assert.deepEqual(done, ['attach', 'reattach', 'stop and send', 'stop and send orders by week']);
  });
});

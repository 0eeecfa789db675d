/** What the buttons of an error do in the second of two chats; the first one is active. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ErrorAction } from '../../../../src/shared/thread/model.ts';
import type * as actions from '../../../../src/vscode/conversation/errorActions.ts';
import { Editor, pairs } from '../support.ts';

const PROMPTS: Partial<Record<ErrorAction, string>> = {
  switchBranch: 'Analytics Chat: Switch Branch',
  switchIdentity: 'Analytics Chat: Switch Identity',
  connect: 'Analytics Chat: Chat API URL (finance)',
  addConnection: 'Analytics Chat: Connection name',
  setApiKey: 'Analytics Chat: API key (finance)',
};

describe('the actions of an error', () => {
  let editor: Editor;
  let module: typeof actions;
  /** What was done, in order: titles of prompts, commands, and calls of the services. */
  let done: string[];
  /** @returns the text in the composer of a chat */
  let typedIn: (threadId: string) => string | undefined;
  beforeEach(async () => {
    editor = new Editor();
    editor.tabs.push({ input: { file: 'a.sql' } });
    module = await editor.load('conversation/errorActions');
  });

  /** @returns what was done */
  async function act(action: ErrorAction, draft = '', failedToRead = false, isUnsent = true): Promise<string[]> {
    const activate = (session: object) => Object.assign(two.services.sessions, { active: session });
    const two = pairs({
      sessions: {
        activate: (session: object) => (done.push('activate'), activate(session)),
        create: () => (done.push('create'), activate(two.first).active),
      },
      branches: { offered: ['dev'] },
      credentials: { store: (origin: string) => Promise.resolve(done.push(`key for ${origin}`) && 'stored') },
      identities: {
        names: ({ name }: { name: string }) => (name === 'finance' ? ['ben', 'cleo'] : ['me']),
        switchTo: (name: string, entry: { name: string }) => done.push(`switch ${entry.name} to ${name}`),
      },
      views: {
        get all() {
          return [view];
        },
        showIn: (_view: object, { thread }: { thread: { id: string } }) => done.push(`show ${thread.id}`),
      },
    });
    typedIn = (threadId) => two.drafts.get(threadId)?.text;
    for (const [id, text] of Object.entries({ first: 'of the first', second: draft }))
      two.drafts.set(id, { text, images: [] });
    ({ done } = two);
    editor.prompts = done;
    const does = (what: string) => (): unknown => Promise.resolve(done.push(what));
    Object.assign(two.second, {
      ...{ retry: does('retry'), attach: does('attach'), reattach: does('reattach'), failedToRead },
      stopAndSend: (edited?: { text: string }) => Promise.resolve(done.push(`stop, send ${edited?.text ?? ''}`.trim())),
      thread: {
        ...two.second.thread,
        ...(isUnsent && { error: { kind: 'badRequest', message: 'It failed.', actions: [] } }),
      },
    });
    const post = ({ type, what }: { type: string; what: string }) => void done.push(`${type} ${what}`);
    const view = { session: two.second, reveal: does('reveal'), post };
    await module.handleErrorAction(two.services, view as never, action);
    return done;
  }
  const returned = ['reveal', 'focus last'];

  for (const [action, draft, expected] of [
    ['attach', '', ['attach']],
    ['resume', '', ['reattach']],
    ['retry', '', ['retry']],
    // An edited question is sent instead of the failed one.
    ['retry', ' why? ', ['send why? in second']],
    ['stopAndSend', '', ['stop, send']],
    ['stopAndSend', ' why? ', ['stop, send why?']],
    ['askInNewChat', ' why? ', ['create', 'show first', 'focus composer', 'send why? in first']],
    ['askInNewChat', '', ['create', 'show first', 'focus composer']],
    ['newChat', 'half', ['create', 'show first', 'focus composer']],
    ['showLog', '', ['show log']],
  ] as const)
    it(`${action} ${draft && 'an edited question '}does: ${expected.join(', ')}`, async () => {
      assert.deepEqual(await act(action, draft), expected);
      const left = { stopAndSend: ['of the first', draft], newChat: [draft, ''] }[action as string];
      assert.deepEqual([typedIn('first'), typedIn('second')], left ?? ['of the first', '']);
    });

  it('open the settings of the extension or of the proxy', async () => {
    for (const action of ['openSettings', 'openProxySettings'] as const) await act(action);
    const open = 'workbench.action.openSettings';
    assert.deepEqual(editor.executed, [
      [open, '@ext:analytics-chat.analytics-chat'],
      [open, 'http.proxy'],
    ]);
  });

  for (const [action, pick, ...did] of [
    ['switchBranch', 'dev', 'switch to dev'],
    ['switchIdentity', 'cleo', 'switch finance to cleo'],
    ['setApiKey', undefined, 'key for https://finance.example'],
  ] as const)
    it(`${action} returns the focus to the chat, then asks again or the edited question`, async () => {
      const first = action === 'switchIdentity' ? ['activate'] : [];
      for (const [draft, last] of [
        ['', 'retry'],
        ['why?', 'send why? in second'],
      ] as const) {
        [editor.picks, editor.entered] = [pick ? [pick] : ['https://finance.example'], ['the-key']];
        const all = (await act(action, draft)).filter((what) => !/API key$|^hide/.test(what));
        assert.deepEqual(all, [...first, PROMPTS[action], ...did, ...returned, last]);
      }
    });

  for (const [action, title] of Object.entries(PROMPTS) as [ErrorAction, string][])
    it(`${action} does not ask again if the user cancels its prompt`, async () => {
      const first = action === 'switchIdentity' ? ['activate'] : [];
      assert.deepEqual(await act(action), [...first, title, ...returned]);
    });

  it('read the thread again if that failed, or ask again what was sent, and leave the composer alone', async () => {
    for (const failedToRead of [true, false]) {
      assert.deepEqual(await act('retry', 'half a ques', failedToRead, failedToRead), ['retry']);
      assert.equal(typedIn('second'), 'half a ques');
    }
  });
});

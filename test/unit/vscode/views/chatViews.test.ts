import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import type { ChatViews } from '../../../../src/vscode/views/chatViews.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const nothing = () => ({ dispose: () => undefined });

const made: ChatViews[] = [];
// Visible views ask their pages from time to time whether they respond.
afterEach(() => made.splice(0).forEach((views) => views.dispose()));

/** @param editor stub of `vscode` */
async function viewsOf(sessions: object, repository: object, editor: object): Promise<ChatViews> {
  const { ChatViews: Views } = await loadWithEditor<{ ChatViews: new (...of: unknown[]) => ChatViews }>(
    'vscode/views/chatViews.ts',
    editor,
  );
  const views = new Views(
    {},
    { onDidChange: nothing, onDidRetitle: nothing, onUnsent: nothing, titleOf: () => '', ...sessions },
    repository,
    {},
  );
  made.push(views);
  return views;
}

describe('the side bar after a restart', () => {
  const active = { thread: { id: 'active' } };
  const shown = { thread: { id: 'shown' } };

  /** @returns the chat in the side bar, whose page saved this state */
  async function restored(state: unknown, prepare = (_views: ChatViews): void => undefined, early: object[] = []) {
    const repository = {
      restore: () => Promise.resolve(active),
      open: (id: string) => (id === 'shown' ? Promise.resolve(shown) : Promise.reject(new Error('deleted'))),
    };
    const views = await viewsOf({}, repository, {});
    prepare(views);
    const holder = {
      badge: undefined,
      webview: { onDidReceiveMessage: nothing },
      onDidChangeVisibility: nothing,
      onDidDispose: nothing,
    };
    await views.resolve(holder as never, () => early, state);
    return { session: views.sideBarSession, badge: holder.badge };
  }

  it('shows its own chat, also if the active one is in an editor tab', async () => {
    assert.equal((await restored({ threadId: 'shown' })).session, shown);
  });

  it('shows the active chat if it had none, or if its own one was deleted', async () => {
    assert.equal((await restored(undefined)).session, active);
    assert.equal((await restored({ threadId: 'other' })).session, active);
  });

  it('does what the user did in its page before the services were started', async () => {
    const done: string[] = [];
    const note = (views: ChatViews): unknown => views.onIntent(({ intent }) => done.push(intent.type));
    await restored(undefined, note, [{ type: 'newChat' }, { type: 'connect' }]);
    assert.deepEqual(done, ['newChat', 'connect']);
  });

  it('has the badge of answers that ended before it was opened', async () => {
    const { badge } = await restored(undefined, (views) => views.setBadge(2, 'two'));
    assert.deepEqual(badge, { value: 2, tooltip: 'two' });
  });
});

describe('a message that could not be sent', () => {
  it('returns above the draft of a chat that no view shows', async () => {
    let unsent = (_event: object): unknown => undefined;
    const image = (data: string) => ({ mimeType: 'image/png', data });
    const drafts: unknown[] = [];
    const sessions = {
      onUnsent: (listener: typeof unsent) => ((unsent = listener), nothing()),
      draft: () => ({ text: 'typed since', images: [image('b')] }),
      keepDraft: (id: string, draft: object) => drafts.push([id, draft]),
    };
    await viewsOf(sessions, {}, {});
    unsent({ session: { thread: emptyThread('a') }, message: { text: 'asked', images: [image('a')] } });
    assert.deepEqual(drafts, [['a', { text: 'asked\ntyped since', images: [image('a'), image('b')] }]]);
  });
});

describe('an editor tab', () => {
  const editor = {
    Uri: { joinPath: (): undefined => undefined },
    workspace: { getConfiguration: () => ({ get: nothing }) },
  };

  it('gets the unsent message of its chat if it is visible, and is revealed for it instead of the side bar', async () => {
    let unsent = (_event: object): unknown => undefined;
    const session = { thread: emptyThread('a') };
    const sessions = {
      activate: () => undefined,
      onUnsent: (listener: typeof unsent) => ((unsent = listener), nothing()),
    };
    const views = await viewsOf(sessions, { open: () => Promise.resolve(session) }, editor);
    const told: string[] = [];
    const show = async (name: string, visible: boolean): Promise<void> => {
      const webview = { onDidReceiveMessage: nothing, asWebviewUri: () => '', cspSource: '' };
      const events = { onDidDispose: nothing, onDidChangeViewState: nothing };
      const panel = { ...events, webview, visible, active: false, reveal: () => told.push(`${name} is revealed`) };
      await views.restorePanel(panel as never, { threadId: 'a' });
      const view = views.all.at(-1);
      assert.ok(view);
      view.post = ({ type }) => void told.push(`${name} gets ${type}`);
    };
    await show('hidden', false);
    await show('visible', true);
    unsent({ session, message: { text: 'asked', images: [] } });
    assert.deepEqual(told.splice(0), ['visible gets compose']);
    await views.reveal(session as never);
    assert.deepEqual(told, ['hidden is revealed', 'hidden gets focus']);
  });

  it('that is restored beside the active editor leaves another chat active', async () => {
    const activated: unknown[] = [];
    const add = (thread: Thread) => ({ thread });
    const create = (): object => (activated.push('new'), add(emptyThread('new')));
    const sessions = { add, create, activate: ({ thread }: { thread: Thread }) => activated.push(thread.id) };
    const open = (id: string) =>
      id === 'deleted' ? Promise.reject(new Error(id)) : Promise.resolve(add(emptyThread(id)));
    const views = await viewsOf(sessions, { open }, editor);
    const webview = { onDidReceiveMessage: nothing, asWebviewUri: () => '', cspSource: '' };
    const tab = { webview, visible: false, onDidDispose: nothing, onDidChangeViewState: nothing };
    for (const [threadId, active] of [
      ['deleted', false],
      ['beside', false],
      ['front', true],
    ] as const)
      await views.restorePanel({ ...tab, active } as never, { threadId });
    assert.deepEqual(activated, ['front']);
    assert.equal(views.all.length, 3);
  });
});

/** The side bar and the editor tabs of a window, with real threads: which chat each shows, and which one is active. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inWindow, type Window } from '../threads/window.ts';
import { onDev, Panel, until, type ThreadEvent } from '../support.ts';

const image = (data: string) => ({ mimeType: 'image/png', data });
const LOADING: ThreadEvent[] = [{ type: 'loading' }];
/** Not the chats themselves: all are equal to `deepEqual`, which sees no private fields. */
const idsOf = (...of: ({ thread: { id: string } } | undefined)[]): string => of.map((each) => each?.thread.id).join();
const inThree = (test: (window: Window, again: () => Promise<Window>) => Promise<void>) =>
  inWindow(['a', 'b', 'c'], test);

describe('the side bar', () => {
  it('shows its own chat after a restart, or the active one if it had none or that was deleted', () =>
    inThree(async (_, again) => {
      for (const [state, expected] of [
        [undefined, 'active'],
        [{ threadId: 'gone' }, 'active'],
        [{ threadId: 'b' }, 'b'],
      ] as const) {
        const { sideBar, services } = await again();
        const active = services.sessions.create();
        const { id } = (await sideBar(state))[0].session.thread;
        assert.equal(id === active.thread.id ? 'active' : id, expected);
      }
      const { services, sideBar: other } = await again();
      services.views.setBadge(2, 'two');
      assert.deepEqual((await other())[1].badge, { value: 2, tooltip: 'two' });
    }));

  it('does what the user did in its page before the services were started', () =>
    inThree(async ({ sideBar, services: { views, sessions } }) => {
      const done: unknown[] = [];
      views.onIntent(({ view, intent }) => done.push([idsOf(view.session), intent.type]));
      await sideBar(undefined, [{ type: 'newChat' }, { type: 'connect' }]);
      const current = idsOf(sessions.current);
      assert.deepEqual(done, [
        [current, 'newChat'],
        [current, 'connect'],
      ]);
    }));

  it('is opened for a chat that no tab shows, and shows the last one again after it was closed', () =>
    inThree(async ({ sideBar, services: { views, sessions, repository }, editor }) => {
      const b = await repository.open('b');
      const focused = views.reveal(b);
      const [view, panel] = await sideBar();
      await focused;
      assert.equal(idsOf(view.session, sessions.current, views.sideBarSession, views.current?.session), 'b,b,b,b');
      assert.deepEqual(editor.executed, [['analyticsChat.chat.focus']]);
      const c = await repository.open('c');
      panel.types();
      for (let times = 0; times < 2; times += 1) await views.focus(c, 'history');
      assert.deepEqual([idsOf(view.session), panel.posted.at(-1)], ['c', { type: 'focus', what: 'history' }]);
      assert.deepEqual(panel.types(), ['snapshot', 'focus', 'focus']);
      view.reveal();
      assert.equal(panel.reveals, 1);
      panel.visible = false;
      assert.equal(views.current, undefined);
      panel.visible = true;
      views.showIn(view, b);
      panel.dispose();
      assert.deepEqual([views.sideBarSession, views.all, view.visible], [undefined, [], false]);
      const [next, nextPanel] = await sideBar();
      assert.equal(idsOf(next.session), 'b');
      nextPanel.dispose();
      const again = views.focus(c);
      const [last, lastPanel] = await sideBar();
      assert.ok((await again) === last && last.session === c);
      lastPanel.dispose();
      for (const id of ['b', 'c']) await sessions.remove(id);
      assert.equal(idsOf((await sideBar())[0].session), idsOf(sessions.current));
    }));
});

describe('an editor tab', () => {
  it('shows its chat or a new one if that is gone; restored beside the active editor, it leaves another chat active', () =>
    inThree(async ({ services: { views, sessions }, editor }) => {
      const other = sessions.create();
      for (const [threadId, active] of [
        ['gone', false],
        ['b', false],
        ['a', true],
      ] as const) {
        const panel = Object.assign(new Panel(), { active });
        await views.restorePanel(panel as never, { threadId });
        assert.equal(panel.title, threadId === 'gone' ? 'New chat' : `Question 0 of ${threadId}?`);
        const icons = /main\.js[^]*"light".*chat-light\.svg.*"dark".*chat-dark\.svg/;
        assert.match(panel.webview.html + JSON.stringify(panel.iconPath), icons);
      }
      const [gone, b, a] = views.all;
      assert.ok(gone?.session.thread.turns.length === 0 && gone.session !== other && views.current === a);
      assert.equal(idsOf(sessions.current), 'a');
      views.openInEditor(b!.session);
      const [panel] = editor.panels as [Panel];
      panel.change({ active: true });
      assert.equal(panel.type, 'analyticsChat.thread');
      const shown = [panel.title, idsOf(sessions.current), views.of(b!.session).length];
      assert.deepEqual(shown, ['Question 0 of b?', 'b', 2]);
      views.showIn(b!, a!.session);
      panel.change({ active: false });
      assert.equal(idsOf(sessions.current), 'a', 'a tab in the background is not active');
      views.showIn(views.all.at(-1)!, other);
      panel.change({ active: true });
      assert.equal(sessions.current, other);
      b!.session.dispatch(LOADING);
    }));

  it('gets the events and titles of its own chat, and those of another once it shows that', () =>
    inThree(async ({ tab, services: { views, sessions } }) => {
      const [view, panel, a] = await tab('a');
      const [, other, b] = await tab('b');
      [panel, other].forEach((each) => each.types());
      b.dispatch(LOADING);
      views.viewContextChanged(b);
      assert.deepEqual([panel.types(), other.types()], [[], ['events', 'viewContext']]);
      views.viewContextChanged();
      assert.deepEqual([panel.types(), other.types()], [['viewContext'], ['viewContext']]);
      views.showIn(view, b);
      assert.deepEqual([panel.types(), panel.title, idsOf(sessions.current)], [['snapshot'], 'Question 0 of b?', 'b']);
      a.dispatch(LOADING);
      assert.deepEqual(panel.types(), []);
      b.dispatch(LOADING);
      await until(() => panel.types().includes('events'));
      views.showIn(view, sessions.create());
      assert.equal(panel.title, 'New chat');
      view.session.dispatch([{ type: 'sent', id: 'q', text: 'Profit?', images: [], context: { ...onDev }, time: 1 }]);
      assert.deepEqual([panel.title, other.title], ['Profit?', 'Question 0 of b?']);
    }));

  it('is revealed for its chat instead of the side bar; once closed, it is no view and another chat is active', () =>
    inThree(async ({ tab, sideBar, services: { views, sessions }, editor }) => {
      const [side, sidePanel] = await sideBar({ threadId: 'b' });
      const [, hidden, a] = await tab('a');
      const [, panel] = await tab('a');
      await views.reveal(a);
      assert.deepEqual([hidden.reveals, panel.reveals, sidePanel.reveals, idsOf(sessions.current)], [1, 0, 0, 'a']);
      assert.deepEqual(hidden.posted.at(-1), { type: 'focus', what: 'composer' });
      assert.equal(idsOf(views.sideBarSession), 'b');
      hidden.change({ visible: false });
      await views.reveal(a);
      assert.deepEqual([hidden.reveals, panel.reveals], [2, 0], 'also a tab behind others');
      hidden.dispose();
      assert.deepEqual([views.of(a).length, idsOf(sessions.current)], [1, 'a']);
      panel.dispose();
      assert.deepEqual([views.all.length, idsOf(sessions.current)], [1, 'b']);
      a.dispatch(LOADING);
      await views.reveal(a);
      await views.reveal(a);
      assert.ok(side.session === a && sidePanel.reveals === 0);
      assert.deepEqual(editor.executed, Array(2).fill(['analyticsChat.chat.focus']));
    }));

  it('gets an unsent message of its chat if it is visible; otherwise that returns above the draft', () =>
    inThree(async ({ tab, services: { sessions } }) => {
      const [[view, hidden, a], [, visible], [, other]] = [await tab('a'), await tab('a'), await tab('b')];
      hidden.change({ visible: false });
      for (const each of [hidden, visible, other]) each.types();
      view.post({ type: 'compose', draft: { text: 'for later', images: [] } });
      sessions.keepDraft('a', { text: 'typed since', images: [image('b')] });
      const send = () => a.send({ text: 'asked', images: [image('a')] });
      await send();
      const composed = [hidden, visible, other].map(({ posted }) => posted.filter(({ type }) => type === 'compose'));
      assert.deepEqual(composed, [[], [{ type: 'compose', draft: { text: 'asked', images: [image('a')] } }], []]);
      visible.change({ visible: false });
      await send();
      assert.deepEqual(sessions.draft('a'), { text: 'asked\ntyped since', images: [image('a'), image('b')] });
    }));
});

describe('a chat in another panel', () => {
  it('has no draft, passes on what is not for its panel, and keeps its chat active until it is closed', () =>
    inThree(async ({ sideBar, services: { views, sessions, repository } }) => {
      const [side] = await sideBar();
      const b = await repository.open('b');
      sessions.keepDraft('b', { text: 'typed', images: [] });
      const [own, others]: string[][] = [[], []];
      views.onIntent(({ intent }) => others!.push(intent.type));
      const seen: string[] = [];
      views.onDidShow(({ thread }) => seen.push(thread.id));
      const panel = new Panel();
      const embedded = views.embed(panel as never, b, ({ type }) => type === 'newChat' && own!.push(type) > 0);
      for (const type of ['ready', 'newChat', 'connect']) panel.receive({ type });
      assert.deepEqual([own, others], [['newChat'], ['connect']]);
      assert.deepEqual((panel.posted[0] as unknown as { draft: object }).draft, { text: '', images: [] });
      panel.types();
      b.dispatch(LOADING);
      assert.deepEqual(panel.types(), ['events']);
      panel.visible = false;
      embedded.visibilityChanged();
      panel.visible = true;
      panel.receive({ type: 'ready' });
      assert.deepEqual(panel.types(), ['snapshot']);
      sessions.activate(b);
      views.viewClosed(b);
      assert.equal(idsOf(sessions.current), 'b');
      const c = await repository.open('c');
      views.viewClosed(c);
      assert.equal(idsOf(sessions.current), 'b', 'only the chat that was closed');
      embedded.dispose();
      panel.receive({ type: 'connect' });
      views.viewClosed(b);
      assert.equal(sessions.current, side.session);
      assert.deepEqual([others, seen], [['connect'], []]);
    }));
});

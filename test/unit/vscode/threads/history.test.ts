/** The history of a window: its list in views, the commands on it, and what views show after deletions. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import type { ThreadAct, ThreadsPart } from '../../../../src/shared/protocol/threads.ts';
import { ask, dispatch, makeThread } from '../../chat/history/support/stores.ts';
import { inWindow, type Window } from './window.ts';
import { context } from '../service.ts';
import { redact, until, type ChatView, type Panel, type ThreadEvent } from '../support.ts';

const THREE = ['a', 'b', 'c'];

const asks = (text: string, branch = ''): ThreadEvent => ({
  ...{ type: 'sent', id: text, text, images: [], context: { ...context, branch }, time: Date.now() },
});
const failing = (): Promise<never> => Promise.reject(new Error('The disk is read-only.'));

const list = ({ act }: Window, view: ChatView, count = 20, query = ''): Promise<void> =>
  act(view, { type: 'listThreads', query, count });
const on = ({ act }: Window, view: ChatView, threadId: string, name: ThreadAct): Promise<void> =>
  act(view, { type: 'threadAct', act: name, threadId });
const last = ({ posted }: Panel): ThreadsPart & { ids: string } => {
  const part = posted.findLast(({ type }) => type === 'threads') as unknown as ThreadsPart;
  return { ...part, ids: part.entries.map(({ id }) => id).join() };
};
const shows = (panel: Panel, ids: string): Promise<unknown> => until(() => last(panel).ids === ids);
/** Lists three chats in the side bar. */
const inList = (test: (window: Window, view: ChatView, panel: Panel) => Promise<void>): Promise<void> =>
  inWindow(THREE, async (window) => {
    const [view, panel] = await window.sideBar();
    await list(window, view);
    await test(window, view, panel);
  });

describe('the history list', () => {
  it('shows the newest chats, where each was asked, and follows its answers and its title', () =>
    inList(async (window, view, panel) => {
      await list(window, view, 2);
      assert.deepEqual([last(panel).ids, last(panel).total], ['a,b', 3]);
      const times = (await window.history.list()).map(({ updatedAt }) => updatedAt);
      assert.deepEqual(
        last(panel).entries.map(({ time }) => time),
        times.slice(0, 2),
      );
      const [tab, tabPanel, session] = await window.tab('b');
      await list(window, tab);
      const own = (of = panel) => last(of).entries.find(({ id }) => id === 'b');
      assert.deepEqual([own()?.title, own()?.running, own()?.where], ['Question 0 of b?', false, 'sales']);
      for (const [branch, where] of [
        ['', 'main · sales'],
        ['dev', 'dev · sales'],
      ] as const) {
        session.dispatch([asks(`on ${branch}`, branch)]);
        await until(() => own()?.running === true && own()?.where === where);
        session.dispatch([{ type: 'finished' }]);
        await until(() => own()?.running === false);
      }
      await window.act(view, { type: 'renameThread', threadId: 'b', title: ' Weekly revenue ' });
      for (const each of [panel, tabPanel]) await until(() => own(each)?.title === 'Weekly revenue');
      await on(window, view, 'c', 'pin');
      await until(() => last(panel).ids === 'c,b' && last(panel).entries[0]?.pinned === true);
      await on(window, view, 'c', 'unpin');
      session.abort = () => Promise.resolve(window.done.push('stopped b') > 0 ? 'stopped' : undefined) as never;
      await on(window, view, 'b', 'stop');
      assert.equal(window.done.pop(), 'stopped b');
      await until(() => last(panel).entries.every(({ pinned }) => !pinned));
    }));

  it('is updated when an answer is asked for, starts, ends, fails, is stopped or can’t be sent', () =>
    inList(async (window, _view, panel) => {
      const { session } = (await window.tab('a'))[0];
      const error = { kind: 'network', message: 'Lost.', actions: [] } as const;
      for (const event of [
        asks('why?'),
        { type: 'loading' },
        { type: 'unsent', id: 'why?', error },
        { type: 'resumed', messageId: 'm' },
        { type: 'finished' },
        { type: 'stopped', service: 'stopped' },
        { type: 'failed', error },
      ] as ThreadEvent[]) {
        panel.posted.length = 0;
        session.dispatch([event]);
        await until(
          () => panel.types().includes('threads'),
          () => `The list shows an old state after “${event.type}”.`,
        );
      }
      let reads = 0;
      window.history.list = () => Promise.resolve([].slice((reads += 1)));
      mock.timers.enable({ apis: ['setTimeout'] });
      for (const visible of [false, true]) {
        panel.change({ visible });
        session.dispatch([{ type: 'finished' }]);
        mock.timers.tick(100);
        await new Promise(setImmediate);
      }
      mock.timers.reset();
      assert.equal(reads, 0, 'a hidden list is closed');
    }));

  it('shows what was requested last, even if the history is read faster for it', () =>
    inList(async (window, view, panel) => {
      const slow = Promise.withResolvers<void>();
      const read = window.history.list.bind(window.history);
      window.history.list = () => slow.promise.then(read);
      const first = list(window, view, 1);
      await new Promise(setImmediate);
      window.history.list = read;
      await list(window, view, 2);
      slow.resolve();
      await first;
      assert.equal(last(panel).ids, 'a,b');
    }));

  it('of a search has each match, no deleted chat, and one more than it shows while there are more', () =>
    inList(async (window, view, panel) => {
      // On a slow machine, matches would arrive so late that they are shown one by one.
      let [now, step] = [performance.now(), 0];
      const clock = mock.method(performance, 'now', () => (now += step));
      await list(window, view, 2, ' Question ');
      assert.deepEqual([last(panel).ids, last(panel).total, last(panel).busy], ['a,b', 3, true]);
      const [{ marks, snippet } = {}] = last(panel).entries;
      assert.deepEqual([marks, snippet], [[[0, 8]], undefined]);
      panel.posted.length = 0;
      await on(window, view, 'a', 'remove');
      // The list that follows the deletion would end a later search.
      await until(() => panel.posted.length > 0 && last(panel).query === ' Question ');
      await list(window, view, 2, 'Answer 1');
      const { ids, total, busy, entries } = last(panel);
      assert.deepEqual([ids, total, busy], ['b,c', 2, false]);
      assert.deepEqual([entries[0]?.snippet?.text, entries[0]?.marks], ['Answer 1 of b.', []]);
      panel.posted.length = 0;
      const canceled = list(window, view, 20, 'Question');
      step = 200;
      await list(window, view, 20, 'Answer');
      clock.mock.restore();
      await canceled;
      const parts = (panel.posted as unknown as ThreadsPart[]).map((part) =>
        [part.query, part.from, ...part.entries.map(({ id }) => id), part.total, part.busy].join(),
      );
      assert.deepEqual(parts, ['Answer,0,b,2,true', 'Answer,1,c,3,true', 'Answer,2,2,false']);
    }));

  it('restores the chats that were deleted in it, until it is closed', () =>
    inList(async (window, view, panel) => {
      for (const id of ['a', 'b']) await on(window, view, id, 'remove');
      await shows(panel, 'c');
      for (const id of ['b', 'a']) await on(window, view, id, 'bringBack');
      await shows(panel, 'a,b,c');
      await on(window, view, 'a', 'remove');
      const [other] = await window.tab('c');
      await list(window, other);
      await window.act(other, { type: 'closeThreads' });
      await on(window, view, 'a', 'bringBack');
      await shows(panel, 'a,b,c');
      await on(window, view, 'a', 'remove');
      const { remove } = window.history;
      window.history.remove = () => Promise.resolve(failing as never);
      await on(window, view, 'c', 'remove');
      await assert.rejects(on(window, view, 'c', 'bringBack'), /read-only/);
      window.history.remove = remove;
      await window.act(view, { type: 'closeThreads' });
      await on(window, view, 'a', 'bringBack');
      await list(window, view);
      assert.equal(last(panel).ids, 'b,c');
    }));

  it('leaves a chat out while its answer is being stopped, and lists it again if it can’t be deleted', () =>
    inList(async (window, view, panel) => {
      const stopping = Promise.withResolvers<void>();
      window.services.sessions.remove = () => stopping.promise;
      const removing = assert.rejects(on(window, view, 'a', 'remove'), /read-only/);
      await list(window, view);
      assert.deepEqual([last(panel).ids, last(panel).total], ['b,c', 2]);
      await list(window, view, 20, 'Question');
      assert.deepEqual([last(panel).ids, last(panel).total], ['b,c', 2]);
      await list(window, view);
      stopping.reject(new Error('The disk is read-only.'));
      await removing;
      await shows(panel, 'a,b,c');
    }));

  it('opens a chat where it is listed, or in a tab, and exports it under its own title', () =>
    inList(async (window, view, side) => {
      await on(window, view, 'b', 'open');
      assert.equal(view.session.thread.id, 'b');
      assert.ok(window.services.sessions.current === view.session);
      await on(window, view, 'c', 'openInTab');
      assert.equal(window.editor.panels.map(({ title }) => title).join(), 'Question 0 of c?');
      window.editor.picks = ['JSON'];
      await on(window, view, 'b', 'export');
      assert.deepEqual([window.editor.names, side.reveals], [['/shop/Question 0 of b.json'], 1]);
      assert.deepEqual([window.editor.prompts, window.editor.dialogs], [['Export chat'], ['Export chat']]);
      assert.deepEqual(window.editor.placeholders, ['Select a file format']);
    }));
});

describe('the title of a chat', () => {
  it('is its first question until the user renames it, also in its tab and after a restart', () =>
    inWindow(THREE, async (window, again) => {
      const [view, panel, session] = await window.tab('b');
      const [, other] = await window.tab('a');
      assert.equal(panel.title, 'Question 0 of b?');
      for (const title of [' Weekly revenue ', '  ']) {
        await window.act(view, { type: 'renameThread', threadId: 'b', title });
        assert.deepEqual([panel.title, other.title], ['Weekly revenue', 'Question 0 of a?']);
        assert.equal(window.services.sessions.titleOf(session), 'Weekly revenue');
      }
      const { tab, services } = await again();
      assert.equal((await tab('b'))[1].title, 'Weekly revenue');
      await services.sessions.remove('b');
      assert.equal(services.sessions.titleOf(services.sessions.add(makeThread('b'))), 'Question 0 of b?');
    }));
});

describe('a chat that is deleted', () => {
  it('is left by its views at once, also if it can’t be deleted', () =>
    inList(async (window, view) => {
      const { tab, services, history } = window;
      const remove = history.remove.bind(history);
      const [tabView] = await tab('b');
      for (history.remove of [failing, remove]) {
        await on(window, view, 'a', 'open');
        await on(window, view, 'a', 'remove').catch((failure: Error) => assert.match(failure.message, /read-only/));
        assert.ok(view.session.thread.turns.length === 0 && view.session === services.sessions.active);
        assert.equal(tabView.session.thread.id, 'b');
      }
      assert.ok(!(await history.list()).some(({ id }) => id === 'a'));
    }));

  it('is so with all others, only after a confirmation, and their views show a new one', () =>
    inWindow(THREE, async ({ sideBar, tab, editor, commands, history, services }) => {
      const [side, sidePanel] = await sideBar();
      const views = [side, (await tab('a'))[0], (await tab('b'))[0]];
      const [, hidden, c] = await tab('c');
      hidden.change({ visible: false });
      c.dispatch([{ type: 'finished' }]);
      assert.equal(services.unread.count, 1);
      const clear = commands['analyticsChat.clearHistory'];
      await clear();
      assert.equal((await history.list()).length, 3);
      assert.match(editor.messages.join(), /^Permanently delete all chats.* \[Delete all chats\]$/);
      assert.deepEqual([editor.modals, editor.kinds], [[true], ['warning']]);
      const wipe = history.clear.bind(history);
      for (history.clear of [failing, wipe]) {
        editor.answers = ['Delete all chats'];
        const shown = views.map(({ session }) => session);
        await Promise.resolve(clear()).catch(() => undefined);
        assert.ok(views.every(({ session }) => session === services.sessions.active && !shown.includes(session)));
      }
      assert.deepEqual([await history.list(), services.unread.count, sidePanel.badge], [[], 0, undefined]);
    }));
});

describe('an unread answer', () => {
  it('ended out of view in a chat that was shown; the side bar counts these until they are shown or deleted', () =>
    inList(async (window, view, sideBar) => {
      const { services, tab } = window;
      const hidden = await Promise.all(['a', 'b'].map((id) => tab(id)));
      const [, visible] = await tab('c');
      const other = services.sessions.add(makeThread('of another extension'));
      hidden.forEach(([, panel]) => panel.change({ visible: false }));
      const badges = ['1 chat with an unread answer', '2 chats with unread answers'];
      const error = { kind: 'network', message: 'Lost.', actions: [] } as const;
      const sessions = [...hidden.map(([each]) => each.session), other, services.sessions.get('c')!];
      for (const [at, session] of sessions.entries()) {
        session.dispatch([at === 1 ? { type: 'failed', error } : { type: 'finished' }]);
        const value = Math.min(at + 1, 2);
        assert.deepEqual(sideBar.badge, { value, tooltip: badges[value - 1] });
      }
      assert.ok(visible.visible);
      const unread = () => last(sideBar).entries.flatMap((entry) => (entry.unread ? entry.id : []));
      await until(() => unread().join() === 'a,b');
      hidden[0]![1].change({ visible: true });
      hidden[0]![1].receive({ type: 'ready' });
      assert.deepEqual(sideBar.badge, { value: 1, tooltip: badges[0] });
      await until(() => unread().join() === 'b');
      await on(window, view, 'b', 'remove');
      assert.equal(sideBar.badge, undefined);
    }));
});

describe('the commands of the history', () => {
  it('show it, or the named chat, in the view that has it', () =>
    inWindow(THREE, async ({ sideBar, tab, commands, editor, services }) => {
      const [view, panel] = await sideBar();
      const [, other, b] = await tab('b');
      services.sessions.activate(b);
      const focus = () => panel.posted.findLast(({ type }) => type === 'focus') as unknown as { what: string };
      for (const show of [
        ...[undefined, {}].map((argument) => () => commands['analyticsChat.openThread'](argument)),
        ...[commands['analyticsChat.history'], commands['analyticsChat.showHistory']],
      ]) {
        await show();
        assert.deepEqual([focus().what, editor.executed.pop()], ['history', ['analyticsChat.chat.focus']]);
        assert.notEqual(view.session, b);
      }
      assert.equal(await commands['analyticsChat.openThread']({ threadId: 'a' }), 'a');
      assert.deepEqual([view.session.thread.id, focus().what, other.reveals], ['a', 'composer', 0]);
      await commands['analyticsChat.openThread']({ threadId: 'b' });
      assert.deepEqual([view.session.thread.id, other.reveals], ['a', 1]);
    }));

  it('export the active chat in the format of its file, without secrets, and import it read-only', () =>
    inWindow(THREE, async ({ sideBar, tab, commands, editor, history, services }) => {
      await sideBar();
      const [, , session] = await tab('b');
      const exportChat = commands['analyticsChat.exportChat'];
      const importChat = async (): Promise<unknown> => commands['analyticsChat.importChat']();
      await exportChat();
      assert.match(editor.messages.splice(0).join(), /^There is nothing to export/);
      services.sessions.activate(session);
      const read = history.read.bind(history);
      history.read = async (id) => {
        const stored = await read(id);
        return { ...stored, thread: dispatch(stored.thread, ask('key', 'Is it the-key?', 1)) };
      };
      for (const [format, path, expected] of [
        ['JSON', '/shop/a.json', /^\{[^]*Is it/],
        ['Markdown', '/shop/a.JSON', /^\{[^]*Is it/],
        ['JSON', '/shop/a.md', /^# [^]*Is it/],
        ['JSON', '/shop/a.json.md', /^# [^]*Is it/],
      ] as const) {
        [editor.picks, editor.targets] = [[format], [path]];
        await exportChat();
        const text = editor.files.get(path) ?? '';
        assert.match(text, expected);
        assert.equal(text, redact(text));
        assert.equal(editor.names.pop(), `/shop/Question 0 of b.${format === 'JSON' ? 'json' : 'md'}`);
        assert.deepEqual(editor.messages.splice(0), [`The chat was exported. [Open ${path.slice('/shop/'.length)}]`]);
      }
      assert.match(editor.detailed[0]!.join('\n'), /can’t be imported.*\n.*Import Chat…/);
      editor.sources = ['/shop/a.json', '/shop/a.md', undefined];
      const id = await importChat();
      const { thread } = services.sessions.active;
      assert.ok(services.repository.isReadOnly(id as string) && thread.id === id);
      const questions = thread.turns.map(({ question }) => question?.content);
      assert.deepEqual(questions, ['Question 0 of b?', 'Question 1 of b?', 'Is it [redacted]?']);
      await assert.rejects(importChat(), /has only the text of a chat\. Export the chat as JSON/);
      assert.deepEqual([await importChat(), editor.messages], [undefined, []]);
      const exported = JSON.parse(editor.files.get('/shop/a.json')!) as { turns: { question: object }[] };
      const [first, ...rest] = exported.turns;
      Object.assign(first!.question, { images: [{ mimeType: 'image/png', data: 'x', name: 'a.png' }] });
      editor.files.set('/shop/b.json', JSON.stringify({ ...exported, turns: [first, ...rest, 1] }));
      editor.sources = ['/shop/b.json'];
      assert.notEqual(await importChat(), id);
      const warned = /^Images not attached: “a\.png” .*\n1 part of the chat is invalid and was left out\.$/;
      assert.match(editor.messages.splice(0).join('\n'), warned);
      const dialog = [editor.dialogs.at(-1), editor.filters.at(-1)];
      assert.deepEqual(dialog, ['Import chat', { 'Exported chats': ['json', 'md'] }]);
      editor.picks = ['Markdown'];
      await exportChat();
      assert.deepEqual(editor.messages, [], 'canceled');
    }));
});

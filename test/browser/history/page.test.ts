/** The list of threads in each of its states: what it shows, what it posts, and where the focus is. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyDraft, type ToWebview } from '../../../src/shared/protocol/chat.ts';
import type { ThreadEntry, ThreadsPart } from '../../../src/shared/protocol/threads.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { becomes, until } from '../../support/until.ts';
import { useHostedPage } from '../support/hostedPage.ts';
import { looks, outline } from '../support/outline.ts';
import { viewContext } from '../support/viewContext.ts';

const snapshot = (id: string): ToWebview => ({
  ...{ type: 'snapshot', seq: 1, thread: emptyThread(id), viewContext, draft: emptyDraft, l10n: {} },
});
const entry = (id: string, more: Partial<ThreadEntry> = {}): ThreadEntry => ({
  ...{ id, title: `chat ${id}`, time: 0, where: 'main', pinned: false, running: false, unread: false, marks: [] },
  ...more,
});
const part = (entries: readonly ThreadEntry[], more: Partial<ThreadsPart> = {}): ToWebview => ({
  ...{ type: 'threads', query: '', from: 0, entries, total: entries.length + Number(more.busy === true), busy: false },
  ...more,
});
const open: ToWebview = { type: 'focus', what: 'history' };
const every = [
  entry('a', { running: true, unread: true, pinned: true }),
  entry('b', { title: '', where: '' }),
  entry('c', { marks: [[0, 4]], snippet: { text: 'one two one', marks: [[4, 7]] } }),
];

describe('The list of threads', () => {
  const setup = useHostedPage('main', { width: 500, height: 700 });
  const panel = () => setup.page.getByRole('region', { name: 'History' });
  const search = () => setup.page.getByRole('textbox', { name: 'Search chats' });
  const row = (id: string) => setup.page.locator(`[data-thread="${id}"]`);
  const press = (key: string) => setup.page.keyboard.press(key);
  const names = () => setup.page.locator('.thread-name').allTextContents();
  const focused = () =>
    setup.page.evaluate(() => {
      const { ariaLabel, textContent } = document.activeElement as HTMLElement;
      return (
        document.activeElement?.closest('[data-thread]')?.querySelector('.thread-name')?.textContent ??
        ariaLabel ??
        textContent
      );
    });
  /** The list, opened again while the page shows thread `b`. */
  const list = async (...messages: ToWebview[]): Promise<void> => {
    await setup.post({ type: 'focus', what: 'composer' }, snapshot('b'));
    await setup.posted();
    await setup.post(open);
    await until(async () => (await asked()).length > 0);
    await setup.post(...messages);
    await setup.posted();
  };
  const asked = async () =>
    (await setup.posted()).filter((message) => (message as { type: string }).type === 'listThreads');
  const find = async (query: string) => {
    await search().fill(query);
    return asked();
  };
  const act = (which: string, threadId: string) => ({ type: 'threadAct', act: which, threadId });

  const states: readonly (readonly [name: string, messages: readonly ToWebview[], expected: string])[] = [
    [
      'nothing before it got any',
      [],
      `region "History" [textbox "Search chats" placeholder=Search titles and contents, button "Close history"]

Search chats: placeholder | Close history: “Close (Escape)” | <close> | div: busy=true`,
    ],
    [
      'that there are none',
      [part([])],
      `region "History"
  textbox "Search chats" placeholder=Search titles and contents, button "Close history", paragraph (No chats yet.)

Search chats: placeholder | Close history: “Close (Escape)” | <close> | No chats yet.: busy=false
No chats yet.: quiet`,
    ],
    [
      'those of a search that goes on',
      [part(every.slice(2), { busy: true })],
      `region "History"
  textbox "Search chats" placeholder=Search titles and contents, button "Close history"
  list "Chats"
    listitem
      button "chat c one two one Jan 1, 1970 · main" [mark (chat), "c one", mark (two), "one Jan 1, 1970 · main"]
      button "Open in editor", button "Pin", button "Rename", button "Export", button "Delete"

Search chats: placeholder | Close history: “Close (Escape)” | <close> | div: busy=true
li: setsize=2, posinset=1 | one two one: quiet | Jan 1, 1970 · main: quiet | Open in editor: titled | <link-external> | Pin: titled | <pin> | Rename: “Rename (F2)” | <edit> | Export: titled | <export> | Delete: “Delete (Delete)” | <trash>`,
    ],
    [
      'the state of each, and the matches',
      [part(every)],
      `region "History"
  textbox "Search chats" placeholder=Search titles and contents, button "Close history"
  list "Chats"
    listitem
      button "running unread pinned chat a Jan 1, 1970 · main"
        img "running", img "unread", img "pinned", "chat a Jan 1, 1970 · main"
      button "Stop", button "Open in editor", button "Unpin", button "Rename", button "Export", button "Delete"
    listitem
      button "New chat Jan 1, 1970", button "Open in editor", button "Pin", button "Rename", button "Export"
      button "Delete"
    listitem
      button "chat c one two one Jan 1, 1970 · main" [mark (chat), "c one", mark (two), "one Jan 1, 1970 · main"]
      button "Open in editor", button "Pin", button "Rename", button "Export", button "Delete"

Search chats: placeholder | Close history: “Close (Escape)” | <close> | div: busy=false
chat aJan 1, 1970 · main: setsize=3, posinset=1 | <loading>: spins | unread: strong | <pinned> | Jan 1, 1970 · main: quiet | Stop: titled | <debug-stop> | Open in editor: titled | <link-external> | Unpin: titled | <pinned> | Rename: “Rename (F2)” | <edit> | Export: titled | <export> | Delete: “Delete (Delete)” | <trash>
New chatJan 1, 1970: setsize=3, posinset=2 | New chatJan 1, 1970: chosen, current=true | Open in editor: titled | <link-external> | Pin: titled | <pin> | Rename: “Rename (F2)” | <edit> | Export: titled | <export> | Delete: “Delete (Delete)” | <trash>
li: setsize=3, posinset=3 | one two one: quiet | Jan 1, 1970 · main: quiet | Open in editor: titled | <link-external> | Pin: titled | <pin> | Rename: “Rename (F2)” | <edit> | Export: titled | <export> | Delete: “Delete (Delete)” | <trash>`,
    ],
  ];
  for (const [name, messages, expected] of states)
    it(`shows ${name}`, async () => {
      await list();
      await setup.post(...messages);
      const opened = await setup.posted();
      const shown = `${await outline(panel())}\n\n${await looks(panel())}`;
      assert.equal(shown, expected);
      assert.deepEqual(opened, [], 'none is opened');
    });

  it('asks the host for what its buttons and menus say, once', async () => {
    await list(part(every));
    const button = (id: string, name: string) => async () => {
      await row(id).hover();
      await row(id).getByRole('button', { name, exact: true }).click();
    };
    const menu = (id: string, name: string) => async () => {
      await row(id)
        .getByText(id === 'b' ? 'New chat' : `chat ${id}`)
        .click({ button: 'right' });
      await setup.page
        .getByRole('menu', { name: id === 'b' ? 'New chat' : `chat ${id}` })
        .getByRole('menuitem', { name, exact: true })
        .click();
    };
    for (const [does, expected] of [
      [button('a', 'Stop'), [act('stop', 'a')]],
      [button('a', 'Open in editor'), [act('openInTab', 'a')]],
      [button('a', 'Unpin'), [act('unpin', 'a')]],
      [button('b', 'Pin'), [act('pin', 'b')]],
      [button('c', 'Export'), [act('export', 'c')]],
      [menu('c', 'Open in editor'), [act('openInTab', 'c')]],
      [menu('a', 'Stop'), [act('stop', 'a')]],
      [menu('b', 'Pin'), [act('pin', 'b')]],
      [menu('c', 'Rename'), []],
      [() => press('Escape'), []],
      [button('c', 'Delete'), [act('remove', 'c')]],
      [() => setup.page.getByRole('button', { name: 'Undo' }).click(), [act('bringBack', 'c')]],
    ] as const) {
      await does();
      assert.deepEqual(await setup.posted(), expected);
    }
    await list(part(every));
    await setup.page.getByRole('button', { name: 'Close history' }).click();
    assert.deepEqual(await setup.posted(), [{ type: 'closeThreads' }]);
    assert.equal(await panel().count(), 0);
  });

  it('opens a thread once, and closes when it is shown; at once if it is shown already', async () => {
    await list(part(every));
    await row('a').getByText('chat a').click();
    assert.deepEqual(await setup.posted(), [act('open', 'a')]);
    await setup.post(part(every));
    assert.equal(await panel().count(), 1);
    await setup.post(snapshot('c'));
    assert.equal(await panel().count(), 1, 'another one is shown');
    await setup.post(snapshot('a'));
    assert.equal(await panel().count(), 0);
    await list(part(every));
    await row('b').getByText('New chat').click();
    assert.equal(await panel().count(), 0);
    assert.deepEqual(await setup.posted(), [act('open', 'b'), { type: 'closeThreads' }]);
  });

  it('asks for the threads of each search, and more of them at its end', async () => {
    await setup.reload();
    await setup.post(snapshot('b'), open);
    const ask = (query: string, count: number) => ({ type: 'listThreads', query, count });
    assert.deepEqual(
      await until(async () => {
        const all = await asked();
        return all.length > 0 && all;
      }),
      [ask('', 60)],
    );
    const many = Array.from({ length: 130 }, (_, at) => entry(`${at}`));
    await setup.post(part(many.slice(0, 59), { total: 130 }));
    await row('58').scrollIntoViewIfNeeded();
    assert.deepEqual(await asked(), [], 'the part that was asked for is not complete');
    await setup.post(part(many.slice(0, 60), { total: 130 }));
    await row('59').scrollIntoViewIfNeeded();
    assert.deepEqual(await asked(), [ask('', 120)]);
    await setup.post(part(many.slice(60, 120), { from: 60, total: 120 }));
    assert.equal((await names()).length, 120);
    await row('119').scrollIntoViewIfNeeded();
    assert.deepEqual(await asked(), [], 'these are all');
    assert.deepEqual(await find('x'), [ask('x', 60)]);
    await setup.post(part([entry('late')]), part([entry('found')], { query: 'x' }));
    assert.deepEqual(await names(), ['chat found']);
    // The command focuses the field again, so that the next search replaces the text.
    await row('found').getByRole('button', { name: 'chat found' }).focus();
    await setup.post(open);
    assert.equal(await focused(), 'Search chats');
    await setup.page.keyboard.type('y');
    assert.equal(await search().inputValue(), 'y');
  });

  it('opens the first thread with Enter: of this search, and as soon as there is one', async () => {
    await list(part(every));
    await find('x');
    await press('Enter');
    assert.deepEqual(await setup.posted(), [], 'none was found yet');
    await setup.post(part([], { query: 'x', busy: true }));
    assert.deepEqual(await setup.posted(), []);
    await setup.post(part([entry('c')], { query: 'x', busy: true }));
    assert.deepEqual(await setup.posted(), [act('open', 'c')]);
    for (const [key, found] of [
      ['y', []],
      ['Enter', [entry('d')]],
    ] as const) {
      await list(part(every));
      await find('x');
      await press('Enter');
      // Without a result, or with another text, Enter is forgotten.
      if (key === 'y') await find('y');
      await setup.post(part(found, { query: key === 'y' ? 'y' : 'x' }));
      await setup.posted();
      await setup.post(part([entry('c')], { query: key === 'y' ? 'y' : 'x' }));
      assert.deepEqual(
        (await setup.posted()).filter((message) => (message as { act?: string }).act === 'open'),
        [],
        key,
      );
    }
  });

  it('announces the end of a search once, and a deletion', async () => {
    await list(part(every));
    const said = () => setup.page.getByRole('status').innerHTML();
    const before = await said();
    const [x, one] = [{ query: 'x' }, [entry('c')]];
    await find('x');
    await setup.post(part([], { ...x, busy: true }), part(one, { ...x, busy: true }));
    assert.equal(await said(), before);
    await setup.post(part(one, x));
    const first = await said();
    assert.match(first, /1 chat found/);
    await setup.post(part([...one, entry('d')], x));
    assert.equal(await said(), first);
    await find(' ');
    await setup.post(part(one, { query: ' ' }));
    assert.equal(await said(), first);
    await row('c').getByRole('button', { name: 'chat c' }).press('Delete');
    assert.match(await said(), /“chat c” was deleted\./);
    assert.match(await panel().innerText(), /“chat c” was deleted\.\s*Undo[^]*No chats yet\./);
  });

  it('posts a new name once, unless it is empty, canceled or the old one, and shows it at once', async () => {
    const rename = (title: string) => [{ type: 'renameThread', threadId: 'c', title }];
    for (const [typed, end, expected, shown, focus] of [
      ['new', 'Enter', rename('new'), 'new', 'new'],
      [' new ', 'Enter', rename(' new '), 'new', 'new'],
      ['new', 'Escape', [], 'chat c', 'chat c'],
      ['chat c', 'Enter', [], 'chat c', 'chat c'],
      [' ', 'Enter', [], 'chat c', 'chat c'],
      ['new', 'Tab', rename('new'), 'new', 'new'],
    ] as const) {
      await list(part(every));
      await row('c').getByRole('button', { name: 'chat c' }).press('F2');
      const field = setup.page.getByRole('textbox', { name: 'Name of the chat' });
      assert.equal(await field.inputValue(), 'chat c');
      await setup.page.keyboard.type(typed);
      await press(end);
      assert.deepEqual(await setup.posted(), expected, `${typed} ${end}`);
      assert.deepEqual([(await names())[2], await focused()], [shown, focus]);
      assert.equal(await field.count(), 0);
      assert.equal(await row('c').locator('.thread-name mark').count(), shown === 'new' ? 0 : 1);
    }
    await list(part(every));
    await row('a')
      .getByRole('button', { name: /chat a/ })
      .press('F2');
    await setup.page.getByRole('textbox', { name: 'Name of the chat' }).waitFor();
  });

  it('moves the focus between its rows, and after deletions to the next row, the one before, or Undo', async () => {
    await list(part(every));
    const found: unknown[] = [];
    const posted: unknown[] = [];
    for (const key of 'ArrowDown ArrowDown End ArrowUp Home ArrowUp ArrowUp ArrowDown ArrowDown Delete Delete Delete Control+z Control+z'.split(
      ' ',
    )) {
      await press(key);
      posted.push(...(await setup.posted()));
      found.push(await focused());
    }
    const deleted = ['b', 'c', 'a'].map((id) => act('remove', id));
    assert.deepEqual(posted, [...deleted, act('bringBack', 'a'), act('bringBack', 'c')]);
    await setup.post(part(every));
    assert.equal(await focused(), 'chat c', 'what was brought back');
    assert.equal(
      found.join(),
      'chat a,New chat,chat c,New chat,chat a,Search chats,Search chats,chat a,New chat,chat c,chat a,Undo,Undo,Undo',
    );
    assert.deepEqual(await setup.page.getByRole('button', { name: 'Undo' }).getAttribute('title'), 'Undo (Ctrl+Z)');
    // A key for the field, or for nothing, is left to the editor.
    const isHandled = (key: string, more: object = {}): Promise<boolean> =>
      search().evaluate(
        (field, pressed) =>
          !field.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true })),
        { key, ...more },
      );
    for (const [key, more] of [
      ['F2', {}],
      ['Delete', {}],
      ['z', { ctrlKey: true }],
      ['Home', {}],
      ['x', {}],
    ] as const)
      assert.equal(await isHandled(key, more), false, key);
    assert.equal(await isHandled('Escape'), true);
  });

  it('keeps the rows under the pointer where they are when one is pinned, until it leaves or a search begins', async () => {
    const pinned = part([entry('c', { pinned: true }), ...every.slice(0, 2)]);
    const [held, moved] = [
      ['chat a', 'New chat', 'chat c'],
      ['chat c', 'chat a', 'New chat'],
    ];
    await list(part(every));
    await row('c').hover();
    await row('c').getByRole('button', { name: 'Pin' }).click();
    await setup.post(pinned);
    assert.deepEqual(await names(), held);
    await find(' ');
    await setup.post({ ...pinned, query: ' ' } as ToWebview);
    assert.deepEqual(await names(), moved);
    await list(part(every));
    await setup.page.mouse.move(0, 0);
    await row('c').getByRole('button', { name: 'Pin' }).press('Enter');
    await setup.post(pinned);
    await becomes(names, moved);
  });

  it('is closed by a command that goes to the message field', async () => {
    await list(part([]));
    await setup.post({ type: 'focus', what: 'composer' });
    await becomes(() => setup.page.getByRole('region', { name: 'History' }).count(), 0);
  });

  it('has the key of Find while it is open, and gives the focus to the message field when it closes', async () => {
    await list(part(every));
    await row('a')
      .getByRole('button', { name: /chat a/ })
      .focus();
    for (const [key, focus] of [
      ['Control+f', 'Search chats'],
      ['Escape', 'Message'],
      ['Control+f', 'Find in conversation'],
    ] as const) {
      await press(key);
      await becomes(focused, focus);
    }
    const isHandled = await setup.page.evaluate(
      () => !window.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, cancelable: true })),
    );
    assert.ok(isHandled, 'VS Code opens no other one');
    await press('Escape');
  });

  it('has the keys of macOS there', async () => {
    await setup.page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }));
    await setup.reload();
    await list(part(every));
    const found: unknown[] = [];
    await row('c').getByRole('button', { name: 'chat c' }).focus();
    for (const key of ['Meta+Backspace', 'Control+z', 'Control+f', 'Meta+z', 'Meta+f']) {
      await press(key);
      found.push([key, await setup.posted(), await focused()]);
      if (key === 'Control+z') found.push(await setup.page.getByRole('button', { name: 'Undo' }).getAttribute('title'));
    }
    assert.deepEqual(found, [
      ['Meta+Backspace', [act('remove', 'c')], 'New chat'],
      ['Control+z', [], 'New chat'],
      'Undo (⌘Z)',
      ['Control+f', [], 'New chat'],
      ['Meta+z', [act('bringBack', 'c')], 'New chat'],
      ['Meta+f', [], 'Search chats'],
    ]);
    const sendKey = 'modEnter' as const;
    await setup.post(
      { type: 'focus', what: 'composer' },
      { ...snapshot('b'), viewContext: { ...viewContext, sendKey } },
    );
    await setup.page.getByTitle('Send (⌘Enter)').waitFor();
  });
});

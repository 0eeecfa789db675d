/** The tab of a run: what its page shows and does, with two sides on two connections, and after a restart. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { RunRow, ToRuns } from '../../../../src/shared/protocol/runs.ts';
import type { Intent } from '../../../../src/shared/protocol/chat.ts';
import type { Message } from '../../../../src/chat/session/chatSession.ts';
import { askContext } from '../../../../src/vscode/runs/askContext.ts';
import type * as restoring from '../../../../src/vscode/runs/restore.ts';
import type * as spec from '../../../../src/vscode/runs/runSpec.ts';
import type * as tabs from '../../../../src/vscode/runs/runTab.ts';
import type * as making from '../../../../src/vscode/runs/sides.ts';
import type { WebviewHolder } from '../../../../src/vscode/views/threadView.ts';
import { answerOf } from '../../evals/support.ts';
import { table } from '../../evals/tables.ts';
import { Editor, emptyThread, EventEmitter, finance, folders, homeOf, pairs } from '../support.ts';
import { Panel, queryItem, queryWith, questionNamed, sales, until, withItems } from '../support.ts';
import type { Pairs, ServiceStubs, TestQuestion, Thread } from '../support.ts';
import { changesIn, shownIn } from './support.ts';

type Modules = typeof tabs & typeof making & typeof restoring & typeof spec;

const contextOn = (branch: string, identity = 'ana', entry = sales) =>
  askContext({ branch, isDefaultBranch: branch === 'main', identity }, homeOf(entry), 'main');
/** Of the left and the right side. */
const contexts = [contextOn('main'), contextOn('dev', 'ben', finance)];

let editor: Editor;
let module: Modules;
let two: Pairs;
let sessions: EventEmitter<object>;
let removed: EventEmitter<object>;
/** Handles an intent of the view of each side. @returns whether the tab handled it itself */
let acts: ((intent: Intent) => boolean)[];
let holders: WebviewHolder[];
/** The contexts of pinned chats by their ids. */
let pinned: Map<string, unknown>;

/** @param more in addition to services that open each thread by its id, with as many turns as that says */
function servicesWith(more: ServiceStubs = {}): Pairs {
  const names = (entry: { name: string } | undefined) => ['me', `guest of ${entry?.name}`];
  return pairs({
    repository: {
      keep: ({ thread }: { thread: Thread }) => Promise.resolve(two.done.push(`keep ${thread.id}`)),
      open: (id: string) =>
        id === 'gone'
          ? Promise.reject(new Error('No chat.'))
          : Promise.resolve({ thread: { ...emptyThread(id), turns: Array(Number(id) || 1).fill({ items: [] }) } }),
    },
    branches: { offered: ['net'] },
    identities: { names },
    views: {
      embed: (holder: WebviewHolder, _session: object, act: (typeof acts)[number]) => {
        acts.push(act);
        holders.push(holder);
        return { visibilityChanged: () => two.done.push('visibility'), dispose: () => two.done.push('dispose') };
      },
      viewClosed: ({ thread }: { thread: Thread }) => two.done.push(`close ${thread.id}`),
    },
    ...more,
    sessions: {
      ...{ onDidChange: sessions.event, onDidRemove: removed.event },
      pin: (id: string, to: unknown) => (to === undefined ? pinned.delete(id) : pinned.set(id, to)),
      connectionOf: ({ thread }: { thread: Thread }) => (thread.id === 'right' ? finance : sales),
      ...more.sessions,
    },
  });
}
const take = (): string[] => two.done.splice(0);

beforeEach(async () => {
  [editor, sessions, removed] = [new Editor(), new EventEmitter(), new EventEmitter()];
  [acts, holders, pinned] = [[], [], new Map()];
  module = await editor.load<Modules>('runs/runTab', 'runs/sides', 'runs/restore', 'runs/runSpec');
  two = servicesWith();
});

describe('answers side by side', () => {
  let panel: Panel;
  let sides: { session: { thread: Thread } }[];

  beforeEach(() => {
    sides = ['left', 'right'].map((id) => ({
      session: {
        thread: emptyThread(id),
        send: ({ text, images }: Message) => Promise.resolve(two.done.push([id, 'asks', text, ...images].join(' '))),
        retry: () => Promise.resolve(two.done.push(`retry ${id}`)),
      },
    }));
    open('revenue?');
  });
  /** Opens the sides in a tab, whose page is loaded. */
  function open(question = 'x'): tabs.RunTab {
    const given = sides.map((side, at) => ({ ...side, context: contexts[at]! }));
    const tab = module.openSides(two.services, question, given as never);
    panel = editor.panels.pop()!;
    panel.receive({ type: 'ready' });
    return tab;
  }
  /** Replaces the query of a side, which notifies the tab. */
  const write = (side: number, sqlQuery: string): void => {
    const { session } = sides[side]!;
    const thread = withItems({ ...session.thread, turns: [] }, queryItem('q', { sqlQuery }));
    Object.assign(session, { thread });
    sessions.fire({ session, events: [] });
  };
  /** @returns the SQL lines of the last posted comparison */
  const compared = (): string[] => {
    const last = changesIn(panel).findLast(({ comparison }) => comparison)?.comparison;
    return last?.queries.flatMap(({ sql }) => sql.flatMap(({ lines }) => lines.map(({ text }) => text))) ?? [];
  };

  it('are compared as they are written, also before the comparison was loaded', async () => {
    for (let moment = 0; moment < 20; moment += 1) {
      write(0, `SELECT ${moment}`);
      write(1, 'SELECT 2x');
      await until(() => compared().includes(`SELECT ${moment}`));
      write(1, 'SELECT 3x');
      for (let at = 0; at < moment; at += 1) await Promise.resolve();
      write(1, `SELECT 4x${moment}`);
      await until(() => compared().includes(`SELECT 4x${moment}`));
    }
  });

  it('are exported in the format of the file, without secrets', async () => {
    write(0, "SELECT 'the-key'");
    write(1, "SELECT 'the-key' -- right");
    await until(() => compared().length > 0);
    editor.targets = ['/shop/a.md', undefined, '/shop/a.CSV'];
    panel.receive({ type: 'export' });
    await until(() => editor.files.has('/shop/a.md'));
    const text = editor.files.get('/shop/a.md')!;
    assert.match(text, /^# revenue\?\n\n## main · ana\n[^]*## dev · ben\n[^]*\n- ?SELECT '\[redacted\]'\n\+/);
    assert.deepEqual(editor.names, ['/shop/main · ana dev · ben revenue.md']);
    panel.receive({ type: 'export' });
    await until(() => editor.names.length === 2);
    panel.receive({ type: 'export' });
    await until(() => editor.messages.length > 1);
    const open = ['a.md', 'a.CSV'].map((name) => `The comparison was exported. [Open ${name}]`);
    assert.deepEqual(editor.messages, open);
    assert.match(editor.files.get('/shop/a.CSV')!, /^status,.* \(main · ana\),/);
  });

  it('are asked where each side is, until the tab is closed or a chat is deleted, which no question may continue', () => {
    panel.dispose();
    take();
    for (const deleted of [undefined, 0, 1]) {
      const tab = open();
      tab.start();
      assert.equal(tab.run.state.isRunning, false, 'they are asked once');
      assert.deepEqual(Object.fromEntries(pinned), { left: contexts[0]!.sent, right: contexts[1]!.sent });
      assert.deepEqual(take(), ['left asks x', 'right asks x']);
      removed.fire({});
      assert.equal(panel.isClosed, false);
      if (deleted === undefined) panel.dispose();
      else removed.fire(sides[deleted]!.session);
      assert.deepEqual([pinned.size, panel.isClosed], [0, true]);
      assert.deepEqual(take(), ['dispose', 'dispose', 'close left', 'close right']);
      panel.change({ visible: false });
      assert.deepEqual(take(), []);
    }
  });

  it('are asked again on the side whose branch or identity the user changes, to one of its own connection', async () => {
    for (const [side, action, pick, sent] of [
      [1, 'switchIdentity', 'guest of finance', { ...contexts[1]!.sent, identity: 'guest of finance' }],
      [0, 'switchBranch', 'net', { ...contexts[0]!.sent, branch: 'net', isDefaultBranch: false }],
      [0, 'switchBranch', undefined, { ...contexts[0]!.sent, branch: 'net', isDefaultBranch: false }],
    ] as const) {
      editor.picks = [pick];
      const id = ['left', 'right'][side]!;
      assert.equal(acts[side]!({ type: 'errorAction', action }), true);
      if (pick) await until(() => two.done.length > 0);
      assert.deepEqual([take(), pinned.get(id)], [pick ? [`retry ${id}`] : [], sent]);
      const { branch, identity } = sent;
      if (pick) assert.deepEqual(shownIn(panel).contexts[side], { branch, identity });
    }
    assert.equal(pinned.size, 2);
    for (const intent of [{ type: 'errorAction', action: 'retry' }, { type: 'stop' }] as const)
      assert.equal(acts[0]!(intent), false);
  });

  it('offer to ask again once they are there, unless their SQL may come from someone else', async () => {
    const first = shownIn(panel);
    assert.deepEqual([first.hasSides, first.title, first.canAskAgain], [true, 'revenue?', true]);
    assert.equal(first.summary, 'Ask again to see whether the answers vary: at most 4 requests');
    two = servicesWith({ repository: { isReadOnly: (id: string) => id === 'right' } });
    const { run } = open();
    const recorded = shownIn(panel);
    assert.deepEqual([recorded.canAskAgain, recorded.summary], [false, '']);
    panel.receive({ type: 'askAgain' });
    assert.equal(run.state.isRunning, false);
    // The answers that are shown count as the first ones.
    two = servicesWith({ connector: { connect: () => assert.fail() } });
    const again = open();
    panel.receive({ type: 'askAgain' });
    await until(() => again.run.state.isRunning);
    await until(() => !again.run.state.isRunning);
    assert.match(shownIn(panel).summary, /^1 to review · 0 requests/);
  });

  it('have views that share the page, each with its own messages and the visibility of the tab', async () => {
    const received: unknown[][] = [];
    holders.forEach(({ webview }, at) =>
      webview.onDidReceiveMessage((message: unknown) => received.push([at, message])),
    );
    take();
    panel.receive({ type: 'side', context: 1, message: { type: 'stop' } });
    await new Promise(setImmediate);
    assert.deepEqual([received, take()], [[[1, { type: 'stop' }]], []]);
    await holders[1]!.webview.postMessage({ type: 'ping' });
    assert.deepEqual(panel.posted.at(-1), { type: 'side', context: 1, message: { type: 'ping' } });
    panel.change({ visible: false });
    holders[0]!.reveal();
    assert.deepEqual([holders[1]!.visible, panel.reveals, take()], [false, 1, ['visibility', 'visibility']]);
  });

  it('open the chat of a side, and log what the page can’t do', async () => {
    panel.receive({ type: 'openCell', row: 0, context: 1 });
    panel.receive({ type: 'problem', text: 'Oops.' });
    panel.receive({ type: 'nonsense' });
    await until(() => two.done.length === 3);
    assert.deepEqual(take(), ['A page reported an error: Oops.', 'A page sent an invalid message.', 'focus right']);
  });
});

describe('the questions of a run', () => {
  const questions = ['a', 'b'].map((name) => questionNamed(name, { expectedSql: undefined }));
  let panel: Panel;
  /** Signals of the requests that run until they are canceled; if undefined, all are answered. */
  let held: AbortSignal[] | undefined;
  const rowOf = (at: number): RunRow => shownIn(panel).rows[at]!;

  /** Asks each question on both sides; they answer with another number on the branch “dev”. */
  async function run(all = questions): Promise<tabs.RunTab> {
    let count = 0;
    held = undefined;
    const ask = async ({ name }: TestQuestion, { branch, home }: (typeof contexts)[number], signal: AbortSignal) => {
      if (branch === 'dev' && held?.push(signal))
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      const value = branch === 'dev' ? 2 : 1;
      const answer = answerOf(queryWith(table('n:number', [value])));
      const query = queryItem('t', { sqlQuery: `SELECT ${value}`, data: [[value]] });
      const id = `${name} on ${branch} of ${home?.connection} ${(count += 1)}`;
      return { ...answer, thread: { ...withItems(answer.thread, query), id }, isStopped: signal.aborted };
    };
    const asked = all.map((question) => ({ question, contexts, folder: folders[1] as never }));
    const tab = module.openTab(two.services, { title: 'All', tabTitle: 'All: 2', run: { ask: ask as never, asked } });
    panel = editor.panels.at(-1)!;
    panel.receive({ type: 'ready' });
    tab.start();
    await until(() => !tab.run.state.isRunning);
    return tab;
  }

  it('are listed with their verdicts, exported, and opened side by side with the connection of each answer', async () => {
    await run();
    const running = changesIn(panel).flatMap(({ isRunning }) => isRunning ?? []);
    assert.deepEqual([running[0], running.at(-1)], [true, false]);
    const rows = (panel.posted as unknown as ToRuns[]).flatMap((each) => (each.type === 'row' ? each : []));
    assert.deepEqual(rows.findLast(({ index }) => index === 1)?.row, rowOf(1));
    assert.match(panel.webview.html + JSON.stringify(panel.iconPath), /runs\.js[^]*\/extension\//);
    const { title, hasSides, canAskAgain, summary } = shownIn(panel);
    assert.deepEqual([panel.title, title, hasSides, canAskAgain], ['All: 2', 'All', false, true]);
    assert.match(summary, /^2 changed · 4 requests/);
    editor.targets = ['/shop/a.csv'];
    panel.receive({ type: 'export' });
    await until(() => editor.files.size > 0);
    assert.deepEqual([editor.names, editor.filters], [['/shop/All.md'], [{ Markdown: ['md'], CSV: ['csv'] }]]);
    assert.match(editor.files.get('/shop/a.csv')!, /^State,Question,Test,What changed\r\nchanged,What is a\?,a,/);
    take();
    for (const row of [1, 1, 0, 9]) panel.receive({ type: 'openRow', row });
    await until(() => two.done.length === 4);
    assert.deepEqual(two.added, ['sales', 'finance', 'sales', 'finance']);
    assert.deepEqual(editor.panels.map((each) => each.title).slice(1), ['Compare: What is b?', 'Compare: What is a?']);
    panel.receive({ type: 'openRow', row: 1 });
    await until(() => editor.panels[1]!.reveals > 0);
    editor.panels[1]!.dispose();
    panel.receive({ type: 'openRow', row: 1 });
    await until(() => editor.panels.length === 4);
  });

  it('of which there is one are compared as its answers arrive', async () => {
    await run(questions.slice(0, 1));
    await until(() => changesIn(panel).some(({ comparison }) => comparison));
    const [query] = shownIn(panel).comparison.queries;
    assert.equal(query?.results?.counts.changed, 1);
  });

  it('have answers that are opened with their connection, and accepted for the folder of their question', async () => {
    const questionsOf = ({ name }: { name: string }) => Promise.resolve(name === 'bank' ? questions : []);
    two = servicesWith({ questionFiles: { questionsOf } });
    await run();
    panel.receive({ type: 'openCell', row: 1, context: 1 });
    await until(() => two.done.some((what) => what.startsWith('reveal')));
    assert.match(take().join(), /^keep b on dev of finance \d,reveal b on dev of finance \d$/);
    assert.deepEqual(two.added, ['finance']);
    panel.receive({ type: 'openCell', row: 9, context: 1 });
    await until(() => editor.messages.length > 0);
    assert.match(editor.messages.join(), /^There is no chat to open/);
    panel.receive({ type: 'accept', row: 1 });
    await until(() => editor.statuses.length > 0);
    const [[path, text] = ['', '']] = editor.files;
    assert.deepEqual([take(), editor.statuses], [['reload bank'], [`Accepted: ${path.replace('/bank/', '')}`]]);
    assert.doesNotMatch(text, /1970-/);
    assert.match(`${path} ${text}`, /^\/bank\/[^ ]*b\.ya?ml [^]*branch: "dev"\nidentity: "ben"[^]*- \[2\]/);
  });

  it('are asked again by the page, which gets nothing while it is hidden, until it or its tab cancels them', async () => {
    const { run: own } = await run();
    const before = own.thread(0, 0)?.id;
    panel.change({ visible: false });
    panel.types();
    panel.receive({ type: 'askAgain' });
    await until(() => !own.state.isRunning && ![undefined, before].includes(own.thread(0, 0)?.id));
    assert.deepEqual(panel.types(), []);
    panel.change({ visible: true });
    assert.equal(rowOf(0).state, 'changed');
    for (const end of [() => panel.receive({ type: 'cancel' }), () => panel.dispose()]) {
      held = [];
      panel.receive({ type: 'askAgain' });
      await until(() => held?.length === 2 && own.rows.every(({ cells }) => cells[0]?.state === 'answered'));
      panel.receive({ type: 'openRow', row: 0 });
      end();
      await until(() => !own.state.isRunning);
      assert.equal(own.rows.map(({ state }) => state).join(), 'canceled,canceled');
      assert.equal(editor.panels.length, 1, 'a row without its answers');
    }
  });
});

/** @returns copies of a state in each of which one part is a number */
const damaged = (value: unknown): unknown[] =>
  typeof value !== 'object' || value === null
    ? [7]
    : Object.entries(value).flatMap(([key, part]) =>
        [7, ...damaged(part)].map((each) =>
          Array.isArray(value) ? value.with(Number(key), each) : { ...value, [key]: each },
        ),
      );

describe('the tab of a run after a restart', () => {
  const remember = {
    ...{ title: 'Answers on main and dev', tabTitle: 'Answers: main, dev', isAccess: false },
    asked: ['a', 'b'].map((name) => ({ name, text: `${name}?`, contexts })),
  };
  const [first] = remember.asked;
  const row = (name: string, state: RunRow['state']): RunRow => ({
    ...{ name, text: `${name}?`, state, message: 'why', canOpen: true, canAccept: true },
    cells: [
      { state: 'answered', message: '1 row', canOpen: true },
      { state: 'asking', message: '', canOpen: false },
    ],
  });

  /** @returns what the restored tab shows, and its page saves again; undefined if the tab was closed */
  async function restored(state: unknown) {
    const panel = new Panel();
    await module.restoreRun(two.services, panel as never, state);
    if (panel.isClosed) return undefined;
    const { remember, ...page } = shownIn(panel);
    return { ...page, tabTitle: panel.title, remember: JSON.parse(JSON.stringify(remember)) as object };
  }

  it('shows the verdicts and the comparison, whose chats are not kept, and what was still asked as canceled', async () => {
    const comparison = { queries: [], members: [{ name: 'x' }], notes: [] };
    const page = await restored({ remember, rows: [row('a', 'changed'), row('b', 'asking')], comparison });
    assert.deepEqual([page?.tabTitle, page?.title], ['Answers: main, dev', 'Answers on main and dev']);
    assert.deepEqual([page?.comparison, page?.remember], [comparison, remember]);
    const shown = (each: object) =>
      Object.values(each)
        .filter((part) => typeof part !== 'object')
        .join();
    assert.deepEqual(page?.rows.map(shown), ['a,a?,changed,why,false,false', 'b,b?,canceled,Canceled,false,false']);
    assert.deepEqual(page?.rows[0]?.cells.map(shown), ['answered,1 row,false', 'canceled,Canceled,false']);
  });

  it('has the turns of its questions, and the access tests of one that everyone was asked', async () => {
    const asked = [{ ...first, identity: 'ben', turns: ['first', 'second'] }];
    for (const isAccess of [false, true]) {
      const saved = { ...remember, asked, isAccess };
      assert.deepEqual((await restored({ remember: saved }))?.remember, saved);
    }
  });

  it('has the branch and identity of each side, and asks no question again that depends on an earlier one', async () => {
    const three = [...contexts, contextOn('', 'eve')];
    const titles = ['Answers on main and dev', 'Compare: Answers on main and dev'];
    for (const [threads, canAskAgain] of [
      [['x', 'y', 'z'], true],
      [['x', '2', 'z'], false],
    ] as const) {
      const page = await restored({ remember: { ...remember, asked: [{ ...first, contexts: three }], threads } });
      assert.deepEqual([page?.canAskAgain, page?.title, page?.tabTitle], [canAskAgain, ...titles]);
      assert.match(page?.summary ?? '', canAskAgain ? /at most 6 requests/ : /^$/);
      const shown = page?.contexts.map(({ branch, identity }) => `${branch} ${identity}`);
      assert.deepEqual(shown, ['main ana', 'dev ben', 'main eve']);
      assert.deepEqual([...pinned.keys()], threads);
      pinned.clear();
    }
  });

  it('is closed if a part of its state is invalid or a chat of it is gone', async () => {
    const sides = { ...remember, asked: [{ ...first, identity: 'ben', turns: ['first'] }], threads: ['x', 'y'] };
    for (const state of [
      ...damaged({ remember: sides }),
      { remember: { ...remember, asked: [] } },
      { remember: { ...remember, asked: [{ ...first, contexts: contexts.slice(1) }] } },
      { remember: { ...sides, threads: ['x', 'y', 'z'] } },
      { remember: { ...sides, threads: ['x', 'gone'] } },
    ])
      assert.equal(await restored(state), undefined, JSON.stringify(state));
    assert.deepEqual(take(), ['A comparison could not be restored. Error: No chat.']);
  });

  it('offers to ask again without rows or a comparison that are invalid, or not as many as there are questions', async () => {
    const cells = [{ message: '', state: 'answered' }];
    const rows = ['a', 'b'].map((name) => ({ name, text: '', state: 'same', message: '', cells }));
    const odd = [
      { ...rows[0], state: 'odd' },
      { ...rows[0], cells: [{ ...cells[0], state: 'odd' }] },
    ];
    for (const invalid of [undefined, rows.slice(1), ...damaged(rows), ...odd.map((each) => [each, rows[1]])]) {
      const page = await restored({ remember, rows: invalid });
      assert.deepEqual([page?.canAskAgain, page?.rows.map(({ state }) => state)], [true, ['waiting', 'waiting']]);
    }
    const none = { queries: [], members: [], notes: [] };
    for (const comparison of damaged(none))
      assert.deepEqual((await restored({ remember, comparison }))?.comparison, none);
  });
});

/** Tabs of runs after a restart, with a stub of the editor. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { RunPage, RunRow, ToRuns } from '../../../../src/shared/protocol/runs.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { askContext as contextOf } from '../../../../src/vscode/runs/askContext.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

type Restore = (services: object, panel: object, state: unknown) => Promise<void>;

const nothing = (): { dispose: () => undefined } => ({ dispose: () => undefined });
const home = { origin: 'https://one.example', connection: '' };
const askContext = (branch: string, identity = 'ana') =>
  contextOf({ branch, isDefaultBranch: branch === 'main', identity }, home, 'main');
const remember = {
  ...{ title: 'Answers on main and dev', tabTitle: 'Answers: main, dev', isAccess: false },
  asked: ['a', 'b'].map((name) => ({ name, text: `${name}?`, contexts: [askContext('main'), askContext('dev')] })),
};
const row = (name: string, state: RunRow['state']): RunRow => ({
  ...{ name, text: `${name}?`, state, message: 'why', canOpen: true, canAccept: true },
  cells: [
    { state: 'answered', message: '1 row', canOpen: true },
    { state: 'asking', message: '', canOpen: false },
  ],
});

/** @returns a thread with as many turns as its id says */
const threadOf = (id: string) => ({ ...emptyThread(id), turns: Array(Number(id) || 1).fill({ items: [] }) });

describe('the tab of a run after a restart', () => {
  let restoreRun: Restore;
  /** What the page saves again. */
  let remembered: unknown;
  before(async () => {
    ({ restoreRun } = await loadWithEditor<{ restoreRun: Restore }>('vscode/runs/restore.ts', {
      ...{ Uri: { joinPath: () => '' } },
    }));
  });

  /** @returns the page that the restored tab shows; undefined if the tab was closed */
  async function restored(state: unknown): Promise<RunPage | undefined> {
    const posted: ToRuns[] = [];
    const listeners: ((message: unknown) => void)[] = [];
    let isClosed = false;
    const services = {
      ...{ context: {}, guarded: async (work: () => unknown) => work(), branches: { main: 'main' } },
      connections: { current: undefined },
      repository: { isReadOnly: () => false, open: (id: string) => Promise.resolve({ thread: threadOf(id) }) },
      sessions: { pin: nothing, onDidChange: nothing, onDidRemove: nothing },
      views: { embed: nothing },
    };
    const webview = {
      asWebviewUri: String,
      postMessage: (message: ToRuns) => posted.push(message),
      onDidReceiveMessage: (listener: (message: unknown) => void) => (listeners.push(listener), nothing()),
    };
    const panel = {
      ...{ webview, visible: true, onDidChangeViewState: nothing, onDidDispose: nothing },
      dispose: () => (isClosed = true),
    };
    await restoreRun(services, panel, state);
    for (const listener of listeners) listener({ type: 'ready' });
    const shown = posted.find((message) => message.type === 'runs');
    remembered = JSON.parse(JSON.stringify(shown?.remember ?? null));
    return isClosed ? undefined : shown?.page;
  }

  it('shows the verdicts, whose chats are not kept, and what was still asked as canceled', async () => {
    const page = await restored({ remember, rows: [row('a', 'changed'), row('b', 'asking')] });
    assert.equal(page?.title, 'Answers on main and dev');
    assert.deepEqual(
      page.rows.map(({ name, state, message, canOpen, canAccept }) => [name, state, message, canOpen, canAccept]),
      [
        ['a', 'changed', 'why', false, false],
        ['b', 'canceled', 'Canceled', false, false],
      ],
    );
    assert.deepEqual(
      page.rows[0]?.cells.map(({ state, canOpen }) => [state, canOpen]),
      [
        ['answered', false],
        ['canceled', false],
      ],
    );
  });

  it('offers to ask again if the page saved no rows', async () => {
    const page = await restored({ remember });
    assert.deepEqual([page?.canAskAgain, page?.rows.map(({ state }) => state)], [true, ['waiting', 'waiting']]);
  });

  it('has the turns of its questions', async () => {
    const asked = [{ ...remember.asked[0], turns: ['first', 'second'] }];
    assert.ok(await restored({ remember: { ...remember, asked } }));
    assert.deepEqual(remembered, { ...remember, asked });
  });

  it('asks no question again that depends on an earlier one of its chat', async () => {
    const asked = remember.asked.slice(0, 1);
    const sides = (threads: string[]) => restored({ remember: { ...remember, asked, threads } });
    assert.equal((await sides(['x', 'y']))?.canAskAgain, true);
    assert.equal((await sides(['x', '2']))?.canAskAgain, false);
  });

  it('has the branch and identity of each side, in their order', async () => {
    const contexts = [askContext('main'), askContext('dev', 'ben'), askContext('', 'eve')];
    const asked = [{ ...remember.asked[0], contexts }];
    const page = await restored({ remember: { ...remember, asked, threads: ['x', 'y', 'z'] } });
    assert.deepEqual(page?.contexts, [
      { branch: 'main', identity: 'ana' },
      { branch: 'dev', identity: 'ben' },
      { branch: 'main', identity: 'eve' },
    ]);
  });

  it('is closed if its state is invalid', async () => {
    const [first] = remember.asked;
    for (const state of [
      undefined,
      {},
      { remember: { ...remember, asked: [] } },
      { remember: { ...remember, asked: [{ ...first, contexts: [askContext('main')] }] } },
      { remember: { ...remember, asked: [{ ...first, contexts: [{ ...askContext('main'), sent: {} }, {}] }] } },
      { remember: { ...remember, threads: ['x'] } },
    ])
      assert.equal(await restored(state), undefined, JSON.stringify(state));
  });
});

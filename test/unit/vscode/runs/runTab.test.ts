/** A comparison updates whenever one of its answers changes. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import type { ToRuns } from '../../../../src/shared/protocol/runs.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn, withItems } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { askContext } from '../../../../src/vscode/runs/askContext.ts';
import { looseQuestion } from '../../../../src/evals/question.ts';
import { context } from '../../chat/support/sessions.ts';

interface Opened {
  /** Replaces the query of a side and notifies the comparison. */
  write(side: number, sqlQuery: string): void;
  /** The SQL lines of the last posted comparison. */
  shown(): string[];
  /** The branch and identity of the next question of each thread, if the comparison sets them. */
  pinned: Map<string, unknown>;
  close(): void;
  /** Deletes the chat of a side. */
  remove(side: number): void;
  /** Sends a message of the page. */
  receive(message: object): void;
  /** Handles an action of the page of a side. */
  act(side: number, intent: object): void;
  /** What the sides did. */
  done: string[];
}

type Listener = (message: unknown) => void;
type Class = new (app: object, panel: object, spec: object) => object;

const side = askContext(context, undefined, 'main');
const nothing = (): { dispose: () => undefined } => ({ dispose: () => undefined });

describe('a comparison', () => {
  let Tab: Class;
  /** The texts of exported files. */
  const exported: string[] = [];
  const editor = {
    Uri: { joinPath: () => '' },
    window: {
      createWebviewPanel: () => panelOf(() => undefined),
      showSaveDialog: () => Promise.resolve({ path: '/comparison.md' }),
      showQuickPick: (items: { label: string }[]) =>
        Promise.resolve(items.find(({ label }) => label.startsWith('guest'))),
    },
    workspace: {
      fs: {
        writeFile: (_file: object, bytes: Uint8Array) =>
          Promise.resolve(exported.push(new TextDecoder().decode(bytes))),
      },
    },
  };

  const panelOf = (post: (message: ToRuns) => void, listen: (listener: Listener) => void = nothing) => ({
    webview: {
      asWebviewUri: String,
      postMessage: post,
      onDidReceiveMessage: (listener: Listener) => (listen(listener), nothing()),
    },
    ...{ visible: true, onDidChangeViewState: nothing, onDidDispose: (_listener: () => void) => nothing() },
    dispose: () => undefined as void,
  });

  before(async () => {
    ({ RunTab: Tab } = await loadWithEditor<{ RunTab: Class }>('vscode/runs/runTab.ts', editor));
  });

  function open(): Opened {
    const posted: ToRuns[] = [];
    const listeners: Listener[] = [];
    const changes: ((change: object) => void)[] = [];
    const removals: ((session: object | undefined) => void)[] = [];
    const pinned = new Map<string, unknown>();
    let close = (): void => undefined;
    const done: string[] = [];
    const sides = ['left', 'right'].map((id) => {
      const retry = () => Promise.resolve(done.push(`retry ${id}`));
      return { session: { thread: emptyThread(id), retry } as unknown as ChatSession, context: side };
    });
    const acts: ((intent: object) => boolean)[] = [];
    const app = {
      context: {},
      branches: { main: 'main' },
      repository: { isReadOnly: () => false },
      guarded: async (work: () => unknown) => work(),
      sessions: {
        connectionOf: ({ thread }: ChatSession) => ({ name: thread.id }),
        pin: (id: string, to: unknown) => (to === undefined ? pinned.delete(id) : pinned.set(id, to)),
        onDidChange: (listener: (typeof changes)[number]) => {
          changes.push(listener);
          return nothing();
        },
        onDidRemove: (listener: (typeof removals)[number]) => {
          removals.push(listener);
          return nothing();
        },
      },
      connections: { current: { name: 'current' } },
      identities: {
        ...{ all: () => new Map(), on: () => 'dev' },
        names: ({ name }: { name: string }) => ['dev', `guest of ${name}`],
      },
      views: {
        embed: (_holder: object, _session: object, act: (intent: object) => boolean) => (acts.push(act), nothing()),
        viewClosed: nothing,
      },
      log: { redactDocument: (text: string) => text.replaceAll('the-key', '[redacted]') },
    };
    const panel = panelOf(
      (message) => posted.push(message),
      (listener) => listeners.push(listener),
    );
    panel.onDidDispose = (listener) => ((close = listener), nothing());
    panel.dispose = () => close();
    const run = { asked: [{ question: looseQuestion('revenue?'), contexts: [side, side] }] };
    new Tab(app, panel, { title: 'revenue?', tabTitle: 'Compare: revenue?', sides, run });
    const receive = (message: object): void => listeners.forEach((listener) => listener(message));
    receive({ type: 'ready' });
    return {
      ...{ receive, pinned, done, close: () => close() },
      act: (side, intent) => void acts[side]?.(intent),
      remove: (side) => removals.forEach((listener) => listener(sides[side]?.session)),
      write(side, sqlQuery) {
        const { session } = sides[side] ?? assert.fail();
        const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery }), result: '{}' };
        Object.assign(session, { thread: withItems({ ...session.thread, turns: [] }, makeItem('q', { toolCall })) });
        for (const change of changes) change({ session, events: [] });
      },
      shown() {
        const all = posted.flatMap((message) => (message.type === 'page' ? (message.change.comparison ?? []) : []));
        const differences = all.at(-1)?.queries.flatMap(({ sql }) => sql) ?? [];
        return differences.flatMap(({ lines }) => lines.map(({ text }) => text));
      },
    };
  }

  it('includes changes that arrived before it was shown', async () => {
    for (let moment = 0; moment < 20; moment += 1) {
      const tab = open();
      tab.write(0, 'SELECT 1');
      tab.write(1, 'SELECT 2');
      await until(() => tab.shown().includes('SELECT 2'));
      tab.write(1, 'SELECT 3');
      for (let at = 0; at < moment; at += 1) await Promise.resolve();
      tab.write(1, 'SELECT 4');
      await until(
        () => tab.shown().includes('SELECT 4'),
        () => `Lost at moment ${moment}.`,
      );
    }
  });

  it('is exported without secrets', async () => {
    const tab = open();
    tab.write(0, "SELECT 'the-key'");
    tab.write(1, "SELECT 'the-key'");
    await until(() => tab.shown());
    tab.receive({ type: 'export' });
    await until(() => exported.length > 0);
    assert.match(exported.join(), /SELECT '\[redacted\]'/);
    assert.doesNotMatch(exported.join(), /the-key/);
  });

  it('of a recorded chat has read-only sides, whose SQL may come from someone else', async () => {
    type Compare = (services: object) => Promise<void>;
    const path = 'vscode/runs/compareBranches.ts';
    const { compareBranches } = await loadWithEditor<{ compareBranches: Compare }>(path, editor);
    const turns = ['main', 'dev'].map((branch) => makeTurn({ id: branch, context: { ...context, branch } }));
    const readOnly: string[] = [];
    const added: string[] = [];
    const services = {
      ...{ context: {}, guarded: nothing, views: { embed: nothing }, branches: { main: 'main' }, connections: {} },
      repository: { markReadOnly: (id: string) => readOnly.push(id), isReadOnly: () => true },
      sessions: {
        ...{ pin: nothing, onDidChange: nothing, onDidRemove: nothing },
        add: (thread: Thread) => (added.push(thread.id), { thread }),
        active: { thread: { ...emptyThread('t'), turns } },
      },
    };
    await compareBranches(services);
    assert.equal(added.length, 2);
    assert.deepEqual(readOnly, added);
  });

  it('sets the branch of its chats only until it is closed', () => {
    const tab = open();
    assert.deepEqual([...tab.pinned.keys()], ['left', 'right']);
    tab.close();
    assert.equal(tab.pinned.size, 0);
  });

  it('asks again on the side whose identity the user changes, to one of its own connection', async () => {
    const tab = open();
    tab.act(1, { type: 'errorAction', action: 'switchIdentity' });
    await until(() => tab.done.length > 0);
    assert.deepEqual(tab.done, ['retry right']);
    assert.deepEqual([...tab.pinned.values()], [context, { ...context, identity: 'guest of right' }]);
  });

  it('closes when one of its chats is deleted, which no question may continue', () => {
    for (const side of [0, 1]) {
      const tab = open();
      tab.remove(side);
      assert.equal(tab.pinned.size, 0);
    }
  });

  it('of finished answers keeps the connection of each', async () => {
    const { openSides, sidesOf } = await loadWithEditor<{
      openSides: (services: object, question: string, sides: object) => object;
      sidesOf: (services: object, contexts: readonly object[], threads: readonly Thread[]) => object;
    }>('vscode/runs/runTab.ts', editor, 'vscode/runs/sides.ts');
    const homes: object[] = [];
    const services = {
      ...{ context: {}, guarded: nothing, views: { embed: nothing }, connections: {} },
      repository: { keep: () => Promise.resolve(), isReadOnly: () => false },
      sessions: {
        ...{ pin: nothing, onDidChange: nothing, onDidRemove: nothing },
        add: (thread: Thread, _draft: undefined, home: object) => (homes.push(home), { thread }),
      },
    };
    const origins = ['https://one.example', 'https://two.example', 'https://three.example'];
    const contexts = origins.map((origin) => askContext(context, { origin, connection: '' }, 'main'));
    openSides(services, 'revenue?', sidesOf(services, contexts, origins.map(emptyThread)));
    assert.deepEqual(
      homes,
      contexts.map(({ home }) => home),
    );
  });
});

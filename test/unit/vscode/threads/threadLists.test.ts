import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ThreadsPart } from '../../../../src/shared/protocol/threads.ts';
import type { ThreadLists } from '../../../../src/vscode/threads/threadLists.ts';
import type { ThreadView } from '../../../../src/vscode/views/threadView.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('the history list', () => {
  const nothing = { dispose: () => undefined };
  /** Threads whose unread mark was removed. */
  let forgotten: string[] = [];
  /** Notifies the list of events of a thread. */
  let change: (change: { events: { type: string }[] }) => unknown = () => undefined;
  /** The last list that the view received. */
  let posted: ThreadsPart | undefined;
  const view = {
    post: (part: ThreadsPart) => {
      posted = part;
    },
    visible: true,
  } as unknown as ThreadView;

  /**
   * @param remove closes the session of a thread that is deleted
   * @param reading resolves when the history can be read
   */
  async function listOf(
    restored: string[],
    remove = () => Promise.resolve(),
    reading = () => Promise.resolve(),
  ): Promise<ThreadLists> {
    const { ThreadLists: Lists } = await loadWithEditor<{ ThreadLists: new (app: object) => ThreadLists }>(
      'vscode/threads/threadLists.ts',
      {},
    );
    const history = {
      list: () => reading().then(() => ['a', 'b'].map((id) => ({ id, title: id }))),
      remove: (id: string) => Promise.resolve(() => Promise.resolve(void restored.push(id))),
      async *search() {
        for (const id of ['a', 'b', 'c']) {
          yield { meta: { id, title: id }, marks: [] };
          await reading();
        }
      },
    };
    return new Lists({
      sessions: {
        onDidChange: (listener: typeof change) => ((change = listener), nothing),
        ...{ get: () => undefined, isRunning: () => false, remove },
      },
      unread: { onDidChange: () => nothing, forget: (id: string) => forgotten.push(id), has: () => false },
      connections: { label: () => '' },
      branches: { main: 'main' },
      guarded: (work: () => unknown) => work(),
      history: () => Promise.resolve(history),
    });
  }

  it('restores the threads that were deleted in it, which are no longer unread', async () => {
    const restored: string[] = [];
    forgotten = [];
    const lists = await listOf(restored);
    await lists.list(view, '', 20);
    await lists.act(view, 'remove', 'a');
    await lists.act(view, 'remove', 'b');
    await lists.list(view, '', 20);
    await lists.act(view, 'bringBack', 'b');
    await lists.act(view, 'bringBack', 'a');
    assert.deepEqual(
      [restored, forgotten],
      [
        ['b', 'a'],
        ['a', 'b'],
      ],
    );
    await lists.list(view, '', 20);
    assert.equal(posted?.total, 2);
    lists.dispose();
  });

  it('is updated when an answer starts, ends, fails or is stopped', async () => {
    const lists = await listOf([]);
    await lists.list(view, '', 20);
    for (const type of ['sent', 'resumed', 'finished', 'failed', 'stopped']) {
      posted = undefined;
      change({ events: [{ type }] });
      await until(
        () => posted,
        () => `The list shows an old state after “${type}”.`,
      );
    }
    lists.dispose();
  });

  it('shows what was requested last, even if the history is read faster for it', async () => {
    const slow = Promise.withResolvers<void>();
    const readings = [slow.promise];
    const lists = await listOf([], undefined, () => readings.shift() ?? Promise.resolve());
    const first = lists.list(view, '', 1);
    await lists.list(view, '', 20);
    slow.resolve();
    await first;
    assert.equal(posted?.entries.length, 2);
    lists.dispose();
  });

  it('of a search has no deleted thread, and one more than it shows while there are more', async () => {
    const lists = await listOf([]);
    await lists.list(view, 'x', 2);
    assert.deepEqual([posted?.entries.map(({ id }) => id), posted?.total, posted?.busy], [['a', 'b'], 3, true]);
    await lists.act(view, 'remove', 'a');
    await lists.list(view, 'x', 2);
    assert.deepEqual([posted?.entries.map(({ id }) => id), posted?.total, posted?.busy], [['b', 'c'], 2, false]);
    lists.dispose();
  });

  it('leaves a thread out while its answer is being stopped, and lists it again if it can’t be deleted', async () => {
    const stopping = Promise.withResolvers<void>();
    const lists = await listOf([], () => stopping.promise);
    await lists.list(view, '', 20);
    const removing = lists.act(view, 'remove', 'a');
    await lists.list(view, '', 20);
    assert.deepEqual([posted?.entries.map(({ id }) => id), posted?.total], [['b'], 1]);
    stopping.reject(new Error('The disk is read-only.'));
    await assert.rejects(removing, /read-only/);
    await until(() => posted?.total === 2);
    lists.dispose();
  });

  it('keeps nothing of deleted threads once it is closed', async () => {
    const restored: string[] = [];
    const lists = await listOf(restored);
    await lists.list(view, '', 20);
    await lists.act(view, 'remove', 'a');
    lists.close(view);
    await lists.act(view, 'bringBack', 'a');
    assert.deepEqual(restored, []);
    lists.dispose();
  });
});

describe('a chat that is restored', () => {
  type RemoveThread = (services: object, id: string) => Promise<() => Promise<void>>;

  it('is shown again where it was, unless a question was asked or typed there since', async () => {
    for (const [turns, text, expected] of [
      [[], '', 'a'],
      [[{}], '', 'b'],
      [[], 'typed', 'b'],
    ] as const) {
      const [closed, instead] = [{ thread: { id: 'a' } }, { thread: { id: 'b', turns } }];
      const shown = { session: closed as { thread: { id: string } } };
      const { removeThread } = await loadWithEditor<{ removeThread: RemoveThread }>(
        'vscode/threads/threadActions.ts',
        {},
      );
      const restore = await removeThread(
        {
          sessions: {
            get: () => closed,
            remove: () => Promise.resolve(),
            active: instead,
            draft: () => ({ text, images: [] }),
          },
          views: {
            of: (session: object) => [shown].filter((view) => view.session === session),
            showIn: (view: object, session: object) => Object.assign(view, { session }),
          },
          repository: { open: () => Promise.resolve(closed) },
          unread: { forget: () => undefined },
          history: () => Promise.resolve({ remove: () => Promise.resolve(() => Promise.resolve()) }),
        },
        'a',
      );
      assert.equal(shown.session, instead);
      await restore();
      assert.equal(shown.session.thread.id, expected);
    }
  });
});

describe('a view of a chat that is deleted', () => {
  const failure = new Error('The disk is read-only.');
  const deletions: [which: string, file: string, run: (module: never, services: object) => Promise<unknown>][] = [
    [
      'one',
      'vscode/threads/threadActions.ts',
      ({ removeThread }: { removeThread: (services: object, id: string) => Promise<unknown> }, services) =>
        removeThread(services, 'a'),
    ],
    [
      'all',
      'vscode/threads/historyCommands.ts',
      ({ clearHistory }: { clearHistory: (services: object) => Promise<unknown> }, services) => clearHistory(services),
    ],
  ];
  for (const [which, file, run] of deletions)
    it(`shows another chat at once, also if the chat can’t be deleted: ${which}`, async () => {
      const closed = { thread: { id: 'a' } };
      const instead = { thread: { id: 'b' } };
      const shown = { session: closed };
      const fail = (): Promise<never> => Promise.reject(failure);
      const stopping = Promise.withResolvers<void>();
      const services = {
        sessions: {
          all: [closed],
          get: () => closed,
          remove: () => stopping.promise,
          active: instead,
          create: () => instead,
        },
        views: {
          all: [shown],
          of: (session: object) => [shown].filter((view) => view.session === session),
          showIn: (view: { session: object }, session: object) => Object.assign(view, { session }),
        },
        repository: { discard: () => undefined },
        history: () => Promise.resolve({ remove: fail, clear: fail }),
      };
      const window = { showWarningMessage: () => Promise.resolve('Delete all chats') };
      const deleted = assert.rejects(run(await loadWithEditor<never>(file, { window }), services), failure);
      await until(() => shown.session === instead);
      stopping.resolve();
      await deleted;
    });
});

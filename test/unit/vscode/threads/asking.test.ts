import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import type { Draft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { askIn, sessionOf, sessionOfChat } from '../../../../src/vscode/threads/asking.ts';
import type { AnalyticsChatApi, ThreadSummary } from '../../../../src/vscode/native/publicApi.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import type { ServiceStubs } from '../areas.ts';

const session = (id: string): ChatSession =>
  ({ thread: { ...emptyThread(id), chatId: 'chat' } }) as unknown as ChatSession;

type Services = Parameters<typeof sessionOfChat>[0];

/** Services whose threads all have the same chat id; ids of imported copies start with `copy`. */
function servicesWith(open: readonly string[], kept: readonly string[]): Services {
  const isReadOnly = (id: string): boolean => id.startsWith('copy');
  const services = {
    sessions: { all: open.map(session) },
    repository: { isReadOnly, open: async (id: string) => session(id) },
    history: async () => ({ list: async () => kept.map((id) => ({ id, chatId: 'chat', readOnly: isReadOnly(id) })) }),
  };
  return services as unknown as Services;
}

describe('a chat id of the service', () => {
  it('continues its own thread, never an imported copy that is open', async () => {
    assert.equal((await sessionOfChat(servicesWith(['copy', 'own'], []), 'chat')).thread.id, 'own');
  });

  it('continues its own thread from the history, even if a copy is newer', async () => {
    assert.equal((await sessionOfChat(servicesWith(['copy'], ['copy', 'own']), 'chat')).thread.id, 'own');
  });
});

describe('the chat that a question of VS Code’s chat continues', () => {
  it('is never a recorded one, and none if it can’t be opened', async () => {
    assert.equal((await sessionOf(servicesWith([], []), 'own'))?.thread.id, 'own');
    assert.equal(await sessionOf(servicesWith([], []), 'copy'), undefined);
    const repository = { open: () => Promise.reject(new Error('deleted')), isReadOnly: () => false };
    assert.equal(await sessionOf({ repository } as unknown as Services, 'own'), undefined);
  });
});

describe('a question of another extension', () => {
  for (const [typed, left] of [
    ['why?\nwhy not?', 'why not?'],
    ['why?', ''],
    ['why? And how?', 'why? And how?'],
  ] as const)
    it(`that can’t be sent fails with its own error, and leaves “${left}” in the composer`, async () => {
      let change: (change: object) => void = () => undefined;
      const removed: string[] = [];
      let draft: Draft = { text: '', images: [] };
      const other = session('other');
      const unsent = (message: string): object => ({ type: 'unsent', error: { message } });
      const own = {
        thread: emptyThread('own'),
        send: async () => {
          draft = { text: typed, images: [] };
          change({ session: own, events: [unsent('No key.')] });
          change({ session: other, events: [unsent('Too large.')] });
        },
        idle: async () => undefined,
      };
      const services = {
        sessions: {
          onDidChange: (listener: typeof change) => ((change = listener), { dispose: () => undefined }),
          remove: async (id: string) => removed.push(id),
          draft: () => draft,
          keepDraft: (_id: string, kept: Draft) => (draft = kept),
        },
        history: async () => ({ remove: async (id: string) => removed.push(`${id} in the history`) }),
      };
      const { error } = await askIn(
        services as unknown as Parameters<typeof askIn>[0],
        own as unknown as ChatSession,
        'why?',
        new AbortController().signal,
      );
      assert.equal(error?.message, 'No key.');
      assert.equal(draft.text, left);
      assert.deepEqual(removed, ['own', 'own in the history'], 'a chat without a question is not kept');
    });
});

describe('a question that is canceled while another one is answered', () => {
  it('is not waited for', async () => {
    const running = { ...emptyThread('own'), status: 'streaming', turns: [makeTurn({ id: 'a' })] };
    const own = { thread: running, idle: () => new Promise(() => undefined), send: assert.fail };
    const services = { sessions: { onDidChange: () => ({ dispose: () => undefined }) } };
    const { stopped } = await askIn(
      services as unknown as Parameters<typeof askIn>[0],
      own as unknown as ChatSession,
      'why?',
      AbortSignal.abort(),
    );
    assert.equal(stopped, true);
  });
});

describe('the interface for other extensions', () => {
  type Made = (services: ServiceStubs, changed: object) => AnalyticsChatApi;
  const apiOf = async (services: ServiceStubs, changed: object = {}): Promise<AnalyticsChatApi> =>
    (await loadWithEditor<{ publicApi: Made }>('vscode/native/api.ts', {})).publicApi(
      { ...services, context: { subscriptions: [] } },
      changed,
    );
  const quiet = { onDidChange: () => undefined, onDidRetitle: () => undefined };

  it('has the SQL of the latest question in any chat', async () => {
    const sessionOf = (id: string, time: number): object => {
      const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: `SELECT ${time}` }), result: '{}' };
      const turns = [makeTurn({ id: `q-${id}`, time }, [makeItem('query', { toolCall })])];
      return { thread: { ...emptyThread(id), turns } };
    };
    const api = await apiOf({
      log: { redactDocument: (text: string) => text.replace('3', '[redacted]') },
      sessions: { ...quiet, all: [sessionOf('a', 1), sessionOf('b', 3), sessionOf('c', 2)] },
    });
    assert.deepEqual([api.lastSql(), api.lastSql('a')], ['SELECT [redacted]', 'SELECT 1']);
  });

  it('lists the chats with a question, not drafts', async () => {
    const kept = [
      { id: 'a', chatId: 'c', title: 'Why?', updatedAt: 1, questions: 1 },
      { id: 'b', title: 'My draft', updatedAt: 2, questions: 0 },
    ];
    const history = async () => ({ list: async () => kept });
    const listed = await (await apiOf({ sessions: { ...quiet, get: () => undefined }, history })).threads();
    assert.deepEqual(listed, [{ threadId: 'a', chatId: 'c', title: 'Why?', status: 'ready', updatedAt: 1 }]);
  });

  it('tells of each change and each new title of a chat', async () => {
    const told: unknown[] = [];
    const listeners: ((change: object) => void)[] = [];
    const on = (listener: (change: object) => void) => listeners.push(listener);
    const titleOf = ({ thread }: ChatSession) => `Title of ${thread.id}`;
    const changed = { fire: ({ threadId, title }: ThreadSummary) => told.push([threadId, title]) };
    await apiOf({ sessions: { onDidChange: on, onDidRetitle: on, titleOf } }, changed);
    listeners[0]!({ session: session('asked') });
    listeners[1]!(session('renamed'));
    assert.deepEqual(told, [
      ['asked', 'Title of asked'],
      ['renamed', 'Title of renamed'],
    ]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import type { Draft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { askIn, sessionOf, sessionOfChat } from '../../../../src/vscode/threads/asking.ts';
import type { AnalyticsChatApi } from '../../../../src/vscode/native/publicApi.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

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
  it('that can’t be sent fails with its own error, and leaves the composer as the user left it', async () => {
    let change: (change: object) => void = () => undefined;
    const removed: string[] = [];
    let draft: Draft = { text: 'why not?', images: [] };
    const other = session('other');
    const unsent = (message: string): object => ({ type: 'unsent', error: { message } });
    const own = {
      thread: emptyThread('own'),
      send: async () => {
        draft = { text: `why?\n${draft.text}`, images: [] };
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
    assert.equal(draft.text, 'why not?');
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

describe('the last SQL for other extensions', () => {
  it('is that of the latest question in any chat', async () => {
    const sessionOf = (id: string, time: number): object => {
      const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: `SELECT ${time}` }), result: '{}' };
      const turns = [makeTurn({ id: `q-${id}`, time }, [makeItem('query', { toolCall })])];
      return { thread: { ...emptyThread(id), turns } };
    };
    const all = [sessionOf('a', 1), sessionOf('b', 3), sessionOf('c', 2)];
    const services = {
      context: { subscriptions: [] },
      log: { redactDocument: (text: string) => text.replace('3', '[redacted]') },
      sessions: { all, onDidChange: () => undefined, onDidRetitle: () => undefined },
    };
    const { publicApi } = await loadWithEditor<{ publicApi: (services: object, changed: object) => AnalyticsChatApi }>(
      'vscode/native/api.ts',
      {},
    );
    assert.equal(publicApi(services, {}).lastSql(), 'SELECT [redacted]');
    assert.equal(publicApi(services, {}).lastSql('a'), 'SELECT 1');
  });
});

describe('the chats that other extensions can list', () => {
  it('are those with a question, not drafts', async () => {
    const kept = [
      { id: 'a', chatId: 'c', title: 'Why?', updatedAt: 1, questions: 1 },
      { id: 'b', title: 'My draft', updatedAt: 2, questions: 0 },
    ];
    const services = {
      context: { subscriptions: [] },
      sessions: { get: () => undefined, onDidChange: () => undefined, onDidRetitle: () => undefined },
      history: async () => ({ list: async () => kept }),
    };
    const { publicApi } = await loadWithEditor<{ publicApi: (services: object, changed: object) => AnalyticsChatApi }>(
      'vscode/native/api.ts',
      {},
    );
    const listed = await publicApi(services, {}).threads();
    assert.deepEqual(listed, [{ threadId: 'a', chatId: 'c', title: 'Why?', status: 'ready', updatedAt: 1 }]);
  });
});

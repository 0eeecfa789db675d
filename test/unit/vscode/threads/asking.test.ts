/** Questions that are asked outside of views, and the interface for other extensions. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn, sessionOf, sessionOfChat } from '../../../../src/vscode/threads/asking.ts';
import type * as native from '../../../../src/vscode/native/api.ts';
import type { ThreadSummary } from '../../../../src/vscode/native/publicApi.ts';
import { answering, beginning, chatOn, delta, final, queryLine, services as localServices } from '../service.ts';
import { emptyThread, EventEmitter, loadWithEditor, makeItem, makeTurn } from '../support.ts';
import { pairs, settled, withItems, type ChatSession, type ServiceStubs, type Thread } from '../support.ts';

const session = (id: string): ChatSession => ({ thread: { ...emptyThread(id), chatId: 'chat' } }) as ChatSession;
const never = new AbortController().signal;

describe('a chat that a question continues', () => {
  /** Services whose threads all have the same chat id; ids of imported copies start with `copy`. */
  const servicesWith = (open: readonly string[], kept: readonly string[]) => {
    const isReadOnly = (id: string): boolean => id.startsWith('copy');
    const metas = kept.map((id) => ({ id, chatId: 'chat', readOnly: isReadOnly(id) }));
    const stored = [{ id: 'other', chatId: 'another chat' }, ...metas];
    return pairs({
      sessions: { all: [pairs().first, ...open.map(session)] },
      repository: {
        isReadOnly,
        open: (id: string) => (id === 'gone' ? Promise.reject(new Error(id)) : Promise.resolve(session(id))),
      },
      history: () => Promise.resolve({ list: () => Promise.resolve(stored) }),
    }).services;
  };

  it('is its own, open or from the history, never an imported copy', async () => {
    for (const [opened, kept] of [
      [['copy', 'own'], []],
      [['copy'], ['copy', 'own']],
    ] as const)
      assert.equal((await sessionOfChat(servicesWith(opened, kept), 'chat')).thread.id, 'own');
    assert.equal((await sessionOf(servicesWith([], []), 'own'))?.thread.id, 'own');
    const calls: unknown[] = [];
    const fresh = {
      thread: emptyThread('new'),
      dispatch: (events: unknown[]) => calls.push(...events),
      load: () => settled().then(() => calls.push('loaded')),
    };
    const { services } = pairs({ sessions: { add: () => fresh } });
    const { history } = servicesWith([], []);
    assert.equal(await sessionOfChat({ ...services, history }, 'unknown'), fresh);
    assert.deepEqual(calls, [{ type: 'named', chatId: 'unknown' }, 'loaded']);
    for (const id of ['copy', 'gone']) assert.equal(await sessionOf(servicesWith([], []), id), undefined);
  });
});

describe('a question of another extension', () => {
  it('that can’t be sent fails with its own error, leaves the composer as it was, and no empty chat', async () => {
    // The chat of a known id may be empty because it could not be loaded.
    for (const [typed, left, chatId] of [
      ['why?\nwhy not?', 'why not?', 'c1'],
      ['why?', ''],
      ['why? And how?', 'why? And how?'],
      ['why not?\nwhy?', 'why not?\nwhy?'],
    ] as const) {
      const changed = new EventEmitter<object>();
      const removed: string[] = [];
      const unsent = (message: string): object => ({ type: 'unsent', error: { message } });
      const own = {
        thread: { ...emptyThread('own'), chatId },
        send: () => {
          for (const [id, text] of Object.entries({ own: typed, other: 'why?' })) drafts.set(id, { text, images: [] });
          changed.fire({ session: own, events: [unsent('No key.')] });
          changed.fire({ session: session('other'), events: [unsent('Too large.')] });
        },
        idle: () => undefined,
      };
      const { services, drafts } = pairs({
        sessions: { onDidChange: changed.event, remove: (id: string) => settled().then(() => removed.push(id)) },
        history: () =>
          Promise.resolve({ remove: (id: string) => Promise.reject(new Error(`${removed.push(`stored ${id}`)}`)) }),
      });
      const { error, stopped, turn } = await askIn(services, own as never, 'why?', never);
      assert.deepEqual([error?.message, stopped, turn], ['No key.', false, undefined]);
      assert.deepEqual([drafts.get('own')?.text, drafts.get('other')?.text], [left, 'why?']);
      assert.deepEqual([removed, changed.size], [['own', 'stored own'], 0]);
    }
  });

  it('has its own answer and leaves the draft, although its user asks in the same chat before it ends', async () => {
    const turns = ['why?', 'and now?'].map((content) =>
      makeTurn({ id: content, content }, [makeItem(content, { content })]),
    );
    const own = {
      thread: emptyThread('own'),
      send: () => Object.assign(own, { thread: { ...own.thread, turns } }),
      idle: () => undefined,
    };
    const { services, drafts } = pairs();
    drafts.set('own', { text: 'why?\nMore.', images: [] });
    const { turn, error } = await askIn(services, own as never, 'why?', never);
    assert.deepEqual([turn?.question?.id, error, drafts.get('own')?.text], ['why?', undefined, 'why?\nMore.']);
  });

  it('waits for all answers before it, unless it is canceled', async () => {
    const running = { ...emptyThread('own'), status: 'streaming' as const, turns: [makeTurn({ id: 'a' })] };
    const waiting = { thread: running, idle: () => new Promise(() => undefined), send: () => assert.fail() };
    const { services } = pairs({ history: () => assert.fail() as never });
    const cancel = new AbortController();
    const asking = askIn(services, waiting as never, 'why?', cancel.signal);
    cancel.abort();
    for (const { stopped, turn } of [
      await asking,
      await askIn(services, waiting as never, 'why?', AbortSignal.abort()),
    ])
      assert.deepEqual([stopped, turn], [true, undefined]);
    let left = 2;
    const own = {
      thread: running as Thread,
      idle: () => Promise.resolve((left -= 1) === 0 && Object.assign(own, { thread: { ...running, status: 'ready' } })),
      send: () => assert.equal(own.thread.status, 'ready'),
    };
    await askIn(services, own as never, 'why?', never);
  });
});

describe('the interface for other extensions', () => {
  const { start, closeAll } = localServices();
  afterEach(closeAll);

  async function apiOf(stubs: ServiceStubs, changed: object = new EventEmitter()) {
    const { publicApi } = await loadWithEditor<typeof native>('vscode/native/api.ts', {});
    return publicApi(pairs(stubs).services, changed as never);
  }

  it('has the SQL of the latest question in any chat, or the last of the named one, without secrets', async () => {
    const { first, second } = pairs();
    Object.assign(second, { thread: { ...second.thread, turns: second.thread.turns.slice(0, 1) } });
    const api = await apiOf({
      sessions: { all: [second, first] },
      log: { redactDocument: (text: string) => text.replace('t3', '[redacted]') },
    });
    assert.deepEqual(
      ['second', 'none', undefined].map((id) => api.lastSql(id)),
      ["SELECT 'second t1'", undefined, "SELECT 'first [redacted]'"],
    );
  });

  it('lists the chats with a question, not drafts, with their status', async () => {
    const kept = ['a', 'b', 'c'].map((id, at) => ({
      ...{ id, title: `${id}?`, updatedAt: at, questions: at },
      ...(at === 1 ? { chatId: 'x' } : {}),
    }));
    const get = (id: string) => (id === 'c' ? { status: 'streaming' } : undefined);
    const api = await apiOf({
      sessions: { get },
      history: () => Promise.resolve({ list: () => Promise.resolve(kept) }),
    });
    assert.deepEqual(await api.threads(), [
      { threadId: 'b', chatId: 'x', title: 'b?', status: 'ready', updatedAt: 1 },
      { threadId: 'c', title: 'c?', status: 'streaming', updatedAt: 2 },
    ]);
  });

  it('tells of each change and each new title of a chat', async () => {
    const told: unknown[] = [];
    const changes = new EventEmitter<object>();
    const titles = new EventEmitter<object>();
    const changed = { fire: (summary: ThreadSummary) => told.push(summary) };
    const { first, second } = pairs();
    await apiOf({ sessions: { onDidChange: changes.event, onDidRetitle: titles.event } }, changed);
    Object.assign(first, { status: 'ready', thread: withItems(first.thread, makeItem('x', { updated: 7 })) });
    changes.fire({ session: first });
    titles.fire(second);
    assert.deepEqual(told, [
      { threadId: 'first', chatId: 'chat-first', title: 'Title of first', status: 'ready', updatedAt: 7 },
      { threadId: 'second', chatId: 'chat-second', title: 'Title of second', status: undefined, updatedAt: 0 },
    ]);
  });

  it('stops the running answer, that of the active chat first, or the named one', async () => {
    const stopped: string[] = [];
    const chat = (id: string, status: string) => ({
      thread: { ...emptyThread(id), status },
      abort: () => new Promise(setImmediate).then(() => stopped.push(id)),
    });
    const [idle, one, two] = [chat('idle', 'ready'), chat('one', 'streaming'), chat('two', 'submitted')];
    for (const [active, id, expected] of [
      [one, undefined, ['one']],
      [idle, undefined, ['two']],
      [one, 'idle', ['idle']],
      [one, 'none', []],
    ] as const) {
      // Right after a reload, no chat is open yet.
      let all = [chat('new', 'ready')];
      const sessions = {
        get: (wanted: string) => all.find(({ thread }) => thread.id === wanted),
        get active() {
          return all.length > 1 ? active : all[0];
        },
        get all() {
          return all;
        },
      };
      const restore = () => settled().then(() => void (all = [idle, one, two]));
      await (await apiOf({ sessions, repository: { restore } })).abort(id);
      assert.deepEqual(stopped.splice(0), expected);
    }
  });

  it('answers a question with its queries, without secrets, or fails as the service does', async () => {
    const query = { sqlQuery: 'SELECT 1', queryTitle: 'One', schema: [{ name: 'n' }], data: [['other-key']] };
    const asking = async (...[answer, thread = emptyThread('t')]: [Parameters<typeof start>[0], Thread?]) => {
      const { sessions, session } = chatOn({ url: (await start(answer)).url, thread });
      const add = () => (thread.chatId === undefined ? session : assert.fail());
      return apiOf({ sessions: { ...sessions, add } });
    };
    const lines = [queryLine('q0', 2, { error: 'No.' }), queryLine('q1', 2, query), final('Up, says the-key.', 3)];
    const { text, queries, ...answered } = await (await asking(answering(...lines))).ask(' why? ');
    assert.deepEqual([text, answered], ['Up, says [redacted].', { threadId: 't', chatId: 'c1', outcome: 'done' }]);
    assert.deepEqual(
      queries.map(({ toolCallId, title, sql, rows }) => [toolCallId, title, sql, rows]),
      [['q1', 'One', 'SELECT 1', [['[redacted]']]]],
    );
    const again = makeTurn({ id: 'old', content: 'and now?' }, [makeItem('old answer', { content: 'Down.' })]);
    const api = await asking(answering(...lines), { ...emptyThread('t'), chatId: 'c1', turns: [again] });
    const { chatId, text: second } = await api.ask('and now?', { chatId: 'c1' });
    assert.deepEqual([chatId, second], ['c1', 'Up, says [redacted].']);
    assert.equal((await (await asking(answering())).ask('why?')).text, '');
    for (const nothing of ['  ', undefined])
      await assert.rejects(api.ask(nothing as string), { code: 'badRequest', message: 'The question is empty.' });
    const stop = new AbortController();
    const stopped = await asking((asked) => {
      beginning(delta('A part', 2))(asked);
      setTimeout(() => stop.abort(), 20);
    });
    assert.equal((await stopped.ask('why?', { signal: stop.signal })).outcome, 'stopped');
    const refused = await asking(({ response }) => response.writeHead(401).end('{}'));
    await assert.rejects(refused.ask('why?'), { code: 'auth' });
  });
});

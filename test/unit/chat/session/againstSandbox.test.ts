import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { findResult, lastQueries, payloadOf, shownTurns, textTableId } from '../../../../src/shared/thread/turns.ts';
import { tokenCount } from '../../../../src/shared/wire/streamLines.ts';
import type { FaultSpec, PayloadVariant } from '../../../sandbox/server.ts';
import { seeded } from '../../../support/random.ts';
import { until } from '../../../support/until.ts';
import { ask, chatIdOf, useSandbox } from '../../sandbox/support.ts';
import { answerOf, connectionTo, instantClock, message, open, outcomeOf, type Opened } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';

const question = message('revenue by month in 2024');

describe('a session with the sandbox', () => {
  const sandbox = useSandbox();
  afterEach(() => {
    sandbox.faults();
    sandbox.setAttach('replay');
  });

  const opened = (chatId?: string, stallTimeout = 60_000): Opened =>
    open({
      ...(chatId === undefined ? {} : { thread: { ...emptyThread('t'), chatId } }),
      url: sandbox.chatApiUrl,
      credential: { kind: 'apiKey', value: sandbox.apiKey },
      clock: instantClock(seeded(4)),
      stallTimeout,
    });

  /** The visible content of an answer: texts and tool calls, in order. */
  const shown = ({ session }: Opened): unknown[] =>
    flat(session.thread).map((item) => [item.role, item.content, item.thinking, payloadOf(item)?.kind]);

  let expected: unknown[] = [];
  before(async () => {
    const plain = opened();
    await plain.session.send(question);
    assert.match(answerOf(plain.session) ?? '', /Revenue/);
    const kinds = flat(plain.session.thread).map((item) => payloadOf(item)?.kind);
    assert.ok(kinds.includes('modelSearch') && kinds.includes('sqlQuery'));
    const payload = payloadOf(flat(plain.session.thread)[kinds.indexOf('sqlQuery')] ?? assert.fail());
    assert.ok(payload?.kind === 'sqlQuery' && payload.table?.rows.length === 12);
    expected = shown(plain);
  });

  const uninterrupted: Record<string, FaultSpec> = {
    'comes in chunks of 50 bytes': { slice: 50 },
    'comes with CR LF and blank lines': { crlf: true, blankLines: true },
    'comes with lines that nobody knows': { traceLine: true, unknownLine: true },
    'comes after history lines': { historyFirst: true },
    'comes without a chatId in its marker': { noChatId: true },
    'comes with a line twice': { duplicateLine: 4 },
    'comes with two lines swapped': { swapLine: 4 },
    'comes late': { latency: 30 },
  };
  for (const [what, fault] of Object.entries(uninterrupted))
    it(`yields the same answer if it ${what}`, async () => {
      sandbox.faults(fault);
      const each = opened();
      await each.session.send(question);
      assert.deepEqual(shown(each), expected);
    });

  const interrupted: Record<string, FaultSpec[]> = {
    'breaks off several times': [100, 900, 2000, 3000].map((cutAfter) => ({ cutAfter })),
    'is closed several times': [500, 1500, 2500].map((cutAfter) => ({ cutAfter, cutBy: 'close' as const })),
    'ends too early several times': [500, 1500, 2500].map((cutAfter) => ({ cutAfter, cutBy: 'end' as const })),
    'goes silent': [{ stallAfter: 1500, stall: 3000 }],
    'is parked': [{ suspendAfter: 5 }],
    'breaks off before a service that is down': [{ cutAfter: 1500 }, { status: 503, requests: 2 }, { html: true }],
    'breaks off before a thread in progress': [{ cutAfter: 1500 }, { busy: 'line' }, { busy: 'status' }],
    'breaks off before a limit': [{ cutAfter: 1500 }, { status: 429, retryAfter: 3 }],
    'meets a restart': [{ restart: 30 }],
  };
  for (const [what, faults] of Object.entries(interrupted))
    for (const attach of ['replay', 'continue'] as const)
      it(`yields the same answer if it ${what} (${attach})`, async () => {
        sandbox.setAttach(attach);
        sandbox.faults(...faults);
        const each = opened(undefined, 250);
        await each.session.send(question);
        const isDone = async (): Promise<boolean> => {
          if (each.unsent.pop()) await each.session.send(question);
          return outcomeOf(each.session) === 'done';
        };
        await until(isDone, () => each.session.thread.error?.message ?? 'the answer has no end');
        assert.deepEqual(shown(each), expected);
      });

  it('recovers the answer after every kind of bad line', async () => {
    for (const corruptLine of [1, 3, 5, 8, 12]) {
      sandbox.faults({ corruptLine });
      const each = opened();
      await each.session.send(question);
      assert.equal(answerOf(each.session), (expected.at(-1) as string[])[1], `line ${corruptLine}`);
    }
  });

  it('reads every variant of the tool payloads as the same result', async () => {
    sandbox.faults({ payload: ['columnType', 'stringNumbers', 'rowObjects', 'queryKey', 'toolSuffix', 'parsed'] });
    const each = opened();
    await each.session.send(question);
    assert.deepEqual(shown(each), expected);
  });

  it('shows the query of a tool of another name as a result', async () => {
    sandbox.faults({ payload: ['otherTool', 'queryKey'] });
    const each = opened();
    await each.session.send(question);
    assert.deepEqual(shown(each), expected);
    assert.equal(lastQueries(each.session.thread).length, 1);
  });

  it('has the tables in the text of an agent that calls no tool, and no query to test', async () => {
    sandbox.faults({ noTools: true });
    const { session } = opened();
    await session.send(message('revenue by region in 2024'));
    const { thread } = session;
    const { answer } = shownTurns(thread)[0]!;
    const { table } = findResult(thread, textTableId(answer!, 0))?.payload ?? {};
    assert.deepEqual(
      [table?.columns.map(({ name }) => name), table?.rows.length, table?.rows[0]?.[0]],
      [['Region', 'Revenue'], 4, 'Europe'],
    );
    assert.deepEqual(lastQueries(thread), []);
  });

  it('reads the same members from names with annotations', async () => {
    const members = async (...payload: PayloadVariant[]): Promise<unknown[]> => {
      sandbox.faults({ payload });
      const { session } = opened();
      await session.send(question);
      const found = flat(session.thread)
        .map((item) => payloadOf(item))
        .find((payload) => payload?.kind === 'modelSearch');
      return (found?.definitions ?? [])
        .flatMap((definition) => definition.members)
        .map(({ name, title, type, aggType }) => [name, title, type, aggType !== undefined].join())
        .sort();
    };
    const expected = await members();
    assert.ok(expected.length > 10);
    assert.deepEqual(await members('memberNames'), expected);
  });

  it('resumes a suspended answer of another client when it reads the thread, or offers to do so', async () => {
    const park = async (messageId: string): Promise<string> => {
      sandbox.faults({ suspendAfter: 5 });
      return chatIdOf(await ask(sandbox, { input: question.text, messageId }));
    };
    const each = opened(await park('1800000000001-message'));
    await each.session.load();
    assert.deepEqual(shown(each), expected);
    assert.deepEqual([outcomeOf(each.session), each.session.status], ['done', 'ready']);
    const failing = opened(await park('1800000000002-message'));
    sandbox.faults({ latency: 0 }, { status: 403 });
    await failing.session.load();
    const { outcome } = failing.session.thread.turns.at(-1) ?? {};
    assert.ok(outcome?.state === 'failed');
    assert.deepEqual(outcome.error.actions, ['resume', 'switchIdentity', 'setApiKey']);
    await failing.session.reattach();
    assert.deepEqual(shown(failing), expected);
  });

  it('has the usage of a suspended answer, whose total is the sum of its counts', async () => {
    sandbox.faults({ suspendAfter: 5 }, { status: 401 });
    const { session } = opened();
    await session.send(question);
    const { usage = {}, outcome } = session.thread.turns.at(-1) ?? {};
    assert.deepEqual(usage, { inputTokens: 10, outputTokens: 2, cacheReadTokens: 20, cacheWriteTokens: 10 });
    assert.equal(tokenCount(usage), 42);
    assert.ok(outcome?.state === 'failed' && outcome.error.actions[0] === 'resume');
  });

  it('stops an answer, and gets an answer to the next question', async () => {
    sandbox.faults({ pace: 20 });
    const { session } = opened();
    const asking = session.send(question);
    await until(() => flat(session.thread).length > 1);
    assert.equal(await session.abort(), 'stopped');
    await asking;
    await session.send(message('revenue in 2024'));
    assert.equal(outcomeOf(session), 'done');
  });

  it('reports an unknown branch, a wrong key, and a failed tool', async () => {
    sandbox.faults({ errorLine: 'BadRequestError: Bad branch', errorAfter: 1 });
    const branch = opened();
    await branch.session.send(question);
    assert.equal(branch.session.thread.error?.actions[0], 'switchBranch');
    const wrong = open({ url: sandbox.chatApiUrl, credential: { kind: 'apiKey', value: 'wrong' } });
    await wrong.session.send(question);
    assert.deepEqual([wrong.session.thread.error?.kind, wrong.unsent], ['auth', [question]]);
    sandbox.faults({ toolError: 'warehouse is asleep' });
    const failing = opened();
    await failing.session.send(question);
    const errors = flat(failing.session.thread).map((item) => payloadOf(item)?.error);
    assert.ok(errors.includes('warehouse is asleep'));
  });

  it('shows the last text of an answer without a final message', async () => {
    sandbox.faults({ noFinal: true });
    const { session } = opened();
    await session.send(question);
    assert.ok(answerOf(session));
    assert.equal(outcomeOf(session), 'done');
  });

  it('reads a thread from another client', async () => {
    const one = opened();
    await one.session.send(question);
    const two = opened();
    two.session.dispatch([{ type: 'named', chatId: one.session.thread.chatId ?? '' }]);
    await two.session.load();
    assert.equal(answerOf(two.session), answerOf(one.session));
  });
});

describe('a session with a service that pins threads to their branch', () => {
  const sandbox = useSandbox({ pinsBranches: true });

  it('offers a new chat for a question on another branch, whose text returns to the composer', async () => {
    const on = (branch: string) => ({ branch, isDefaultBranch: branch === '', identity: 'dev' });
    let branch = '';
    const url = sandbox.chatApiUrl;
    const credential = { kind: 'apiKey', value: sandbox.apiKey } as const;
    const connect = () => Promise.resolve(connectionTo({ url, credential }, on(branch)));
    const { session, unsent } = open({ url, connect });
    await session.send(question);
    branch = 'dev-margin';
    await session.send(message('margin in 2024'));
    assert.deepEqual([session.thread.error?.actions[0], unsent], ['askInNewChat', [message('margin in 2024')]]);
    const next = open({ url, connect });
    await next.session.send(message('margin in 2024'));
    assert.equal(outcomeOf(next.session), 'done');
  });
});

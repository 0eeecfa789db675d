/** Question tests against the sandbox: real sessions, a real database. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ChatClient } from '../../../../src/api/client.ts';
import { queryTable } from '../../../../src/api/dataQuery.ts';
import type { Connect } from '../../../../src/chat/connection/connection.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { sessionAsk } from '../../../../src/evals/matrix/answer.ts';
import type { RunSqlIn } from '../../../../src/evals/matrix/asking.ts';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import { until } from '../../../support/until.ts';
import { useSandbox } from '../../sandbox/support.ts';
import { questionNamed } from '../support.ts';
import { run as runAll } from './support.ts';

const asking = (name: string, text: string, sql: string): TestQuestion =>
  questionNamed(name, { text, expectedSql: { sql } });
const byYear = asking(
  'revenue',
  'revenue by year',
  "SELECT DATE_TRUNC('year', sales.ordered_at) AS y, MEASURE(sales.revenue) AS r FROM sales GROUP BY 1",
);

describe('a question test with the sandbox', () => {
  const sandbox = useSandbox();
  afterEach(() => sandbox.faults());

  const connect =
    (branch = ''): Connect =>
    () =>
      Promise.resolve({
        client: new ChatClient({
          chatApiUrl: sandbox.chatApiUrl,
          credential: { kind: 'apiKey', value: sandbox.apiKey },
        }),
        sessionSettings: { externalId: 'dev' },
        context: { branch, isDefaultBranch: branch === '', identity: 'dev' },
        stallTimeout: 10_000,
      });
  const runSql: RunSqlIn = (sql, _question, _context, signal) =>
    queryTable(sql, {
      dataQueryUrl: sandbox.dataQueryUrl,
      credential: { kind: 'apiKey', value: sandbox.apiKey },
      sessionSettings: { externalId: 'dev' },
      signal,
    });
  const askOn =
    (branch?: string) =>
    ({ text }: TestQuestion, signal: AbortSignal) =>
      sessionAsk(connect(branch))(text, signal);
  const run = async (
    question: TestQuestion,
    branch = '',
    signal = new AbortController().signal,
    attempts = 1,
  ): Promise<Verdict> => (await runAll([question], { ask: askOn(branch), runSql, signal, attempts })).first;

  it('passes on main and fails on the branch that changes revenue, with the differing rows', async () => {
    const onMain = await run(byYear);
    assert.deepEqual([onMain.status, onMain.message], ['passed', '']);
    const onBranch = await run(byYear, 'dev-net-revenue');
    assert.equal(onBranch.status, 'failed');
    assert.match(onBranch.message, /^\d of 3 rows differ$/);
    assert.ok(onBranch.attempt?.answer?.thread.chatId);
  });

  it('uses the answer on another branch as the expectation', async () => {
    const statusOf = async (text: string): Promise<string> => {
      const options = { ask: askOn('dev-net-revenue'), onMain: askOn(), runSql: undefined };
      return (await runAll([asking('a', text, '')], options)).first.status;
    };
    assert.equal(await statusOf('revenue by year'), 'failed');
    assert.equal(await statusOf('number of orders by year'), 'passed');
  });

  it('reports an error if the service fails, returns an error, or does not know the branch', async () => {
    sandbox.faults({ errorLine: 'the agent fell over' });
    const { status, message } = await run(byYear);
    assert.equal(status, 'errored');
    assert.match(message, /the agent fell over/);
    const { status: unknown, cells } = await run(byYear, 'nobody', undefined, 3);
    assert.deepEqual([unknown, cells[0]!.answers.map(({ isBadBranch }) => isBadBranch)], ['errored', [true]]);
  });

  it('asks the agent again after an error of its own, but not after the service has refused the user', async () => {
    sandbox.faults({ errorLine: 'the agent fell over' });
    const { status, cells } = await run(byYear, '', undefined, 3);
    assert.deepEqual([status, cells[0]?.answers.length], ['passed', 2]);
    sandbox.faults({ status: 403 }, { status: 403 });
    const refused = await run(byYear, '', undefined, 3);
    assert.deepEqual([refused.status, refused.cells[0]?.answers.length], ['errored', 1]);
  });

  it('survives a lost connection', async () => {
    sandbox.faults({ cutAfter: 1500 });
    assert.equal((await run(byYear)).status, 'passed');
  });

  it('aborts the answer on the service when it is canceled', async () => {
    sandbox.faults({ pace: 50 });
    const controller = new AbortController();
    const before = sandbox.requests.length;
    const running = run(byYear, '', controller.signal);
    await until(() => sandbox.requests.slice(before).some(({ path }) => path.endsWith('/stream-chat-state')));
    controller.abort();
    assert.equal((await running).status, 'canceled');
    assert.ok(sandbox.requests.slice(before).some(({ path }) => path.endsWith('/chat/abort')));
  });

  it('ends with an error if the service sends nothing but heartbeats, before and within an answer', async () => {
    const partial = (id: string) =>
      [
        { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } },
        { id, role: 'user', content: 'q', sort: 0 },
        { id: 'a', role: 'assistant', content: 'Reve', isDelta: true, isInProcess: true, sort: 1 },
      ].map((line) => `${JSON.stringify(line)}\n`);
    for (const isPartial of [false, true]) {
      const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
        const { messageId = '' } = JSON.parse(init?.body as string) as { messageId?: string };
        const lines = isPartial ? partial(messageId) : [];
        const pull = async (body: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
          await new Promise(setImmediate);
          init?.signal?.throwIfAborted();
          body.enqueue(new TextEncoder().encode(lines.shift() ?? ': keep-alive\n'));
        };
        return Promise.resolve(new Response(new ReadableStream<Uint8Array>({ pull })));
      };
      const credential = { kind: 'apiKey', value: 'k' } as const;
      const client = new ChatClient({ chatApiUrl: 'https://chat.example/agent', credential, fetch });
      const context = { branch: '', isDefaultBranch: true, identity: 'ana' };
      const connect = () =>
        Promise.resolve({ client, context, stallTimeout: 40, sessionSettings: { externalId: 'ana' } });
      const answer = await sessionAsk(connect, {}, { giveUpAfter: 600 })('q', new AbortController().signal);
      assert.match(answer.error ?? '', /The service stopped responding\./);
    }
  });
});

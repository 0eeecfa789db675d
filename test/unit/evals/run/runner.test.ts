/** Running questions: concurrency, several times, cancelling, and what counts as an error. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { queryWith, answering, answerOf, gate, questionNamed } from '../support.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { gradeAnswer } from '../../../../src/evals/run/runner.ts';
import { expectAnswers } from '../../../../src/evals/matrix/expectation.ts';
import { summaryText } from '../../../../src/evals/report/verdict.ts';
import type { Question } from '../../../../src/evals/question.ts';
import { table } from '../tables.ts';
import { five, run, six } from '../matrix/support.ts';

describe('a run of questions', () => {
  it('passes an answer with the rows of the SQL, and fails another with both results and both SQL texts', async () => {
    const { statuses } = await run([questionNamed('a')], {});
    assert.deepEqual(statuses, ['passed']);
    const { first } = await run([questionNamed('a')], { ask: answering(six) });
    assert.equal(first.status, 'failed');
    assert.equal(first.message, '1 of 1 rows differs');
    assert.deepEqual(first.attempt.difference?.text, { expected: 'n\n5', actual: 'n\n6' });
    assert.deepEqual([first.expectation?.sql, first.attempt.actual?.sql], ['SELECT a', 'SELECT answer']);
    assert.equal(first.attempt.answer?.thread.chatId, 'chat');
  });

  it('prefers SQL over the accepted result, uses the accepted result without a data query URL, and otherwise skips', async () => {
    const baseline = {
      name: 'a',
      path: '',
      question: '',
      branch: '',
      identity: '',
      time: '',
      sql: 'old',
      columns: six.columns,
      rows: six.rows,
    };
    const both = questionNamed('a', { baseline });
    assert.equal((await run([both], {})).first.expectation?.from, 'sql');
    const without = await run([both], { runSql: undefined });
    assert.deepEqual([without.first.expectation?.from, without.first.status], ['baseline', 'failed']);
    const { first } = await run([questionNamed('a')], { runSql: undefined });
    assert.equal(first.status, 'skipped');
    assert.match(first.message, /set a data query URL/);
    // The results that can be accepted.
    assert.deepEqual(first.attempt.actual?.table, five);
    assert.equal((await run([questionNamed('a', { expectedSql: undefined })], {})).first.status, 'skipped');
  });

  it('grades the last query with rows, or any that matches', async () => {
    const statusOf = async (...tables: (typeof five | undefined)[]): Promise<string> =>
      (await run([questionNamed('a')], { ask: () => Promise.resolve(answerOf(...tables.map(queryWith))) })).first
        .status;
    const none = table('n:number');
    assert.equal(await statusOf(six, five), 'passed');
    assert.equal(await statusOf(five, none), 'passed');
    assert.equal(await statusOf(five, six), 'passed');
    assert.equal(await statusOf(six, none), 'failed');
    assert.equal(await statusOf(undefined), 'failed');
    assert.equal(await statusOf(), 'failed');
  });

  it('expects no rows only of an answer whose last query has none', async () => {
    const none = table('n:number');
    const runSql = () => Promise.resolve(none);
    const asked = (...tables: (typeof five)[]) => ({
      runSql,
      ask: () => Promise.resolve(answerOf(...tables.map(queryWith))),
    });
    assert.equal((await run([questionNamed('a')], asked(none))).first.status, 'passed');
    assert.equal((await run([questionNamed('a')], asked(none, five))).first.status, 'failed');
    assert.equal((await run([questionNamed('a')], asked(five, none))).first.status, 'passed', 'the last query');
  });

  it('loads all rows of a partial answer, and does not compare without a data query URL', async () => {
    const all = table('n:number', [1], [2], [3]);
    const part = { ...table('n:number', [1]), totalRows: 3 };
    const queries: string[] = [];
    const runSql = (sql: string) => (queries.push(sql), Promise.resolve(all));
    assert.equal((await run([questionNamed('a')], { ask: answering(part), runSql })).first.status, 'passed');
    assert.deepEqual(queries, ['SELECT a', 'SELECT answer']);
    const baseline = {
      name: 'a',
      path: '',
      question: '',
      branch: '',
      identity: '',
      time: '',
      sql: '',
      columns: part.columns,
      rows: part.rows,
    };
    const { first, summary } = await run([questionNamed('a', { baseline })], {
      ask: answering(part),
      runSql: undefined,
    });
    assert.deepEqual([first.status, first.message], ['notComparable', 'Not comparable: 1 of 3 rows']);
    assert.match(summaryText(summary), /^0 % \(0\/1\) · 1 not comparable/);
  });

  it('does not compare if the data query API returns fewer rows than the answer has', async () => {
    const part = { ...five, totalRows: 3 };
    const { first } = await run([questionNamed('a')], { ask: answering(part), runSql: () => Promise.resolve(five) });
    assert.deepEqual([first.status, first.message], ['notComparable', 'Not comparable: 1 of 3 rows']);
  });

  it('distinguishes errors of the agent, the connection and the expectation from failures', async () => {
    const failing = (): Promise<Answer> => Promise.resolve({ ...answerOf(), error: 'The agent is away.' });
    const { first, summary } = await run([questionNamed('a')], { ask: failing });
    assert.deepEqual([first.status, first.message], ['errored', 'The agent is away.']);
    assert.match(summaryText(summary), /^No answers graded · 1 error · /);
    const sql = await run([questionNamed('a')], { runSql: () => Promise.reject(new Error('no such table')) });
    assert.deepEqual([sql.first.status, sql.first.message], ['errored', 'The expected SQL failed: no such table']);
    const refused = new ChatError('auth', 'The service returned status 401.', { status: 401 });
    const key = await run([questionNamed('a')], { runSql: () => Promise.reject(refused) });
    const words = 'The expected SQL failed: The service does not accept the key or token.';
    assert.deepEqual([key.first.status, key.first.message], ['errored', words]);
    const thrown = await run([questionNamed('a'), questionNamed('b')], { ask: () => Promise.reject(new Error('x')) });
    assert.deepEqual(thrown.statuses, ['errored', 'errored']);
  });

  it('is an error if the missing rows of an answer can’t be loaded', async () => {
    const ask = answering({ ...five, totalRows: 3 });
    const runSql = (sql: string) =>
      sql === 'SELECT a' ? Promise.resolve(five) : Promise.reject(new Error('The connection was lost.'));
    const { first } = await run([questionNamed('a')], { ask, runSql });
    assert.deepEqual([first.status, first.message], ['errored', 'Can’t load all rows: The connection was lost.']);
  });

  it('is an error if the loaded rows are not those of the answer, as if the branch was ignored', async () => {
    const [few, whole] = [table('n:number', [6.00001]), table('n:number', [5], [6])];
    const loading = async (part: typeof few, precision?: number) =>
      (
        await run([questionNamed('a')], {
          ask: answering({ ...part, totalRows: 2 }),
          runSql: () => Promise.resolve(whole),
          precision,
        })
      ).first;
    assert.equal((await loading(few)).status, 'passed');
    assert.equal((await loading(table('n:number', [6.4]), 1)).status, 'passed');
    const other = await loading(table('n:number', [7]));
    assert.equal(other.status, 'errored');
    assert.match(other.message, /^Can’t load all rows: These rows differ from those in the answer\./);
  });

  it('names the certified query as the source of the expected rows', async () => {
    const certified = questionNamed('a', { expectedSql: { sql: 'SELECT 1', certifiedQuery: 'revenue' } });
    assert.equal((await run([certified], {})).first.expectation?.from, 'certifiedQuery');
  });

  it('is canceled, not failed, by an expectation that was canceled with it', async () => {
    const expected = Promise.reject(new Error('aborted'));
    const options = { signal: AbortSignal.abort(), precision: undefined, runSql: undefined };
    const attempt = await gradeAnswer(questionNamed('a'), Promise.resolve(answerOf()), expected, options);
    assert.equal(attempt.status, 'canceled');
  });

  it('asks several times: all, most, or fewer answers pass', async () => {
    const inTurn = (...tables: (typeof five | undefined)[]) => {
      let turn = 0;
      return () => {
        const next = tables[turn++ % tables.length];
        return Promise.resolve(next ? answerOf(queryWith(next)) : { ...answerOf(), error: 'away' });
      };
    };
    const of = async (...tables: (typeof five | undefined)[]) =>
      (await run([questionNamed('a')], { ask: inTurn(...tables), times: 3 })).first;
    assert.deepEqual([(await of(five)).status, (await of(five)).passedAttempts], ['passed', 3]);
    const flaky = await of(five, six, five);
    assert.deepEqual(
      [flaky.status, flaky.passedAttempts, flaky.attempts, flaky.message],
      ['flaky', 2, 3, '1 of 1 rows differs'],
    );
    assert.equal((await of(six, five, six)).status, 'failed');
    assert.equal((await of(five, undefined, five)).status, 'flaky');
    assert.equal((await of(five, undefined, undefined)).status, 'errored');
    const { summary } = await run([questionNamed('a')], { ask: inTurn(five, six, five), times: 3 });
    assert.match(summaryText(summary), /^100 % \(1\/1\) · 1 flaky · /);
  });

  it('runs the expected SQL once for all times', async () => {
    let asked = 0;
    await run([questionNamed('a')], { runSql: () => ((asked += 1), Promise.resolve(five)), times: 3 });
    assert.equal(asked, 1);
  });

  it('limits the number of running answers, those of other branches and identities included', async () => {
    let running = 0;
    let most = 0;
    const ask = async (): Promise<Answer> => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      return answerOf(queryWith(five));
    };
    const questions = Array.from({ length: 20 }, (_, index) => questionNamed(`q${index}`));
    const { statuses } = await run(questions, { ask, concurrency: 3 });
    assert.deepEqual([most, statuses.length], [3, 20]);
    await run(questions, { ask });
    assert.equal(most, 4);
    await run(questions, { ask, expect: expectAnswers('main', ask) });
    assert.equal(most, 4);
    const access = { kind: 'sameAs', identity: 'admin' } as const;
    await run(
      questions.map((question) => ({ ...question, access })),
      { ask },
    );
    assert.equal(most, 4);
  });

  it('cancels: stops running questions, skips waiting ones, and grades nothing', async () => {
    const controller = new AbortController();
    const asked: string[] = [];
    const opened = gate();
    const ask = async ({ name }: Question, cancel: AbortSignal): Promise<Answer> => {
      asked.push(name);
      if (asked.length === 2) opened.open();
      await new Promise<void>((resolve) => cancel.addEventListener('abort', () => resolve(), { once: true }));
      return { ...answerOf(queryWith(five)), isStopped: true };
    };
    const running = run(
      ['a', 'b', 'c'].map((name) => questionNamed(name)),
      { ask, concurrency: 2, times: 3, signal: controller.signal },
    );
    await opened.passed;
    controller.abort();
    const { statuses, summary } = await running;
    assert.deepEqual(asked, ['a', 'b']);
    assert.deepEqual(statuses, ['canceled', 'canceled']);
    assert.match(summaryText(summary), /^No answers graded · 2 canceled/);
  });

  it('does not grade against an expectation that was canceled', async () => {
    const controller = new AbortController();
    const runSql = () => {
      controller.abort();
      return Promise.resolve(table('n:number'));
    };
    assert.deepEqual((await run([questionNamed('a')], { runSql, signal: controller.signal })).statuses, ['canceled']);
  });

  it("expects the agent's answer on another branch", async () => {
    const onMain = expectAnswers('main', answering(six));
    const { first } = await run([questionNamed('a')], { expect: onMain });
    assert.deepEqual([first.status, first.expectation?.from], ['failed', 'branch']);
    const away = expectAnswers('main', () => Promise.resolve({ ...answerOf(), error: 'away' }));
    const errored = (await run([questionNamed('a')], { expect: away })).first;
    assert.deepEqual([errored.status, errored.message], ['errored', 'main: away']);
    const silent = expectAnswers('main', () => Promise.resolve(answerOf()));
    const skipped = (await run([questionNamed('a')], { expect: silent })).first;
    assert.deepEqual(
      [skipped.status, skipped.message],
      ['skipped', 'No expected result: the agent ran no query on the other branch.'],
    );
  });

  it('expects all rows of that answer if they can be loaded', async () => {
    const cut = answering({ ...six, totalRows: 2 });
    const statusWith = async (...runSql: Parameters<typeof expectAnswers>[2][]): Promise<string> =>
      (await run([questionNamed('a')], { expect: expectAnswers('main', cut, ...runSql) })).first.status;
    assert.equal(await statusWith(), 'notComparable');
    assert.equal(await statusWith(() => Promise.resolve(six)), 'notComparable');
    const failing = expectAnswers('main', cut, () => Promise.reject(new Error('away')));
    const errored = (await run([questionNamed('a')], { expect: failing })).first;
    assert.deepEqual([errored.status, errored.message], ['errored', 'main: Can’t load all rows: away']);
    const all = table('n:number', [5], [6]);
    const { first } = await run([questionNamed('a')], {
      ask: answering(all),
      expect: expectAnswers('main', cut, () => Promise.resolve(all)),
    });
    assert.equal(first.status, 'passed');
  });

  it('summarizes accuracy, tokens and time', async () => {
    const ask = ({ name }: Question): Promise<Answer> =>
      Promise.resolve({
        ...answerOf(queryWith(Number(name) < 43 ? five : six)),
        usage: name === '0' ? { totalTokens: 50_000 } : { inputTokens: 10, outputTokens: 5 },
      });
    const { summary } = await run(
      Array.from({ length: 50 }, (_, index) => questionNamed(String(index))),
      { ask },
    );
    assert.match(summaryText(summary), /^86 % \(43\/50\) · 50,735 tokens · \d+\.\d s$/);
    assert.match(summaryText({ ...summary, milliseconds: 83_400 }), /1 min 23 s$/);
    const counts = { ...summary.counts, passed: 999, failed: 1 };
    assert.match(summaryText({ ...summary, counts }), /^99 %/);
  });
});

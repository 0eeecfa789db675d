/** Grading single answers, and the verdict on several answers to one question. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { runQuestions } from '../../../../src/evals/run/runner.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answering, answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { five, run, six } from '../matrix/support.ts';

const passed = answerOf(queryWith(five));
const failed = answerOf(queryWith(six));
const partial = answerOf(queryWith({ ...five, totalRows: 9 }));
const errored: Answer = { ...answerOf(), error: 'away' };

async function verdictOn(...answers: Answer[]) {
  const left = [...answers];
  const baseline = { name: 'a', path: '', sql: '', columns: five.columns, rows: five.rows };
  const options = { ask: () => Promise.resolve(left.shift()!), runSql: undefined, times: answers.length };
  return (await run([questionNamed('a', { baseline })], options)).first;
}

describe('the verdict on several answers', () => {
  for (const [status, ...answers] of [
    ['passed', passed, passed],
    ['failed', passed, failed],
    ['flaky', passed, failed, passed],
    ['failed', errored, partial, failed],
    ['notComparable', errored, partial, errored],
    ['errored', errored, errored],
    ['canceled', passed, passed, { ...passed, isStopped: true }],
  ] as const)
    it(`is ${status} for ${answers.length} answers by the worst of them, or by most`, async () =>
      assert.equal((await verdictOn(...answers)).status, status));

  it('has the first answer that did not pass, or else the last', async () => {
    assert.equal((await verdictOn(passed, failed, errored)).attempt.answer, failed);
    const last = { ...passed };
    assert.equal((await verdictOn(passed, last)).attempt.answer, last);
  });

  it('is skipped if nothing is expected, however often it is asked', async () => {
    const { first } = await run([questionNamed('a')], { runSql: undefined, times: 2 });
    assert.deepEqual([first.status, first.attempts], ['skipped', 2]);
  });
});

describe('the verdict on an answer', () => {
  it('has the last query with rows, if none has the expected rows', async () => {
    const seven = table('n:number', [7]);
    const { attempt } = await verdictOn(answerOf(queryWith(six), queryWith(seven)));
    assert.deepEqual([attempt.status, attempt.actual?.table], ['failed', seven]);
  });

  it('says why there are no rows: no query ran, or the last one failed', async () => {
    const failing = (error: string) => ({ ...queryWith(undefined), error });
    assert.equal((await verdictOn(answerOf())).message, 'The agent ran no query.');
    assert.equal(
      (await verdictOn(answerOf(failing('no a'), failing('no b')))).message,
      'The agent’s query failed: no b',
    );
  });

  it('says how to get an expectation', async () => {
    const messageFor = async (fields: object): Promise<string> =>
      (await run([questionNamed('a', fields)], { runSql: undefined })).first.message;
    assert.match(await messageFor({}), /set a data query URL/);
    assert.match(await messageFor({ expectedSql: undefined }), /: accept a result first\.$/);
  });

  it('compares numbers at the precision of the run', async () => {
    const statusAt = async (precision?: number): Promise<string> =>
      (await run([questionNamed('a')], { ask: answering(table('n:number', [5.04])), precision })).first.status;
    assert.deepEqual([await statusAt(), await statusAt(2)], ['failed', 'passed']);
  });

  it('is canceled if the run is canceled while its rows are loading', async () => {
    const controller = new AbortController();
    const runSql = (sql: string): Promise<ResultTable> => {
      if (sql === 'SELECT answer') controller.abort();
      return Promise.resolve(five);
    };
    const ask = () => Promise.resolve(partial);
    const { first } = await run([questionNamed('a')], { ask, runSql, signal: controller.signal });
    assert.deepEqual([first.status, first.message, first.attempt.answer], ['canceled', 'Canceled', partial]);
  });

  it('keeps the answer, whatever happened to it', async () => {
    for (const answer of [passed, failed, errored, { ...passed, isStopped: true }])
      assert.equal((await verdictOn(answer)).attempt.answer, answer);
    const { first } = await run([questionNamed('a')], {
      ask: () => Promise.resolve(passed),
      runSql: () => Promise.reject(new Error('no table')),
    });
    assert.equal(first.attempt.answer, passed);
    assert.equal(first.expectation, undefined);
  });

  it('comes after the question was started, with the time it took', async () => {
    const order: string[] = [];
    const start = performance.now();
    const summary = await runQuestions(
      [questionNamed('a'), questionNamed('b')],
      {
        ask: ({ name }) => (order.push(`asked ${name}`), Promise.resolve(passed)),
        concurrency: 1,
        signal: new AbortController().signal,
      },
      {
        onStart: ({ name }) => order.push(`started ${name}`),
        onVerdict: ({ question: { name }, milliseconds }) => {
          order.push(`graded ${name}`);
          assert.ok(milliseconds >= 0 && milliseconds <= performance.now() - start);
        },
      },
    );
    assert.ok(summary.milliseconds >= 0 && summary.milliseconds <= performance.now() - start);
    const stages = (name: string): string[] => ['started', 'asked', 'graded'].map((stage) => `${stage} ${name}`);
    assert.deepEqual(order, [...stages('a'), ...stages('b')]);
  });
});

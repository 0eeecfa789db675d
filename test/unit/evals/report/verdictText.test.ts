import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../../src/evals/question.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import {
  duration,
  failureTexts,
  tokensOf,
  verdictLine,
  verdictReason,
  type Verdict,
} from '../../../../src/evals/report/verdict.ts';
import { runQuestions } from '../../../../src/evals/run/runner.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answerOf, queryWith, questionNamed } from '../support.ts';

const revenue = (value: number): ResultTable => ({
  columns: [{ name: 'revenue', type: 'number' }],
  rows: [[value]],
  totalRows: 1,
});

/** @param answers one for each time that the question is asked */
async function verdictOf(answers: readonly number[], question: Question = questionNamed('revenue')): Promise<Verdict> {
  const left = [...answers];
  const verdicts: Verdict[] = [];
  await runQuestions(
    [question],
    {
      ask: () => Promise.resolve(answerOf(queryWith(revenue(left.shift() ?? 0)))),
      runSql: () => Promise.resolve(revenue(1)),
      times: answers.length,
      signal: new AbortController().signal,
    },
    { onVerdict: (verdict) => verdicts.push(verdict) },
  );
  return verdicts[0]!;
}

describe('the duration of a run', () => {
  for (const [milliseconds, text] of [
    [40, '0.0 s'],
    [59_940, '59.9 s'],
    [60_000, '1 min 0 s'],
    [179_700, '3 min 0 s'],
  ] as const)
    it(`of ${milliseconds} ms reads ${text}`, () => assert.equal(duration(milliseconds), text));
});

describe('the tokens of several answers', () => {
  const using = (usage: NonNullable<Answer['usage']>): Answer => ({ ...answerOf(), usage });

  it('are the totals, or else the sums of input and output', () => {
    assert.equal(tokensOf([using({ totalTokens: 9, inputTokens: 1 }), using({ inputTokens: 2, outputTokens: 3 })]), 14);
    assert.equal(tokensOf([using({ outputTokens: 3 }), undefined, using({ inputTokens: 4 })]), 7);
  });

  it('are unknown without usage', () => assert.equal(tokensOf([answerOf(), undefined, using({})]), undefined));
});

describe('a verdict in the editor', () => {
  it('shows the rows of both sides, then the SQL of both sides', async () => {
    assert.deepEqual(failureTexts(await verdictOf([2])), [
      { message: '1 of 1 rows differs', diff: { expected: 'revenue\n      1', actual: 'revenue\n      2' } },
      {
        message: 'SQL of the agent and of the expected result',
        diff: { expected: 'SELECT revenue', actual: 'SELECT answer' },
      },
    ]);
  });

  it('has only a message when there are no rows to compare', async () => {
    const verdict = await verdictOf([1]);
    const failed: Verdict = { ...verdict, status: 'failed', message: 'The agent ran no query.' };
    assert.deepEqual(failureTexts(failed), [{ message: 'The agent ran no query.' }]);
  });

  it('has the rows that an identity must not see, but no other SQL to compare with', async () => {
    const { expectation: _, ...verdict } = await verdictOf([2]);
    assert.deepEqual(failureTexts(verdict), [
      { message: '1 of 1 rows differs', diff: { expected: 'revenue\n      1', actual: 'revenue\n      2' } },
    ]);
  });

  it('is flaky if most answers passed, and otherwise shows how many passed', async () => {
    assert.match(verdictReason(await verdictOf([1, 2, 1])), /^Flaky: 2 of 3 answers passed\. 1 of 1 row/);
    assert.match(verdictReason(await verdictOf([2, 2, 1])), /^1 of 3 answers passed\. /);
    assert.equal(verdictReason(await verdictOf([1, 1, 1])), '3 of 3 answers passed');
    assert.equal(verdictReason(await verdictOf([1])), '');
    const skipped = { ...(await verdictOf([1, 1, 1])), status: 'skipped', message: 'No expected result' } as const;
    assert.equal(verdictReason(skipped), 'No expected result');
  });

  it('is one line of output, with its icon and time', async () => {
    assert.match(verdictLine(await verdictOf([1])), /^✓ revenue \(\d+\.\d s\)$/);
    assert.match(verdictLine(await verdictOf([2])), /^✗ revenue: .+ \(\d+\.\d s\)$/);
  });
});

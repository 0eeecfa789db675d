import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import { duration, summaryText, Tally, tokensOf } from '../../../../src/evals/report/summary.ts';
import { failureTexts, verdictLine, verdictReason } from '../../../../src/evals/report/verdictText.ts';
import { VERDICT_STATUSES } from '../../../../src/shared/protocol/verdicts.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answerOf, queryWith, questionNamed } from '../support.ts';
import { inTurn, run } from '../matrix/support.ts';

const revenue = (value: number): ResultTable => ({
  columns: [{ name: 'revenue', type: 'number' }],
  rows: [[value]],
  totalRows: 1,
});

/** @param answers one for each time that the question is asked */
async function verdictOf(
  answers: readonly number[],
  question: TestQuestion = questionNamed('revenue'),
): Promise<Verdict> {
  const ask = inTurn(...answers.map((answer) => answerOf(queryWith(revenue(answer)))));
  return (await run([question], { ask, runSql: () => Promise.resolve(revenue(1)), times: answers.length })).first;
}

describe('the summary of a run', () => {
  it('names every kind of verdict', () => {
    const textOf = (isCompared: boolean, ...statuses: Verdict['status'][]): string => {
      const tally = new Tally();
      for (const status of statuses)
        tally.add({ status, cells: [{ answers: [answerOf()] }] as never, ...(isCompared ? { compared: [] } : {}) });
      return summaryText(tally.summary(1500));
    };
    assert.equal(
      textOf(true, 'same', 'changed', 'changed', 'unstable', 'review', 'errored', 'canceled'),
      '2 changed · 1 the same · 1 unstable · 1 to review · 1 error · 1 canceled · 7 requests · 1.5 s',
    );
    assert.equal(
      textOf(false, 'passed', 'flaky', 'failed', 'review', 'skipped'),
      '50 % (2/4) · 1 flaky · 1 to review · 1 without expected result · 5 requests · 1.5 s',
    );
    assert.equal(textOf(true, 'review'), '1 to review · 1 request · 1.5 s');
    assert.equal(textOf(false, 'passed', 'unstable'), '100 % (1/1) · 1 unstable · 2 requests · 1.5 s');
    for (const status of VERDICT_STATUSES) assert.match(textOf(false, status), /^\d|^No answers graded · 1 /);
  });
});

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

  it('shows one changed row first if there are more rows, because VS Code writes that into one line', async () => {
    const table = (...amounts: number[]) => ({
      columns: ['month', 'revenue'].map((name) => ({ name, type: 'number' })),
      rows: amounts.map((amount, at) => [at + 1, amount]),
      totalRows: amounts.length,
    });
    const ask = inTurn(answerOf(queryWith(table(10, 25, 35))));
    const { first } = await run([questionNamed('revenue')], {
      ask,
      runSql: () => Promise.resolve(table(10, 20, 30)),
      times: 1,
    });
    const [row, all] = failureTexts(first);
    assert.deepEqual(
      [row?.diff?.expected, row?.diff?.actual].map((text) => text?.split(/\s+/)),
      [
        ['2', '20'],
        ['2', '25'],
      ],
    );
    assert.equal(all?.diff?.expected.split('\n').length, 4);
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

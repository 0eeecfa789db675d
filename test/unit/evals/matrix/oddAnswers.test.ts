/** An agent that errs in one answer of ten: what comparisons of two branches accuse, and what they find. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { expected } from '../../../../src/evals/matrix/expected.ts';
import { mostRequests } from '../../../../src/evals/matrix/matrix.ts';
import { runMatrix } from '../../../../src/evals/matrix/runMatrix.ts';
import { same } from '../../../../src/evals/matrix/same.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { oddResult, OddAnswers, type Odd } from '../../../sandbox/agent/odd.ts';
import type { Value } from '../../../sandbox/data/client.ts';
import { isFull } from '../../../support/runs.ts';
import { answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { contextOn } from './support.ts';

const UNCHANGED = isFull ? 500 : 200;
const CHANGED = isFull ? 100 : 40;
const ERRS = 0.1;

const revenueOf = (factor: number): ResultTable =>
  table(
    'month:time revenue:number',
    ...Array.from({ length: 12 }, (_, at) => [`2024-${String(at + 1).padStart(2, '0')}-01`, factor * (1000 + 37 * at)]),
  );

function errant({ columns, rows }: ResultTable, odd: Odd): Answer {
  if (odd.kind === 'noQuery') return answerOf();
  const schema = columns.map(({ name, type }) => ({ name, column_type: type }));
  const { schema: given, data } = oddResult({ schema, data: rows as Value[][] }, odd);
  const named = given.map(({ name, column_type: type }) => ({ name, type }));
  return answerOf(queryWith({ columns: named, rows: data, totalRows: data.length }));
}

/** As `check` and as `eval --baseline` do. */
const judges = { compares: same(), grades: expected() } as const;

describe('a comparison of two branches by an agent that errs in one answer of ten', () => {
  for (const [how, judge] of Object.entries(judges))
    for (const seed of isFull ? [1, 2, 3] : [1])
      it(`${how} and accuses at most 0.6 % and finds at least 90 %, with seed ${seed}`, async () => {
        const errors = new OddAnswers(ERRS, seed);
        const [main, dev] = [contextOn('main')(undefined), contextOn('dev')(undefined)];
        const questions = Array.from({ length: UNCHANGED + CHANGED }, (_, at) => questionNamed(`q${at}`));
        const isChanged = (name: string): boolean => Number(name.slice(1)) >= UNCHANGED;
        const accused = { unchanged: 0, changed: 0 };
        const attempts = 3;
        const { requests } = await runMatrix(questions, () => [main, dev], judge, {
          ask: ({ name }, { branch }) => {
            const right = revenueOf(isChanged(name) && branch === 'dev' ? 0.9 : 1);
            const odd = errors.next();
            return Promise.resolve(odd ? errant(right, odd) : answerOf(queryWith(right)));
          },
          attempts,
          signal: new AbortController().signal,
          onEvent: (event) => {
            if (event.type !== 'judged' || !['changed', 'failed', 'review'].includes(event.verdict.status)) return;
            accused[isChanged(event.verdict.question.name) ? 'changed' : 'unchanged'] += 1;
          },
        });
        assert.ok(accused.unchanged <= 0.006 * UNCHANGED, `${accused.unchanged} accused`);
        assert.ok(accused.changed >= 0.9 * CHANGED, `${accused.changed} found`);
        assert.ok(requests <= mostRequests(questions, () => [main, dev], attempts));
      });
});

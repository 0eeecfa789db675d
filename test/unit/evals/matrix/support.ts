/** Runs questions without a service: by default, every answer has the expected rows. */
import assert from 'node:assert/strict';
import type { Question } from '../../../../src/evals/question.ts';
import { runQuestions, type RunOptions } from '../../../../src/evals/run/runner.ts';
import type { Verdict } from '../../../../src/evals/report/verdict.ts';
import { answering } from '../support.ts';
import { table } from '../tables.ts';

export const five = table('n:number', [5]);
export const six = table('n:number', [6]);
const signal = new AbortController().signal;

export async function run(questions: readonly Question[], options: Partial<RunOptions>) {
  const verdicts: Verdict[] = [];
  const summary = await runQuestions(
    questions,
    { ask: answering(five), runSql: () => Promise.resolve(five), signal, ...options },
    { onVerdict: (verdict) => verdicts.push(verdict) },
  );
  return { summary, verdicts, first: verdicts[0] ?? assert.fail(), statuses: verdicts.map(({ status }) => status) };
}

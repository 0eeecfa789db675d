/** Questions and answers without a service. */
import type { Answer, AnsweredQuery, Ask } from '../../../src/evals/matrix/answer.ts';
import type { TestQuestion } from '../../../src/evals/question.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';

export const questionNamed = (name: string, fields: Partial<TestQuestion> = {}): TestQuestion => ({
  name,
  text: `What is ${name}?`,
  expectedSql: { sql: `SELECT ${name}` },
  path: 'agents/eval_questions.yml',
  range: { start: { line: 1, character: 4 }, end: { line: 3, character: 0 } },
  ...fields,
});

/** A query with this result; without a result, a failed query. */
export const queryWith = (table: ResultTable | undefined): AnsweredQuery => ({
  sql: 'SELECT answer',
  ...(table ? { table } : { error: 'failed' }),
});

export const answerOf = (...queries: AnsweredQuery[]): Answer => ({
  text: 'Here it is.',
  queries,
  thread: { ...emptyThread('t'), chatId: 'chat' },
  milliseconds: 1,
  isStopped: false,
});

export const answering = (table: ResultTable) => (): ReturnType<Ask> => Promise.resolve(answerOf(queryWith(table)));

/** A promise that the test resolves. */
export function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

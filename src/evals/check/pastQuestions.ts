/** The questions of the history, to be asked again like tests. */
import { t } from '../../shared/text/l10n.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { queriesOf, turnsOf } from '../../shared/thread/turns.ts';
import { textKey, type TestQuestion } from '../question.ts';

const NOWHERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * @returns the first question of a thread, with the SQL that answered it; undefined if it ran no SQL. Later questions
 * depend on earlier ones and can't be asked alone, and a question about an image can't be asked without it.
 */
export function pastQuestion(thread: Thread): TestQuestion | undefined {
  const turn = turnsOf(thread).find(({ question }) => question);
  const question = turn?.question;
  if (question === undefined || question.images?.length) return undefined;
  const sql = queriesOf(turn!.items).map(({ payload }) => payload.sqlQuery);
  if (sql.length === 0) return undefined;
  const identity = question.context?.identity;
  return {
    name: t('history'),
    text: question.content,
    expectedSql: { sql: sql.join('\n;\n') },
    ...(identity ? { identity } : {}),
    path: '',
    range: NOWHERE,
  };
}

/** Whether a question is from the history and not from a file. */
export const isPast = ({ path }: Pick<TestQuestion, 'path'>): boolean => path === '';

/** @returns the tests, and the past questions that are not among them, each text once */
export function withPastQuestions(tests: readonly TestQuestion[], past: readonly TestQuestion[]): TestQuestion[] {
  const known = new Set(tests.map(({ text }) => textKey(text)));
  const fresh = past.filter(({ text }) => {
    const key = textKey(text);
    return !known.has(key) && known.add(key);
  });
  return [...tests, ...fresh];
}

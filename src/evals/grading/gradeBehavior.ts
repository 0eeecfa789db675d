/** Grades how the agent answered, without a language model as the judge. */
import { QueryMembers } from '../../model/lint/queryMembers.ts';
import { quotedNames, t } from '../../shared/text/l10n.ts';
import type { Answer } from '../matrix/answer.ts';
import { gradableQueries, noQueryReason, queryFailure, type Attempt } from '../matrix/expectation.ts';
import type { Behavior } from '../question.ts';

/** @returns undefined if the answer is as expected, whatever its result */
export function gradeBehavior({ asksBack, noQuery, uses, avoids }: Behavior, answer: Answer): Attempt | undefined {
  const [actual] = gradableQueries(answer);
  const failed = (message: string): Attempt => ({ status: 'failed', message, actual });
  if (asksBack || noQuery) {
    if (answer.queries.length > 0) return failed(t('The agent ran a query.'));
    return asksBack && !isQuestion(answer.text) ? failed(t('The answer doesn’t end in a question.')) : undefined;
  }
  if (answer.queries.length === 0) return { status: 'review', message: noQueryReason(answer) };
  const ran = answer.queries.filter(({ table }) => table !== undefined).map(({ sql }) => new QueryMembers(sql));
  if (ran.length === 0) return failed(queryFailure(answer) ?? noQueryReason(answer));
  const unused = uses.filter((member) => !ran.some((query) => query.mayUse(member)));
  if (unused.length > 0) return failed(t('The SQL doesn’t use {0}.', quotedNames(unused)));
  const avoided = avoids.filter((member) => ran.some((query) => query.uses(member)));
  return avoided.length > 0 ? failed(t('The SQL uses {0}.', quotedNames(avoided))) : undefined;
}

/** Matches a list item, or a continuation line of one. */
const CHOICE = /^(?: {2,}|\t|\s*(?:[-*+•]|\d{1,3}[.)])\s)/;
/** A question mark, with markup, quotes, `!` and emoji behind it. */
const ASKED = /[?？؟][\s*_~`"'”’»)\]!\p{Extended_Pictographic}\p{Emoji_Modifier}\u200d\ufe0f]*$/u;
/** Characters to read at the end of a line. */
const MOST_END = 200;

/** Whether a text in Markdown ends in a question, or in a list of the choices for one. */
function isQuestion(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const ends = [lines.at(-1), lines.findLast((line) => !CHOICE.test(line))];
  return ends.some((line) => ASKED.test((line ?? '').slice(-MOST_END)));
}

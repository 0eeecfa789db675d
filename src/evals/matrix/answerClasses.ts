/** Groups the answers to a question into classes of equal results. */
import { t } from '../../shared/text/l10n.ts';
import { gradeTable, type Difference } from '../grading/grade.ts';
import type { Answer } from './answer.ts';
import { gradableQueries, type GradableQuery } from './expectation.ts';

/** The results of two answers, compared. */
export type AnswerMatch =
  /** Absent queries: neither answer has a result. */
  | { kind: 'equal'; left?: GradableQuery; right?: GradableQuery }
  /** No difference if only one answer has a result. */
  | { kind: 'different'; difference?: Difference }
  | { kind: 'unknown'; message: string; hasOtherCount?: boolean };

/**
 * Compares the last result of the left answer with the last one of the right, or any other, as a test does.
 * @param precision number of significant digits to which numbers are compared
 */
export function matchAnswers(left: Answer, right: Answer, precision: number | undefined): AnswerMatch {
  const [before] = gradableQueries(left);
  const others = gradableQueries(right);
  if (before === undefined && others.length === 0) return { kind: 'equal' };
  if (before === undefined) return { kind: 'different' };
  let first: AnswerMatch | undefined;
  for (const after of others) {
    const grade = gradeTable(before.table, after.table, precision);
    if (grade.status === 'passed') return { kind: 'equal', left: before, right: after };
    first ??=
      grade.status === 'failed'
        ? { kind: 'different', difference: grade.difference }
        : { kind: 'unknown', message: grade.message, hasOtherCount: grade.hasOtherCount };
  }
  return first ?? { kind: 'different' };
}

/** The answers of a cell that are not errors, with their indexes in the cell. */
export interface ValidAnswer {
  answer: Answer;
  index: number;
}

/** @returns why an answer is an error and not a result; undefined if it is a result */
export const errorOf = (answer: Answer): string | undefined => answer.error ?? gradableQueries(answer)[0]?.loadError;

export const validAnswers = (answers: readonly Answer[]): ValidAnswer[] =>
  answers.flatMap((answer, index) => (errorOf(answer) === undefined ? [{ answer, index }] : []));

/** @returns for how many more answers a cell can be asked; none if they would be errors too, as for a wrong key */
export function attemptsLeft(answers: readonly Answer[], attempts: number): number {
  // Rows that can't be loaded now can't be loaded for another answer either.
  const isFinal = (answer: Answer): boolean =>
    answer.isFinal === true || (answer.error === undefined && errorOf(answer) !== undefined);
  return answers.some(isFinal) ? 0 : attempts - answers.length;
}

/** Equal answers of one or several sides. */
export interface AnswerClass {
  /** The answers of each side, oldest first. */
  sides: readonly ValidAnswer[][];
}

/**
 * An answer is in the class of any answer that it equals: agents add a column now and then, so that an answer with more
 * columns can be the first of a class.
 * @param sides the answers of each side; a later side may have more columns than an earlier one, as an answer may have
 * more columns than expected
 */
export function classesOf(sides: readonly (readonly ValidAnswer[])[], precision: number | undefined): AnswerClass[] {
  const classes: AnswerClass[] = [];
  const isEqual = (left: Answer, right: Answer): boolean => matchAnswers(left, right, precision).kind === 'equal';
  for (const [side, answers] of sides.entries())
    for (const valid of answers) {
      const found = classes.find(({ sides: members }) =>
        members.some((own, at) =>
          own.some(({ answer }) => isEqual(answer, valid.answer) || (at === side && isEqual(valid.answer, answer))),
        ),
      );
      const own = found ?? { sides: sides.map(() => []) };
      if (!found) classes.push(own);
      own.sides[side]!.push(valid);
    }
  return classes;
}

/** @returns the answer with the fewest columns: the others of its class may have more */
export const plainest = (answers: readonly ValidAnswer[]): ValidAnswer =>
  answers.toSorted((a, b) => columnsOf(a) - columnsOf(b))[0]!;

const columnsOf = ({ answer }: ValidAnswer): number => gradableQueries(answer)[0]?.table.columns.length ?? 0;

/** @returns the class with at least `most` answers of a side */
export const majorityIn = (classes: readonly AnswerClass[], side: number, most: number): AnswerClass | undefined =>
  classes.find(({ sides }) => sides[side]!.length >= most);

/** @returns how many answers of a side agree, such as `dev: 2 of 3 answers equal` */
export function agreement(label: string, side: number, classes: readonly AnswerClass[]): string {
  const counts = classes.map(({ sides }) => sides[side]!.length);
  const [most, all] = [Math.max(...counts), counts.reduce((sum, count) => sum + count)];
  return most === 1 && all > 1
    ? t('{0}: {1} different answers', label, all)
    : t('{0}: {1} of {2} answers equal', label, most, all);
}

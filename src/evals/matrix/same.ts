/** The judge that compares each context with the first. An answer that differs once proves no change, so it repeats. */
import { oneLine } from '../../shared/text/lines.ts';
import { plural, quotedNames, t } from '../../shared/text/l10n.ts';
import type { Difference } from '../grading/grade.ts';
import {
  agreement,
  classesOf,
  errorOf,
  majorityIn,
  matchAnswers,
  attemptsLeft,
  validAnswers,
  type AnswerClass,
  type AnswerMatch,
  type ValidAnswer,
} from './answerClasses.ts';
import { noQueryReason, queryFailure } from './expectation.ts';
import { majorityOf, type Cell, type CellJudgment, type Judge, type Judgment } from './matrix.ts';

/** The verdict on the second of two cells, with the indexes of the answers that decide. */
type Compared = CellJudgment & { deciding: readonly [number, number] };

/** Which of two cells to ask again. */
interface AskAgain {
  again: readonly (0 | 1)[];
}

/** Verdicts on single cells, in the order in which they decide about the row. */
const WORST = ['changed', 'errored', 'review', 'unstable', 'same'] as const;

/**
 * Equal first answers are the same. Otherwise each cell is asked until it has `row.attempts` answers or the verdict can no
 * longer change. It is `changed` only if most answers of each cell agree, those of the cells differ, and no answer of one
 * cell equals one of the other.
 * @param precision number of significant digits to which numbers are compared
 */
export const same =
  ({ precision }: { precision?: number } = {}): Judge =>
  ({ cells, attempts }) => {
    const [first, ...others] = cells;
    const comparisons = others.map((cell) => compareCells([first!, cell], attempts, precision));
    const again = comparisons.flatMap((each, at) =>
      'again' in each ? each.again.map((side) => (side === 0 ? 0 : at + 1)) : [],
    );
    if (again.length > 0) return { again: [...new Set(again)].sort((a, b) => a - b) };
    return rowJudgment(comparisons.flatMap((each) => ('again' in each ? [] : [each])));
  };

function rowJudgment(compared: readonly Compared[]): Judgment {
  const worst = WORST.flatMap((status) => compared.filter((each) => each.status === status))[0];
  const [first = 0] = worst?.deciding ?? [];
  return {
    ...(worst ?? { status: 'same', message: '' }),
    deciding: [first, ...compared.map(({ deciding }) => deciding[1])],
    compared: compared.map(({ deciding: _, ...judgment }) => judgment),
  };
}

/** One of two compared cells. */
interface Side {
  label: string;
  answers: readonly ValidAnswer[];
  /** Number of answers for which it can still be asked. */
  rest: number;
  error: string | undefined;
}

function sideOf({ context: { label }, answers }: Cell, attempts: number): Side {
  const error = answers.map(errorOf).findLast((each) => each !== undefined);
  return { label, answers: validAnswers(answers), rest: attemptsLeft(answers, attempts), error };
}

const SIDES = [0, 1] as const;

function compareCells(
  cells: readonly [Cell, Cell],
  attempts: number,
  precision: number | undefined,
): Compared | AskAgain {
  const sides = [sideOf(cells[0], attempts), sideOf(cells[1], attempts)] as const;
  const failed = sides.filter(({ answers, rest }) => answers.length === 0 && rest === 0);
  if (failed.length > 0) return errored(failed);
  const missing = SIDES.filter((side) => sides[side].answers.length === 0);
  if (missing.length > 0) return { again: missing };
  const [left, right] = sides.map(({ answers }) => answers[0]!) as [ValidAnswer, ValidAnswer];
  const match = matchAnswers(left.answer, right.answer, precision);
  if (match.kind === 'equal') return equal(left, right, match);
  if (match.kind === 'unknown' && !sides[0].answers.some((each) => sides[1].answers.some(isEqualTo(each, precision)))) {
    // An answer with another number of rows may be odd, such as one by day instead of by month.
    const open = match.hasOtherCount ? SIDES.filter((side) => sides[side].rest > 0) : [];
    if (open.length > 0) return { again: open };
    const decided = repeated(sides, majorityOf(attempts), precision);
    const isChanged = 'status' in decided && decided.status === 'changed';
    return isChanged ? decided : { status: 'review', message: match.message, deciding: [left.index, right.index] };
  }
  return repeated(sides, majorityOf(attempts), precision);
}

const isEqualTo =
  (left: ValidAnswer, precision: number | undefined) =>
  (right: ValidAnswer): boolean =>
    matchAnswers(left.answer, right.answer, precision).kind === 'equal';

const errored = (sides: readonly Side[]): Compared => ({
  status: 'errored',
  message: sides.map(({ label, error }) => `${label}: ${error}`).join('\n'),
  deciding: [0, 0],
});

/** Decides about answers of which the first ones differ. @param most number of answers of a side that decide */
function repeated(sides: readonly [Side, Side], most: number, precision: number | undefined): Compared | AskAgain {
  const classes = classesOf(
    sides.map(({ answers }) => answers),
    precision,
  );
  const majorities = SIDES.map((side) => majorityIn(classes, side, most));
  const [before, after] = majorities;
  const isShared = classes.some((each) => SIDES.every((side) => each.sides[side]!.length > 0));
  /** Whether a class, or a new one, is the majority of a side or can become it. */
  const isReachable = (side: 0 | 1, found: AnswerClass | undefined): boolean =>
    majorities[side] ? majorities[side] === found : (found?.sides[side]!.length ?? 0) + sides[side].rest >= most;
  const options = [...classes, undefined];
  const canBeSame = options.some((each) => SIDES.every((side) => isReachable(side, each)));
  const canChange = !isShared && SIDES.every((side) => options.some((each) => isReachable(side, each)));
  const counts = (): string => sides.map(({ label }, side) => agreement(label, side, classes)).join(' · ');
  if (before && before === after) {
    const [lefts, rights] = before.sides as readonly [ValidAnswer[], ValidAnswer[]];
    // The right one of an equal pair may have more columns, so not every two answers of a class are a pair.
    const left = lefts.find((each) => rights.some(isEqualTo(each, precision)))!;
    const right = rights.find(isEqualTo(left, precision))!;
    const found = equal(left, right, matchAnswers(left.answer, right.answer, precision));
    return { ...found, message: [found.message, counts()].filter(Boolean).join(' · ') };
  }
  if (!canBeSame && !canChange) {
    const failed = sides.filter(({ answers, rest, error }) => error !== undefined && answers.length + rest < most);
    if (failed.length > 0) return errored(failed);
    return { status: 'unstable', message: t('The answers vary. {0}', counts()), deciding: unlike(classes) };
  }
  const open = SIDES.filter((side) => (before && after ? sides[side].rest > 0 : !majorities[side]));
  if (open.length > 0) return { again: open };
  const [left, right] = [before!.sides[0]![0]!, after!.sides[1]![0]!];
  const isUnanimous = SIDES.every((side) => majorities[side]!.sides[side]!.length === sides[side].answers.length);
  const changed = changeOf(left, right, sides, matchAnswers(left.answer, right.answer, precision));
  return isUnanimous ? changed : { ...changed, message: `${changed.message} · ${counts()}` };
}

function equal(left: ValidAnswer, right: ValidAnswer, match: AnswerMatch): Compared {
  const deciding = [left.index, right.index] as const;
  if (match.kind !== 'equal' || !match.left || !match.right)
    return {
      status: 'review',
      message: queryFailure(left.answer) ?? queryFailure(right.answer) ?? t('Neither answer ran a query.'),
      deciding,
    };
  return oneLine(match.left.sql) === oneLine(match.right.sql)
    ? { status: 'same', message: '', deciding }
    : { status: 'same', change: 'sql', message: t('Same rows from different SQL'), deciding };
}

function changeOf(left: ValidAnswer, right: ValidAnswer, sides: readonly [Side, Side], match: AnswerMatch): Compared {
  const deciding = [left.index, right.index] as const;
  if (match.kind === 'unknown') return { status: 'review', message: match.message, deciding };
  const difference = match.kind === 'different' ? match.difference : undefined;
  if (difference)
    return { status: 'changed', change: largestChange(difference), message: describeChange(difference), deciding };
  // Only one of the two ran a query.
  const silent = SIDES.find((side) => [left, right][side]!.answer.queries.every(({ table }) => table === undefined))!;
  const message = `${sides[silent].label}: ${noQueryReason([left, right][silent]!.answer)}`;
  return { status: 'changed', change: 'rows', message, deciding };
}

/** @returns the first answers of the sides' largest classes, which differ if possible */
function unlike(classes: readonly AnswerClass[]): [number, number] {
  const largest = (side: 0 | 1, without?: AnswerClass): AnswerClass | undefined =>
    classes
      .filter((each) => each !== without && each.sides[side]!.length > 0)
      .sort((a, b) => b.sides[side]!.length - a.sides[side]!.length)[0];
  const left = largest(0)!;
  const right = largest(1, left) ?? largest(1)!;
  return [left.sides[0]![0]!.index, right.sides[1]![0]!.index];
}

const largestChange = ({ counts: { missing, unexpected }, missingColumns }: Difference): 'rows' | 'numbers' =>
  missing + unexpected + missingColumns.length > 0 ? 'rows' : 'numbers';

/** @returns what changed from the left (expected) to the right (actual) result */
function describeChange({ counts, missingColumns, totalChange }: Difference): string {
  const { same: equalRows, changed, missing, unexpected } = counts;
  const before = equalRows + changed + missing;
  const parts = [
    missingColumns.length > 0 ? t('no column like {0}', quotedNames(missingColumns)) : '',
    changed > 0 ? plural(before, '{0} of {1} row changed|{0} of {1} rows changed', changed, before) : '',
    unexpected > 0 ? plural(unexpected, '{0} row added|{0} rows added') : '',
    missing > 0 ? plural(missing, '{0} row removed|{0} rows removed') : '',
    percentText(totalChange),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** @param percent with two decimals, such as `-8.25`; a smaller change is omitted */
function percentText(percent: string | undefined): string {
  if (percent === undefined || Number(percent) === 0) return '';
  const size = Math.abs(Number(percent));
  const digits = size.toLocaleString(undefined, { maximumFractionDigits: size < 1 ? 2 : 1 });
  return t('{0} %', `${percent.startsWith('-') ? '−' : '+'}${digits}`);
}

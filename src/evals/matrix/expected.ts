/** The judge that grades answers against an expected result or a rule of access. */
import { t } from '../../shared/text/l10n.ts';
import { hasNoResult, hasRule } from '../question.ts';
import { gradeAnswer, missingExpectation } from '../grading/gradeAnswer.ts';
import {
  agreement,
  attemptsLeft,
  classesOf,
  errorOf,
  majorityIn,
  plainest,
  validAnswers,
  type AnswerClass,
} from './answerClasses.ts';
import { gradableQueries, type Attempt, type Expectation } from './expectation.ts';
import { majorityOf, type Again, type Judge, type Judgment, type MatrixRow } from './matrix.ts';

interface GradingRules {
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
  /** Asks `row.attempts` times in any case, instead of only after a failure. */
  isRepeated?: boolean;
}

/**
 * Grades the answers of the last cell against `row.truth` or, if the row has another cell, against its answers. An answer
 * that did not pass is asked again, and most answers decide. A row that an identity must not see fails at once. Other
 * rows than on another branch fail only if no answer equals most of that branch, or the reverse.
 */
export const expected =
  ({ precision, isRepeated = false }: GradingRules = {}): Judge =>
  (row) => {
    const { question, cells, attempts: most } = row;
    const at = cells.length - 1;
    const { answers } = cells[at]!;
    const truth = at === 0 || hasNoResult(question) ? truthOf(row) : truthIn(row, precision);
    if ('again' in truth) return truth;
    const { expectation, error, deciding } = truth;
    const noExpectation = missingExpectation(question, at > 0);
    const attempts = answers.map((answer): Attempt =>
      error === undefined
        ? gradeAnswer(question, answer, expectation, { precision, noExpectation })
        : { status: 'errored', message: error, answer },
    );
    // A query that only one of both ran is a difference too.
    const isAlone = ({ actual }: Attempt): boolean => expectation === undefined && actual !== undefined;
    const isDoubtful = attempts.some((attempt) => isRepeatable(attempt, row) || isAlone(attempt));
    if (truth.doubt && isDoubtful)
      // Ask both again at first; once the expected result varies, only that.
      return truth.doubt.again ? { again: attempts.length === 1 ? [0, at] : [0] } : unproven(row, truth.doubt.message);
    const isCompared = at > 0 && !hasRule(question);
    const isUndecided = isRepeated ? !attempts.some(isFinal(row)) : isOpen(attempts, row, isCompared);
    if (most > answers.length && error === undefined && isUndecided) return { again: [at] };
    const { index, ...judgment } = verdictOn(attempts, row, isRepeated);
    const verdict = { ...judgment, ...(expectation ? { expectation } : {}), deciding: [...deciding, index] };
    const isDifferent = attempts.some(isFailing) && judgment.status !== 'flaky';
    return isCompared && isDifferent ? confirmed(verdict, row, precision) : verdict;
  };

const isFailing = ({ status }: Attempt): boolean => status === 'failed' || status === 'review';

/** @returns the verdict on other rows than on another branch, if no answer of one equals most answers of the other */
function confirmed(verdict: Judgment, { cells, attempts }: MatrixRow, precision: number | undefined): Judgment | Again {
  const classes = classesOf(
    cells.map(({ answers }) => validAnswers(answers)),
    precision,
  );
  const most = majorityOf(attempts);
  // The same odd answer on both proves nothing.
  const isShared = ({ sides }: AnswerClass): boolean =>
    sides.every(({ length }) => length > 0) && sides.some(({ length }) => length >= most);
  if (!classes.some(isShared)) return attemptsLeft(cells[0]!.answers, attempts) > 0 ? { again: [0] } : verdict;
  const counts = cells.map(({ context: { label } }, side) => agreement(label, side, classes)).join(' · ');
  return { ...verdict, status: 'unstable', message: t('The answers vary. {0}', counts) };
}

/** The expected result of a row. */
interface RowTruth {
  expectation?: Expectation;
  /** Why it is unknown. */
  error?: string;
  /** The deciding answer of the cell that it is from. */
  deciding: readonly number[];
  /** Present if it is from an answer that others have not confirmed. */
  doubt?: { again: boolean; message: string };
}

const truthOf = ({ truth, question, cells }: MatrixRow): RowTruth => {
  const deciding = cells.slice(1).map(() => 0);
  if (truth === undefined || question.access) return { deciding };
  return 'error' in truth ? { error: truth.error, deciding } : { expectation: truth, deciding };
};

/** Expects the result of the first cell: the one of most of its answers, or of its only one. */
function truthIn({ question, cells, attempts }: MatrixRow, precision: number | undefined): RowTruth | Again {
  const { context, answers } = cells[0]!;
  const valid = validAnswers(answers);
  const rest = attemptsLeft(answers, attempts);
  if (valid.length === 0) {
    if (rest > 0) return { again: [0] };
    return { error: `${context.label}: ${errorOf(answers.at(-1)!)}`, deciding: [0] };
  }
  const classes = classesOf([valid], precision);
  const most = majorityOf(attempts);
  const majority = majorityIn(classes, 0, most);
  const { answer, index } = majority ? plainest(majority.sides[0]!) : valid[0]!;
  const [query] = gradableQueries(answer);
  const from = question.access ? 'identity' : 'branch';
  const largest = Math.max(...classes.map(({ sides }) => sides[0]!.length));
  const canAgree = rest > 0 && largest + rest >= most;
  return {
    ...(query ? { expectation: { from, sql: query.sql, table: query.table } } : {}),
    deciding: [index],
    ...(majority ? {} : { doubt: { again: canAgree, message: agreement(context.label, 0, classes) } }),
  };
}

/** @returns the verdict if the expected answers vary: nothing is proven about access, and no change otherwise */
const unproven = ({ question, cells }: MatrixRow, counts: string): Judgment => ({
  status: question.access ? 'review' : 'unstable',
  message: t('The answers vary. {0}', counts),
  deciding: cells.map(() => 0),
});

/** Whether an attempt shows rows that must not be seen, of which one sight is enough. */
const isLeak = ({ status }: Attempt, { question: { access } }: MatrixRow): boolean =>
  status === 'failed' && access !== undefined && access.kind !== 'sameAs';

/** Whether another answer may be better. */
function isRepeatable(attempt: Attempt, row: MatrixRow): boolean {
  const { status, answer } = attempt;
  if (status === 'errored') return answer?.error !== undefined && !answer.isFinal;
  if (status === 'review')
    return attempt.hasOtherCount === true || answer?.queries.every(({ table }) => table === undefined) === true;
  return status === 'failed' && !isLeak(attempt, row);
}

const isFinal =
  (row: MatrixRow) =>
  (attempt: Attempt): boolean =>
    attempt.status === 'skipped' || isLeak(attempt, row);

const passedOf = (attempts: readonly Attempt[]): number => attempts.filter(({ status }) => status === 'passed').length;
const withoutErrors = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.filter(({ status }) => status !== 'errored');

/**
 * Whether further answers can change the verdict.
 * @param isCompared whether one answer that passes is enough not to fail
 */
function isOpen(attempts: readonly Attempt[], row: MatrixRow, isCompared: boolean): boolean {
  const errors = attempts.filter(({ status }) => status === 'errored');
  const isRefused = errors.some((attempt) => !isRepeatable(attempt, row));
  if (isRefused || attempts.some(isFinal(row)) || !attempts.some((attempt) => isRepeatable(attempt, row))) return false;
  const passed = passedOf(attempts);
  const missed = attempts.length - errors.length - passed;
  if (missed === 0) return passed === 0;
  const canReach = (most: number, count: number): boolean =>
    count < most && count + row.attempts - attempts.length >= most;
  return (
    canReach(enoughPassed(row, false), passed) ||
    (errors.length > 0 && canReach(majorityOf(row.attempts), missed)) ||
    (isCompared && passed === 0)
  );
}

/**
 * @returns the number of passed answers with which a row does not fail: half of an even number, because one odd answer of
 * two proves nothing, except for access and for a fixed number of answers
 */
const enoughPassed = ({ question, attempts }: MatrixRow, isRepeated: boolean): number =>
  isRepeated || question.access ? majorityOf(attempts) : Math.ceil(attempts / 2);

/** The worst grade of a row without a passing majority decides. */
const WORST = ['failed', 'review', 'errored', 'skipped'] as const;

/**
 * Errors are no answers, except where each question is asked a fixed number of times. If they leave too few answers that
 * did not pass, one odd answer decides nothing.
 */
function verdictOn(
  attempts: readonly Attempt[],
  row: MatrixRow,
  isRepeated: boolean,
): Omit<Judgment, 'deciding'> & { index: number } {
  const passed = passedOf(attempts);
  const counted = isRepeated ? attempts : withoutErrors(attempts);
  const isLeaked = attempts.some((attempt) => isLeak(attempt, row));
  const isPassed = passed > 0 && passed === counted.length;
  const most = majorityOf(row.attempts);
  const isFlaky = passed >= enoughPassed(row, isRepeated) && !isLeaked;
  const missed = counted.filter(isFailing).length;
  const isShort = counted.length < attempts.length && missed > 0 && missed < most && !isFlaky && !isLeaked;
  const others = counted.length > 0 && !isShort ? counted : attempts.filter(({ status }) => status === 'errored');
  const worst = WORST.find((status) => others.some((attempt) => attempt.status === status));
  const attempt =
    others.find(({ status }) => (isFlaky || isPassed ? status !== 'passed' : status === worst)) ?? others.at(-1)!;
  return {
    status: isPassed ? 'passed' : isFlaky ? 'flaky' : (worst ?? 'passed'),
    message: attempt.message,
    attempt,
    passes: { count: passed, of: counted.length },
    index: attempts.indexOf(attempt),
  };
}

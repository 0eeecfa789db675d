/** Asks questions on two branches, and compares the answers by the rules of question tests. */
import { oneLine } from '../../shared/text/lines.ts';
import { type Difference, gradeTable } from '../grading/grade.ts';
import { messageOf } from '../../shared/text/checks.ts';
import { plural, quotedNames, t } from '../../shared/text/l10n.ts';
import type { Question } from '../question.ts';
import type { Answer } from '../matrix/answer.ts';
import {
  gradableQueries,
  noQueryReason,
  withAllRows,
  type AskQuestion,
  type GradableQuery,
  type RunSql,
} from '../matrix/expectation.ts';
import { DEFAULT_CONCURRENCY, pool } from './runner.ts';
import { duration, tokensOf } from '../report/verdict.ts';

export interface Sides<T> {
  left: T;
  right: T;
}

type AnswerState =
  | 'same'
  | 'changed'
  /** Rows are missing, or neither answer ran a query. */
  | 'notComparable'
  /** At least one answer failed, or ran no query while the other did. */
  | 'failed'
  | 'canceled';

/** The kind of the largest change: added or removed rows, numbers in the same rows, or only the SQL. */
type AnswerChange = 'rows' | 'numbers' | 'sql';

export interface ComparedAnswers {
  question: Question;
  state: AnswerState;
  /** Set if the state is `changed`. */
  change?: AnswerChange;
  /** Reason for the state, such as `11 of 12 rows changed, −8.2 %`; may be empty. */
  message: string;
  answers: Sides<Answer>;
}

interface CompareOptions {
  /** Names of the sides, for messages. */
  names: Sides<string>;
  /** Loads all rows of a truncated result; absent if no data query URL is set. */
  runSql?: Sides<RunSql>;
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
  signal: AbortSignal;
}

type Outcome = Pick<ComparedAnswers, 'state' | 'change' | 'message'>;
const canceled = (): Outcome => ({ state: 'canceled', message: '' });

/** @param answers left is the state before, right the state after */
export async function compareAnswers(
  question: Question,
  answers: Sides<Answer>,
  options: CompareOptions,
): Promise<ComparedAnswers> {
  const outcome = await outcomeOf(question, answers, options).catch((failure: unknown): Outcome => ({
    state: 'failed',
    message: messageOf(failure),
  }));
  return { question, answers, ...outcome };
}

async function outcomeOf(question: Question, answers: Sides<Answer>, options: CompareOptions): Promise<Outcome> {
  const { left, right } = answers;
  if (left.isStopped || right.isStopped) return canceled();
  const errors = (['left', 'right'] as const).flatMap((side) => {
    const { error } = answers[side];
    return error === undefined ? [] : [`${options.names[side]}: ${error}`];
  });
  if (errors.length > 0) return { state: 'failed', message: errors.join('\n') };
  const [before] = gradableQueries(left);
  const after = gradableQueries(right);
  if (before === undefined && after.length === 0)
    return { state: 'notComparable', message: t('Neither answer ran a query.') };
  if (before === undefined || after.length === 0) {
    const side = before === undefined ? 'left' : 'right';
    return { state: 'failed', message: `${options.names[side]}: ${noQueryReason(answers[side])}` };
  }
  return compareQueries(question, before, after, options);
}

/**
 * Compares the last query with rows of each answer, or any other query of the right answer with the same rows, as a
 * test does.
 */
async function compareQueries(
  question: Question,
  query: GradableQuery,
  others: readonly GradableQuery[],
  { names, runSql, precision, signal }: CompareOptions,
): Promise<Outcome> {
  const before = await withAllRows(question, query, { runSql: runSql?.left, signal, precision, name: names.left });
  let first: Outcome | undefined;
  for (const other of others) {
    const after = await withAllRows(question, other, { runSql: runSql?.right, signal, precision, name: names.right });
    // If the run is canceled while rows are loading, only some of them are present.
    if (signal.aborted && (before !== query || after !== other)) return canceled();
    const grade = gradeTable(before.table, after.table, precision);
    if (grade.status === 'passed') return sqlOutcome(before.sql, after.sql);
    first ??=
      grade.status === 'notComparable'
        ? { state: 'notComparable', message: grade.message }
        : { state: 'changed', change: largestChange(grade.difference), message: describeChange(grade.difference) };
  }
  return first!;
}

const sqlOutcome = (left: string, right: string): Outcome =>
  oneLine(left) === oneLine(right)
    ? { state: 'same', message: '' }
    : { state: 'changed', change: 'sql', message: t('Same rows from different SQL') };

const largestChange = ({ counts: { missing, unexpected }, missingColumns }: Difference): AnswerChange =>
  missing + unexpected + missingColumns.length > 0 ? 'rows' : 'numbers';

/** @returns what changed from the left (expected) to the right (actual) result */
function describeChange({ counts, missingColumns, totalChange }: Difference): string {
  const { same, changed, missing, unexpected } = counts;
  const before = same + changed + missing;
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

/** The signal cancels: running answers are aborted on the service, waiting questions are not asked. */
export interface BranchesOptions extends CompareOptions {
  /** Asks as the question's identity, on the branch of the side. */
  ask: Sides<AskQuestion>;
  /** Maximum number of running answers on both sides together. */
  concurrency?: number;
}

interface BranchesEvents {
  onStart?: (question: Question) => void;
  /** Called once for each question that was started. */
  onCompared?: (compared: ComparedAnswers) => void;
}

interface BranchesSummary {
  /** Number of answers in each state, for all questions; those that were not asked count as `canceled`. */
  counts: Readonly<Record<AnswerState, number>>;
  milliseconds: number;
  /** Present if the service sends usage. */
  tokens?: number;
}

/** @returns when every question that was started is compared */
export async function compareOnBranches(
  questions: readonly Question[],
  options: BranchesOptions,
  { onStart, onCompared }: BranchesEvents = {},
): Promise<BranchesSummary> {
  const start = performance.now();
  const counts = { same: 0, changed: 0, notComparable: 0, failed: 0, canceled: 0 };
  let compared = 0;
  let tokens: number | undefined;
  const { ask, concurrency = DEFAULT_CONCURRENCY, signal } = options;
  await pool(questions, Math.floor(concurrency / 2), signal, async (question) => {
    onStart?.(question);
    const asking = ask.left(question, signal);
    if (concurrency < 2) await asking;
    const [left, right] = await Promise.all([asking, ask.right(question, signal)]);
    const result = await compareAnswers(question, { left, right }, options);
    counts[result.state] += 1;
    compared += 1;
    const used = tokensOf([left, right]);
    if (used !== undefined) tokens = (tokens ?? 0) + used;
    onCompared?.(result);
  });
  counts.canceled += questions.length - compared;
  return { counts, milliseconds: performance.now() - start, tokens };
}

/** `3 changed · 8 the same · 1 failed · 12,310 tokens · 23.4 s` */
export function branchesSummaryText({ counts, milliseconds, tokens }: BranchesSummary): string {
  const parts = [
    counts.changed > 0 ? t('{0} changed', counts.changed) : '',
    counts.same > 0 ? t('{0} the same', counts.same) : '',
    counts.notComparable > 0 ? t('{0} not comparable', counts.notComparable) : '',
    counts.failed > 0 ? t('{0} failed', counts.failed) : '',
    counts.canceled > 0 ? t('{0} canceled', counts.canceled) : '',
    tokens === undefined ? '' : plural(tokens, '{0} token|{0} tokens'),
    duration(milliseconds),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

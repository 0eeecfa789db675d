/**
 * The two runs over many questions, ready to start: question tests, and the check of a change. Each front end plans them
 * here, says what they cost, and then starts them.
 */
import type { CheckPlan } from '../check/plan.ts';
import type { TestQuestion } from '../question.ts';
import { truthFromFiles } from './asking.ts';
import { expected } from './expected.ts';
import { contextsToGrade, DEFAULT_ATTEMPTS, type Context, type Judge } from './matrix.ts';
import { runMatrix, type MatrixOptions } from './runMatrix.ts';
import { same } from './same.ts';
import type { RunSummary } from '../report/summary.ts';

/** The contexts of a run by identity, undefined for the default one. */
type ContextFor<C extends Context> = (identity: string | undefined) => C;

interface Repetition {
  /** Maximum number of answers of a question in each context. */
  attempts?: number;
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
}

export interface PlannedRun<C extends Context> extends Pick<MatrixOptions<C>, 'precision'> {
  questions: readonly TestQuestion[];
  contextsOf: (question: TestQuestion) => readonly C[];
  judge: Judge;
  attempts: number;
  /** Whether the questions have expected results in their files. */
  hasTruth: boolean;
}

interface TestOptions<C extends Context> extends Repetition {
  on: ContextFor<C>;
  /** The branch whose answers are expected, instead of the results in the files. */
  onOther?: ContextFor<C>;
  /** How often each question is asked in any case; by default, it is asked again only after a failure. */
  times?: number;
}

/** @returns the run of question tests */
export function plannedTests<C extends Context>(
  questions: readonly TestQuestion[],
  { on, onOther, times, attempts = times ?? DEFAULT_ATTEMPTS, precision }: TestOptions<C>,
): PlannedRun<C> {
  return {
    ...{ questions, attempts, precision },
    contextsOf: (question) => contextsToGrade(question, on, onOther),
    judge: expected({ precision, isRepeated: times !== undefined }),
    hasTruth: onOther === undefined,
  };
}

interface CheckOptions<C extends Context> extends Repetition {
  before: ContextFor<C>;
  after: ContextFor<C>;
}

/** @returns the run that compares the answers before and after a change */
export function plannedCheck<C extends Context>(
  { questions }: Pick<CheckPlan, 'questions'>,
  { before, after, attempts = DEFAULT_ATTEMPTS, precision }: CheckOptions<C>,
): PlannedRun<C> {
  return {
    ...{ questions: questions.map(({ question }) => question), attempts, precision },
    contextsOf: ({ identity }) => [before(identity), after(identity)],
    judge: same({ precision }),
    hasTruth: false,
  };
}

export type StartOptions<C extends Context> = Omit<MatrixOptions<C>, 'truth' | 'attempts' | 'precision'>;

/** Starts a run. See `runMatrix`. */
export const startRun = <C extends Context>(
  { questions, contextsOf, judge, attempts, precision, hasTruth }: PlannedRun<C>,
  options: StartOptions<C>,
): Promise<RunSummary> =>
  runMatrix(questions, contextsOf, judge, {
    ...{ ...options, attempts, precision },
    ...(hasTruth ? { truth: truthFromFiles(options.runSql) } : {}),
  });

/**
 * The model of a run: questions × contexts. Each question is a row, with a cell for each context in which it is asked. A
 * judge looks at the answers of a row and decides its verdict, or asks some of its cells again.
 */
import type { VerdictStatus } from '../../shared/protocol/verdicts.ts';
import { hasNoResult, askedTurns, type TestQuestion } from '../question.ts';
import { turnAnswers, type Answer } from './answer.ts';
import type { Attempt, Expectation } from './expectation.ts';

/** Where and as whom a question is asked. */
export interface Context {
  /** Distinguishes the context from the others of the run: its branch or its identity, or both. */
  label: string;
  /** Name of the branch. */
  branch: string;
  /** Name of the identity; undefined for the default one. */
  identity: string | undefined;
}

/** One question in one context. */
export interface Cell<C extends Context = Context> {
  context: C;
  /** Oldest first; more than one if the question was asked again. An answer with an error counts as asked. */
  answers: readonly Answer[];
}

export interface MatrixRow<C extends Context = Context> {
  question: TestQuestion;
  /** In the order of the contexts. */
  cells: readonly Cell<C>[];
  /** The expected result, or why it is unknown; absent if the question has none or the run needs none. */
  truth?: Expectation | { error: string };
  /** Maximum number of answers in each cell. */
  attempts: number;
}

/** A verdict on the cell of one context, compared with that of the first. */
export interface CellJudgment {
  status: VerdictStatus;
  /** The reason, such as `11 of 12 rows changed, −8.2 %`; may be empty. */
  message: string;
  /** How the result differs: rows or columns, numbers in the same rows, or only the SQL of the same rows. */
  change?: 'rows' | 'numbers' | 'sql';
}

export interface Judgment extends CellJudgment {
  /** For each cell the index of the answer that represents it, for example to open its thread. */
  deciding: readonly number[];
  /** For each cell after the first, the comparison with the first; absent if the row was graded. */
  compared?: readonly CellJudgment[];
  /** The result that was expected, if the row was graded. */
  expectation?: Expectation;
  /** The deciding answer with its grade, if the row was graded. */
  attempt?: Attempt;
  /** Index of the turn that decides, if the question has several. */
  turn?: number;
  /** Number of answers that passed, of those that were graded. */
  passes?: { count: number; of: number };
}

/** Indexes of the cells to ask again. */
export interface Again {
  again: readonly number[];
}

/** Decides about the answers so far. It is pure, and asks for no more than `row.attempts` answers of a cell. */
export type Judge = (row: MatrixRow) => Judgment | Again;

export interface Verdict<C extends Context = Context> extends Judgment {
  question: TestQuestion;
  /** All answers, also those that did not decide. */
  cells: readonly Cell<C>[];
  milliseconds: number;
  /** Present if the service sends usage. */
  tokens?: number;
}

/** Indexes are those of the questions and of the contexts of a question. */
export type MatrixEvent<C extends Context = Context> =
  /** A cell is being asked. */
  | { type: 'started'; row: number; cell: number }
  | { type: 'answered'; row: number; cell: number; answer: Answer }
  /** Sent once for each question, also if the run was canceled before it was asked. */
  | { type: 'judged'; row: number; verdict: Verdict<C> };

/**
 * @param on the context of the run with an identity, or with the default one
 * @param onOther the same on the branch whose answers are expected
 * @returns the contexts of a graded question: its own, after the one whose answers it must equal, if there is one
 */
export function contextsToGrade<C extends Context>(
  question: TestQuestion,
  on: (identity: string | undefined) => C,
  onOther?: (identity: string | undefined) => C,
): C[] {
  const { identity, access } = question;
  if (access?.kind === 'sameAs') return [{ ...on(access.identity), label: access.identity }, on(identity)];
  return onOther && !access && !hasNoResult(question) ? [onOther(identity), on(identity)] : [on(identity)];
}

export const DEFAULT_ATTEMPTS = 3;

/** @returns the turn that decides, or the question itself if it has no turns */
export const decidingTurn = ({ question, turn = 0 }: Pick<Verdict, 'question' | 'turn'>): TestQuestion =>
  askedTurns(question)[turn]!;

/** @returns for each context the answer that represents it, with all of its turns; undefined where there is none */
export const representingAnswers = ({ cells, deciding }: Pick<Verdict, 'cells' | 'deciding'>) =>
  cells.map(({ answers }, at): Answer | undefined => answers[deciding[at] ?? 0]);

/** @returns the same, with only the turn that decides */
export const decidingAnswers = (verdict: Pick<Verdict, 'cells' | 'deciding' | 'turn'>) =>
  representingAnswers(verdict).map((answer) => answer && (turnAnswers(answer)[verdict.turn ?? 0] ?? answer));

/** @returns the number of answers of one cell that must agree to decide */
export const majorityOf = (attempts: number): number => Math.floor(attempts / 2) + 1;

/** @returns an upper bound of the requests of a run */
export const mostRequests = (
  questions: readonly TestQuestion[],
  contextsOf: (question: TestQuestion) => readonly Context[],
  attempts: number,
): number =>
  questions.reduce((sum, question) => sum + contextsOf(question).length * askedTurns(question).length * attempts, 0);

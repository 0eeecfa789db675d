/** Asks questions in several contexts, as often as a judge needs, and reports each verdict. */
import { messageOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { askedTurns, type TestQuestion } from '../question.ts';
import { tokensOf, Tally, type RunSummary } from '../report/summary.ts';
import { turnAnswers, type Answer } from './answer.ts';
import { probeBranch, type BranchWait, type Probed } from './branchProbe.ts';
import { askTurns, type AskIn, type RunSqlIn, type TruthIn } from './asking.ts';
import {
  DEFAULT_ATTEMPTS,
  type Context,
  type Judge,
  type Judgment,
  type MatrixEvent,
  type MatrixRow,
  type Verdict,
} from './matrix.ts';
import { judgeTurns } from './turns.ts';

export const DEFAULT_CONCURRENCY = 4;

export interface MatrixOptions<C extends Context> {
  /** Asks in a thread of its own; see `sessionAsk`. */
  ask: AskIn<C>;
  /** Loads rows that an answer left out; absent if no data query URL is set. */
  runSql?: RunSqlIn<C>;
  /** Determines the expected result in the last context of a question; absent for judges that only compare cells. */
  truth?: TruthIn<C>;
  /** Asks one question on each branch first, and the others once the service serves all branches; absent to ask all at once. */
  branches?: BranchWait;
  /** Maximum number of running answers. */
  concurrency?: number;
  /** Maximum number of answers of a question in each context; 1 turns repetition off. */
  attempts?: number;
  /** Number of significant digits to which numbers are compared. */
  precision?: number;
  /** Cancels: running answers are aborted on the service, nothing more is asked, and verdicts are kept. */
  signal: AbortSignal;
  onEvent?: (event: MatrixEvent<C>) => void;
}

/**
 * Rows are judged independently and only while none of their answers is running, so that the order in which answers
 * arrive does not matter.
 * @param contextsOf the contexts of a question, at least one; their cells have the same order
 * @returns when every question has its verdict
 * @throws BranchRefused before any verdict, if `branches` is set and the service does not serve one of them; nothing else
 */
export async function runMatrix<C extends Context>(
  questions: readonly TestQuestion[],
  contextsOf: (question: TestQuestion) => readonly C[],
  judge: Judge,
  given: MatrixOptions<C>,
): Promise<RunSummary> {
  const { concurrency = DEFAULT_CONCURRENCY, attempts = DEFAULT_ATTEMPTS, branches } = given;
  const refused = new AbortController();
  const signal = branches ? AbortSignal.any([given.signal, refused.signal]) : given.signal;
  const options = { ...given, signal };
  const start = performance.now();
  const tally = new Tally();
  const slots = new Slots(concurrency);
  const rows = questions.map(
    (question, row) => new RunningRow(row, question, contextsOf(question), attempts, slots, options),
  );
  if (branches) await probeRows(rows, branches, refused);
  const queue = rows.entries();
  const work = async (): Promise<void> => {
    for (const [row, running] of queue) {
      const verdict = await running.judged(judge);
      tally.add(verdict);
      options.onEvent?.({ type: 'judged', row, verdict });
      // Grading can take long: let other events in, such as a signal that cancels.
      if (!signal.aborted) await nextTask();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return tally.summary(performance.now() - start);
}

/** @param refused aborted if the service refuses a branch, so that the answers on the others stop */
async function probeRows<C extends Context>(
  rows: readonly RunningRow<C>[],
  wait: BranchWait,
  refused: AbortController,
): Promise<void> {
  const probes = new Map<string, () => Promise<Probed>>();
  for (const row of rows)
    for (const [cell, branch] of row.branches.entries())
      if (!probes.has(branch)) probes.set(branch, () => row.probe(cell, branch, wait));
  const abort = (failure: unknown): never => {
    refused.abort();
    throw failure;
  };
  const probed = await Promise.allSettled([...probes.values()].map((probe) => probe().catch(abort)));
  const failed = probed.find((each) => each.status === 'rejected');
  if (failed === undefined) return;
  await Promise.all(probed.map((each) => each.status === 'fulfilled' && each.value.answer));
  throw failed.reason;
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

class RunningRow<C extends Context> {
  readonly #row: number;
  readonly #question: TestQuestion;
  readonly #cells: readonly { context: C; answers: Answer[] }[];
  readonly #attempts: number;
  readonly #slots: Slots;
  readonly #options: MatrixOptions<C>;
  /** The cells that were asked before the others. */
  readonly #probes = new Map<number, Promise<void>>();
  /** Milliseconds from the first question to the start of its answer, without the wait for a branch. */
  #probing = 0;

  constructor(
    row: number,
    question: TestQuestion,
    contexts: readonly C[],
    attempts: number,
    slots: Slots,
    options: MatrixOptions<C>,
  ) {
    this.#row = row;
    this.#question = question;
    this.#cells = contexts.map((context) => ({ context, answers: [] }));
    this.#attempts = attempts;
    this.#slots = slots;
    this.#options = options;
  }

  get branches(): readonly string[] {
    return this.#cells.map(({ context }) => context.branch);
  }

  /** Asks a cell for the first time. @throws BranchRefused */
  async probe(cell: number, branch: string, wait: BranchWait): Promise<Probed> {
    const { signal } = this.#options;
    let start = 0;
    const ask = (onServed: () => void): Promise<Answer | undefined> => {
      start = performance.now();
      return this.#slots.use(() => this.#answer(cell, onServed));
    };
    const probed = await probeBranch(branch, ask, wait, signal);
    this.#probing = Math.max(this.#probing, performance.now() - start);
    this.#probes.set(
      cell,
      probed.answer.then((answer) => this.#add(cell, answer)),
    );
    return probed;
  }

  async judged(judge: Judge): Promise<Verdict<C>> {
    const start = performance.now();
    const judgment = await this.#judge(judge).catch((failure: unknown) => undecided('errored', messageOf(failure)));
    const answers = this.#cells.flatMap((cell) => cell.answers);
    return {
      question: this.#question,
      cells: this.#cells,
      ...(this.#options.signal.aborted ? undecided('canceled', t('Canceled')) : judgment),
      milliseconds: this.#probing + performance.now() - start,
      tokens: tokensOf(answers.flatMap(turnAnswers)),
    };
  }

  async #judge(judge: Judge): Promise<Judgment> {
    const { signal } = this.#options;
    const determining = this.#truths();
    for (let again: readonly number[] = [...this.#cells.keys()]; again.length > 0;) {
      await Promise.all(again.map((cell) => this.#ask(cell)));
      const truths = await determining;
      if (signal.aborted) break;
      const row = { question: this.#question, cells: this.#cells, attempts: this.#attempts };
      const decided = judgeTurns(judge, row, truths);
      if (!('again' in decided)) return decided;
      again = decided.again.filter((cell) => this.#cells[cell]!.answers.length < this.#attempts);
    }
    throw new Error(signal.aborted ? t('Canceled') : 'A judge asked for more answers than it may.');
  }

  /** @returns the expected results of the turns */
  async #truths(): Promise<MatrixRow['truth'][]> {
    const { truth, signal } = this.#options;
    if (signal.aborted || !truth) return [];
    const { context } = this.#cells.at(-1)!;
    return Promise.all(
      askedTurns(this.#question).map((turn) =>
        truth(turn, context, signal).catch((failure: unknown) => ({ error: messageOf(failure) })),
      ),
    );
  }

  async #ask(cell: number): Promise<void> {
    const probe = this.#probes.get(cell);
    this.#probes.delete(cell);
    if (probe) await probe;
    else await this.#slots.use(async () => this.#add(cell, await this.#answer(cell)));
  }

  #add(cell: number, answer: Answer | undefined): void {
    if (answer === undefined) return;
    this.#cells[cell]!.answers.push(answer);
    this.#options.onEvent?.({ type: 'answered', row: this.#row, cell, answer });
  }

  /** @returns the answer; undefined if the run is canceled before the question is asked */
  async #answer(cell: number, onServed?: () => void): Promise<Answer | undefined> {
    const { signal, onEvent } = this.#options;
    if (signal.aborted) return undefined;
    const { context } = this.#cells[cell]!;
    onEvent?.({ type: 'started', row: this.#row, cell });
    return askTurns(this.#question, context, this.#options, onServed);
  }
}

const undecided = (status: 'canceled' | 'errored', message: string): Judgment => ({ status, message, deciding: [] });

/** Limits how many tasks run at once; the others wait in order. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

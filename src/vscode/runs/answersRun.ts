/** Asks questions on two branches, and holds the rows of the page and the threads of the answers. */
import type * as vscode from 'vscode';
import type { Verdict } from '../../evals/matrix/matrix.ts';
import type { Question } from '../../evals/question.ts';
import type { AnswerRow, RunState } from '../../shared/protocol/evals.ts';
import type { SideName } from '../../shared/protocol/compare.ts';
import type { AnsweredThread } from './open.ts';
import { readSettings } from '../host/settings.ts';
import { contextsIn, editorAsking, type AskContext } from './askContext.ts';
import type { Services } from '../services.ts';

export type AnswersRunServices = Services<'branches' | 'identities' | 'connections' | 'connector'>;

/** The questions of one folder, asked with its settings. */
export interface AskedQuestions {
  folder: vscode.WorkspaceFolder;
  questions: readonly Question[];
}

/** Names of the branches: left is the state before, right the state after. */
export type BranchPair = Readonly<Record<SideName, string>>;

/** Receives the verdicts in addition to the page, for example to report problems. */
export interface AnswersObserver {
  /** Called at the start of each run. */
  onStart?: () => void;
  onJudged?: (verdict: Verdict) => void;
}

interface AnswersEvents extends AnswersObserver {
  onRow: (index: number, row: AnswerRow) => void;
  onRun: (state: RunState) => void;
}

interface Answers {
  question: string;
  sides: Record<SideName, AnsweredThread>;
}

export class AnswersRun {
  readonly #services: AnswersRunServices;
  readonly #folders: readonly AskedQuestions[];
  readonly #branches: BranchPair;
  readonly #events: AnswersEvents;
  readonly #answered = new Map<number, Answers>();
  #rows: AnswerRow[] = [];
  #summary = '';
  /** Present while questions are running. */
  #controller: AbortController | undefined;

  constructor(
    services: AnswersRunServices,
    folders: readonly AskedQuestions[],
    branches: BranchPair,
    events: AnswersEvents,
  ) {
    this.#services = services;
    this.#folders = folders;
    this.#branches = branches;
    this.#events = events;
    this.#reset();
  }

  get rows(): readonly AnswerRow[] {
    return this.#rows;
  }

  get state(): RunState {
    return { isRunning: this.#controller !== undefined, summary: this.#summary };
  }

  /** @returns both answers of a row; undefined until they are compared */
  answered(index: number): Answers | undefined {
    return this.#answered.get(index);
  }

  /** Stops running answers on the service; verdicts stay. */
  cancel(): void {
    this.#controller?.abort();
  }

  /** Asks all questions, unless a run is in progress. */
  async start(): Promise<void> {
    if (this.#controller) return;
    const { signal } = (this.#controller = new AbortController());
    this.#reset();
    this.#events.onStart?.();
    this.#rows.forEach((row, index) => this.#events.onRow(index, row));
    this.#events.onRun(this.state);
    try {
      this.#summary = await this.#ask(signal);
    } finally {
      this.#controller = undefined;
      this.#events.onRun(this.state);
    }
  }

  async #ask(signal: AbortSignal): Promise<string> {
    const [{ runMatrix }, { same }, { costText, summaryText }] = await Promise.all([
      import('../../evals/matrix/runMatrix.ts'),
      import('../../evals/matrix/same.ts'),
      import('../../evals/report/summary.ts'),
    ]);
    const { left, right } = this.#branches;
    const contexts = new Map<Question, AskContext[]>();
    for (const { folder, questions } of this.#folders) {
      const [before, after] = [left, right].map((branch) => contextsIn(this.#services, folder, branch));
      for (const question of questions) contexts.set(question, [before!(question.identity), after!(question.identity)]);
    }
    const questions = [...contexts.keys()];
    const contextsOf = (question: Question): AskContext[] => contexts.get(question)!;
    const { evalsAttempts, evalsConcurrency, evalsPrecision: precision } = readSettings(this.#folders[0]?.folder);
    this.#summary = costText({ questions, contextsOf, attempts: evalsAttempts }, left, right);
    this.#events.onRun(this.state);
    const summary = await runMatrix(questions, contextsOf, same({ precision }), {
      ...editorAsking(this.#services),
      ...{ concurrency: evalsConcurrency, attempts: evalsAttempts, precision, signal },
      onEvent: (event) => {
        const { row } = event;
        if (event.type === 'started' && this.#rows[row]!.state === 'waiting') this.#update(row, { state: 'asking' });
        if (event.type !== 'judged') return;
        const { verdict } = event;
        const { status, change, message } = verdict;
        this.#keep(row, verdict);
        this.#update(row, { state: status, message, ...(change ? { change } : {}) });
        this.#events.onJudged?.(verdict);
      },
    });
    return summaryText(summary);
  }

  /** Keeps the threads of the answers that decided. */
  #keep(row: number, { question, cells, deciding }: Verdict<AskContext>): void {
    const [left, right] = cells.map(({ context, answers }, at) => {
      const thread = answers[deciding[at] ?? 0]?.thread;
      return thread && { thread, context: context.sent, home: context.home };
    });
    if (left && right) this.#answered.set(row, { question: question.text, sides: { left, right } });
  }

  #reset(): void {
    this.#answered.clear();
    this.#summary = '';
    this.#rows = this.#folders.flatMap(({ questions }) =>
      questions.map(({ name, text }) => ({ name, text, state: 'waiting' as const, message: '' })),
    );
  }

  #update(index: number, change: Pick<AnswerRow, 'state'> & Partial<AnswerRow>): void {
    const row = { ...this.#rows[index]!, ...change };
    this.#rows[index] = row;
    this.#events.onRow(index, row);
  }
}

/** Asks questions on two branches, and holds the rows of the page and the threads of the answers. */
import type { ComparedAnswers, Sides } from '../../evals/run/branches.ts';
import type { Question } from '../../evals/question.ts';
import type { RunSql } from '../../evals/matrix/expectation.ts';
import type { AnswerRow, RunState } from '../../shared/protocol/evals.ts';
import type { AnsweredThread } from './open.ts';
import { readSettings } from '../host/settings.ts';
import { askerFor, type Asker } from './asker.ts';
import type { FolderQuestions } from '../evals/questionFiles.ts';
import type { Services } from '../services.ts';

export type AnswersRunServices = Services<'branches' | 'identities' | 'connections' | 'connector'>;

/** The questions of one folder, asked with its settings. */
export type AskedQuestions = Pick<FolderQuestions, 'folder' | 'questions'>;

/** Receives the answers in addition to the page, for example to report problems. */
export interface AnswersObserver {
  /** Called at the start of each run. */
  onStart?: () => void;
  onCompared?: (compared: ComparedAnswers) => void;
}

interface AnswersEvents extends AnswersObserver {
  onRow: (index: number, row: AnswerRow) => void;
  onRun: (state: RunState) => void;
}

interface Answers {
  question: string;
  sides: Sides<AnsweredThread>;
}

export class AnswersRun {
  readonly #services: AnswersRunServices;
  readonly #folders: readonly AskedQuestions[];
  readonly #branches: Sides<string>;
  readonly #events: AnswersEvents;
  readonly #answered = new Map<number, Answers>();
  #rows: AnswerRow[] = [];
  #summary = '';
  /** Present while questions are running. */
  #controller: AbortController | undefined;

  constructor(
    services: AnswersRunServices,
    folders: readonly AskedQuestions[],
    branches: Sides<string>,
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

  /** Stops running answers on the service; compared rows stay. */
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
      this.#rows.forEach((row, index) => {
        if (row.state === 'waiting') this.#update(index, { state: 'canceled' });
      });
      this.#events.onRun(this.state);
    }
  }

  async #ask(signal: AbortSignal): Promise<string> {
    const { branchesSummaryText, compareOnBranches } = await import('../../evals/run/branches.ts');
    const questions = this.#folders.flatMap((folder) => folder.questions);
    const indexes = new Map(questions.map((question, index) => [question, index]));
    const askers = new Map(this.#folders.flatMap((folder) => this.#askersOf(folder)));
    const asker = (question: Question, side: keyof Sides<Asker>): Asker => askers.get(question)![side];
    const run = (side: keyof Sides<Asker>): RunSql => {
      return (sql, question, cancel) => asker(question, side).runSql!(sql, question, cancel);
    };
    const { evalsConcurrency, evalsPrecision } = readSettings(this.#folders[0]?.folder);
    const canRunSql = [...askers.values()].every(({ left, right }) => left.runSql && right.runSql);
    const summary = await compareOnBranches(
      questions,
      {
        names: this.#branches,
        concurrency: evalsConcurrency,
        precision: evalsPrecision,
        ask: {
          left: (question, cancel) => asker(question, 'left').ask(question, cancel),
          right: (question, cancel) => asker(question, 'right').ask(question, cancel),
        },
        runSql: canRunSql ? { left: run('left'), right: run('right') } : undefined,
        signal,
      },
      {
        onStart: (question) => this.#update(indexes.get(question)!, { state: 'asking' }),
        onCompared: (compared) => {
          const index = indexes.get(compared.question)!;
          this.#keep(index, compared, askers.get(compared.question)!);
          const { state, change, message } = compared;
          this.#update(index, { state, message, ...(change ? { change } : {}) });
          this.#events.onCompared?.(compared);
        },
      },
    );
    return branchesSummaryText(summary);
  }

  #askersOf({ folder, questions }: AskedQuestions): [Question, Sides<Asker>][] {
    const on = (branch: string): Asker => askerFor(this.#services, folder, branch);
    const sides = { left: on(this.#branches.left), right: on(this.#branches.right) };
    return questions.map((question) => [question, sides]);
  }

  #keep(index: number, { question, answers }: ComparedAnswers, askers: Sides<Asker>): void {
    const side = (name: keyof Sides<Asker>): AnsweredThread => ({
      thread: answers[name].thread,
      context: askers[name].contextOf(question),
      home: askers[name].home,
    });
    this.#answered.set(index, { question: question.text, sides: { left: side('left'), right: side('right') } });
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

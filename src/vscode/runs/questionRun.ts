/** Asks questions in two or more contexts, and holds the rows of the page and the answers. */
import type * as vscode from 'vscode';
import { gradableQueries } from '../../evals/matrix/expectation.ts';
import type { Answer } from '../../evals/matrix/answer.ts';
import { branchWaitText, type BranchWait } from '../../evals/matrix/branchProbe.ts';
import { decidingAnswers, representingAnswers, type Verdict } from '../../evals/matrix/matrix.ts';
import type { MatrixOptions } from '../../evals/matrix/runMatrix.ts';
import { hasRule, type TestQuestion } from '../../evals/question.ts';
import { type AccessNote, type RunCell, type RunRow, type RunState } from '../../shared/protocol/runs.ts';
import { messageOf } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { Thread } from '../../shared/thread/model.ts';
import type { AcceptedAnswer } from './acceptAnswer.ts';
import { labeled, type AskContext } from './askContext.ts';
import { CANCELED, cellOf, emptyRows, WAITING, type EmptyCell } from './runCells.ts';

/** A question with the contexts to ask it in. */
export interface AskedQuestion {
  question: TestQuestion;
  contexts: readonly AskContext[];
  /** The folder of its file, in which an answer can be accepted. */
  folder?: vscode.WorkspaceFolder;
}

/** Receives the verdicts in addition to the page, for example to report problems. */
export interface RunObserver {
  /** Called at the start of each run. */
  onStart?: () => void;
  onJudged?: (verdict: Verdict<AskContext>) => void;
  /** Called when the run waits for a branch, with a text that says so. */
  onWaiting?: (text: string) => void;
}

export interface QuestionRunOptions
  extends RunObserver, Pick<MatrixOptions<AskContext>, 'ask' | 'runSql' | 'concurrency' | 'attempts' | 'precision'> {
  asked: readonly AskedQuestion[];
  /** How long to wait for a branch that the service does not serve yet; absent to ask all questions at once. */
  branches?: Omit<BranchWait, 'onWaiting'>;
  /** @returns the first answers to the only question, which are not asked for, if there are any */
  given?: () => readonly Answer[] | undefined;
  /** The access tests of the workspace, if the only question is asked as several identities. */
  accessTests?: readonly TestQuestion[];
  /** Shown until the first run, for example those of a run before a restart. */
  rows?: readonly RunRow[];
}

/** Called with the index of the row that changed; undefined if the state or the notes did. */
type Listener = (row: number | undefined) => void;

export class QuestionRun {
  readonly #options: QuestionRunOptions;
  readonly #listener: Listener;
  #rows: RunRow[];
  /** By row and context: the last answers, or those that decided. */
  #answers: (Answer | undefined)[][] = [];
  /** The whole threads of the answers that decided. */
  #threads: (Thread | undefined)[][] = [];
  #notes: readonly AccessNote[] = [];
  #summary = '';
  /** Present while questions are running. */
  #controller: AbortController | undefined;

  constructor(options: QuestionRunOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#rows = [...(options.rows ?? emptyRows(options.asked, WAITING))];
  }

  get asked(): readonly AskedQuestion[] {
    return this.#options.asked;
  }

  get accessTests(): readonly TestQuestion[] | undefined {
    return this.#options.accessTests;
  }

  get rows(): readonly RunRow[] {
    return this.#rows;
  }

  get state(): RunState {
    return { isRunning: this.#controller !== undefined, summary: this.#summary };
  }

  get notes(): readonly AccessNote[] {
    return this.#notes;
  }

  /** @returns the answers to a question by context; undefined where there is none */
  answers(row: number): readonly (Answer | undefined)[] {
    return this.#answers[row] ?? [];
  }

  /** @returns the thread of an answer, with all turns of the question */
  thread(row: number, context: number): Thread | undefined {
    return this.#threads[row]?.[context] ?? this.answers(row)[context]?.thread;
  }

  /** @returns the question of a row, with the query of the last context that can become its expected result */
  acceptable(row: number): AcceptedAnswer | undefined {
    const { question, folder, contexts } = this.asked[row] ?? { contexts: [] };
    const context = contexts.at(-1);
    const answer = this.answers(row).at(-1);
    const query = answer && gradableQueries(answer)[0];
    if (!question || !folder || !context || !query || query.loadError !== undefined) return undefined;
    const isPart = query.table.rows.length < query.table.totalRows;
    const isOther = question.path === '' || hasRule(question) || question.expectedSql !== undefined;
    return isOther || isPart ? undefined : { folder, question, query, context };
  }

  /** Stops running answers on the service; verdicts stay. */
  cancel(): void {
    this.#controller?.abort();
  }

  /** Asks all questions, unless a run is in progress. @throws BranchRefused if the service does not serve a branch */
  async start(): Promise<void> {
    if (this.#controller) return;
    const { signal } = (this.#controller = new AbortController());
    const given = this.#options.given?.();
    this.#threads = [];
    this.#answers = this.asked.map(({ contexts }) => contexts.map((_, cell) => given?.[cell]));
    this.#notes = [];
    this.#setRows(WAITING);
    this.#options.onStart?.();
    this.#show('');
    try {
      this.#summary = await this.#ask(signal, given);
      await this.#check();
    } catch (failure) {
      this.#summary = messageOf(failure);
      this.#setRows(CANCELED);
      throw failure;
    } finally {
      this.#controller = undefined;
      this.#listener(undefined);
    }
  }

  async #ask(signal: AbortSignal, given: readonly Answer[] | undefined): Promise<string> {
    const [{ runMatrix }, { same }, { costText, summaryText }] = await Promise.all([
      import('../../evals/matrix/runMatrix.ts'),
      import('../../evals/matrix/same.ts'),
      import('../../evals/report/summary.ts'),
    ]);
    const { asked, accessTests, ask, attempts = 1, branches, precision, ...options } = this.#options;
    const contexts = new Map(asked.map((each) => [each.question, labeled(each.contexts)]));
    const questions = [...contexts.keys()];
    const contextsOf = (question: TestQuestion) => contexts.get(question)!;
    const cost = { questions, contextsOf, attempts: given ? attempts - 1 : attempts };
    const atMost = costText(cost, ...new Set(asked[0]!.contexts.map(({ branch }) => branch)));
    this.#show(atMost);
    const onWaiting = (branch: string, settled: Promise<unknown>): void => {
      this.#show(branchWaitText(branch));
      this.#options.onWaiting?.(this.#summary);
      void settled.then(() => this.#show(atMost));
    };
    const first = new Map(given?.map((answer, cell) => [contextsOf(asked[0]!.question)[cell], answer]));
    const summary = await runMatrix(questions, contextsOf, same({ precision }), {
      ...options,
      ...{ attempts, precision, signal },
      // Identities are asked on one branch, and all at once.
      branches: accessTests ? undefined : branches && { ...branches, onWaiting },
      ask: async (question, context, cancel, more) => {
        const known = first.get(context);
        first.delete(context);
        return known ?? ask(question, context, cancel, more);
      },
      onEvent: (event) => {
        const { row } = event;
        if (event.type === 'started') this.#cell(row, event.cell, { ...WAITING, state: 'asking' });
        else if (event.type === 'answered') {
          this.#answers[row]![event.cell] = event.answer;
          this.#cell(row, event.cell, cellOf(event.answer));
        } else this.#judged(row, event.verdict);
      },
    });
    if (accessTests) return this.#answeredText();
    return summaryText({ ...summary, requests: summary.requests - (given?.length ?? 0) });
  }

  #show(summary: string): void {
    this.#summary = summary;
    this.#listener(undefined);
  }

  #judged(row: number, verdict: Verdict<AskContext>): void {
    const { status, change, message } = verdict;
    const answers = decidingAnswers(verdict);
    this.#answers[row] = answers;
    this.#threads[row] = representingAnswers(verdict).map((answer) => answer?.thread);
    this.#rows[row] = {
      ...this.#rows[row]!,
      ...{ state: status, message, ...(change ? { change } : {}) },
      cells: answers.map((answer) => (answer ? cellOf(answer) : CANCELED)),
      canOpen: status !== 'canceled' && answers.every((answer) => answer !== undefined),
    };
    this.#rows[row].canAccept = this.acceptable(row) !== undefined;
    this.#listener(row);
    this.#options.onJudged?.(verdict);
  }

  /** Compares the answers with the access tests. */
  async #check(): Promise<void> {
    const { asked, accessTests, precision = 0 } = this.#options;
    const [only] = asked;
    if (!accessTests || !only) return;
    const { accessFindings, unknownIdentities } = await import('../../evals/access/identities.ts');
    const identities = only.contexts.map(({ identity }) => identity);
    const answers = this.answers(0).flatMap((answer, cell) => (answer ? [[identities[cell]!, answer] as const] : []));
    const found = accessFindings(only.question.text, new Map(answers), accessTests, precision);
    this.#notes = [
      ...found.map(({ identity, status, message, rule }) => ({
        kind: status,
        text: t('{0}: {1} ({2} in access.yml)', identity, message, rule),
      })),
      ...unknownIdentities(accessTests, identities).map((name) => ({
        kind: 'unknown' as const,
        text: t('access.yml names “{0}”, which is not in your setting “analyticsChat.identities”.', name),
      })),
    ];
    const count = found.filter(({ status }) => status === 'forbidden').length;
    if (count > 0) this.#summary += ` · ${plural(count, '{0} access rule violated|{0} access rules violated')}`;
  }

  #answeredText(): string {
    const { cells } = this.#rows[0]!;
    const answered = cells.filter(({ state }) => state === 'answered').length;
    return plural(cells.length, '{0} of {1} identity answered|{0} of {1} identities answered', answered, cells.length);
  }

  #setRows(cell: EmptyCell): void {
    this.#rows = emptyRows(this.#options.asked, cell);
    this.#rows.forEach((_, row) => this.#listener(row));
  }

  #cell(row: number, at: number, cell: RunCell): void {
    const before = this.#rows[row]!;
    const state = before.state === 'waiting' ? 'asking' : before.state;
    this.#rows[row] = { ...before, state, cells: before.cells.with(at, cell) };
    this.#listener(row);
  }
}

/** The editor tab of a run: its questions in a table, or the only one with its answers side by side. */
import * as vscode from 'vscode';
import { answerOf } from '../../evals/matrix/answer.ts';
import { DEFAULT_ATTEMPTS } from '../../evals/matrix/matrix.ts';
import { assertNever } from '../../shared/protocol/chat.ts';
import {
  isFromRuns,
  type FromRuns,
  type RunComparison,
  type RunContext,
  type RunState,
  type ToRuns,
} from '../../shared/protocol/runs.ts';
import { plural } from '../../shared/text/l10n.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { RUNS_TYPE, showPage, tabIcon } from '../host/html.ts';
import { strings } from '../host/settings.ts';
import { showAnswer } from '../threads/threadActions.ts';
import type { Services } from '../services.ts';
import { acceptAnswer } from './acceptAnswer.ts';
import type { Compared } from './compared.ts';
import { QuestionRun, type QuestionRunOptions } from './questionRun.ts';
import { remembered } from './remembered.ts';
import { sidesSpec, type RunSpec } from './runSpec.ts';
import { saveComparison, saveRows } from './saveRun.ts';
import { RunSides, sidesOf, type Side, type SidesServices } from './sides.ts';

export type RunTabServices = SidesServices &
  Services<'context' | 'log' | 'connector' | 'repository' | 'questionFiles' | 'sessions'>;

const NO_COMPARISON: RunComparison = { queries: [], members: [], notes: [] };

export class RunTab implements vscode.Disposable {
  readonly #services: RunTabServices;
  readonly panel: vscode.WebviewPanel;
  readonly #spec: RunSpec;
  readonly #sides: RunSides | undefined;
  readonly #subscriptions: vscode.Disposable[];
  /** The tabs that rows opened, by the thread of their first answer. */
  readonly #opened = new Map<string, vscode.WebviewPanel>();
  #run: QuestionRun;
  /** Whether the page is ready; a hidden page is discarded and requests the complete state when it is shown again. */
  #isLoaded = false;
  #compared: Compared | undefined;

  /** @param panel a new or restored tab, which cancels its run when it is closed */
  constructor(services: RunTabServices, panel: vscode.WebviewPanel, spec: RunSpec) {
    this.#services = services;
    this.panel = panel;
    this.#spec = spec;
    const extension = services.context.extensionUri;
    panel.title = spec.tabTitle;
    panel.iconPath = tabIcon(extension);
    this.#run = this.#newRun(spec.run);
    if (spec.sides)
      this.#sides = new RunSides(services, panel, spec.sides, {
        onContext: (contexts) => {
          this.#run = this.#newRun({ ...spec.run, asked: [{ ...this.#run.asked[0]!, contexts }] });
          this.#postAll();
        },
        onThread: () => this.#compareSoon(),
      });
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromRuns(message)) void services.guarded(() => this.#handle(message));
        else services.log.warn('A page sent an invalid message.');
      }),
      panel.onDidChangeViewState(() => (this.#isLoaded &&= panel.visible)),
    ];
    panel.onDidDispose(() => this.dispose());
    showPage(panel.webview, extension, 'runs');
    this.#compareSoon();
  }

  get run(): QuestionRun {
    return this.#run;
  }

  /** Asks the questions; the only one on all sides at once, if its answers are shown side by side. */
  start(): void {
    if (this.#sides) this.#sides.ask(this.#spec.title);
    else void this.#services.guarded(() => this.#run.start());
  }

  dispose(): void {
    // A disposed webview throws on access.
    this.#isLoaded = false;
    this.#run.cancel();
    this.#sides?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #newRun(options: QuestionRunOptions): QuestionRun {
    const given = (): Thread[] | undefined => this.#sides?.threads;
    const run: QuestionRun = new QuestionRun({ ...options, given: () => given()?.map(answerOf) }, (row) => {
      if (run !== this.#run) return;
      if (row === undefined) this.#post({ type: 'page', change: this.#state });
      else this.#post({ type: 'row', index: row, row: run.rows[row]! });
      this.#compareSoon();
    });
    return run;
  }

  get #contexts(): readonly RunContext[] {
    return this.#run.asked[0]!.contexts.map(({ branch, identity }) => ({ branch, identity }));
  }

  /** The threads with the answers to the only question; undefined for a context that has not answered. */
  get #threads(): readonly (Thread | undefined)[] {
    return this.#sides?.threads ?? this.#run.answers(0).map((answer) => answer?.thread);
  }

  /** How often the sides can be asked again at most. */
  get #mostAgain(): number {
    const threads = this.#sides?.threads ?? [];
    // A later question can't be asked without those before it.
    const isFixed = threads.some(({ id, turns }) => this.#services.repository.isReadOnly(id) || turns.length > 1);
    return isFixed ? 0 : threads.length * ((this.#spec.run.attempts ?? DEFAULT_ATTEMPTS) - 1);
  }

  get #canAskAgain(): boolean {
    return !this.#sides || this.#mostAgain > 0;
  }

  get #state(): RunState {
    const { state } = this.#run;
    const most = this.#mostAgain;
    if (state.isRunning || state.summary !== '' || most === 0) return state;
    const summary = plural(
      most,
      'Ask again to see whether the answers vary: at most {0} request|Ask again to see whether the answers vary: at most {0} requests',
    );
    return { ...state, summary };
  }

  #post(message: ToRuns): void {
    if (this.#isLoaded) void this.panel.webview.postMessage(message);
  }

  #postAll(): void {
    const { title, comparison = NO_COMPARISON } = this.#spec;
    this.#post({
      type: 'runs',
      page: {
        ...{ title, contexts: this.#contexts, rows: this.#run.rows, ...this.#state },
        ...{ hasSides: this.#sides !== undefined, canAskAgain: this.#canAskAgain },
        comparison: this.#compared?.shown ?? comparison,
      },
      remember: remembered(this.#spec, this.#run.asked, this.#sides?.threads),
      l10n: strings(),
    });
  }

  #compareSoon(): void {
    if (this.#run.rows.length === 1) void this.#services.guarded(() => this.#compare());
  }

  async #compare(): Promise<void> {
    const { compared } = await import('./compared.ts');
    const threads = this.#threads;
    // Nothing was asked since a restart.
    if (threads.length === 0) return;
    const next = compared(this.#run, threads, this.#compared);
    if (next === this.#compared) return;
    this.#compared = next;
    this.#post({ type: 'page', change: { comparison: next.shown } });
  }

  async #handle(message: FromRuns): Promise<unknown> {
    const run = this.#run;
    switch (message.type) {
      case 'ready':
        this.#isLoaded = true;
        this.#postAll();
        return this.#compareSoon();
      case 'cancel':
        return run.cancel();
      case 'askAgain':
        return this.#canAskAgain ? run.start() : undefined;
      case 'export':
        return run.rows.length === 1
          ? saveComparison(this.#services, this.#spec.title, this.#contexts, this.#threads, this.#compared)
          : saveRows(this.#services, this.#spec.title, run.rows);
      case 'openRow':
        return this.#openRow(message.row);
      case 'accept': {
        const accepted = run.acceptable(message.row);
        return accepted && acceptAnswer(this.#services, accepted);
      }
      case 'openCell':
        return this.#openCell(message.row, message.context);
      case 'problem':
        return this.#services.log.warn(`A page reported an error: ${message.text}`);
      case 'side':
        // Handled by the view of that side.
        return undefined;
      default:
        return assertNever(message);
    }
  }

  #openCell(row: number, context: number): unknown {
    const session = this.#sides?.session(context);
    if (session) return this.#services.views.focus(session);
    const home = this.#run.asked[row]?.contexts[context]?.home;
    return showAnswer(this.#services, this.#run.thread(row, context), home);
  }

  /** Shows the answers of a row side by side. Each run has new threads, so a tab is reused only within one run. */
  async #openRow(row: number): Promise<void> {
    const { question, contexts } = this.#run.asked[row] ?? { contexts: [] };
    const threads = this.#run.answers(row).flatMap((answer) => answer?.thread ?? []);
    const key = threads[0]?.id;
    if (!question || !key || threads.length < contexts.length) return;
    const open = this.#opened.get(key);
    if (open) return open.reveal();
    const sides = sidesOf(this.#services, contexts, threads);
    const { panel } = openSides(this.#services, question.text, sides);
    this.#opened.set(key, panel);
    panel.onDidDispose(() => this.#opened.delete(key));
    // Their threads enter the history, so that the tab can be restored.
    for (const { session } of sides) await this.#services.repository.keep(session);
  }
}

/** Opens a tab; closing it cancels. */
export const openTab = (services: RunTabServices, spec: RunSpec): RunTab =>
  new RunTab(services, vscode.window.createWebviewPanel(RUNS_TYPE, spec.tabTitle, vscode.ViewColumn.Active), spec);

/** Opens a tab that shows answers side by side. */
export const openSides = (services: RunTabServices, question: string, sides: readonly Side[]): RunTab =>
  openTab(services, sidesSpec(services, question, sides));

/** The editor tab of a run: its questions in a table, or the only one with its answers side by side. */
import type * as vscode from 'vscode';
import { answerOf } from '../../evals/matrix/answer.ts';
import { DEFAULT_ATTEMPTS } from '../../evals/matrix/matrix.ts';
import { assertNever } from '../../shared/protocol/chat.ts';
import {
  contextLabels,
  isFromRuns,
  type FromRuns,
  type RunComparison,
  type RunContext,
  type RunState,
  type ToRuns,
} from '../../shared/protocol/runs.ts';
import { plural } from '../../shared/text/l10n.ts';
import { showPage, tabIcon } from '../host/html.ts';
import { readSettings, strings } from '../host/settings.ts';
import { showAnswer } from '../threads/threadActions.ts';
import type { Services } from '../services.ts';
import { acceptAnswer } from './acceptAnswer.ts';
import { editorAsking, type AskContext } from './askContext.ts';
import type { Compared } from './compared.ts';
import { looseQuestion, QuestionRun, type QuestionRunOptions } from './questionRun.ts';
import { saveComparison, saveRows } from './saveRun.ts';
import { RunSides, type Side, type SidesServices } from './sides.ts';

export type RunTabServices = SidesServices &
  Services<'context' | 'log' | 'connector' | 'repository' | 'questionFiles' | 'sessions'>;

/** What a tab shows: finished or running answers side by side, or a run of questions. */
export type RunSpec = {
  /** Heading of the page: the question, if there is only one. */
  title: string;
  tabTitle: string;
  /** The state from which the tab is restored after a restart. */
  remember: () => unknown;
  /** That of the page before a restart. */
  comparison?: RunComparison;
} & ({ sides: readonly Side[] } | { run: QuestionRunOptions; openRow: (row: number, run: QuestionRun) => unknown });

const NO_COMPARISON: RunComparison = { queries: [], members: [], notes: [] };

export class RunTab implements vscode.Disposable {
  readonly #services: RunTabServices;
  readonly #panel: vscode.WebviewPanel;
  readonly #spec: RunSpec;
  readonly #sides: RunSides | undefined;
  readonly #subscriptions: vscode.Disposable[];
  #run: QuestionRun | undefined;
  /** Whether the page is ready; a hidden page is discarded and requests the complete state when it is shown again. */
  #isLoaded = false;
  #compared: Compared | undefined;
  #isComparing = false;
  #again = false;

  /** @param panel a new or restored tab, which cancels its run when it is closed */
  constructor(services: RunTabServices, panel: vscode.WebviewPanel, spec: RunSpec) {
    this.#services = services;
    this.#panel = panel;
    this.#spec = spec;
    const extension = services.context.extensionUri;
    panel.title = spec.tabTitle;
    panel.iconPath = tabIcon(extension);
    if ('sides' in spec)
      this.#sides = new RunSides(services, panel, spec.sides, {
        onContext: () => {
          this.#run = undefined;
          this.#postAll();
        },
        onThread: () => this.#compareSoon(),
      });
    else this.#run = this.#newRun(spec.run);
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

  get run(): QuestionRun | undefined {
    return this.#run;
  }

  /** Asks the question on all sides at once. */
  ask(): void {
    this.#sides?.ask(this.#spec.title);
  }

  dispose(): void {
    // A disposed webview throws on access.
    this.#isLoaded = false;
    this.#run?.cancel();
    this.#sides?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #newRun(options: QuestionRunOptions): QuestionRun {
    const run: QuestionRun = new QuestionRun(options, (row) => {
      if (run !== this.#run) return;
      if (row === undefined) this.#post({ type: 'state', ...this.#state });
      else this.#post({ type: 'row', index: row, row: run.rows[row]! });
      if (run.rows.length === 1) this.#compareSoon();
    });
    return run;
  }

  get #contexts(): readonly RunContext[] {
    if (this.#sides) return this.#sides.contexts;
    const contexts = 'run' in this.#spec ? (this.#spec.run.asked[0]?.contexts ?? []) : [];
    return contexts.map(({ branch, identity = '' }) => ({ branch, identity }));
  }

  get #attempts(): number {
    return readSettings().evalsAttempts ?? DEFAULT_ATTEMPTS;
  }

  get #canAskAgain(): boolean {
    if (!this.#sides) return true;
    const { repository } = this.#services;
    // A later question can't be asked without those before it.
    return (
      this.#attempts > 1 && !this.#sides.threads.some(({ id, turns }) => repository.isReadOnly(id) || turns.length > 1)
    );
  }

  get #state(): RunState {
    if (this.#run) return this.#run.state;
    const most = this.#contexts.length * (this.#attempts - 1);
    const summary = plural(
      most,
      'Ask again to see whether the answers vary: at most {0} request|Ask again to see whether the answers vary: at most {0} requests',
    );
    return { isRunning: false, summary: this.#canAskAgain ? summary : '' };
  }

  #post(message: ToRuns): void {
    if (this.#isLoaded) void this.#panel.webview.postMessage(message);
  }

  #postAll(): void {
    const { title, remember, comparison = NO_COMPARISON } = this.#spec;
    this.#post({
      type: 'runs',
      page: {
        ...{ title, contexts: this.#contexts, rows: this.#run?.rows ?? [], ...this.#state },
        ...{ hasSides: this.#sides !== undefined, canAskAgain: this.#canAskAgain },
      },
      comparison: this.#compared?.shown ?? comparison,
      remember: remember(),
      l10n: strings(),
    });
  }

  /** Schedules a comparison; if one is running, it runs again afterwards. */
  #compareSoon(): void {
    this.#again = true;
    if (this.#isComparing || (!this.#sides && this.#run?.rows.length !== 1)) return;
    this.#isComparing = true;
    void this.#services.guarded(() => this.#compare());
  }

  async #compare(): Promise<void> {
    try {
      const { compared } = await import('./compared.ts');
      while (this.#again) {
        this.#again = false;
        const threads = this.#sides?.threads ?? this.#run!.answers(0).map((answer) => answer?.thread);
        // Nothing was asked since a restart.
        if (threads.length === 0) continue;
        const tests = 'run' in this.#spec ? this.#spec.run.accessTests : undefined;
        const next = compared(
          { threads, contexts: this.#contexts, question: this.#spec.title, tests, notes: this.#run?.notes ?? [] },
          this.#compared,
        );
        if (next === this.#compared) continue;
        this.#compared = next;
        this.#post({ type: 'compared', comparison: next.shown });
      }
    } finally {
      // Reset here and not in a `.finally` callback, which would miss a change that comes before it runs.
      this.#isComparing = false;
    }
  }

  async #handle(message: FromRuns): Promise<unknown> {
    const run = this.#run;
    switch (message.type) {
      case 'ready':
        this.#isLoaded = true;
        this.#postAll();
        return this.#compareSoon();
      case 'cancel':
        return run?.cancel();
      case 'askAgain':
        return this.#askAgain();
      case 'export':
        return this.#sides
          ? saveComparison(this.#services, this.#spec.title, this.#contexts, this.#sides.threads, this.#compared)
          : saveRows(this.#services, this.#spec.title, run?.rows ?? []);
      case 'openRow':
        return run && 'openRow' in this.#spec ? this.#spec.openRow(message.row, run) : undefined;
      case 'accept': {
        const accepted = run?.acceptable(message.row);
        const { folder } = accepted ?? {};
        return accepted && folder ? acceptAnswer(this.#services, { ...accepted, folder }) : undefined;
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
    const home = 'run' in this.#spec ? this.#spec.run.asked[row]?.contexts[context]?.home : undefined;
    return showAnswer(this.#services, this.#run?.thread(row, context), home);
  }

  /** Starts the run again; on a page with sides, repeats the question until it is clear whether the answers vary. */
  async #askAgain(): Promise<void> {
    const sides = this.#sides;
    if (sides && this.#canAskAgain) {
      const { sessions, branches } = this.#services;
      const labels = contextLabels(sides.contexts);
      const contexts = sides.sent.map((sent, at): AskContext => {
        const { branch } = sides.contexts[at]!;
        const home = sessions.homeOf(sides.session(at)!);
        return { label: labels[at]!, branch, identity: sent.identity, home, sent, main: branches.main };
      });
      const { evalsConcurrency: concurrency, evalsPrecision: precision } = readSettings();
      this.#run = this.#newRun({
        ...editorAsking(this.#services),
        ...{ asked: [{ question: looseQuestion(this.#spec.title), contexts }], given: sides.threads.map(answerOf) },
        ...{ attempts: this.#attempts, concurrency, precision },
      });
      this.#postAll();
    }
    await this.#run?.start();
  }
}

/** The question tests in VS Code's Test Explorer: profiles, runs and the messages of failed tests. */
import * as vscode from 'vscode';
import { messageOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { withoutControls } from '../../shared/text/plainText.ts';
import { offerToConnect, offerTrust, withProgress, withSignal } from '../host/notify.ts';
import { branchWaitText, type BranchWait } from '../../evals/matrix/branchProbe.ts';
import { canAccept, TestTree, type QuestionTest, type TestResults } from './testTree.ts';
import { decidingTurn, type Verdict } from '../../evals/matrix/matrix.ts';
import { plannedTests, startRun } from '../../evals/matrix/plannedRun.ts';
import { costText, summaryText, Tally } from '../../evals/report/summary.ts';
import { failureTexts, verdictLine } from '../../evals/report/verdictText.ts';
import { rangeOf } from '../host/ranges.ts';
import { readSettings } from '../host/settings.ts';
import { BRANCH_WAIT, contextsIn, editorAsking } from '../runs/askContext.ts';
import type { Services } from '../services.ts';

export type ExplorerServices = TestRunServices & Services<'questionFiles' | 'guarded'>;

export class TestExplorer implements vscode.Disposable {
  readonly #services: ExplorerServices;
  readonly #controller: vscode.TestController;
  readonly #tree: TestTree;
  readonly #changed = new vscode.EventEmitter<readonly QuestionTest[]>();
  readonly #files: vscode.Disposable;

  constructor(services: ExplorerServices) {
    this.#services = services;
    this.#controller = vscode.tests.createTestController('analyticsChat.questions', t('Analytics Questions'));
    this.#tree = new TestTree(this.#controller);
    this.#addProfile(t('Run'), {}, true);
    this.#addProfile(t('Run on Main Branch'), { onMain: true });
    this.#addProfile(t('Run Three Times'), { times: 3 });
    this.#files = services.questionFiles.onDidChange(() => this.#update());
    this.#update();
  }

  dispose(): void {
    this.#files.dispose();
    this.#changed.dispose();
    this.#controller.dispose();
  }

  #update(): void {
    const changed = this.#tree.update(this.#services.questionFiles.folders);
    this.#services.testResults.retain(this.#tree.ids);
    // VS Code dims the results of a question that has changed since.
    if (changed.length > 0) this.#controller.invalidateTestResults(changed.map(({ item }) => item));
    this.#changed.fire(changed);
  }

  #addProfile(label: string, mode: RunMode, isDefault = false): void {
    const kind = vscode.TestRunProfileKind.Run;
    const handler = async (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> => {
      if (request.continuous) this.#runOnChange(request, mode, token);
      else await this.#services.guarded(() => this.#run(request, this.#tree.selected(request), mode));
    };
    this.#controller.createRunProfile(label, kind, handler, isDefault, undefined, true);
  }

  /** Runs the questions that change, each time their file is saved, until the token is canceled. */
  #runOnChange(request: vscode.TestRunRequest, mode: RunMode, token: vscode.CancellationToken): void {
    const listener = this.#changed.event((changed) => {
      const wanted = new Set(this.#tree.selected(request));
      const tests = changed.filter((test) => wanted.has(test));
      if (tests.length > 0) void this.#services.guarded(() => this.#run(request, tests, mode));
    });
    token.onCancellationRequested(() => listener.dispose());
  }

  async #run(request: vscode.TestRunRequest, tests: readonly QuestionTest[], mode: RunMode): Promise<void> {
    const run = this.#controller.createTestRun(request);
    try {
      if (vscode.workspace.isTrusted)
        await withSignal(run.token, (signal) => runTests(this.#services, run, tests, mode, signal));
      else this.#refuse(run, tests);
    } finally {
      run.end();
    }
    // Don't await the dialog: VS Code shows the run as running until this method returns.
    if (!this.#services.connections.current)
      void this.#services.guarded(() => offerToConnect(t('Connect to your agent to run these tests.')));
  }

  /**
   * Skips the tests of an untrusted workspace, whose files could ask questions and run SQL with the user's permissions.
   */
  #refuse(run: vscode.TestRun, tests: readonly QuestionTest[]): void {
    const reason = t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.');
    for (const { item } of tests) run.skipped(item);
    run.appendOutput(`${reason}\r\n`);
    void offerTrust(reason);
  }
}

interface TestRunServices extends Services<'log' | 'branches' | 'identities' | 'connections' | 'connector'> {
  testResults: TestResults;
}

/** The branch of a test profile, and how often it asks each question. */
interface RunMode {
  /** Whether to ask on the main branch of the folder instead of its current branch. */
  onMain?: boolean;
  /** Absent if a question is only asked again after a failure. */
  times?: number;
}

/**
 * Asks the questions of the tests, folder by folder, and reports the verdicts to the run.
 * @param signal cancels: running answers are aborted on the service, waiting tests are not asked
 */
export async function runTests(
  services: TestRunServices,
  run: vscode.TestRun,
  tests: readonly QuestionTest[],
  { onMain = false, times }: RunMode,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const stopped = new AbortController();
  const wait: BranchWait = {
    wait: BRANCH_WAIT,
    onWaiting: (branch, settled) => {
      print(branchWaitText(branch));
      void withProgress(branchWaitText(branch), true, (canceled) => {
        canceled.addEventListener('abort', () => stopped.abort(), { once: true });
        return settled;
      });
    },
  };
  // VS Code shows the output in a terminal.
  const clean = (text: string): string => withoutControls(services.log.redact(text));
  const print = (line: string, test?: QuestionTest, location?: vscode.Location): void =>
    run.appendOutput(`${clean(line).replaceAll('\n', '\r\n')}\r\n`, location, test?.item);
  const tally = new Tally();
  for (const { item } of tests) run.enqueued(item);
  for (const [folder, inFolder] of Map.groupBy(tests, (test) => test.folder)) {
    const contextIn = contextsIn(services, folder, onMain ? services.branches.mainOf(folder) : undefined);
    const { evalsAttempts, evalsConcurrency: concurrency, evalsPrecision: precision } = readSettings(folder);
    const planned = plannedTests(
      inFolder.map(({ question }) => question),
      { on: contextIn, attempts: times ?? evalsAttempts, times, precision },
    );
    print(costText(planned, contextIn().branch));
    await startRun(planned, {
      ...editorAsking(services),
      ...{ branches: wait, concurrency, signal: AbortSignal.any([signal, stopped.signal]) },
      onEvent: (event) => {
        const test = inFolder[event.row]!;
        if (event.type === 'started') run.started(test.item);
        if (event.type !== 'judged') return;
        const { verdict } = event;
        tally.add(verdict);
        report(run, test, verdict, clean);
        // A canceled test that was not asked keeps its last result.
        if (verdict.cells.every(({ answers }) => answers.length === 0)) return;
        services.testResults.keep({ test, verdict });
        print(verdictLine(verdict), test, isExplainedByOutput(verdict) ? testLocation(test) : undefined);
      },
    }).catch((failure: unknown) => {
      print(messageOf(failure));
      throw failure;
    });
  }
  print(summaryText(tally.summary(performance.now() - start)));
}

/** Whether the output is also shown next to the question, because VS Code shows no message for such a test. */
const isExplainedByOutput = ({ status }: Verdict): boolean =>
  status === 'skipped' || status === 'flaky' || status === 'unstable';

function report(run: vscode.TestRun, test: QuestionTest, verdict: Verdict, clean: (text: string) => string): void {
  const { item } = test;
  const { status, milliseconds } = verdict;
  switch (status) {
    case 'passed':
    case 'flaky':
    case 'same':
    case 'unstable':
      return run.passed(item, milliseconds);
    case 'failed':
    case 'changed':
    case 'review':
      return run.failed(item, messagesOf(test, verdict, clean), milliseconds);
    case 'errored':
      return run.errored(item, messagesOf(test, verdict, clean), milliseconds);
    case 'skipped':
    case 'canceled':
      return run.skipped(item);
  }
}

/** @returns the messages of a test that did not pass; their `contextValue` selects the actions in their menus */
function messagesOf(test: QuestionTest, verdict: Verdict, clean: (text: string) => string): vscode.TestMessage[] {
  const { answer } = verdict.attempt ?? {};
  return failureTexts(verdict).map(({ message: text, diff }) => {
    const message = diff
      ? vscode.TestMessage.diff(clean(text), clean(diff.expected), clean(diff.actual))
      : new vscode.TestMessage(clean(text));
    message.location = test.item.uri && new vscode.Location(test.item.uri, rangeOf(decidingTurn(verdict).range).start);
    message.contextValue = canAccept(verdict)
      ? 'analyticsChatResult'
      : answer?.thread.chatId
        ? 'analyticsChatAnswer'
        : '';
    return message;
  });
}

const testLocation = ({ item }: QuestionTest): vscode.Location | undefined =>
  item.uri && item.range && new vscode.Location(item.uri, item.range.start);

/** The question tests in VS Code's Test Explorer. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { offerToConnect, offerTrust, withSignal } from '../host/notify.ts';
import { runTests, type RunMode, type TestRunServices } from './testRun.ts';
import { TestTree, type QuestionTest } from './testTree.ts';
import type { QuestionFiles } from './questionFiles.ts';
import type { Guarded } from '../host/guarded.ts';

export interface ExplorerServices extends TestRunServices {
  questionFiles: QuestionFiles;
  guarded: Guarded;
}

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
    // Not awaited: VS Code shows the run as running until this method returns.
    if (!this.#services.connections.current)
      void this.#services.guarded(() => offerToConnect(t('Connect to your agent to run these tests.')));
  }

  /** The files of an untrusted workspace could ask questions and run SQL with the user's permissions. */
  #refuse(run: vscode.TestRun, tests: readonly QuestionTest[]): void {
    const reason = t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.');
    for (const { item } of tests) run.skipped(item);
    run.appendOutput(`${reason}\r\n`);
    void offerTrust(reason);
  }
}

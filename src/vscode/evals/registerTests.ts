/** Adds the question tests to the Test Explorer, once the workspace has any. */
import * as vscode from 'vscode';
import type { ExplorerServices } from './explorer.ts';
import { showProblems } from './questionFiles.ts';

export function offerQuestionTests(services: ExplorerServices): vscode.Disposable {
  const { questionFiles } = services;
  const subscriptions = [showProblems(questionFiles)];
  let isLoading = false;
  const update = (): void => {
    // A controller without tests would show an empty Testing view in every workspace.
    if (isLoading || questionFiles.folders.length === 0) return;
    isLoading = true;
    void services.guarded(async () => {
      const { TestExplorer } = await import('./explorer.ts');
      subscriptions.push(new TestExplorer(services));
    });
  };
  subscriptions.push(questionFiles.onDidChange(update));
  update();
  return new vscode.Disposable(() => subscriptions.forEach((subscription) => subscription.dispose()));
}

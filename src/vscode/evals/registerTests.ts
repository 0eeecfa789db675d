/** Adds the question tests to the Test Explorer, once the workspace has any. */
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { showProblems } from './problems.ts';

export function offerQuestionTests(app: App): vscode.Disposable {
  const { questionFiles } = app;
  const subscriptions = [showProblems(questionFiles)];
  let isLoading = false;
  const update = (): void => {
    // A controller without tests would show an empty Testing view in every workspace.
    if (isLoading || questionFiles.folders.length === 0) return;
    isLoading = true;
    void app.guarded(async () => {
      const { TestExplorer } = await import('./explorer.ts');
      subscriptions.push(new TestExplorer(app));
    });
  };
  subscriptions.push(questionFiles.onDidChange(update));
  update();
  return new vscode.Disposable(() => subscriptions.forEach((subscription) => subscription.dispose()));
}

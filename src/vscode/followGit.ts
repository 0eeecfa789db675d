/** Keeps the branch in step with git, while the setting says so. */
import * as vscode from 'vscode';
import type { Branches } from './branch.ts';
import { watchGitBranches } from './git.ts';
import { readSettings, SECTION } from './settings.ts';

export function followGit(branches: Branches): vscode.Disposable {
  let watching: Promise<vscode.Disposable> | undefined;
  const stop = (): void => {
    void watching?.then((watch) => watch.dispose());
    watching = undefined;
  };
  const update = (): void => {
    const { followGitBranch } = readSettings();
    if (!followGitBranch) stop();
    else watching ??= watchGitBranches((folder, name) => void branches.switchTo(name, folder));
  };
  update();
  return vscode.Disposable.from(
    { dispose: stop },
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.followGitBranch`)) update();
    }),
  );
}

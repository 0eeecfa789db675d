/** Switches the branch when the Git branch changes, if the setting `followGitBranch` is on. */
import * as vscode from 'vscode';
import type { Branches } from './branches.ts';
import { watchGitBranches } from './git.ts';
import { readSettings, SECTION } from '../host/settings.ts';

const follows = (folder: vscode.WorkspaceFolder): boolean => readSettings(folder).followGitBranch;

export function followGit(branches: Branches): vscode.Disposable {
  let watching: Promise<vscode.Disposable> | undefined;
  const stop = (): void => {
    void watching?.then((watch) => watch.dispose());
    watching = undefined;
  };
  const update = (): void => {
    if (!vscode.workspace.workspaceFolders?.some(follows)) stop();
    else
      watching ??= watchGitBranches((folder, name) => {
        if (follows(folder)) void branches.switchTo(name, folder);
      });
  };
  update();
  return vscode.Disposable.from(
    { dispose: stop },
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`${SECTION}.followGitBranch`)) return;
      // Restart the watcher, so that it reports the branch of folders that have just turned the setting on.
      stop();
      update();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
  );
}

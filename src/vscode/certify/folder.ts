/** Chooses the workspace folder that a file is written to. */
import * as vscode from 'vscode';
import { showInformationMessage } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';

interface FolderPick {
  title: string;
  placeHolder: string;
  /** Shown if no folder is open. */
  noFolder: string;
}

/** @returns the only folder or the one that the user picks; undefined if there is none or the user cancels */
export async function pickFolder(pick: FolderPick): Promise<vscode.WorkspaceFolder | undefined> {
  const { title, placeHolder, noFolder } = pick;
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) void showInformationMessage(noFolder);
  if (folders.length <= 1) return folders[0];
  const choice = await showQuickPick(
    folders.map((folder) => ({ label: folder.name, folder })),
    { title, placeHolder },
  );
  return choice?.folder;
}

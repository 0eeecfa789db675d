/** Writes files of question tests. */
import * as vscode from 'vscode';

/** @param path relative to the folder */
export async function writeTestFile(folder: vscode.WorkspaceFolder, path: string, text: string): Promise<void> {
  // Creates missing parent folders.
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder.uri, path), new TextEncoder().encode(text));
}

/** SQL as a document of its own, in no file. */
import * as vscode from 'vscode';

export async function openAsDocument(content: string, viewColumn = vscode.ViewColumn.Active): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await vscode.window.showTextDocument(document, { viewColumn });
}

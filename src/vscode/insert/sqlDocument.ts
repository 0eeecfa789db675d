/** Opens SQL in an untitled document. */
import * as vscode from 'vscode';

export async function openAsDocument(content: string, viewColumn = vscode.ViewColumn.Active): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await vscode.window.showTextDocument(document, { viewColumn });
}

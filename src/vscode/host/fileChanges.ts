/** Writes several files in one edit, which the user confirms in VS Code's Refactor Preview and can undo at once. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { exists } from './files.ts';
import { setStatusBarMessage } from './notify.ts';
import { rangeInDocument } from './ranges.ts';

/** Maximum milliseconds to show the hint in the status bar. */
const LONGEST = 600_000;

interface TextReplacement {
  start: number;
  end: number;
  text: string;
}

/** A file to create, or the edits of an existing one; offsets are UTF-16 units in its current text. */
export type FileChange = { uri: vscode.Uri } & ({ created: string } | { edits: readonly TextReplacement[] });

/**
 * @param label heading of the preview
 * @returns whether the changes were written; false if the user discards them
 */
export async function applyPreviewed(label: string, changes: readonly FileChange[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  const metadata = { label, needsConfirmation: true };
  for (const change of changes) {
    const { uri } = change;
    if ('created' in change) {
      edit.createFile(uri, { contents: new TextEncoder().encode(change.created) }, metadata);
      continue;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    for (const each of change.edits) edit.replace(uri, rangeInDocument(document, each), each.text, metadata);
  }
  // VS Code initially leaves changes that need confirmation unticked.
  const hint = setStatusBarMessage(t('Check the changes to write, then select Apply'), LONGEST);
  try {
    const isWritten = await vscode.workspace.applyEdit(edit, { isRefactoring: true });
    if (!isWritten) setStatusBarMessage(t('Nothing was written'), 5000);
    // Git sees only saved changes.
    else for (const change of changes) if ('edits' in change) await save(change.uri);
    return isWritten;
  } finally {
    hint.dispose();
  }
}

const save = async (uri: vscode.Uri): Promise<boolean> => (await vscode.workspace.openTextDocument(uri)).save();

/** @returns the text of a file, including unsaved changes; undefined if it does not exist */
export async function currentText(uri: vscode.Uri): Promise<string | undefined> {
  return (await exists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined;
}

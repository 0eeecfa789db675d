/** Writes several files in one edit, which the user applies in a preview and can undo at once. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { exists } from './files.ts';
import { showInformationMessage } from './notify.ts';
import { isApplied } from './preview.ts';
import { rangeInDocument } from './ranges.ts';

/** The text of a file before and after a change. */
export interface FileChange {
  uri: vscode.Uri;
  /** Undefined for a new file. */
  before: string | undefined;
  text: string;
}

/**
 * @param title of the preview
 * @param plan plans the changes, anew if the user returns to a preview that was closed; undefined if there are none
 * @returns whether the changes were written
 */
export async function applyPreviewed(
  title: string,
  plan: () => Promise<readonly FileChange[] | undefined>,
): Promise<boolean> {
  const show = t('Show preview');
  for (;;) {
    const changes = await plan();
    if (changes === undefined) return false;
    const files = changes.map(({ uri, before, text }) => ({
      original: before === undefined ? undefined : uri,
      path: uri.path,
      text,
    }));
    const applied = await isApplied(title, files);
    if (applied && (await areCurrent(changes))) return writeChanges(changes);
    const message = applied
      ? t('The files changed after the preview, so nothing was written.')
      : t('Nothing was written: the preview was closed.');
    if ((await showInformationMessage(message, show)) !== show) return false;
  }
}

/** @returns whether they were written */
export async function writeChanges(changes: readonly FileChange[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, before, text } of changes) {
    if (before === undefined) {
      edit.createFile(uri, { contents: new TextEncoder().encode(text) });
      continue;
    }
    const replaced = replacement(before, text);
    edit.replace(uri, rangeInDocument(await vscode.workspace.openTextDocument(uri), replaced), replaced.text);
  }
  const isWritten = await vscode.workspace.applyEdit(edit);
  // Git sees only saved changes.
  if (isWritten) for (const { uri } of changes) await (await vscode.workspace.openTextDocument(uri)).save();
  return isWritten;
}

/** @returns the part of a text to replace; offsets are UTF-16 units in the text before the change */
export function replacement(before: string, after: string): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let kept = 0;
  while (kept < shorter - start && before.at(-1 - kept) === after.at(-1 - kept)) kept += 1;
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}

async function areCurrent(changes: readonly FileChange[]): Promise<boolean> {
  const texts = await Promise.all(changes.map(({ uri }) => currentText(uri)));
  return changes.every(({ before }, index) => texts[index] === before);
}

/** @returns the text of a file, including unsaved changes; undefined if it does not exist */
export async function currentText(uri: vscode.Uri): Promise<string | undefined> {
  return (await exists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined;
}

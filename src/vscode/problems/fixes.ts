/** Quick fixes of unknown names: a similar name, here or wherever the project uses the old one. */
import * as vscode from 'vscode';
import type { UnknownName } from '../../evals/lint/lint.ts';
import { t } from '../../shared/text/l10n.ts';
import type { NameProblems } from './nameProblems.ts';
import { RENAME_EVERYWHERE, type EverywhereArguments } from './renameEverywhere.ts';

/** @returns the fixes of the problems at a place, the preferred one first */
export async function fixesAt(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  problems: NameProblems,
): Promise<vscode.CodeAction[]> {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  return diagnostics.flatMap((diagnostic) => {
    const member = problems.hints.memberOf(diagnostic);
    if (member !== undefined) return [Object.assign(correction(member), { diagnostics: [diagnostic] })];
    const unknown = problems.of(diagnostic);
    // The text may have changed since.
    if (unknown === undefined || document.getText(diagnostic.range) !== unknown.name) return [];
    const everywhere = folder === undefined ? [] : renames(folder, unknown);
    const actions = [...changes(document, diagnostic, unknown), ...everywhere];
    return actions.map((action) => Object.assign(action, { diagnostics: [diagnostic] }));
  });
}

function correction(member: string): vscode.CodeAction {
  const action = new vscode.CodeAction(t('Correct…'), vscode.CodeActionKind.QuickFix);
  action.command = { command: 'analyticsChat.correct', title: action.title, arguments: [{ member }] };
  return action;
}

function changes(
  document: vscode.TextDocument,
  { range }: vscode.Diagnostic,
  { nearest, isIndirect }: UnknownName,
): vscode.CodeAction[] {
  if (isIndirect) return [];
  return nearest.map((name, index) => {
    const action = new vscode.CodeAction(t('Change to “{0}”', name), vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, range, name);
    action.isPreferred = index === 0;
    return action;
  });
}

function renames({ uri }: vscode.WorkspaceFolder, { name, owner, nearest }: UnknownName): vscode.CodeAction[] {
  if (owner === undefined) return [];
  return nearest.map((newName) => {
    const title = t('Rename “{0}” to “{1}” everywhere…', name, newName);
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    const argument: EverywhereArguments = { folder: uri.toString(), owner, name, newName };
    action.command = { command: RENAME_EVERYWHERE, title, arguments: [argument] };
    return action;
  });
}

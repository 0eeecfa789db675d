/** Renames a member in all files that still have its old name, after a preview. */
import * as vscode from 'vscode';
import { referencesIn } from '../../evals/lint/lint.ts';
import { renameEdits, renamedMember, type NameEdit, type RenamedMember } from '../../model/lint/rename.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import { groupBy } from '../../shared/text/groupBy.ts';
import { t } from '../../shared/text/l10n.ts';
import { applyPreviewed, type FileChange } from '../host/fileChanges.ts';
import type { CheckedProject, NameProblems } from './nameProblems.ts';

export const RENAME_EVERYWHERE = 'analyticsChat.renameEverywhere';

/** What a quick fix passes to the command. */
export interface EverywhereArguments extends RenamedMember {
  /** URI of the workspace folder. */
  folder: string;
  newName: string;
}

/** @param argument `EverywhereArguments`, unchecked */
export async function renameEverywhere(problems: NameProblems, argument: unknown): Promise<void> {
  const { folder: uri, owner, name, newName } = fieldsOf(argument);
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.toString() === uri);
  if (!folder || typeof owner !== 'string' || typeof name !== 'string' || typeof newName !== 'string') return;
  await applyPreviewed(t('Rename “{0}” to “{1}”', name, newName), async () => {
    const project = await problems.read(folder);
    const member = renamedMember(project.names, { owner, name }, newName);
    return changesOf(project, editsIn(project, member, member.newName));
  });
}

/** @returns the changes of all files that name a member */
export const editsIn = (
  { model, agent, agentsPath, names }: CheckedProject,
  member: RenamedMember,
  newName: string,
): NameEdit[] =>
  renameEdits(
    model,
    [...model, ...agent].map((file) => [file.path, referencesIn(file, agentsPath)] as const),
    names,
    member,
    newName,
  );

/** @throws Error if a file has a syntax error, and its last version without one was read */
export async function documentOf({ folder, model, agent }: CheckedProject, path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, path));
  const file = [...model, ...agent].find((each) => each.path === path);
  if (document.getText() !== file?.text) throw new Error(t('{0} has a syntax error. Correct it first.', path));
  return document;
}

async function changesOf(project: CheckedProject, edits: readonly NameEdit[]): Promise<FileChange[] | undefined> {
  const byPath = groupBy(edits, ({ path }) => path);
  const changes = [...byPath].map(async ([path, own]): Promise<FileChange> => {
    const document = await documentOf(project, path);
    const before = document.getText();
    const text = own
      .sort((left, right) => right.start - left.start)
      .reduce((all, { start, end, text: name }) => all.slice(0, start) + name + all.slice(end), before);
    return { uri: document.uri, before, text };
  });
  return edits.length > 0 ? Promise.all(changes) : undefined;
}

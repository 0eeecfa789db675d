/** Hints at members that the agent can reach and that have no description. */
import * as vscode from 'vscode';
import type { ModelNames } from '../../model/lint/names.ts';
import { undescribedMembers } from '../../model/lint/undescribed.ts';
import { endOfName, qualified } from '../../model/members.ts';
import { groupBy } from '../../shared/text/groupBy.ts';
import { t } from '../../shared/text/l10n.ts';
import { positionAt } from '../../shared/text/sourceFile.ts';
import { rangeOf } from '../host/ranges.ts';
import type { FolderProject } from './project.ts';

export class DescriptionHints implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('analyticsChat.descriptions');
  /** The member of each hint. */
  readonly #members = new WeakMap<vscode.Diagnostic, string>();
  /** The files with hints, by the URIs of their folders. */
  readonly #shown = new Map<string, readonly vscode.Uri[]>();

  /** Replaces the hints of a folder. */
  show({ folder, model }: FolderProject, names: ModelNames): void {
    this.#clear(folder.uri.toString());
    const texts = new Map(model.map(({ path, text }) => [path, text]));
    const byPath = groupBy(undescribedMembers(names), ({ path }) => path);
    const entries = [...byPath].map(([path, members]): [vscode.Uri, vscode.Diagnostic[]] => {
      const text = texts.get(path) ?? '';
      const hints = members.map((member) => this.#hintAt(text, member.offset, qualified(member)));
      return [vscode.Uri.joinPath(folder.uri, path), hints];
    });
    this.#shown.set(
      folder.uri.toString(),
      entries.map(([uri]) => uri),
    );
    for (const [uri, hints] of entries) this.#collection.set(uri, hints);
  }

  /** Removes the hints of all other folders. */
  keep(folders: readonly vscode.WorkspaceFolder[]): void {
    for (const key of this.#shown.keys()) if (!folders.some(({ uri }) => uri.toString() === key)) this.#clear(key);
  }

  /** @returns the qualified name of the member that a hint is about */
  memberOf(hint: vscode.Diagnostic): string | undefined {
    return this.#members.get(hint);
  }

  dispose(): void {
    this.#collection.dispose();
  }

  #clear(folder: string): void {
    for (const uri of this.#shown.get(folder) ?? []) this.#collection.delete(uri);
    this.#shown.delete(folder);
  }

  #hintAt(text: string, offset: number, member: string): vscode.Diagnostic {
    const range = rangeOf({ start: positionAt(text, offset), end: positionAt(text, endOfName(text, offset)) });
    const message = t('“{0}” has no description for the agent.', member);
    const hint = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Hint);
    hint.source = 'Analytics Chat';
    this.#members.set(hint, member);
    return hint;
  }
}

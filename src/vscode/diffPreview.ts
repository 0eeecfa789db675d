/** Shows what an insertion would change, and writes it if the user says so. */
import * as vscode from 'vscode';
import { t } from '../shared/l10n.ts';
import type { GeneratedSql } from '../shared/turns.ts';
import type { App } from './app.ts';
import { chooseEditor, currentEditor } from './editors.ts';
import { elsewhere, planFor, sqlToInsert } from './insertion.ts';
import { tellOf } from './insertWarnings.ts';
import { loadChunk } from './chunks.ts';

const SCHEME = 'analytics-chat-preview';

/** The right side of a preview: text that exists nowhere yet. */
export class DiffPreview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** @returns whether the change was written */
  async show(app: App, generated: GeneratedSql): Promise<boolean> {
    const { applyEdits } = await loadChunk('sql', app.context.extensionUri);
    const sql = await sqlToInsert(app, generated);
    const editor = currentEditor() ?? (await chooseEditor(sql));
    if (!editor) return false;
    const { document, selections } = editor;
    const mode = selections.some(({ isEmpty }) => !isEmpty) ? 'replace' : 'insert';
    const plan = await planFor(app, editor, generated, sql, mode);
    if (!plan) return false;
    const version = document.version;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: document.uri.path, query: String((this.#count += 1)) });
    this.#texts.set(uri.toString(), applyEdits(document.getText(), plan.edits));
    const name = vscode.workspace.asRelativePath(document.uri);
    await vscode.commands.executeCommand('vscode.diff', document.uri, uri, t('{0}: with the generated SQL', name), {
      preview: true,
    });
    const apply = t('Apply');
    const answer = await vscode.window.showInformationMessage(
      t('Write this change into {0}?', name),
      apply,
      t('Discard'),
    );
    await closeTabOf(uri);
    this.#texts.delete(uri.toString());
    if (answer !== apply) return false;
    if (document.version !== version)
      throw new Error(t('The file has changed since the preview. Nothing was written.'));
    const edit = new vscode.WorkspaceEdit();
    for (const { start, end, text } of plan.edits)
      edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    if (!(await vscode.workspace.applyEdit(edit)) || document.version === version) return elsewhere(sql);
    tellOf(plan.warnings);
    await vscode.window.showTextDocument(document);
    return true;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

async function closeTabOf(uri: vscode.Uri): Promise<void> {
  const shows = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
  await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(shows));
}

/** Attaches files, the selection, problems, SQL and images to the composer. */
import * as vscode from 'vscode';
import { fenced } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { currentEditor } from '../insert/editors.ts';
import { findSql } from '../insert/generatedSql.ts';
import { readableUri } from './droppedFiles.ts';
import { isImageFile, pickImages, readImage } from './images.ts';
import type { ThreadView } from './threadView.ts';
import { showInformationMessage } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';

const MAX_FILES = 5000;
/** Maximum number of characters per attachment, to leave room for the question. */
const MAX_TEXT = 40_000;

/** @returns the title and the text as a fenced code block, cut to `MAX_TEXT` */
export function quoted(title: string, language: string, text: string): string {
  const body = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n…` : text;
  return `${title}\n${fenced(body, language)}\n`;
}

const compose = (view: ThreadView, text: string): void => view.post({ type: 'compose', draft: { text, images: [] } });

/** Attaches dropped files; the URIs may name another machine or no file system at all. */
export async function attachUris(view: ThreadView, uris: readonly string[]): Promise<void> {
  for (const text of uris) {
    const uri = await readableUri(vscode.Uri.parse(text, true));
    if (uri) await attachFile(view, uri);
  }
}

/** Attaches a file that the user chose in VS Code. */
export async function attachFile(view: ThreadView, uri: vscode.Uri): Promise<void> {
  if (isImageFile(uri)) {
    const image = await readImage(uri);
    if (image) view.post({ type: 'compose', draft: { text: '', images: [image] } });
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  // The document's URI has the form that the workspace uses, also for a `vscode-remote:` URI.
  const name = vscode.workspace.asRelativePath(document.uri);
  compose(view, quoted(t('About {0}:', name), document.languageId, document.getText()));
}

async function pickFile(view: ThreadView): Promise<void> {
  const uris = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', MAX_FILES);
  const items = uris
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const choice = await showQuickPick(items, { title: t('Attach a file') });
  if (choice) await attachFile(view, choice.uri);
}

function attachSelection(view: ThreadView): void {
  const editor = currentEditor();
  const text = editor?.document.getText(editor.selection.isEmpty ? undefined : editor.selection) ?? '';
  if (!editor || text === '') void showInformationMessage(t('Open a file and select some text to attach it.'));
  else
    compose(
      view,
      quoted(t('About {0}:', vscode.workspace.asRelativePath(editor.document.uri)), editor.document.languageId, text),
    );
}

async function pickProblem(view: ThreadView): Promise<void> {
  const items = vscode.languages.getDiagnostics().flatMap(([uri, problems]) =>
    problems.map((problem) => ({
      label: problem.message,
      description: `${vscode.workspace.asRelativePath(uri)}:${problem.range.start.line + 1}`,
    })),
  );
  if (items.length === 0) {
    void showInformationMessage(t('There are no problems in this workspace.'));
    return;
  }
  const choice = await showQuickPick(items, { title: t('Attach a problem') });
  if (choice) compose(view, `${t('Problem in {0}:', choice.description)} ${choice.label}\n`);
}

function attachSql(view: ThreadView): void {
  const sql = findSql(view.session)?.payload;
  if (sql) compose(view, quoted(sql.queryTitle || t('SQL'), 'sql', sql.sqlQuery));
  else void showInformationMessage(t('There is no generated SQL in this chat yet.'));
}

/** Asks what to attach and adds it to the composer. @param what `file` skips the first quick pick */
export async function attach(view: ThreadView, what: 'file' | 'any'): Promise<void> {
  if (what === 'file') return pickFile(view);
  const choices = [
    { icon: 'file', label: t('File…'), run: () => pickFile(view) },
    { icon: 'selection', label: t('Selection'), run: () => attachSelection(view) },
    { icon: 'warning', label: t('Problem…'), run: () => pickProblem(view) },
    { icon: 'database', label: t('Last SQL'), run: () => attachSql(view) },
    { icon: 'file-media', label: t('Image…'), run: () => pickImages(view) },
  ];
  const choice = await showQuickPick(choices, { title: t('Attach to the message') });
  await choice?.run();
}

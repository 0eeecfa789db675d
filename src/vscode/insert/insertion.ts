/** Inserts generated SQL into an editor: plans the edits, confirms serious warnings and writes one undo step. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { sessionWith, type GeneratedSql } from '../../shared/thread/turns.ts';
import type { InsertPlan, InsertRequest, Provenance } from '../../insert/types.ts';
import { currentEditor } from '../host/currentEditor.ts';
import { chooseEditor, openAsDocument } from './editors.ts';
import { askAbout, notifyAbout } from './warnings.ts';
import { exists } from '../host/files.ts';
import { readSettings } from '../host/settings.ts';
import { showInformationMessage, showWarningMessage } from '../host/notify.ts';
import { rangeInDocument } from '../host/ranges.ts';
import type { Services } from '../services.ts';

export type InsertionServices = Services<'branches' | 'connections' | 'sessions' | 'members'>;

export type InsertMode = InsertRequest['mode'];

function provenanceOf(services: Services<'branches' | 'sessions'>, generated: GeneratedSql): Provenance {
  const { toolCallId, question } = generated;
  return {
    question: question?.content ?? '',
    branch: question?.context?.branch || services.branches.main,
    identity: question?.context?.identity ?? '',
    time: question?.time ?? Date.now(),
    threadId: sessionWith(services.sessions.all, generated)?.thread.id ?? '',
    toolCallId,
  };
}

/** @returns the indentation of the editor; two spaces by default */
function indentationOf(editor: vscode.TextEditor | undefined): { tabSize: number; insertSpaces: boolean } {
  const { tabSize, insertSpaces } = editor?.options ?? {};
  return { tabSize: typeof tabSize === 'number' ? tabSize : 2, insertSpaces: insertSpaces !== false };
}

/** Collects the input of the planner from the current state of the editor. */
async function insertRequest(
  services: InsertionServices,
  editor: vscode.TextEditor,
  generated: GeneratedSql,
  sql: string,
  mode: InsertMode,
): Promise<InsertRequest> {
  const { document } = editor;
  const isDbt = await isDbtTest(document.uri);
  const session = sessionWith(services.sessions.all, generated);
  return {
    document: {
      text: document.getText(),
      languageId: document.languageId,
      fileName: document.uri.path,
      isNotebookCell: document.uri.scheme === 'vscode-notebook-cell',
      isDbt,
    },
    selections: editor.selections.map(({ start, end }) => ({
      start: document.offsetAt(start),
      end: document.offsetAt(end),
    })),
    sql,
    mode,
    options: {
      ...indentationOf(editor),
      eol: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
      knownNames: services.members.viewNames(session && services.sessions.connectionOf(session)?.name),
      ...(readSettings().insertProvenance ? { provenance: provenanceOf(services, generated) } : {}),
    },
  };
}

/**
 * Plans an insertion and confirms serious warnings with the user.
 * @returns the plan to write, or undefined if the user cancels, the SQL is opened beside the file or the file is read-only
 * @throws Error if the file was changed while the dialog was open
 */
export async function planFor(
  services: InsertionServices,
  editor: vscode.TextEditor,
  generated: GeneratedSql,
  sql: string,
  mode: InsertMode,
): Promise<InsertPlan | undefined> {
  // Such as the previous version of a file in a diff editor. Of a read-only file on the disk, only an edit shows it.
  if (vscode.workspace.fs.isWritableFileSystem(editor.document.uri.scheme) === false) {
    await offerOtherPlaces(sql);
    return undefined;
  }
  const { loadGrammar, planInsertion } = await import('../../insert/planner.ts');
  const request = await insertRequest(services, editor, generated, sql, mode);
  await loadGrammar(request.document.languageId, request.document.fileName);
  const plan = planInsertion(request);
  const { version } = editor.document;
  const choice = await askAbout(plan.warnings);
  if ((choice === 'insert' || choice === 'comment') && editor.document.version !== version)
    throw new Error(t('The file changed in the meantime, so nothing was inserted. Insert the SQL again.'));
  switch (choice) {
    case 'insert':
      return plan;
    case 'comment':
      return planInsertion({ ...request, options: { ...request.options, asComment: true } });
    case 'open':
      await openAsDocument(sql, vscode.ViewColumn.Beside);
      return undefined;
    case 'cancel':
      return undefined;
  }
}

/** @returns the SQL, formatted if the setting `insert.format` is on; a notification says if it can't be formatted */
export async function sqlToInsert({ payload }: GeneratedSql): Promise<string> {
  if (!readSettings().insertFormat) return payload.sqlQuery;
  const { formattedSql } = await import('../../insert/sql/formatSql.ts');
  const formatted = formattedSql(payload.sqlQuery, indentationOf(currentEditor()));
  if (formatted === undefined)
    void showInformationMessage(t('The SQL was not formatted, because only its white space may change.'));
  return formatted ?? payload.sqlQuery;
}

async function write(editor: vscode.TextEditor, plan: InsertPlan): Promise<boolean> {
  const { document } = editor;
  const { version } = document;
  const focusEditor = () => vscode.window.showTextDocument(document, { viewColumn: editor.viewColumn });
  // When a dialog closes, VS Code returns the focus to the webview with a delay, unless an editor has it by then. Taking
  // the focus only after the edit could be in the middle of that delay.
  // A side of a diff editor has no column and may be closed now, so use the editor that is shown instead.
  const shown = document.uri.scheme === 'vscode-notebook-cell' ? editor : await focusEditor();
  if (shown !== editor) shown.selections = editor.selections;
  const accepted = await shown.edit(
    (edit) => {
      for (const each of plan.edits) edit.replace(rangeInDocument(document, each), each.text);
    },
    { undoStopBefore: true, undoStopAfter: true },
  );
  // For a read-only editor, `edit` resolves to true without changing the document.
  const written = accepted && (document.version !== version || plan.edits.length === 0);
  const [first, second] = plan.edits;
  if (written && first && !second && /\n$/.test(first.text)) {
    // Place the cursor at the end of the SQL, not on the line below.
    const end = document.positionAt(first.start + first.text.replace(/\r?\n$/, '').length);
    shown.selection = new vscode.Selection(end, end);
  }
  if (written) {
    shown.revealRange(shown.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await focusEditor();
  }
  return written;
}

/**
 * Offers to open or copy the SQL if the file is read-only or no longer exists.
 * @returns false, because nothing was written
 */
export async function offerOtherPlaces(sql: string): Promise<false> {
  const copy = t('Copy SQL');
  const open = t('Open beside');
  const choice = await showWarningMessage(
    t('This file can’t be changed: it is read-only or no longer exists.'),
    open,
    copy,
  );
  if (choice === copy) await vscode.env.clipboard.writeText(sql);
  if (choice === open) await openAsDocument(sql, vscode.ViewColumn.Beside);
  return false;
}

/**
 * Inserts a query at the cursors of the last used editor, or where the user chooses.
 * @param mode `insert` keeps the selection, `replace` overwrites it
 * @returns whether the SQL was written to a document
 */
export async function insertInto(
  services: InsertionServices,
  generated: GeneratedSql,
  mode: InsertMode = 'insert',
): Promise<boolean> {
  const sql = await sqlToInsert(generated);
  const editor = currentEditor() ?? (await chooseEditor(sql));
  const plan = editor && (await planFor(services, editor, generated, sql, mode));
  if (!editor || !plan) return false;
  if (!(await write(editor, plan))) return offerOtherPlaces(sql);
  notifyAbout(plan.warnings);
  return true;
}

/** @returns whether the file is SQL in a `tests` folder next to a `dbt_project.yml` */
async function isDbtTest(uri: vscode.Uri): Promise<boolean> {
  const tests = uri.path.toLowerCase().lastIndexOf('/tests/');
  if (tests === -1 || !/\.sql$/i.test(uri.path)) return false;
  const project = uri.path.slice(0, tests + 1);
  return exists(uri.with({ path: `${project}dbt_project.yml` }));
}

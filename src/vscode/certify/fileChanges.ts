/**
 * Plans the files of a new question test: its question and, where it needs one, its accepted result. Writes several files
 * in one edit, which the user confirms in VS Code's Refactor Preview and can undo at once.
 */
import * as vscode from 'vscode';
import { queryTable } from '../../api/dataQuery.ts';
import { addQuestion, type NewQuestion } from '../../evals/files/addQuestion.ts';
import { acceptResult } from '../../evals/files/baseline.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { withProgress, setStatusBarMessage } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import type { TextEdit } from '../../insert/types.ts';

const FILES = ['.analytics-chat/questions.yml', '.analytics-chat/questions.yaml'] as const;

export type NewTestServices = Services<'branches' | 'connections' | 'connector' | 'questionFiles'>;

/** An answered query, with its question and result. */
export interface Answered {
  sql: string;
  table: ResultTable;
  text: string;
  context: QuestionContext | undefined;
  home: Home | undefined;
}

/** @returns undefined if the query has no question or no result */
export function answeredQuery(
  { connector }: Pick<NewTestServices, 'connector'>,
  { payload, question }: GeneratedSql,
  home: Home | undefined,
): Answered | undefined {
  const { table, sqlQuery: sql } = payload;
  if (table === undefined || question === undefined) return undefined;
  return { sql, table, text: question.content, context: question.context ?? connector.context(home), home };
}

/** @returns the names of the questions in a folder */
export async function questionNames(
  { questionFiles }: Pick<NewTestServices, 'questionFiles'>,
  folder: vscode.WorkspaceFolder,
): Promise<Set<string>> {
  return new Set((await questionFiles.questionsOf(folder)).map(({ name }) => name));
}

/** @returns the question as it is added to a file; the identity only if it has a name in the settings */
export function newQuestion({ text, context }: Answered, name: string): NewQuestion {
  const identity = context?.identity ?? '';
  return { name, text, ...(Object.hasOwn(readSettings().identities, identity) ? { identity } : {}) };
}

/**
 * @returns the file with the accepted result, relative to the folder
 * @throws Error if not all rows can be loaded
 */
export async function baselineOf(
  services: Omit<NewTestServices, 'questionFiles'>,
  folder: vscode.WorkspaceFolder,
  answered: Answered,
  name: string,
): Promise<{ path: string; text: string }> {
  const { sql, text, context } = answered;
  return acceptResult({
    question: { name, text },
    sql,
    table: await allRowsOf(services, answered),
    branch: context?.branch || services.branches.mainOf(folder),
    identity: context?.identity ?? '',
    time: Date.now(),
  });
}

async function allRowsOf(
  { connector, connections }: Pick<NewTestServices, 'connector' | 'connections'>,
  answered: Answered,
): Promise<ResultTable> {
  const { sql, table, home, context } = answered;
  if (table.rows.length >= table.totalRows || !connections.of(home)?.dataQueryUrl) return table;
  const options = await connector.dataQuery(home, context);
  return withProgress(t('Loading all rows'), true, (signal) => queryTable(sql, { ...options, signal }));
}

/** @returns the change that adds a question to the file of our own questions, which may have no SQL */
export async function questionChange(folder: vscode.WorkspaceFolder, question: NewQuestion): Promise<FileChange> {
  for (const path of FILES) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const before = await textOf(uri);
    if (before === undefined) continue;
    const { offset, remove, text } = addQuestion(before, question);
    return { uri, edits: [{ start: offset, end: offset + remove, text }] };
  }
  return { uri: vscode.Uri.joinPath(folder.uri, FILES[0]), created: addQuestion('', question).text };
}

/** Milliseconds for which the hint may be shown. */
const LONGEST = 600_000;

/** A file to create, or the edits of an existing one; offsets are UTF-16 units in its current text. */
export type FileChange = { uri: vscode.Uri } & ({ created: string } | { edits: readonly TextEdit[] });

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
    for (const { start, end, text } of change.edits) {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      edit.replace(uri, range, text, metadata);
    }
  }
  // VS Code initially leaves changes that need confirmation unticked.
  const hint = setStatusBarMessage(t('Tick the changes to write, then select Apply'), LONGEST);
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
export async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const isThere = await Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
  return isThere ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined;
}

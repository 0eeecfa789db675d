/** *Add as Test*: an answer's question becomes a test, and its result the expected one. */
import * as vscode from 'vscode';
import { queryTable } from '../../api/dataQuery.ts';
import { acceptResult } from '../../evals/baselines/accept.ts';
import { addQuestion, type NewQuestion } from '../../evals/files/addQuestion.ts';
import { nameProblem, proposedName } from '../../evals/files/questionName.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import type { App } from '../app.ts';
import { showInformationMessage, showInputBox, withProgress } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';
import { readSettings } from '../host/settings.ts';
import type { FolderQuestions } from './questionFiles.ts';
import { writeTestFile } from './writeFiles.ts';

const FILES = ['.analytics-chat/questions.yml', '.analytics-chat/questions.yaml'] as const;

/** @param query a query of the answer, with its question */
export async function addAsTest(app: App, { payload, question }: GeneratedSql, home: Home | undefined): Promise<void> {
  const { table, sqlQuery: sql } = payload;
  if (table === undefined || question === undefined) {
    void showInformationMessage(t('This query has no result to expect.'));
    return;
  }
  const folder = await pickFolder();
  if (!folder) return;
  const loaded = await app.questionFiles.load();
  const taken = new Set(namesIn(loaded, folder));
  const name = await showInputBox({
    title: t('Analytics Chat: Add as Test'),
    prompt: t('Name of the test'),
    value: proposedName(question.content, taken),
    validateInput: (text) => nameProblem(text, taken),
    ignoreFocusOut: true,
  });
  if (name === undefined) return;
  const context = question.context ?? app.connector.context(home);
  const identity = context?.identity ?? '';
  const baseline = acceptResult({
    question: { name: name.trim(), text: question.content },
    sql,
    table: await allRowsOf(app, sql, table, home, context),
    branch: context?.branch || app.branches.mainOf(folder),
    identity,
    time: Date.now(),
  });
  const isNamed = Object.hasOwn(readSettings().identities, identity);
  const added = { name: name.trim(), text: question.content, ...(isNamed ? { identity } : {}) };
  const clean = (text: string): string => app.log.redactDocument(text);
  await writeTestFile(folder, baseline.path, clean(baseline.text));
  await insertQuestion(folder, added, clean);
  await app.questionFiles.reload(folder);
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) void showInformationMessage(t('Open the folder of your data model to add tests to it.'));
  if (folders.length <= 1) return folders[0];
  const choice = await showQuickPick(
    folders.map((folder) => ({ label: folder.name, folder })),
    { title: t('Analytics Chat: Add as Test'), placeHolder: t('The folder of the test') },
  );
  return choice?.folder;
}

const namesIn = (loaded: readonly FolderQuestions[], folder: vscode.WorkspaceFolder): string[] =>
  loaded
    .filter((each) => each.folder.uri.toString() === folder.uri.toString())
    .flatMap(({ questions }) => questions.map(({ name }) => name));

async function allRowsOf(
  { connector, connections }: App,
  sql: string,
  table: ResultTable,
  home: Home | undefined,
  context: QuestionContext | undefined,
): Promise<ResultTable> {
  if (table.rows.length >= table.totalRows || !connections.of(home)?.dataQueryUrl) return table;
  const options = await connector.dataQuery(home, context);
  return withProgress(t('Loading all rows'), true, (signal) => queryTable(sql, { ...options, signal }));
}

/** Edits the document, so that unsaved changes and Undo work, then reveals the question. */
async function insertQuestion(
  folder: vscode.WorkspaceFolder,
  question: NewQuestion,
  clean: (text: string) => string,
): Promise<void> {
  const uri = await questionFile(folder);
  const document = await vscode.workspace.openTextDocument(uri);
  const { offset, remove, text } = addQuestion(document.getText(), question);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + remove)), clean(text));
  await vscode.workspace.applyEdit(edit);
  await document.save();
  const start = document.positionAt(document.getText().indexOf(question.name, offset));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
}

/** @returns the file of our own questions, which may have no SQL; created if there is none */
async function questionFile(folder: vscode.WorkspaceFolder): Promise<vscode.Uri> {
  const { fs } = vscode.workspace;
  for (const path of FILES) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const isThere = await Promise.resolve(fs.stat(uri)).then(
      () => true,
      () => false,
    );
    if (isThere) return uri;
  }
  await writeTestFile(folder, FILES[0], '');
  return vscode.Uri.joinPath(folder.uri, FILES[0]);
}

/** *Add as Test*: an answer's question becomes a test, and its result the expected one. */
import * as vscode from 'vscode';
import { nameProblem, proposedName } from '../../evals/files/addQuestion.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home } from '../../shared/thread/model.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import type { Log } from '../host/log.ts';
import {
  answeredQuery,
  baselineOf,
  newQuestion,
  questionChange,
  questionNames,
  type NewTestServices,
} from '../certify/newTest.ts';
import type { FileChange } from '../certify/preview.ts';
import { showInformationMessage, showInputBox } from '../host/notify.ts';
import { pickFolder } from '../host/quickPick.ts';
import { writeTestFile } from './questionFiles.ts';

export interface AddAsTestServices extends NewTestServices {
  log: Log;
}

/** @param query a query of the answer, with its question */
export async function addAsTest(
  services: AddAsTestServices,
  query: GeneratedSql,
  home: Home | undefined,
): Promise<void> {
  const answered = answeredQuery(services, query, home);
  if (answered === undefined) {
    void showInformationMessage(t('This query has no result to expect.'));
    return;
  }
  const folder = await pickFolder({
    title: t('Analytics Chat: Add as Test'),
    placeHolder: t('The folder of the test'),
    noFolder: t('Open the folder of your data model to add tests to it.'),
  });
  if (!folder) return;
  const taken = await questionNames(services, folder);
  const entered = await showInputBox({
    title: t('Analytics Chat: Add as Test'),
    prompt: t('Name of the test'),
    value: proposedName(answered.text, taken),
    validateInput: (text) => nameProblem(text, taken),
    ignoreFocusOut: true,
  });
  if (entered === undefined) return;
  const name = entered.trim();
  const clean = (text: string): string => services.log.redactDocument(text);
  const baseline = await baselineOf(services, folder, answered, name);
  await writeTestFile(folder, baseline.path, clean(baseline.text));
  await write(await questionChange(folder, newQuestion(answered, name)), name, clean);
  await services.questionFiles.reload(folder);
}

/** Edits the document, so that unsaved changes and Undo work, then reveals the question. */
async function write(change: FileChange, name: string, clean: (text: string) => string): Promise<void> {
  const { uri } = change;
  if ('created' in change) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(''));
  const document = await vscode.workspace.openTextDocument(uri);
  const edits = 'created' in change ? [{ start: 0, end: 0, text: change.created }] : change.edits;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits)
    edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), clean(text));
  await vscode.workspace.applyEdit(edit);
  await document.save();
  const start = document.positionAt(document.getText().indexOf(name, edits[0]?.start));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
}

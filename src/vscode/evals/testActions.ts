/** *Add as Test*, and the actions in the menus of a test and of its failure, in addition to VS Code's own. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { acceptAnswer } from '../runs/acceptAnswer.ts';
import { askContext } from '../runs/askContext.ts';
import { runOptions } from '../runs/runSpec.ts';
import { openSides, openTab, type RunTabServices } from '../runs/runTab.ts';
import { sidesOf } from '../runs/sides.ts';
import { writeText } from '../host/files.ts';
import { showInformationMessage, showInputBox } from '../host/notify.ts';
import { contextOf, type TestResult } from './testTree.ts';
import { nameProblem, proposedName } from '../../evals/files/addQuestion.ts';
import type { TestQuestion } from '../../evals/question.ts';
import type { Home } from '../../shared/thread/model.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import {
  answeredQuery,
  baselineOf,
  existingTest,
  newQuestion,
  questionChange,
  questionNames,
  answerWithAllRows,
  type NewTestServices,
} from './newTest.ts';
import { replacement, writeChanges, type FileChange } from '../host/fileChanges.ts';
import { rangeOf } from '../host/ranges.ts';
import { pickFolder, showQuickPick } from '../host/quickPick.ts';
import type { Services } from '../services.ts';

/** Writes the answer's result to the baseline of the question; no other file changes. */
export async function accept(services: Services<'log' | 'questionFiles'>, result: TestResult): Promise<void> {
  const { test, verdict } = result;
  await acceptAnswer(services, {
    ...{ folder: test.folder, question: test.question, query: verdict.attempt?.actual, context: contextOf(result) },
  });
}

/**
 * Asks the question on the main branch and on the branch of the run, side by side, on the connection of the run; turns in
 * the list of a run, which compares each of them.
 */
export function compareWithMain(services: RunTabServices, result: TestResult): void {
  const { test } = result;
  const right = contextOf(result);
  const main = services.branches.mainOf(test.folder);
  if (right.sent.isDefaultBranch) {
    void showInformationMessage(t('This answer is from “{0}”. Run the test on another branch to compare.', main));
    return;
  }
  const left = askContext({ ...right.sent, branch: main, isDefaultBranch: true }, right.home, main);
  const { question, folder } = test;
  const contexts = [left, right];
  const tab = question.turns
    ? openTab(services, {
        ...{ title: question.text, tabTitle: t('Compare: {0}', question.text) },
        run: { ...runOptions(services, folder), asked: [{ question, folder, contexts }] },
      })
    : openSides(services, question.text, sidesOf(services, contexts));
  tab.start();
}

export type AddAsTestServices = NewTestServices & Services<'log'>;

/**
 * Makes a test of an answer's question, with the answer's result as the expected one.
 * @param query a query of the answer, with its question
 */
export async function addTest(services: AddAsTestServices, query: GeneratedSql, home: Home | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Tests can’t be added in Restricted Mode. Trust this workspace to write files.'));
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
  // The name that *Certify* or an earlier *Add as Test…* has given to a test of this question.
  const isNamed = taken.has(proposedName(answered.text, new Set()));
  const known = isNamed ? await existingTest(services, folder, answered) : undefined;
  if (known && !(await asksForAnother(folder, known))) return;
  const entered = await showInputBox({
    title: t('Analytics Chat: Add as Test'),
    prompt: t('Name of the test'),
    value: proposedName(answered.text, taken),
    validateInput: (text) => nameProblem(text, taken),
  });
  if (entered === undefined) return;
  const name = entered.trim();
  const clean = (text: string): string => services.log.redactDocument(text);
  const complete = await answerWithAllRows(services, answered);
  if (complete === undefined) return;
  const baseline = baselineOf(services, folder, complete, name);
  // Before anything is written: this throws if the question file has errors.
  const change = await questionChange(folder, newQuestion(answered, name), clean);
  await writeText(vscode.Uri.joinPath(folder.uri, baseline.path), clean(baseline.text));
  await write(change, name);
  await services.questionFiles.reload(folder);
}

/** Offers the test that a question already has. @returns whether to add another one */
async function asksForAnother(folder: vscode.WorkspaceFolder, known: TestQuestion): Promise<boolean> {
  const open = { label: t('Open the question test “{0}”', known.name), description: known.path };
  const add = { label: t('Add another question test') };
  const title = t('Analytics Chat: Add as Test');
  const choice = await showQuickPick([open, add], { title, placeHolder: t('This question is already a test') });
  if (choice === open)
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, known.path), {
      selection: rangeOf(known.range),
    });
  return choice === add;
}

/** Edits the document, so that unsaved changes and Undo work, then reveals the question. */
async function write(change: FileChange, name: string): Promise<void> {
  await writeChanges([change]);
  const document = await vscode.workspace.openTextDocument(change.uri);
  const { start } = replacement(change.before ?? '', change.text);
  const at = document.positionAt(document.getText().indexOf(name, start));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

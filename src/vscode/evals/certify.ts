/** *Certify*: an answer's SQL becomes a certified query and, if the user wants, a question test. */
import * as vscode from 'vscode';
import { linkQuestion, proposedName } from '../../evals/files/addQuestion.ts';
import { certifiedPath, writeCertified } from '../../evals/files/certifiedQueries.ts';
import { nameKey, type TestQuestion } from '../../evals/question.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home } from '../../shared/thread/model.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import { exists } from '../host/files.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import { pickFolder, showQuickPick, showQuickPicks } from '../host/quickPick.ts';
import { readSettings } from '../host/settings.ts';
import { applyPreviewed, currentText, type FileChange } from '../host/fileChanges.ts';
import {
  answeredQuery,
  baselineOf,
  existingTest,
  newQuestion,
  questionChange,
  questionNames,
  type Answered,
  type NewTestServices,
} from './newTest.ts';
import type { Services } from '../services.ts';

export type CertifyServices = NewTestServices & Services<'log'>;

/** @param query a query of the answer, with its question */
export async function certifyQuery(
  services: CertifyServices,
  query: GeneratedSql,
  home: Home | undefined,
): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Answers can’t be certified in Restricted Mode. Trust this workspace to write files.'));
  const answered = answeredQuery(services, query, home);
  if (answered === undefined) {
    void showInformationMessage(t('This query has no result to certify.'));
    return;
  }
  const title = t('Analytics Chat: Certify');
  const folder = await pickFolder({
    title,
    placeHolder: t('The folder of the certified query'),
    noFolder: t('Open the folder of your data model to certify queries in it.'),
  });
  if (!folder) return;
  const name = await chooseName(services, title, folder, answered.text);
  if (name === undefined) return;
  const { agentsPath } = readSettings(folder);
  const test = await existingTest(services, folder, answered);
  const linked = test?.expectedSql?.certifiedQuery?.name;
  const unlinked = test?.expectedSql ? undefined : test;
  // A test that expects this certified query already needs no change.
  const hasTest = linked !== undefined && nameKey(linked) === nameKey(name) ? false : await askForTest(title, unlinked);
  if (hasTest === undefined) return;
  const clean = (text: string): string => services.log.redactDocument(text);
  const certified = writeCertified({ name, request: answered.text, sql: answered.sql }, agentsPath);
  const plan = async (): Promise<FileChange[]> => [
    await wholeFile(folder, certified, clean),
    ...(hasTest ? await testChanges(services, folder, answered, name, clean, unlinked) : []),
  ];
  if (!(await applyPreviewed(t('Certify “{0}”', answered.text), plan))) return;
  await services.questionFiles.reload(folder);
  setStatusBarMessage(t('Certified: {0}', certified.path), 5000);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, certified.path));
}

/**
 * @returns a name made from the question that no other file gives to a certified query. If there is a file of this
 * name, the user decides whether to replace it; undefined to cancel.
 */
async function chooseName(
  { questionFiles }: CertifyServices,
  title: string,
  folder: vscode.WorkspaceFolder,
  question: string,
): Promise<string | undefined> {
  const pathOf = (name: string): string => certifiedPath(name, readSettings(folder).agentsPath);
  const isFile = (name: string): Promise<boolean> => exists(vscode.Uri.joinPath(folder.uri, pathOf(name)));
  const taken = new Set((await questionFiles.certifiedIn(folder)).map(nameKey));
  const name = proposedName(question, new Set());
  let free = proposedName(question, taken);
  while (await isFile(free)) free = proposedName(question, taken.add(free));
  if (!(await isFile(name))) return free;
  const replace = { label: t('Replace {0}', pathOf(name)), name };
  const add = { label: t('Write {0}', pathOf(free)), name: free };
  const placeHolder = t('This question is already certified');
  return (await showQuickPick([replace, add], { title, placeHolder }))?.name;
}

/**
 * @param known a test of the question that has no expected SQL
 * @returns whether a test is added or linked as well; undefined if the user cancels
 */
async function askForTest(title: string, known: TestQuestion | undefined): Promise<boolean | undefined> {
  const label = known ? t('Link the question test “{0}”', known.name) : t('Add a question test');
  const test = { label, detail: t('Expects the rows of the certified query'), picked: true };
  const chosen = await showQuickPicks([test], {
    title,
    placeHolder: t('Written in addition to the query'),
  });
  return chosen && chosen.length > 0;
}

type Clean = (text: string) => string;

async function wholeFile(
  folder: vscode.WorkspaceFolder,
  { path, text }: { path: string; text: string },
  clean: Clean,
): Promise<FileChange> {
  const uri = vscode.Uri.joinPath(folder.uri, path);
  return { uri, before: await currentText(uri), text: clean(text) };
}

/**
 * Without a data query URL, the certified query can't be run, so that the test needs an accepted result.
 * @param known a test of the question without expected SQL, to link
 */
async function testChanges(
  services: NewTestServices,
  folder: vscode.WorkspaceFolder,
  answered: Answered,
  certifiedQuery: string,
  clean: Clean,
  known: TestQuestion | undefined,
): Promise<FileChange[]> {
  if (known) {
    const uri = vscode.Uri.joinPath(folder.uri, known.path);
    const before = (await currentText(uri)) ?? '';
    const { offset, text } = linkQuestion(before, known.name, certifiedQuery);
    return [{ uri, before, text: before.slice(0, offset) + text + before.slice(offset) }];
  }
  const name = proposedName(certifiedQuery, await questionNames(services, folder));
  const question = await questionChange(folder, { ...newQuestion(answered, name), certifiedQuery }, clean);
  if (services.connections.of(answered.home)?.dataQueryUrl) return [question];
  return [question, await wholeFile(folder, baselineOf(services, folder, answered, name), clean)];
}

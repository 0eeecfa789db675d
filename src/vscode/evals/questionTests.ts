/** Commands of the question tests and of the data model. Their code is loaded when first used. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { contextOf, type TestResult, type TestResults } from './testTree.ts';
import type { Command } from '../host/command.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import { sessionIn, wantedSql } from '../insert/sql.ts';
import { showProblems } from './questionFiles.ts';
import type { AddAsTestServices } from './testActions.ts';
import type { ComparisonServices } from '../runs/open.ts';
import { showAnswer } from '../threads/threadActions.ts';
import type { CheckMyChangeServices } from '../check/checkMyChange.ts';
import type { ExplorerServices } from './explorer.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, sessionWith, type GeneratedSql } from '../../shared/thread/turns.ts';
import type { AskAgainServices } from '../model/correct.ts';
import type { CertifyServices } from './certify.ts';
import type { Services } from '../services.ts';

interface TestResultsService {
  testResults: TestResults;
}

/** @param argument a test item, or `{test, message}`; from a menu of the Test Explorer */
function resultOf(services: TestResultsService, argument: unknown): TestResult | undefined {
  const result = services.testResults.find(argument);
  if (!result) void showInformationMessage(t('Run the test first: its answer is no longer available.'));
  return result;
}

export const openTestChat: Command<TestResultsService & Services<'sessions' | 'repository' | 'views'>> = async (
  services,
  argument,
) => {
  const result = resultOf(services, argument);
  if (result) await showAnswer(services, result.verdict.attempt?.answer?.thread, contextOf(result).home);
};

export const acceptAsExpected: Command<TestResultsService & Services<'log' | 'questionFiles'>> = async (
  services,
  argument,
) => {
  const result = resultOf(services, argument);
  if (result) await (await import('./testActions.ts')).accept(services, result);
};

export const compareWithMain: Command<TestResultsService & ComparisonServices> = async (services, argument) => {
  const result = resultOf(services, argument);
  if (result) (await import('./testActions.ts')).compareWithMain(services, result);
};

export const checkMyChange: Command<CheckMyChangeServices> = async (services, argument) => {
  await (await import('../check/checkMyChange.ts')).checkMyChange(services, argument);
};

export const copyCiWorkflow: Command<Services<'context'>> = async (services) => {
  const { ciWorkflow } = await import('../../evals/report/ciWorkflow.ts');
  const { extension, extensionUri } = services.context;
  const { version } = extension.packageJSON as { version: string };
  const checksum = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'cli.sha512'));
  await vscode.env.clipboard.writeText(ciWorkflow(version, new TextDecoder().decode(checksum).trim()));
  setStatusBarMessage(t('CI workflow copied'), 2000);
};

/** Adds the question tests to the Test Explorer, once the workspace has any. */
export function offerQuestionTests(services: ExplorerServices): vscode.Disposable {
  const { questionFiles } = services;
  const subscriptions = [showProblems(questionFiles)];
  let isLoading = false;
  const update = (): void => {
    // A controller without tests would show an empty Testing view in every workspace.
    if (isLoading || questionFiles.folders.length === 0) return;
    isLoading = true;
    void services.guarded(async () => {
      const { TestExplorer } = await import('./explorer.ts');
      subscriptions.push(new TestExplorer(services));
    });
  };
  subscriptions.push(questionFiles.onDidChange(update));
  return new vscode.Disposable(() => subscriptions.forEach((subscription) => subscription.dispose()));
}

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const addAsTest: Command<AddAsTestServices & Services<'sessions' | 'repository'>> = async (
  services,
  argument,
) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const { repository, sessions } = services;
  const session = sessionWith(sessions.all, query) ?? sessionIn(services, argument);
  const { rows = [], totalRows = 0 } = query.payload.table ?? {};
  // The rows that the answer left out would be loaded with SQL that may come from someone else.
  if (rows.length < totalRows && repository.isReadOnly(session.thread.id))
    throw new Error(t('The SQL of a recorded chat can’t be run. Ask its question in a new chat.'));
  const home = sessions.homeOf(session);
  await (await import('./testActions.ts')).addAsTest(services, query, home);
};

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const certify: Command<CertifyServices & Services<'sessions'>> = async (services, argument) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const home = services.sessions.homeOf(sessionIn(services, argument));
  await (await import('./certify.ts')).certify(services, query, home);
};

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const correct: Command<AskAgainServices & Services<'log' | 'guarded'>> = async (services, argument) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const session = sessionIn(services, argument);
  const { correct: write, offerToAskAgain } = await import('../model/correct.ts');
  const clean = (text: string): string => services.log.redactDocument(text);
  const correction = await write(queriesWith(query, session), clean);
  const question = query.question?.content;
  if (correction === undefined || question === undefined) return;
  // Don't await this: it lasts until the user has pushed.
  void services.guarded(() => offerToAskAgain(services, session, question, correction.uri));
};

/** @returns the SQL of all queries of the same answer */
const queriesWith = ({ question, payload }: GeneratedSql, { thread }: ChatSession): string[] => {
  const same = generatedSql(thread).filter((each) => question !== undefined && each.question?.id === question.id);
  return same.length > 0 ? same.map((each) => each.payload.sqlQuery) : [payload.sqlQuery];
};

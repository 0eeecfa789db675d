/** Commands of the question tests and of the data model. Their code is loaded when first used. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { TestResult, TestResults } from '../evals/testTree.ts';
import { type Command, setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import { wantedSql } from './sql.ts';
import { showProblems } from '../evals/questionFiles.ts';
import type { OpenChatServices, TestActionsServices } from '../evals/testActions.ts';
import type { CheckMyChangeServices } from '../check/checkMyChange.ts';
import type { ExplorerServices } from '../evals/explorer.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, type GeneratedSql } from '../../shared/thread/turns.ts';
import type { AskAgainServices } from '../certify/correct.ts';
import type { CertifyServices } from '../certify/certify.ts';
import type { Services } from '../services.ts';

export interface AcceptAsExpectedServices extends Services<'log' | 'questionFiles'> {
  testResults: TestResults;
}

export interface OpenTestChatServices extends OpenChatServices {
  testResults: TestResults;
}

export type AddAsTestServices = Services<
  'log' | 'branches' | 'connections' | 'connector' | 'sessions' | 'questionFiles'
>;

export interface CompareWithMainServices extends TestActionsServices {
  testResults: TestResults;
}

/** @param argument a test item, or `{test, message}`; from a menu of the Test Explorer */
function resultOf(services: { testResults: TestResults }, argument: unknown): TestResult | undefined {
  const result = services.testResults.find(argument);
  if (!result) void showInformationMessage(t('Run the test first: its answer is no longer available.'));
  return result;
}

export const openTestChat: Command<OpenTestChatServices> = async (services, argument) => {
  const result = resultOf(services, argument);
  if (result) await (await import('../evals/testActions.ts')).openChat(services, result);
};

export const acceptAsExpected: Command<AcceptAsExpectedServices> = async (services, argument) => {
  const result = resultOf(services, argument);
  if (result) await (await import('../evals/testActions.ts')).accept(services, result);
};

export const compareWithMain: Command<CompareWithMainServices> = async (services, argument) => {
  const result = resultOf(services, argument);
  if (result) (await import('../evals/testActions.ts')).compareWithMain(services, result);
};

export const checkMyChange: Command<CheckMyChangeServices> = async (services, argument) => {
  await (await import('../check/checkMyChange.ts')).checkMyChange(services, argument);
};

export const copyCiWorkflow: Command<Services<'context'>> = async (services) => {
  const { ciWorkflow } = await import('../../evals/report/ciWorkflow.ts');
  const { version } = services.context.extension.packageJSON as { version: string };
  await vscode.env.clipboard.writeText(ciWorkflow(version));
  setStatusBarMessage(t('CI workflow copied'), 2000);
};

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const addAsTest: Command<AddAsTestServices> = async (services, argument) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const session = services.sessions.get(textIn(argument, 'threadId') ?? '') ?? services.sessions.active;
  const home = services.sessions.homeOf(session);
  await (await import('../evals/testActions.ts')).addAsTest(services, query, home);
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
      const { TestExplorer } = await import('../evals/explorer.ts');
      subscriptions.push(new TestExplorer(services));
    });
  };
  subscriptions.push(questionFiles.onDidChange(update));
  update();
  return new vscode.Disposable(() => subscriptions.forEach((subscription) => subscription.dispose()));
}

type SessionsService = Services<'sessions'>;

const sessionIn = ({ sessions }: SessionsService, argument: unknown): ChatSession =>
  sessions.get(textIn(argument, 'threadId') ?? '') ?? sessions.active;

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const certify: Command<CertifyServices & SessionsService> = async (services, argument) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const home = services.sessions.homeOf(sessionIn(services, argument));
  await (await import('../certify/certify.ts')).certify(services, query, home);
};

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const correct: Command<AskAgainServices & SessionsService & Services<'log' | 'guarded'>> = async (
  services,
  argument,
) => {
  const query = wantedSql(services, argument);
  if (!query) return;
  const session = sessionIn(services, argument);
  const { correct: write, offerToAskAgain } = await import('../certify/correct.ts');
  const clean = (text: string): string => services.log.redactDocument(text);
  const correction = await write(queriesWith(query, session), clean);
  const question = query.question?.content;
  if (correction === undefined || question === undefined) return;
  // Not awaited: the user may take long to push.
  void services.guarded(() => offerToAskAgain(services, session, question, correction.uri));
};

/** @returns the SQL of all queries of the same answer */
const queriesWith = ({ question, payload }: GeneratedSql, { thread }: ChatSession): string[] => {
  const same = generatedSql(thread).filter((each) => question !== undefined && each.question?.id === question.id);
  return same.length > 0 ? same.map((each) => each.payload.sqlQuery) : [payload.sqlQuery];
};

/** Commands of the question tests. Their code is loaded when first used. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { TestResult, TestResults } from '../evals/testTree.ts';
import type { Command } from '../host/guarded.ts';
import { wantedSql } from './sql.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import type { Log } from '../host/log.ts';
import type { QuestionFiles } from '../evals/questionFiles.ts';
import type { OpenChatServices, TestActionsServices } from '../evals/testActions.ts';
import type { Branches } from '../connection/branches.ts';
import type { Connections } from '../connection/connections.ts';
import type { Connector } from '../connection/connector.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { CheckMyChangeServices } from '../check/checkMyChange.ts';

export interface AcceptAsExpectedServices {
  log: Log;
  questionFiles: QuestionFiles;
  testResults: TestResults;
}

export interface OpenTestChatServices extends OpenChatServices {
  testResults: TestResults;
}

export interface AddAsTestServices {
  log: Log;
  branches: Branches;
  connections: Connections;
  connector: Connector;
  sessions: Sessions;
  questionFiles: QuestionFiles;
}

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

export const copyCiWorkflow: Command<{ context: vscode.ExtensionContext }> = async (services) => {
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
  await (await import('../evals/addAsTest.ts')).addAsTest(services, query, home);
};

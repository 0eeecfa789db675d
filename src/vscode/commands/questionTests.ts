/** Commands of the question tests. Their code is loaded when first used. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App } from '../app.ts';
import type { Command } from './command.ts';
import { wantedSql } from './sql.ts';
import type { TestResult } from '../evals/testResults.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';

/** @param argument a test item, or `{test, message}`; from a menu of the Test Explorer */
function resultOf(app: App, argument: unknown): TestResult | undefined {
  const result = app.testResults.find(argument);
  if (!result) void showInformationMessage(t('Run the test first: its answer is no longer available.'));
  return result;
}

export const openTestChat: Command<App> = async (app, argument) => {
  const result = resultOf(app, argument);
  if (result) await (await import('../evals/testActions.ts')).openChat(app, result);
};

export const acceptAsExpected: Command<App> = async (app, argument) => {
  const result = resultOf(app, argument);
  if (result) await (await import('../evals/testActions.ts')).accept(app, result);
};

export const compareWithMain: Command<App> = async (app, argument) => {
  const result = resultOf(app, argument);
  if (result) (await import('../evals/testActions.ts')).compareWithMain(app, result);
};

export const checkMyChange: Command<App> = async (app, argument) => {
  await (await import('../check/checkMyChange.ts')).checkMyChange(app, argument);
};

export const copyCiWorkflow: Command<App> = async (app) => {
  const { ciWorkflow } = await import('../../evals/report/ciWorkflow.ts');
  const { version } = app.context.extension.packageJSON as { version: string };
  await vscode.env.clipboard.writeText(ciWorkflow(version));
  setStatusBarMessage(t('CI workflow copied'), 2000);
};

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
export const addAsTest: Command<App> = async (app, argument) => {
  const query = wantedSql(app, argument);
  if (!query) return;
  const session = app.sessions.get(textIn(argument, 'threadId') ?? '') ?? app.sessions.active;
  const home = app.sessions.homeOf(session);
  await (await import('../evals/addAsTest.ts')).addAsTest(app, query, home);
};

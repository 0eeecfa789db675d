/** Question tests: the Test Explorer, and tests and certified queries from answers. Most code is loaded when first used. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { sessionWith } from '../../shared/thread/turns.ts';
import type { CommandHandlers, IntentHandlers } from '../host/area.ts';
import { promptFrom } from '../host/chatView.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import type { RunTabServices } from '../runs/runTab.ts';
import type { Services } from '../services.ts';
import { showAnswer } from '../threads/threadActions.ts';
import { sessionIn, wantedSql } from '../threads/wantedSql.ts';
import type { CertifyServices } from './certify.ts';
import type { ExplorerServices } from './explorer.ts';
import { showProblems } from './questionFiles.ts';
import { provideQuestionKeys } from './questionKeys.ts';
import type { AddAsTestServices } from './testActions.ts';
import { contextOf, TestResults, resultThread, type TestResult } from './testTree.ts';

type EvalsServices = Omit<ExplorerServices, 'testResults'> & AddAsTestServices & CertifyServices & RunTabServices;

export function registerEvals(services: EvalsServices) {
  const results = new TestResults();
  return Object.assign(offerQuestionTests({ ...services, testResults: results }), {
    commands: {
      'analyticsChat.addAsTest': (argument) => addAsTest(services, argument),
      'analyticsChat.certify': (argument) => certify(services, argument),
      'analyticsChat.copyCiWorkflow': () => copyCiWorkflow(services),
      'analyticsChat.copySkill': copySkill,
      'analyticsChat.openTestChat': async (argument) => {
        const result = resultOf(results, argument);
        if (result) await showAnswer(services, resultThread(result), contextOf(result).home);
      },
      'analyticsChat.acceptAsExpected': async (argument) => {
        const result = resultOf(results, argument);
        if (result) await (await import('./testActions.ts')).accept(services, result);
      },
      'analyticsChat.compareWithMain': async (argument) => {
        const result = resultOf(results, argument);
        if (result) (await import('./testActions.ts')).compareWithMain(services, result);
      },
    } satisfies CommandHandlers,
    intents: {
      addAsTest: (view, { toolCallId }) =>
        promptFrom(view, () => addAsTest(services, { threadId: view.session.thread.id, toolCallId })),
      certify: (view, { toolCallId }) =>
        promptFrom(view, () => certify(services, { threadId: view.session.thread.id, toolCallId })),
    } satisfies Partial<IntentHandlers>,
  });
}

/** @param argument a test item, or `{test, message}`; from a menu of the Test Explorer */
function resultOf(results: TestResults, argument: unknown): TestResult | undefined {
  const result = results.find(argument);
  if (!result) void showInformationMessage(t('Run the test first: its answer is no longer available.'));
  return result;
}

async function copyCiWorkflow(services: Services<'context' | 'branches'>): Promise<void> {
  const { ciWorkflow } = await import('../../evals/report/ciWorkflow.ts');
  const { extension, extensionUri } = services.context;
  const { version } = extension.packageJSON as { version: string };
  const checksum = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'cli.sha512'));
  const { agentsPath } = readSettings();
  const workflow = ciWorkflow(version, new TextDecoder().decode(checksum).trim(), services.branches.main, agentsPath);
  await vscode.env.clipboard.writeText(workflow);
  setStatusBarMessage(t('CI workflow copied'), 2000);
}

async function copySkill(): Promise<void> {
  const { AGENT_SKILL } = await import('../../evals/report/agentSkill.ts');
  await vscode.env.clipboard.writeText(AGENT_SKILL);
  setStatusBarMessage(t('Skill copied. Paste it into a file named SKILL.md.'), 5000);
}

/** Adds the question tests to the Test Explorer, once the workspace has any. */
function offerQuestionTests(services: ExplorerServices): vscode.Disposable {
  const { questionFiles } = services;
  const subscriptions = [showProblems(questionFiles), provideQuestionKeys()];
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
async function addAsTest(
  services: AddAsTestServices & Services<'sessions' | 'repository'>,
  argument: unknown,
): Promise<void> {
  const query = wantedSql(services, argument);
  if (!query) return;
  const { repository, sessions } = services;
  const session = sessionWith(sessions.all, query) ?? sessionIn(services, argument);
  const { rows = [], totalRows = 0 } = query.payload.table ?? {};
  // The rows that the answer left out would be loaded with SQL that may come from someone else.
  if (rows.length < totalRows && repository.isReadOnly(session.thread.id))
    throw new Error(t('The SQL of a recorded chat can’t be run. Ask its question in a new chat.'));
  const home = sessions.homeOf(session);
  await (await import('./testActions.ts')).addTest(services, query, home);
}

/** @param argument `{toolCallId?, threadId?}`; see `wantedSql` */
async function certify(services: CertifyServices & Services<'sessions'>, argument: unknown): Promise<void> {
  const query = wantedSql(services, argument);
  if (!query) return;
  const home = services.sessions.homeOf(sessionIn(services, argument));
  await (await import('./certify.ts')).certifyQuery(services, query, home);
}

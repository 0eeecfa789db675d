/** The *Ask as Everyone…* command: asks one question as each identity of the user's settings. */
import * as vscode from 'vscode';
import { queryTable } from '../../api/dataQuery.ts';
import { lastQuestion } from '../../chat/session/message.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { Branches } from '../connection/branches.ts';
import type { Connections } from '../connection/connections.ts';
import type { Identities } from '../connection/identities.ts';
import type { Command } from '../host/guarded.ts';
import { connectionOf } from '../threads/sessions.ts';
import type { QuestionFiles } from '../evals/questionFiles.ts';
import { showInformationMessage, showInputBox } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import type { EveryoneTabServices } from './everyoneTab.ts';

export interface AskAsEveryoneServices extends EveryoneTabServices {
  branches: Branches;
  connections: Connections;
  identities: Identities;
  questionFiles: QuestionFiles;
}

/** @param argument `{question?}`; if omitted, the user confirms the last question of the chat or types another */
export const askAsEveryone: Command<AskAsEveryoneServices> = async (services, argument) => {
  const { branches, connector, identities, questionFiles, sessions } = services;
  const { active } = sessions;
  const entry = connectionOf(services, active);
  if (entry === undefined) throw new Error(t('There is no connection yet. Connect to your agent to ask.'));
  if (entry.authentication === 'serviceToken')
    throw new Error(t('A service token identifies its user. Connect with an API key to ask as other identities.'));
  if (Object.keys(readSettings().identities).length === 0) return offerSettings();
  const question = textIn(argument, 'question') ?? (await askForQuestion(lastQuestion(active.thread)?.content ?? ''));
  if (question === undefined || question.trim() === '') return;
  const home = sessions.homeOf(active);
  const { name, isDefault } = branches.current;
  const contextOf = (identity: string): QuestionContext => ({ branch: name, isDefaultBranch: isDefault, identity });
  const folders = await questionFiles.load();
  const { openEveryone } = await import('./everyoneTab.ts');
  openEveryone(services, {
    question: question.trim(),
    identities: identities.usable(entry),
    branch: branches.label,
    contextOf,
    home,
    precision: readSettings().evalsPrecision,
    locale: vscode.env.language,
    tests: folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined)),
    ...(entry.dataQueryUrl
      ? {
          runSql: async (sql, { identity = '' }, signal) =>
            queryTable(sql, { ...(await connector.dataQuery(home, contextOf(identity))), signal }),
        }
      : {}),
  });
};

const askForQuestion = (last: string): Thenable<string | undefined> =>
  showInputBox({
    title: t('Analytics Chat: Ask as Everyone'),
    prompt: t('Enter the question to ask as each identity'),
    placeHolder: t('revenue by month in 2024'),
    value: last,
    ignoreFocusOut: true,
  });

async function offerSettings(): Promise<void> {
  const open = t('Open settings');
  const message = t('There are no identities to ask as. Add some to your setting “analyticsChat.identities”.');
  if ((await showInformationMessage(message, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'analyticsChat.identities');
}

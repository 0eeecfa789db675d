/** The *Ask as Everyone…* command: asks one question as each identity of the user's settings, in an editor tab. */
import * as vscode from 'vscode';
import { queryWithRetries } from '../../chat/session/queryWithRetries.ts';
import { homeOf } from '../../chat/connection/connectionList.ts';
import { serviceTokenText } from '../../chat/connection/identity.ts';
import { lastQuestion } from '../../chat/session/message.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { Command } from '../host/command.ts';
import { showInformationMessage, askForQuestion } from '../host/notify.ts';
import { openSettings, readSettings, strings } from '../host/settings.ts';
import type { ToEveryone } from '../../shared/protocol/everyone.ts';
import { EVERYONE_TYPE } from '../host/html.ts';
import { openRunTab, type RunTabServices } from './runTab.ts';
import type { EveryoneOptions } from './everyoneRun.ts';
import { showAnswer } from '../threads/threadActions.ts';
import type { Services } from '../services.ts';

export type AskAsEveryoneServices = EveryoneTabServices & Services<'branches' | 'identities' | 'questionFiles'>;

/** @param argument `{question?}`; if omitted, the user confirms the last question of the chat or types another */
export const askAsEveryone: Command<AskAsEveryoneServices> = async (services, argument) => {
  const { branches, connector, identities, questionFiles, sessions } = services;
  const { active } = sessions;
  const entry = services.sessions.connectionOf(active);
  if (entry === undefined) throw new Error(t('There is no connection yet. Connect to your agent to ask.'));
  if (entry.authentication === 'serviceToken') throw new Error(serviceTokenText());
  if (Object.keys(readSettings().identities).length === 0) return offerSettings();
  const question =
    textIn(argument, 'question') ??
    (await askForQuestion(
      t('Analytics Chat: Ask as Everyone'),
      t('Enter the question to ask as each identity'),
      lastQuestion(active.thread)?.content,
    ));
  if (question === undefined || question.trim() === '') return;
  // All identities are asked on this connection, even if the user switches meanwhile.
  const home = homeOf(entry);
  const { name, isDefault } = branches.current;
  const contextOf = (identity: string): QuestionContext => ({ branch: name, isDefaultBranch: isDefault, identity });
  const folders = await questionFiles.load();
  await openEveryone(services, {
    question: question.trim(),
    identities: identities.usable(entry),
    branch: branches.label,
    contextOf,
    home,
    precision: readSettings().evalsPrecision,
    locale: vscode.env.language,
    tests: folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined)),
    runSql: entry.dataQueryUrl
      ? async (sql, _question, { identity = '' }, signal) =>
          queryWithRetries(sql, { ...(await connector.dataQuery(home, contextOf(identity))), signal })
      : undefined,
  });
};

async function offerSettings(): Promise<void> {
  const open = t('Open settings');
  const message = t('There are no identities to ask as. Add some to your setting “analyticsChat.identities”.');
  if ((await showInformationMessage(message, open)) === open) await openSettings('analyticsChat.identities');
}

type EveryoneTabServices = RunTabServices & Services<'connector' | 'repository' | 'sessions' | 'views'>;

/** Opens a tab and asks; closing it cancels. The tab is not restored after a restart. */
async function openEveryone(services: EveryoneTabServices, options: EveryoneOptions): Promise<void> {
  const { EveryoneRun } = await import('./everyoneRun.ts');
  const run = openRunTab(services, (post: (message: ToEveryone) => void) => {
    const asked = new EveryoneRun(services.connector, options, () => post({ type: 'everyone', state: asked.state }));
    return {
      viewType: EVERYONE_TYPE,
      title: t('As everyone: {0}', options.question),
      entry: 'everyone',
      run: asked,
      state: (): ToEveryone => ({ type: 'everyone', state: asked.state, l10n: strings() }),
      open: (index: number) => showAnswer(services, asked.answered(index)?.thread, options.home),
    };
  });
  void services.guarded(() => run.start());
}

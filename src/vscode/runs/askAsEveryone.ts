/** The *Ask as Everyone…* command: asks one question as each identity of the user's settings, in an editor tab. */
import { serviceTokenText } from '../../chat/connection/identity.ts';
import { looseQuestion } from '../../evals/question.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from '../host/command.ts';
import { showInformationMessage } from '../host/notify.ts';
import { openSettings, readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import { contextsIn } from './askContext.ts';
import { accessOptions, questionOf, runOptions } from './runSpec.ts';
import { openTab, type RunTabServices } from './runTab.ts';

export type AskAsEveryoneServices = RunTabServices & Services<'branches' | 'connections' | 'identities'>;

/** @param argument `{question?}`; if omitted, the user confirms the last question of the chat or types another */
export const askAsEveryone: Command<AskAsEveryoneServices> = async (services, argument) => {
  const { identities, sessions } = services;
  const entry = sessions.connectionOf(sessions.active);
  if (entry === undefined) throw new Error(t('There is no connection yet. Connect to your agent to ask.'));
  if (entry.authentication === 'serviceToken') throw new Error(serviceTokenText());
  if (Object.keys(readSettings().identities).length === 0) return offerSettings();
  const text = await questionOf(services, argument, {
    title: t('Analytics Chat: Ask as Everyone'),
    prompt: t('Enter the question to ask as each identity'),
  });
  if (text === undefined) return;
  // All identities are asked on this connection, even if the user switches meanwhile.
  const contextOf = contextsIn(services, undefined, undefined, entry);
  const contexts = identities.usable(entry).map((identity) => contextOf(identity));
  openTab(services, {
    ...{ title: text, tabTitle: t('As everyone: {0}', text) },
    run: {
      ...runOptions(services, undefined, entry),
      ...(await accessOptions(services)),
      asked: [{ question: looseQuestion(text), contexts }],
    },
  }).start();
};

async function offerSettings(): Promise<void> {
  const open = t('Open settings');
  const message = t('There are no identities to ask as. Add some to your setting “analyticsChat.identities”.');
  if ((await showInformationMessage(message, open)) === open) await openSettings('analyticsChat.identities');
}

/** The *Ask as Everyone…* command: asks one question as each identity of the user's settings, in an editor tab. */
import { homeOf } from '../../chat/connection/connectionList.ts';
import { serviceTokenText } from '../../chat/connection/identity.ts';
import { lastQuestion } from '../../chat/session/message.ts';
import { textIn } from '../../shared/text/checks.ts';
import { looseQuestion } from '../../evals/question.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from '../host/command.ts';
import { showInformationMessage, askForQuestion } from '../host/notify.ts';
import { openSettings, readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import { askContext, editorAsking } from './askContext.ts';
import { openRun } from './open.ts';
import { runOptions } from './runSpec.ts';
import type { RunTabServices } from './runTab.ts';

export type AskAsEveryoneServices = RunTabServices & Services<'branches' | 'connections' | 'identities'>;

/** @param argument `{question?}`; if omitted, the user confirms the last question of the chat or types another */
export const askAsEveryone: Command<AskAsEveryoneServices> = async (services, argument) => {
  const { branches, identities, questionFiles, sessions } = services;
  const { active } = sessions;
  const entry = sessions.connectionOf(active);
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
  const contexts = identities
    .usable(entry)
    .map((identity) => askContext({ branch: name, isDefaultBranch: isDefault, identity }, home, branches.main));
  const folders = await questionFiles.load();
  const text = question.trim();
  const run = openRun(services, {
    ...{ title: text, tabTitle: t('As everyone: {0}', text) },
    run: {
      ...{ ...editorAsking(services, entry), ...runOptions() },
      // Identities are meant to see different rows: that is no reason to ask again.
      attempts: 1,
      asked: [{ question: looseQuestion(text), contexts }],
      accessTests: folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined)),
    },
  });
  void services.guarded(() => run.start());
};

async function offerSettings(): Promise<void> {
  const open = t('Open settings');
  const message = t('There are no identities to ask as. Add some to your setting “analyticsChat.identities”.');
  if ((await showInformationMessage(message, open)) === open) await openSettings('analyticsChat.identities');
}

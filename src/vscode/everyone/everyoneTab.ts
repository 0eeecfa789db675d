/** The editor tab that asks one question as several identities. */
import type { ToEveryone } from '../../shared/protocol/everyone.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Connector } from '../connection/connector.ts';
import { strings } from '../host/environment.ts';
import { showInformationMessage } from '../host/notify.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { ChatViews } from '../views/chatViews.ts';
import { EVERYONE_TYPE } from '../views/html.ts';
import { openRunTab, type RunTabServices } from '../views/runTab.ts';
import { EveryoneRun, type EveryoneOptions } from './everyoneRun.ts';

export interface EveryoneTabServices extends RunTabServices {
  connector: Connector;
  repository: ThreadRepository;
  sessions: Sessions;
  views: ChatViews;
}

/** Opens a tab and asks; closing it cancels. The tab is not restored after a restart. */
export function openEveryone(services: EveryoneTabServices, options: EveryoneOptions): void {
  const run = openRunTab(services, (post: (message: ToEveryone) => void) => {
    const asked = new EveryoneRun(services.connector, options, () => post({ type: 'everyone', state: asked.state }));
    return {
      viewType: EVERYONE_TYPE,
      title: t('As everyone: {0}', options.question),
      entry: 'everyone',
      run: asked,
      state: (): ToEveryone => ({ type: 'everyone', state: asked.state, l10n: strings() }),
      open: (index: number) => openChat(services, asked, index),
    };
  });
  void services.guarded(() => run.start());
}

/** Opens the thread of an answer, which adds it to the history. */
async function openChat(
  { sessions, repository, views }: EveryoneTabServices,
  run: EveryoneRun,
  index: number,
): Promise<void> {
  const answered = run.answered(index);
  if (answered?.answer.thread.chatId === undefined) {
    void showInformationMessage(t('There is no chat to open: the question didn’t reach the service.'));
    return;
  }
  const session = sessions.add(answered.answer.thread, undefined, answered.home);
  await repository.keep(session);
  await views.reveal(session);
}

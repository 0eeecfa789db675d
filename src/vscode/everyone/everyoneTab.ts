/** The editor tab that asks one question as several identities. */
import * as vscode from 'vscode';
import { assertNever } from '../../shared/protocol/chat.ts';
import { isFromEveryone, type FromEveryone, type ToEveryone } from '../../shared/protocol/everyone.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Connector } from '../connection/connector.ts';
import type { Guarded } from '../host/guarded.ts';
import type { Log } from '../host/log.ts';
import { showInformationMessage } from '../host/notify.ts';
import { strings } from '../host/strings.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { ChatViews } from '../views/chatViews.ts';
import { EVERYONE_TYPE, showPage, tabIcon } from '../views/html.ts';
import { EveryoneRun, type EveryoneOptions } from './everyoneRun.ts';

export interface EveryoneTabServices {
  context: vscode.ExtensionContext;
  connector: Connector;
  guarded: Guarded;
  log: Log;
  repository: ThreadRepository;
  sessions: Sessions;
  views: ChatViews;
}

/** Opens a tab and asks; closing it cancels. The tab is not restored after a restart. */
export function openEveryone(services: EveryoneTabServices, options: EveryoneOptions): void {
  const { context, connector, guarded, log } = services;
  const title = t('As everyone: {0}', options.question);
  const panel = vscode.window.createWebviewPanel(EVERYONE_TYPE, title, vscode.ViewColumn.Active);
  const { webview } = panel;
  panel.iconPath = tabIcon(context.extensionUri);
  /** Whether the page is ready; a hidden page is discarded and requests the state when it is shown again. */
  let isLoaded = false;
  const post = (message: ToEveryone): void => {
    if (isLoaded) void webview.postMessage(message);
  };
  const run = new EveryoneRun(connector, options, () => post({ type: 'everyone', state: run.state }));
  const act = (message: FromEveryone): unknown => {
    switch (message.type) {
      case 'ready':
        isLoaded = true;
        return post({ type: 'everyone', state: run.state, l10n: strings() });
      case 'cancel':
        return run.cancel();
      case 'askAgain':
        return run.start();
      case 'openChat':
        return openChat(services, run, message.index);
      case 'problem':
        return log.warn(t('The view reported: {0}', message.text));
      default:
        return assertNever(message);
    }
  };
  const subscriptions = [
    webview.onDidReceiveMessage((message: unknown) => {
      if (isFromEveryone(message)) void guarded(() => act(message));
      else log.warn('The page sent an invalid message.');
    }),
    panel.onDidChangeViewState(() => (isLoaded &&= panel.visible)),
  ];
  panel.onDidDispose(() => {
    isLoaded = false;
    run.cancel();
    for (const subscription of subscriptions) subscription.dispose();
  });
  showPage(webview, context.extensionUri, 'everyone');
  void guarded(() => run.start());
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

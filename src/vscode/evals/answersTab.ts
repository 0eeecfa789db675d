/** The editor tab that compares the answers to a set of questions on two branches. */
import * as vscode from 'vscode';
import type { Sides } from '../../evals/branches/compareAnswers.ts';
import { assertNever } from '../../shared/protocol/chat.ts';
import { isFromAnswers, type FromAnswers, type ToAnswers } from '../../shared/protocol/evals.ts';
import { t } from '../../shared/text/l10n.ts';
import { openAnswered } from '../compare/open.ts';
import { strings } from '../host/strings.ts';
import { showPage, tabIcon, ANSWERS_TYPE } from '../views/html.ts';
import { AnswersRun, type AnswersObserver, type AskedQuestions, type AnswersRunServices } from './answersRun.ts';
import type { Log } from '../host/log.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { ChatViews } from '../views/chatViews.ts';
import type { Guarded } from '../host/guarded.ts';

export interface AnswersTabServices extends AnswersRunServices {
  context: vscode.ExtensionContext;
  log: Log;
  sessions: Sessions;
  repository: ThreadRepository;
  views: ChatViews;
  guarded: Guarded;
}

/**
 * Opens a tab; closing it cancels. The tab is not restored after a restart.
 * @returns the run, which the caller starts; the tab can start it again
 */
export function openAnswers(
  services: AnswersTabServices,
  folders: readonly AskedQuestions[],
  branches: Sides<string>,
  observer: AnswersObserver = {},
): AnswersRun {
  const title = t('Answers: {0}, {1}', branches.left, branches.right);
  const panel = vscode.window.createWebviewPanel(ANSWERS_TYPE, title, vscode.ViewColumn.Active);
  const { webview } = panel;
  panel.iconPath = tabIcon(services.context.extensionUri);
  /** Whether the page is ready; a hidden page is discarded and requests the complete state when it is shown again. */
  let isLoaded = false;
  const post = (message: ToAnswers): void => {
    if (isLoaded) void webview.postMessage(message);
  };
  const run = new AnswersRun(services, folders, branches, {
    ...observer,
    onRow: (index, row) => post({ type: 'row', index, row }),
    onRun: (state) => post({ type: 'run', ...state }),
  });
  const tabs = new Map<string, vscode.WebviewPanel>();
  const openRow = async (index: number): Promise<void> => {
    const answered = run.answered(index);
    if (answered === undefined) return;
    // A new run has new threads.
    const key = answered.sides.left.thread.id;
    const open = tabs.get(key);
    if (open) return open.reveal();
    const tab = await openAnswered(services, answered.question, answered.sides);
    tabs.set(key, tab);
    tab.onDidDispose(() => tabs.delete(key));
  };
  const act = (message: FromAnswers): unknown => {
    switch (message.type) {
      case 'ready':
        isLoaded = true;
        return post({ type: 'answers', ...branches, rows: run.rows, ...run.state, l10n: strings() });
      case 'cancel':
        return run.cancel();
      case 'askAgain':
        return run.start();
      case 'openRow':
        return openRow(message.index);
      case 'problem':
        return services.log.warn(t('The view reported: {0}', message.text));
      default:
        return assertNever(message);
    }
  };
  const subscriptions = [
    webview.onDidReceiveMessage((message: unknown) => {
      if (isFromAnswers(message)) void services.guarded(() => act(message));
      else services.log.warn('The page sent an invalid message.');
    }),
    panel.onDidChangeViewState(() => (isLoaded &&= panel.visible)),
  ];
  panel.onDidDispose(() => {
    isLoaded = false;
    run.cancel();
    for (const subscription of subscriptions) subscription.dispose();
  });
  showPage(webview, services.context.extensionUri, 'answers');
  return run;
}

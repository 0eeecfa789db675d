/** Actions on stored threads, shared by the commands and the history list. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { proposedFile } from '../results/fileSink.ts';
import { showInformationMessage } from '../host/notify.ts';
import type { Sessions } from './sessions.ts';
import type { ThreadRepository } from './threadRepository.ts';
import type { History } from '../../chat/history/history.ts';
import type { ChatViews } from '../views/chatViews.ts';
import type { UnreadThreads } from './unread.ts';
import type { Log } from '../host/log.ts';

export interface ThreadActionsServices {
  sessions: Sessions;
  repository: ThreadRepository;
  history: () => Promise<History>;
  views: ChatViews;
  unread: UnreadThreads;
}

/** Reveals a thread in the view that shows it, otherwise in the side bar. */
export async function showThread(
  services: { repository: ThreadRepository; views: ChatViews },
  threadId: string,
): Promise<string> {
  const session = await services.repository.open(threadId);
  await services.views.reveal(session);
  return threadId;
}

/**
 * Deletes a thread; its views then show the active thread.
 * @returns a function that restores the thread, and shows it in those views again if they are still unused
 */
export async function removeThread(services: ThreadActionsServices, threadId: string): Promise<() => Promise<void>> {
  const { history, repository, sessions, unread, views } = services;
  const store = await history();
  const shown = sessions.get(threadId);
  await sessions.remove(threadId);
  const restore = await store.remove(threadId);
  unread.forget(threadId);
  const left = shown ? views.of(shown) : [];
  if (left.length === 0) return restore;
  const instead = sessions.active;
  for (const view of left) views.showIn(view, instead);
  return async () => {
    await restore();
    if (instead.thread.turns.length > 0 || sessions.draft(instead.thread.id).text !== '') return;
    const session = await repository.open(threadId);
    for (const view of views.of(instead)) if (left.includes(view)) views.showIn(view, session);
  };
}

/** Exports a thread as Markdown or JSON, depending on the extension of the file that the user picks. */
export async function exportThread(
  services: { log: Log; history: () => Promise<History> },
  threadId: string,
  title: string,
): Promise<void> {
  const proposal = proposedFile(title || t('Conversation'), 'md');
  const target = await vscode.window.showSaveDialog({
    title: t('Export chat'),
    ...(proposal ? { defaultUri: proposal } : {}),
    filters: { Markdown: ['md'], JSON: ['json'] },
  });
  if (!target) return;
  const store = await services.history();
  const text = /\.json$/i.test(target.path) ? await store.exportJson(threadId) : await store.exportMarkdown(threadId);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(services.log.redactDocument(text)));
  void showInformationMessage(t('The chat was exported.'));
}

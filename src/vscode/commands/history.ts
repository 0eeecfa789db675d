/** Commands that list, open, export, import and delete stored threads. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { titleOf } from '../../shared/thread/turns.ts';
import { type Command, askWithWarning, showInformationMessage } from '../host/notify.ts';
import { warnOfImages } from '../views/attachments.ts';
import { exportThread, showThread } from '../threads/threadLists.ts';
import type { Services } from '../services.ts';

/** Shows the history in the side bar. */
export const showHistory: Command<Services<'sessions' | 'views'>> = async (services) => {
  await services.views.focus(services.views.sideBarSession ?? services.sessions.active, 'history');
};

/** @param argument `{threadId}` of a stored thread; if omitted, the history is shown */
export const openThread: Command<Services<'sessions' | 'repository' | 'views'>> = async (services, argument) => {
  const threadId = textIn(argument, 'threadId');
  return threadId === undefined ? showHistory(services) : showThread(services, threadId);
};

export const exportChat: Command<Services<'log' | 'sessions' | 'history'>> = async (services) => {
  const { thread } = services.sessions.active;
  if (thread.turns.length === 0) {
    void showInformationMessage(t('There is nothing to export in this chat yet.'));
    return;
  }
  await exportThread(services, thread.id, titleOf(thread));
};

/** Imports an exported thread and opens it as read-only. @returns its id, or undefined if the user cancels */
export const importChat: Command<Services<'repository' | 'history' | 'views'>> = async (services) => {
  const [source] = (await vscode.window.showOpenDialog({ title: t('Import chat'), filters: { JSON: ['json'] } })) ?? [];
  if (!source) return undefined;
  const bytes = await vscode.workspace.fs.readFile(source);
  const { thread, problems } = await (await services.history()).importJson(new TextDecoder().decode(bytes));
  warnOfImages(problems);
  return showThread(services, thread.id);
};

export const clearHistory: Command<Services<'sessions' | 'history' | 'views' | 'unread'>> = async (services) => {
  const clear = t('Delete all chats');
  const choice = await askWithWarning(
    t('Permanently delete all chats on this machine? The service may keep its own copies.'),
    '',
    clear,
  );
  if (choice !== clear) return;
  for (const { thread } of services.sessions.all) await services.sessions.remove(thread.id);
  await (await services.history()).clear();
  services.unread.clear();
  const session = services.sessions.create();
  for (const view of services.views.all) services.views.showIn(view, session);
};

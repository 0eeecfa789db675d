/** Commands that list, open, export, import and delete stored threads. */
import * as vscode from 'vscode';
import { titleOf } from '../../chat/history/title.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from '../app.ts';
import { askWithWarning, showInformationMessage } from '../host/notify.ts';
import { warnOfImages } from '../views/images.ts';
import { exportThread, showThread } from '../threads/threadActions.ts';

/** Shows the history in the side bar. */
export const showHistory: Command = async (app) => {
  const view = await app.views.focus(app.views.sideBarSession ?? app.sessions.active);
  view?.post({ type: 'focus', what: 'history' });
};

/** @param argument `{threadId}` of a stored thread; if omitted, the history is shown */
export const openThread: Command = async (app, argument) => {
  const threadId = textIn(argument, 'threadId');
  return threadId === undefined ? showHistory(app) : showThread(app, threadId);
};

export const exportChat: Command = async (app) => {
  const { thread } = app.sessions.active;
  if (thread.turns.length === 0) {
    void showInformationMessage(t('There is nothing to export in this chat yet.'));
    return;
  }
  await exportThread(app, thread.id, titleOf(thread));
};

/** Imports an exported thread and opens it as read-only. @returns its id, or undefined if the user cancels */
export const importChat: Command = async (app) => {
  const [source] = (await vscode.window.showOpenDialog({ title: t('Import chat'), filters: { JSON: ['json'] } })) ?? [];
  if (!source) return undefined;
  const bytes = await vscode.workspace.fs.readFile(source);
  const { thread, problems } = await (await app.history()).importJson(new TextDecoder().decode(bytes));
  warnOfImages(problems);
  return showThread(app, thread.id);
};

export const clearHistory: Command = async (app) => {
  const clear = t('Delete all chats');
  const choice = await askWithWarning(
    t('Permanently delete all chats on this machine? The service may keep its own copies.'),
    '',
    clear,
  );
  if (choice !== clear) return;
  for (const { thread } of app.sessions.all) await app.sessions.remove(thread.id);
  await (await app.history()).clear();
  app.unread.clear();
  const session = app.sessions.create();
  for (const view of app.views.all) app.views.showIn(view, session);
};

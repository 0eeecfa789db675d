/** Commands that show the history, and open, export, import and delete threads. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { importThread } from '../../shared/text/threadJson.ts';
import type { Command } from '../host/command.ts';
import { askWithWarning, showInformationMessage, showWarningMessage } from '../host/notify.ts';
import type { Services } from '../services.ts';
import { exportThread, showThread, warnOfImages } from './threadActions.ts';

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
  const { active } = services.sessions;
  if (active.thread.turns.length === 0) {
    void showInformationMessage(t('There is nothing to export in this chat yet.'));
    return;
  }
  await exportThread(services, active.thread.id, services.sessions.titleOf(active));
};

/** Imports an exported thread and opens it as read-only. @returns its id, or undefined if the user cancels */
export const importChat: Command<Services<'repository' | 'history' | 'views'>> = async (services) => {
  const filters = { [t('Exported chats')]: ['json', 'md'] };
  const [source] = (await vscode.window.showOpenDialog({ title: t('Import chat'), filters })) ?? [];
  if (!source) return undefined;
  if (/\.md$/i.test(source.path))
    throw new Error(t('A Markdown file has only the text of a chat. Export the chat as JSON to import it.'));
  const bytes = await vscode.workspace.fs.readFile(source);
  const text = new TextDecoder().decode(bytes);
  const { thread, about, problems, invalid } = importThread(text, crypto.randomUUID());
  await (await services.history()).add(thread, about);
  warnOfImages(problems);
  if (invalid > 0)
    void showWarningMessage(
      plural(
        invalid,
        '{0} part of the chat is invalid and was left out.|{0} parts of the chat are invalid and were left out.',
      ),
    );
  return showThread(services, thread.id);
};

export const clearHistory: Command<Services<'sessions' | 'repository' | 'history' | 'views' | 'unread'>> = async (
  services,
) => {
  const clear = t('Delete all chats');
  const choice = await askWithWarning(
    t('Permanently delete all chats on this machine? The service may keep its own copies.'),
    '',
    clear,
  );
  if (choice !== clear) return;
  const history = await services.history();
  const closing = services.sessions.all.map((session) => {
    services.repository.discard(session);
    return services.sessions.remove(session.thread.id);
  });
  // No view may continue with a closed session, neither while answers are stopped nor if the history can't be cleared.
  const session = services.sessions.create();
  for (const view of services.views.all) services.views.showIn(view, session);
  // Don't wait until the answers are stopped, which can take seconds: the user may close the window or ask again.
  await history.clear();
  services.unread.clear();
  await Promise.all(closing);
};

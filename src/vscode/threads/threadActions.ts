/** Actions on stored threads: shows, deletes and exports them. */
import { t } from '../../shared/text/l10n.ts';
import { threadText } from '../../shared/text/threadText.ts';
import { threadJson } from '../../shared/text/threadJson.ts';
import type { Home, Thread } from '../../shared/thread/model.ts';
import { askWhereToSave, writeText } from '../host/files.ts';
import { showInformationMessage, showWarningMessage, showWritten } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';
import type { Services } from '../services.ts';

export type ThreadActionsServices = Services<'sessions' | 'repository' | 'history' | 'views' | 'unread'>;

/** Reveals a thread in the view that shows it, otherwise in the side bar. */
export async function showThread(services: Services<'repository' | 'views'>, threadId: string): Promise<string> {
  const session = await services.repository.open(threadId);
  await services.views.reveal(session);
  return threadId;
}

/** Opens the thread of an answer that no view has shown, which adds it to the history. */
export async function showAnswer(
  services: Services<'sessions' | 'repository' | 'views'>,
  thread: Thread | undefined,
  home: Home | undefined,
): Promise<void> {
  if (thread?.chatId === undefined) {
    void showInformationMessage(t('There is no chat to open: the question didn’t reach the service.'));
    return;
  }
  const session = services.sessions.add(thread, undefined, home);
  await services.repository.keep(session);
  await services.views.reveal(session);
}

/** Deletes a thread; its views then show the active thread. @returns a function that restores the thread */
export async function removeThread(
  { history, sessions, unread, views }: ThreadActionsServices,
  threadId: string,
): Promise<() => Promise<void>> {
  const store = await history();
  const shown = sessions.get(threadId);
  const closing = sessions.remove(threadId);
  // No view may continue with the closed session, neither while its answer is stopped nor if it can't be deleted.
  for (const view of shown ? views.of(shown) : []) views.showIn(view, sessions.active);
  await closing;
  const restore = await store.remove(threadId);
  unread.forget(threadId);
  return restore;
}

/** Exports a thread as Markdown or JSON, depending on the extension of the file: the user may have typed the other one. */
export async function exportThread(
  services: Services<'log' | 'history'>,
  threadId: string,
  title: string,
): Promise<void> {
  const formats = [
    { label: t('Markdown'), detail: t('To read and share. It can’t be imported again.'), ending: 'md' },
    { label: t('JSON'), detail: t('The complete chat, which Import Chat… opens again.'), ending: 'json' },
  ];
  const dialog = t('Export chat');
  const chosen = await showQuickPick(formats, { title: dialog, placeHolder: t('Select a file format') });
  const target =
    chosen && (await askWhereToSave(dialog, { [chosen.label]: [chosen.ending] }, title || t('Conversation')));
  if (!target) return;
  const { meta, thread } = await (await services.history()).read(threadId);
  const isJson = /\.json$/i.test(target.path);
  const text = isJson ? threadJson(meta, thread, Date.now()) : threadText(meta.title, thread);
  await writeText(target, services.log.redactDocument(text));
  void showWritten(target, t('The chat was exported.'));
}

/** @param problems of images that were left out of an imported file */
export function warnOfImages(problems: readonly string[]): void {
  if (problems.length > 0) void showWarningMessage(t('Images not attached: {0}', problems.slice(0, 3).join(' ')));
}

/** What can be done with a thread of the history, from the palette and from the list in a view alike. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { proposedFile } from '../results/proposedFile.ts';
import type { App } from '../app.ts';
import { showInformationMessage } from '../host/notify.ts';

/** Opens a thread where it is shown already, else in the side bar. */
export async function showThread(app: App, threadId: string): Promise<string> {
  const session = await app.keeper.open(threadId);
  await app.views.reveal(session);
  return threadId;
}

/**
 * Deletes a thread; views that showed it show a new one.
 * @returns brings it back, into those views too where nothing has been done in them since
 */
export async function removeThread(app: App, threadId: string): Promise<() => Promise<void>> {
  const { history, keeper, sessions, unseen, views } = app;
  const store = await history();
  const shown = sessions.get(threadId);
  await sessions.remove(threadId);
  const restore = await store.remove(threadId);
  unseen.forget(threadId);
  const left = shown ? views.of(shown) : [];
  if (left.length === 0) return restore;
  const instead = sessions.active;
  for (const view of left) views.showIn(view, instead);
  return async () => {
    await restore();
    if (instead.thread.turns.length > 0 || sessions.draft(instead.thread.id).text !== '') return;
    const session = await keeper.open(threadId);
    for (const view of views.of(instead)) if (left.includes(view)) views.showIn(view, session);
  };
}

/** Asks for a file, and writes the thread there as Markdown or JSON. */
export async function exportThread(app: App, threadId: string, title: string): Promise<void> {
  const proposal = proposedFile(title || t('Conversation'), 'md');
  const target = await vscode.window.showSaveDialog({
    title: t('Export chat'),
    ...(proposal ? { defaultUri: proposal } : {}),
    filters: { Markdown: ['md'], JSON: ['json'] },
  });
  if (!target) return;
  const store = await app.history();
  const text = /\.json$/i.test(target.path) ? await store.exportJson(threadId) : await store.exportMarkdown(threadId);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(app.log.redactDocument(text)));
  void showInformationMessage(t('The chat was exported.'));
}

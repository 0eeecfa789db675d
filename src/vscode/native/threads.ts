/** The threads that VS Code's own chat, tools, links and other extensions ask in; the views stay as they are. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { emptyThread } from '../../shared/thread/model.ts';
import type { App } from '../app.ts';

/** @returns a new thread that no view shows */
export const newSession = (app: App): ChatSession => app.sessions.add(emptyThread(crypto.randomUUID()));

/** @returns the thread, opened from the history if need be; undefined when it is gone or can only be read */
export async function sessionOf(app: App, threadId: string): Promise<ChatSession | undefined> {
  const session = await app.keeper.open(threadId).catch(() => undefined);
  return session === undefined || app.keeper.isReadOnly(threadId) ? undefined : session;
}

/**
 * @returns the thread with the service's id, which an imported copy of it has, too, that can only be read; one that is
 * unknown here is read from the service
 */
export async function sessionOfChat(app: App, chatId: string): Promise<ChatSession> {
  const open = app.sessions.all.find(({ thread }) => thread.chatId === chatId && !app.keeper.isReadOnly(thread.id));
  if (open) return open;
  const threads = await (await app.history()).list();
  const kept = threads.find((meta) => meta.chatId === chatId && !meta.readOnly);
  const known = kept && (await sessionOf(app, kept.id));
  if (known) return known;
  const session = newSession(app);
  session.dispatch([{ type: 'named', chatId }]);
  await session.load();
  return session;
}

/** Forgets a thread in which nothing was asked after all, so that no history lists it. */
export async function discardIfEmpty(app: App, { thread }: ChatSession): Promise<void> {
  if (thread.turns.length > 0) return;
  const history = await app.history();
  await app.sessions.remove(thread.id);
  // It may never have been written.
  await history.remove(thread.id).catch(() => undefined);
}

/** Opens and discards threads for front ends without a view: VS Code's chat, tools and other extensions. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { emptyThread } from '../../shared/thread/model.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { History } from '../../chat/history/history.ts';

export interface BackgroundThreadsServices {
  sessions: Sessions;
  repository: ThreadRepository;
  history: () => Promise<History>;
}

/** @returns a new thread that is not shown in any view */
export const newSession = (services: { sessions: Sessions }): ChatSession =>
  services.sessions.add(emptyThread(crypto.randomUUID()));

/** @returns the thread, loaded from the history if needed; undefined if it can't be opened or is read-only */
export async function sessionOf(
  services: { repository: ThreadRepository },
  threadId: string,
): Promise<ChatSession | undefined> {
  const session = await services.repository.open(threadId).catch(() => undefined);
  return session === undefined || services.repository.isReadOnly(threadId) ? undefined : session;
}

/**
 * Finds a writable thread by its `chatId`, skipping imported read-only copies with the same id.
 * @returns the open or stored thread; an unknown one is loaded from the service
 */
export async function sessionOfChat(services: BackgroundThreadsServices, chatId: string): Promise<ChatSession> {
  const open = services.sessions.all.find(
    ({ thread }) => thread.chatId === chatId && !services.repository.isReadOnly(thread.id),
  );
  if (open) return open;
  const threads = await (await services.history()).list();
  const kept = threads.find((meta) => meta.chatId === chatId && !meta.readOnly);
  const known = kept && (await sessionOf(services, kept.id));
  if (known) return known;
  const session = newSession(services);
  session.dispatch([{ type: 'named', chatId }]);
  await session.load();
  return session;
}

/** Removes a thread without turns from the open threads and the history. */
export async function discardIfEmpty(
  services: { sessions: Sessions; history: () => Promise<History> },
  { thread }: ChatSession,
): Promise<void> {
  if (thread.turns.length > 0) return;
  const history = await services.history();
  await services.sessions.remove(thread.id);
  // Fails if the thread was never saved, which is fine.
  await history.remove(thread.id).catch(() => undefined);
}

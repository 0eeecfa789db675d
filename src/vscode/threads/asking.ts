/** Asks questions in threads without a view: for VS Code's chat, tools and other extensions. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import { type ThreadError, emptyThread } from '../../shared/thread/model.ts';
import { isRunning, shownTurns, type ShownTurn } from '../../shared/thread/turns.ts';
import type { Services } from '../services.ts';

export type BackgroundThreadsServices = Services<'sessions' | 'repository' | 'history'>;

/** @returns a new thread that is not shown in any view */
export const newSession = (services: Services<'sessions'>): ChatSession =>
  services.sessions.add(emptyThread(crypto.randomUUID()));

/** @returns the thread, loaded from the history if needed; undefined if it can't be opened or is read-only */
export async function sessionOf(services: Services<'repository'>, threadId: string): Promise<ChatSession | undefined> {
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
async function discardIfEmpty(services: Services<'sessions' | 'history'>, { thread }: ChatSession): Promise<void> {
  if (thread.turns.length > 0) return;
  const history = await services.history();
  await services.sessions.remove(thread.id);
  // Fails if the thread was never saved, which is fine.
  await history.remove(thread.id).catch(() => undefined);
}

export type AskingServices = Services<'log' | 'sessions' | 'history'>;

export interface AskResult {
  session: ChatSession;
  /** Absent when the question never reached the service. */
  turn?: ShownTurn;
  /** The error, with a message for the user. */
  error?: ThreadError;
  stopped: boolean;
}

/**
 * Asks a question as soon as the thread is idle.
 * @param signal stops the answer, locally and on the service
 * @param onTurn called with the turn after each change; secrets in the answer are redacted
 * @returns the outcome; a failed request is reported in `error`, not thrown
 */
export async function askIn(
  services: AskingServices,
  session: ChatSession,
  text: string,
  signal: AbortSignal,
  onTurn?: (turn: ShownTurn) => void,
): Promise<AskResult> {
  while (isRunning(session.thread) && !signal.aborted) await Promise.race([session.idle(), aborted(signal)]);
  const before = new Set(session.thread.turns.map(({ id }) => id));
  const turn = (): ShownTurn | undefined => {
    const found = shownTurns(session.thread).find(
      ({ question }) => question !== undefined && question.content === text && !before.has(question.id),
    );
    return found && settledTurn(services, found);
  };
  let unsent: ThreadError | undefined;
  const changes = services.sessions.onDidChange((change) => {
    if (change.session !== session) return;
    for (const event of change.events) if (event.type === 'unsent') unsent = event.error;
    const now = turn();
    if (now) onTurn?.(now);
  });
  const stop = (): void => void session.abort();
  try {
    if (!signal.aborted) {
      signal.addEventListener('abort', stop, { once: true });
      await session.send({ text, images: [] });
      await session.idle();
      if (!turn()) takeBack(services, session.thread.id, text);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    changes.dispose();
  }
  const asked = turn();
  const outcome = asked?.outcome;
  const error = outcome?.state === 'failed' ? outcome.error : asked ? undefined : unsent;
  await discardIfEmpty(services, session);
  return {
    session,
    turn: asked,
    error,
    stopped: signal.aborted || outcome?.state === 'stopped',
  };
}

/** Removes an unsent question from the composer, where the user would ask it again: it stays where it was asked. */
function takeBack({ sessions }: Services<'sessions'>, threadId: string, question: string): void {
  const draft = sessions.draft(threadId);
  if (`${draft.text}\n`.startsWith(`${question}\n`))
    sessions.keepDraft(threadId, { ...draft, text: draft.text.slice(question.length + 1) });
}

/** @returns the branch and identity of the question, as views show them; undefined if they are unknown */
export function askedText({ branches }: Services<'branches'>, { question }: ShownTurn): string | undefined {
  const { context } = question ?? {};
  return context && t('Asked on branch {0} as {1}', context.branch || branches.main, context.identity);
}

/**
 * The turn for a language model or another extension: with secrets redacted. The last word of an answer that is still
 * streaming is left out, because it may be the beginning of a secret.
 */
function settledTurn({ log }: Services<'log'>, turn: ShownTurn): ShownTurn {
  const { answer } = turn;
  if (!answer) return turn;
  const content = answer.inProcess ? withoutLastWord(answer.content) : answer.content;
  return { ...turn, answer: { ...answer, content: log.redactDocument(content) } };
}

/** Secrets consist of printable ASCII characters. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && /[!-~]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** @param signal one that has not aborted yet */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Asks a question in a thread and waits for the answer, for front ends without a view. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ThreadError } from '../../shared/thread/model.ts';
import { isRunning, shownTurns, type ShownTurn } from '../../shared/thread/turns.ts';
import { discardIfEmpty } from './backgroundThreads.ts';
import type { Log } from '../host/log.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { History } from '../../chat/history/history.ts';

export interface AskingServices {
  log: Log;
  sessions: Sessions;
  history: () => Promise<History>;
}

export interface Asked {
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
): Promise<Asked> {
  while (isRunning(session.thread) && !signal.aborted) await Promise.race([session.idle(), aborted(signal)]);
  const before = new Set(session.thread.turns.map(({ id }) => id));
  const turn = (): ShownTurn | undefined => {
    const found = shownTurns(session.thread).find(
      ({ question }) => question !== undefined && question.content === text && !before.has(question.id),
    );
    return found && withoutSecrets(services, found);
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
    ...(asked ? { turn: asked } : {}),
    ...(error ? { error } : {}),
    stopped: signal.aborted || outcome?.state === 'stopped',
  };
}

/** Redacts secrets, because the answer is passed to a language model or another extension. */
function withoutSecrets({ log }: { log: Log }, turn: ShownTurn): ShownTurn {
  const { answer } = turn;
  return answer
    ? { ...turn, answer: { ...answer, content: log.redactAnswer(answer.content, answer.inProcess, 1) } }
    : turn;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

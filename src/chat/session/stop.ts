/** The active request of a session, and how it is stopped on the service (4.2). */
import { errorFromFetch } from '../../api/errors.ts';
import type { StopOutcome, ThreadEvent } from '../../shared/thread/model.ts';
import type { Clock } from './clock.ts';
import type { Connection } from '../connection/connection.ts';

/** One request of the user, until its answer has ended. */
export class ActiveRequest {
  /** Aborts the stream. */
  readonly controller = new AbortController();
  connection: Promise<Connection | undefined> = Promise.resolve(undefined);
  /** Whether the thread shows it, and whether it was possibly delivered. */
  shown = false;
  requested = false;
  stopped = false;
  /** Whether its answer has ended, so that there is nothing to stop. */
  answered = false;
  ended = false;
  /** Aborted when its thread has received an id, or can no longer get one. */
  readonly named = new AbortController();
  done: Promise<void> = Promise.resolve();
}

/** Of a stopped answer, only the `chatId` is still needed: to stop it on the service. */
export function onlyChatId(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return events.flatMap((event) =>
    event.type === 'line' && event.line.kind === 'cutoff' && event.line.chatId !== undefined
      ? [{ type: 'named', chatId: event.line.chatId }]
      : [],
  );
}

/** Milliseconds to wait for a new thread's id, and for the response to the abort request. */
const PATIENCE = 8000;

/** Tells the service to stop the answer of a thread. */
export async function abortOnService({ client, sessionSettings }: Connection, chatId: string): Promise<StopOutcome> {
  try {
    await client.abort(chatId, sessionSettings, { signal: AbortSignal.timeout(PATIENCE) });
    return 'stopped';
  } catch (failure) {
    const { kind } = errorFromFetch(failure);
    return kind === 'forbidden' || kind === 'notFound' ? kind : 'unreachable';
  }
}

/** @param chatId reads the thread's id; a new thread gets it with the first line of its stream */
export async function stopOnService(
  request: Pick<ActiveRequest, 'connection' | 'controller' | 'named'>,
  chatId: () => string | undefined,
  clock: Clock,
): Promise<StopOutcome> {
  if (chatId() === undefined) await clock.sleep(PATIENCE, request.named.signal);
  request.controller.abort();
  const connection = await request.connection;
  const id = chatId();
  return connection === undefined || id === undefined ? 'unreachable' : abortOnService(connection, id);
}

/** Stops an answer on the service (4.2), and tells truthfully what came of it. */
import { errorFromFetch } from '../../api/errors.ts';
import type { StopOutcome } from '../../shared/thread/model.ts';
import type { Clock } from './clock.ts';
import type { Connection } from '../connection/connection.ts';
import type { Running } from './running.ts';

/** How long to wait for a new thread's id, and for the answer to the abort request; milliseconds. */
const PATIENCE = 8000;

/** Tells the service to stop the answer of a thread. */
export async function abortOnService({ client, sessionSettings }: Connection, chatId: string): Promise<StopOutcome> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    await client.abort(chatId, sessionSettings, { signal: patience.signal });
    return 'stopped';
  } catch (failure) {
    const { kind } = errorFromFetch(failure);
    return kind === 'forbidden' || kind === 'notFound' ? kind : 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}

/** @param chatId reads the thread's id; a new thread gets it with the first line of its stream */
export async function stopOnService(
  running: Pick<Running, 'connection' | 'controller' | 'named'>,
  chatId: () => string | undefined,
  clock: Clock,
): Promise<StopOutcome> {
  if (chatId() === undefined) await clock.sleep(PATIENCE, running.named.signal);
  running.controller.abort();
  const connection = await running.connection;
  const id = chatId();
  return connection === undefined || id === undefined ? 'unreachable' : abortOnService(connection, id);
}

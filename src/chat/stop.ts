/** Stops an answer on the service (4.2), and tells truthfully what came of it. */
import { errorFromFetch } from '../api/errors.ts';
import type { StopOutcome } from '../shared/thread.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';

/** How long to wait for a new thread's id, and for the answer to the abort request; milliseconds. */
const PATIENCE = 8000;
const LOOK_EVERY = 25;

/**
 * @param chatId reads the thread's id; a new thread gets it with the first line of its stream
 * @param stream of the running request; aborted as soon as it is of no more use
 */
export async function stopOnService(
  connection: Connection | undefined,
  chatId: () => string | undefined,
  stream: AbortController | undefined,
  clock: Clock,
): Promise<StopOutcome> {
  const forever = new AbortController().signal;
  if (connection !== undefined && stream !== undefined)
    for (const since = clock.now(); chatId() === undefined && clock.now() - since < PATIENCE;)
      await clock.sleep(LOOK_EVERY, forever);
  stream?.abort();
  const id = chatId();
  if (connection === undefined || id === undefined) return 'unreachable';
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    await connection.client.abort(id, connection.sessionSettings, { signal: patience.signal });
    return 'stopped';
  } catch (failure) {
    const { kind } = errorFromFetch(failure);
    return kind === 'forbidden' || kind === 'notFound' ? kind : 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}

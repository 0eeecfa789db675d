/** Stops the answer of a thread on the service (4.2). */
import { errorFromFetch, PAGE } from '../../api/errors.ts';
import type { StopOutcome } from '../../shared/thread/model.ts';
import type { Connection } from '../connection/connection.ts';

/** Milliseconds to wait for a new thread's id, and for the response to the abort request. */
export const PATIENCE = 8000;

/** Tells the service to stop the answer of a thread. */
export async function abortOnService(
  { client, sessionSettings }: Connection,
  chatId: string,
  patience = PATIENCE,
): Promise<StopOutcome> {
  try {
    await client.abort(chatId, sessionSettings, { signal: AbortSignal.timeout(patience) });
    return 'stopped';
  } catch (failure) {
    const { kind, code } = errorFromFetch(failure);
    // Some gateways forward only the stream requests, and answer this one with a page.
    return code !== PAGE && (kind === 'forbidden' || kind === 'notFound') ? kind : 'unreachable';
  }
}

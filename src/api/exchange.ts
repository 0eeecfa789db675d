/** Sends a request and reads its response, with shared cancellation, stall detection and error conversion. */
import { t } from '../shared/text/l10n.ts';
import { ChatError, errorFromFetch, withoutSecret } from './errors.ts';
import { post, type Caller } from './post.ts';
import { StallTimer } from './stallTimer.ts';

export interface StreamOptions {
  /** Aborting ends the iteration without an error. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of silence after which the stream fails with `stalled`; no limit by default. */
  stallTimeout?: number | undefined;
}

/**
 * @param body JSON
 * @param read reads a successful response, and must touch the timer whenever data arrives
 * @throws ChatError for every failure, with the credential redacted
 */
export async function* exchange<T>(
  caller: Caller,
  url: string,
  body: string,
  { signal, stallTimeout }: StreamOptions,
  read: (response: Response, stall: StallTimer, signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  if (signal?.aborted) return;
  // One controller per request: listeners on a long-lived signal would accumulate.
  const connection = new AbortController();
  const cancel = (): void => connection.abort();
  signal?.addEventListener('abort', cancel, { once: true });
  const stall = new StallTimer(stallTimeout, cancel);
  try {
    const response = await post(caller, url, body, connection.signal);
    stall.touch();
    yield* read(response, stall, connection.signal);
  } catch (failure) {
    if (signal?.aborted) return;
    if (stall.fired && !(failure instanceof ChatError))
      throw new ChatError('stalled', t('The service stopped responding.'), { cause: failure });
    throw withoutSecret(errorFromFetch(failure), caller.secret);
  } finally {
    stall.pause();
    signal?.removeEventListener('abort', cancel);
    connection.abort();
  }
}

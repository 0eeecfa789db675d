/** One request and the reading of what it brings, cancelled together. */
import { t } from '../shared/text/l10n.ts';
import { ChatError, errorFromFetch, withoutSecret } from './errors.ts';
import { post, type Caller } from './post.ts';
import { StallTimer } from './stallTimer.ts';

export interface StreamOptions {
  /** Ends the iteration silently. */
  signal?: AbortSignal | undefined;
  /** Milliseconds of silence after which the stream fails with `stalled`; never by default. */
  stallTimeout?: number | undefined;
}

/**
 * @param body JSON
 * @param read takes what it needs of a successful response, and touches the timer whenever something comes
 * @throws ChatError for every failure, without the credential in it
 */
export async function* exchange<T>(
  caller: Caller,
  url: string,
  body: string,
  { signal, stallTimeout }: StreamOptions,
  read: (response: Response, stall: StallTimer, signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  if (signal?.aborted) return;
  // A controller of its own for each request: listeners on a long-lived signal would pile up.
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
      throw new ChatError('stalled', t('The service has been silent for too long.'), { cause: failure });
    throw withoutSecret(errorFromFetch(failure), caller.secret);
  } finally {
    stall.pause();
    signal?.removeEventListener('abort', cancel);
    connection.abort();
  }
}

/**
 * Sends a request and reads its response, with shared cancellation, stall detection and error conversion. No redirects,
 * no cookies, and only the configured credential.
 */
import { t } from '../shared/text/l10n.ts';
import { decodeLine } from './decode.ts';
import { ChatError, errorFromFetch, withoutSecrets, errorFromStatus } from './errors.ts';
import type { Secrets } from '../shared/text/secrets.ts';
import { requestHeaders, type Credential } from './request.ts';

/** Maximum number of characters to read. */
const LONGEST_MESSAGE = 65_536;

/**
 * Reads the start of a body, long enough for an error message, and cancels the rest. Never throws: a read error ends
 * the text.
 */
export async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (reader && text.length < LONGEST_MESSAGE) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status is reported even without a body.
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
  return text;
}

/** The start of a response whose format is not known yet. */
export class Beginning {
  readonly #decoder = new TextDecoder();
  #text = '';

  add(bytes: Uint8Array): void {
    if (this.#text.length < LONGEST_MESSAGE) this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  get isPage(): boolean {
    return this.#text.trimStart().startsWith('<');
  }

  /** The error of a body that is one JSON value, on several lines or in an array; undefined for any other body. */
  get failure(): ChatError | undefined {
    try {
      const value: unknown = JSON.parse(this.#text);
      const entries: unknown[] = Array.isArray(value) ? value : [value];
      return entries
        .map((entry) => decodeLine({ value: entry, text: JSON.stringify(entry) }))
        .find((line) => line instanceof ChatError);
    } catch {
      return undefined;
    }
  }
}

export interface Caller {
  credential: Credential;
  /** Redacts the credential from the messages of errors. */
  secrets: Secrets;
  fetch: typeof fetch;
}

/** The global `fetch`, looked up at each call, because VS Code replaces it. */
export const hostFetch: typeof fetch = (input, init) => fetch(input, init);

/** Codes of connections that the other side closed. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * Sends a request again if its connection was closed before a response: servers close idle connections at any time.
 * Only for requests that may arrive twice.
 */
export const fetchTwice =
  (fetch: typeof globalThis.fetch): typeof fetch =>
  (input, init) =>
    fetch(input, init).catch((failure: unknown) => {
      if (!CLOSED.includes(errorFromFetch(failure).code ?? '')) throw failure;
      return fetch(input, init);
    });

/**
 * @param body JSON
 * @returns a successful response with an unread body
 * @throws ChatError for any other response, whose body is read for the message; failures of `fetch` are not converted
 */
export async function postJson(
  { credential, secrets, fetch }: Caller,
  url: string,
  body: string,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: requestHeaders(credential),
    body,
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    ...(signal ? { signal } : {}),
  });
  if (response.ok) return response;
  // Before the message is cut, which could leave a part of the credential.
  throw errorFromStatus(response.status, secrets.redact(await readStart(response)), response.headers);
}

/** Milliseconds, the maximum delay of `setTimeout`; with a longer one the timer fires immediately. */
const LONGEST = 2 ** 31 - 1;

/** Bytes per millisecond, about 1 Mbit/s. Until the images of a message have been sent, silence is not a stall. */
const SLOWEST_UPLOAD = 100;

/** A stream of heartbeats alone counts as silence after so many times the timeout. */
const QUIET = 5;

/** Detects that a stream has been silent for too long, or has sent nothing but heartbeats for much longer. */
export class StallTimer {
  readonly #timeout: number | undefined;
  readonly #onStall: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #progressed = performance.now();
  /** Whether the timeout has elapsed. */
  fired = false;

  /**
   * @param timeout milliseconds; undefined or 0 disables the timer
   * @param extra milliseconds that the first data may take longer
   */
  constructor(timeout: number | undefined, onStall: () => void, extra: number) {
    this.#timeout = timeout;
    this.#onStall = onStall;
    this.touch(extra);
  }

  /** Restarts the timer; call it whenever data arrives. */
  touch(extra = 0): void {
    this.pause();
    if (!this.#timeout) return;
    if (performance.now() - this.#progressed > QUIET * this.#timeout + extra) return this.#fire();
    this.#timer = setTimeout(() => this.#fire(), Math.min(this.#timeout + extra, LONGEST));
  }

  /** Restarts both limits; call it after a line that is part of the answer. */
  progress(): void {
    this.#progressed = performance.now();
    this.touch();
  }

  #fire(): void {
    this.fired = true;
    this.#onStall();
  }

  /** Stops the timer until the next `touch`. */
  pause(): void {
    clearTimeout(this.#timer);
  }
}

export interface StreamOptions {
  /** Aborting ends the iteration without an error. */
  signal?: AbortSignal;
  /** Milliseconds of silence after which the stream fails with `stalled`; no limit by default. */
  stallTimeout?: number;
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
  signal?.addEventListener('abort', cancel);
  const stall = new StallTimer(stallTimeout, cancel, Math.floor(body.length / SLOWEST_UPLOAD));
  try {
    const response = await postJson(caller, url, body, connection.signal);
    stall.progress();
    yield* read(response, stall, connection.signal);
  } catch (failure) {
    if (signal?.aborted) return;
    if (stall.fired && !(failure instanceof ChatError))
      throw new ChatError('stalled', t('The service stopped responding.'), { cause: failure });
    throw withoutSecrets(errorFromFetch(failure), caller.secrets);
  } finally {
    stall.pause();
    signal?.removeEventListener('abort', cancel);
    connection.abort();
  }
}

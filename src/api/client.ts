/** The client of the chat API: stream requests (4.1) and abort requests (4.2). */
import { t } from '../shared/text/l10n.ts';
import { Secrets } from '../shared/text/secrets.ts';
import type { ChatRequest, SessionSettings, StreamLine } from '../shared/wire/streamLines.ts';
import { chatAddresses, type ChatAddresses } from './address.ts';
import { decodeLine } from './decode.ts';
import { ChatError, errorFromFetch, errorFromLine, statusWords, withoutSecrets } from './errors.ts';
import {
  Beginning,
  exchange,
  fetchTwice,
  hostFetch,
  postJson,
  readStart,
  type Caller,
  type StallTimer,
  type StreamOptions,
} from './exchange.ts';
import { NdjsonParser, type ParsedLine } from './ndjson.ts';
import { renewed, renewing } from './renewal.ts';
import { abortBody, streamBody, type Credential } from './request.ts';

export { ChatError } from './errors.ts';
export type { StreamOptions } from './exchange.ts';
export type { Credential } from './request.ts';

export interface ChatClientOptions {
  /** As pasted from the agent's settings, with or without `/chat/stream-chat-state` and trailing slashes. */
  chatApiUrl: string;
  credential: Credential;
  fetch?: typeof fetch;
  /** Called with every line and its text before the line is yielded. */
  onLine?: (line: StreamLine, text: string) => void;
}

export class ChatClient {
  readonly addresses: ChatAddresses;
  readonly #caller: Caller;
  readonly #onLine: ChatClientOptions['onLine'];

  /** @throws ChatError `badRequest` for an invalid or insecure URL */
  constructor(options: ChatClientOptions) {
    this.addresses = chatAddresses(options.chatApiUrl);
    const { credential, fetch = hostFetch } = options;
    this.#caller = { credential, secrets: new Secrets(credential.value), fetch };
    this.#onLine = options.onLine;
  }

  /**
   * Sends a message, attaches to a running answer, or loads a thread (4.1), and yields the lines of the response.
   * Leaving the loop cancels the request.
   * @throws ChatError for every failure, including an error line in the stream
   */
  async *stream(request: ChatRequest, options: StreamOptions = {}): AsyncGenerator<StreamLine, void, undefined> {
    for await (const lines of this.streamBatches(request, options)) yield* lines;
  }

  /** Same as `stream`, but yields all lines of a network chunk together. */
  async *streamBatches(
    request: ChatRequest,
    options: StreamOptions = {},
  ): AsyncGenerator<StreamLine[], void, undefined> {
    const body = streamBody(request, this.#caller.credential.kind);
    yield* renewing(this.#caller, (caller) =>
      exchange(caller, this.addresses.stream, body, options, (response, stall, signal) =>
        readLines(response, stall, signal, this.#onLine),
      ),
    );
  }

  /**
   * Stops the running answer of a thread (4.2). Resolves when the service has answered 204.
   * @param sessionSettings as in 2.2; ignored with a service token
   * @throws ChatError for any other response: `forbidden` if the caller does not own the thread, `notFound` if it does
   * not exist
   */
  async abort(chatId: string, sessionSettings?: SessionSettings, { signal }: StreamOptions = {}): Promise<void> {
    const body = abortBody(chatId, this.#caller.credential.kind, sessionSettings);
    try {
      const caller = { ...(await renewed(this.#caller)), fetch: fetchTwice(this.#caller.fetch) };
      const response = await postJson(caller, this.addresses.abort, body, signal);
      const text = await readStart(response);
      if (response.status === 204) return;
      const [error] = failuresIn(text);
      throw error ?? new ChatError('protocol', statusWords(response.status), { status: response.status });
    } catch (failure) {
      throw withoutSecrets(errorFromFetch(failure), this.#caller.secrets);
    }
  }
}

/** The errors reported in an NDJSON body. */
function failuresIn(text: string): ChatError[] {
  const parser = new NdjsonParser();
  const lines = [...parser.push(new TextEncoder().encode(text)), ...parser.flush()];
  return lines.map(decodeLine).filter((line) => line instanceof ChatError);
}

const isHtml = (response: Response): boolean => (response.headers.get('content-type') ?? '').includes('text/html');

/** A line that was cut off may be the start of a valid response. */
const isCutOff = (line: ParsedLine): boolean => 'problem' in line && line.text.trimStart().startsWith('{');

async function* readLines(
  response: Response,
  stall: StallTimer,
  signal: AbortSignal,
  onLine: ChatClientOptions['onLine'],
): AsyncGenerator<StreamLine[], void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  // Every request is aborted at its end; some `fetch` implementations do not cancel the body then.
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
  const parser = new NdjsonParser();
  const beginning = new Beginning();
  let understood = false;
  let hasLines = false;
  for (;;) {
    const { done, value } = await reader.read();
    signal.throwIfAborted();
    stall.touch();
    if (value) beginning.add(value);
    // Check the content as well: gateways send valid streams with a wrong content type.
    if (!understood && isHtml(response) && beginning.isPage)
      throw new ChatError('protocol', t('The server sent a web page instead of an answer.'), {
        status: response.status,
      });
    const parsed = done ? parser.flush() : parser.push(value);
    const { lines, failure } = decodeAll(parsed, onLine);
    understood ||= lines.some(({ kind }) => kind !== 'unknown');
    hasLines ||= lines.length > 0;
    // Pause the timer while the consumer runs: only the service's silence counts.
    stall.pause();
    if (lines.length > 0) yield lines;
    if (lines.some(({ kind }) => kind !== 'unknown')) stall.progress();
    else stall.touch();
    // After the first valid line the credential was accepted, so this is not an `auth` error.
    if (failure !== undefined) throw understood && failure.kind === 'auth' ? errorFromLine(failure.message) : failure;
    if (!done) continue;
    if (hasLines && !understood && !parsed.some(isCutOff))
      throw (
        beginning.failure ??
        new ChatError('protocol', t('The server’s response is not a Chat API response.'), { status: response.status })
      );
    return;
  }
}

/** @returns the lines before the first failure, and that failure */
function decodeAll(
  parsed: readonly ParsedLine[],
  onLine: ChatClientOptions['onLine'],
): { lines: StreamLine[]; failure?: ChatError } {
  const lines: StreamLine[] = [];
  for (const each of parsed) {
    const line = decodeLine(each);
    if (line instanceof ChatError) return { lines, failure: line };
    onLine?.(line, each.text);
    lines.push(line);
  }
  return { lines };
}

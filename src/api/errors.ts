/** `ChatError`, the only error type of the API client, and its mapping from responses and failures (part 7). */
import { fieldsOf, textIn } from '../shared/text/checks.ts';
import { t } from '../shared/text/l10n.ts';
import type { Secrets } from '../shared/text/secrets.ts';

export type ChatErrorKind =
  | 'auth'
  | 'badRequest'
  | 'notFound'
  | 'forbidden'
  | 'busy'
  | 'rateLimited'
  | 'server'
  | 'network'
  | 'stalled'
  | 'protocol'
  | 'stream';

export interface ChatErrorDetails {
  /** HTTP status, if there was a response. */
  status?: number;
  /** Code of a network failure, such as `ECONNREFUSED`, or a code of this client, such as `PAGE`. */
  code?: string;
  /** Milliseconds to wait before a retry, as requested by the service. */
  retryAfter?: number;
  cause?: unknown;
}

/** A failure of a request or of its stream. `message` is one line of plain text that can be shown to the user. */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly kind: ChatErrorKind;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(kind: ChatErrorKind, message: string, details: ChatErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.code = details.code;
    this.retryAfter = details.retryAfter;
  }

  /** Whether the service does not know the requested branch. */
  get badBranch(): boolean {
    return /\bbad branch\b/i.test(this.message);
  }

  /** Whether TLS failed, usually because of the certificate, so that a retry cannot succeed. */
  get untrusted(): boolean {
    return this.kind === 'network' && /CERT|SSL|TLS|UNABLE_TO/.test(this.code ?? '');
  }

  /** Whether the service asks to wait before the next request. */
  get asksToWait(): boolean {
    return this.kind === 'rateLimited' || this.retryAfter !== undefined;
  }

  /** Whether the service rejected the request only for now, so that a retry may succeed. */
  get untimely(): boolean {
    return this.kind === 'badRequest' && UNTIMELY.includes(this.status);
  }
}

/** Conflict, locked, too early, and the status of gateways for a client that closed the request. */
const UNTIMELY: readonly (number | undefined)[] = [409, 423, 425, 499];

const PROXY_AUTH = 'PROXY_AUTH';
/** Start of the code of a tunnel that a proxy refused with another status, which follows. */
export const PROXY = 'PROXY_';
/** Code of a “not found” or “forbidden” response that is an HTML page: it does not come from the chat API. */
export const PAGE = 'PAGE';
const TOKENS_ONLY = /agentId is required for api-?key authentication/i;
const BUSY = /streaming for (?:this )?thread is in progress/i;

/** Maximum number of characters that are processed; a service may send a whole page. */
const MESSAGE_START = 4000;

/** @returns one line of plain text from the text of a service; empty for HTML and XML */
function plainLine(sent: string): string {
  const text = sent.slice(0, MESSAGE_START);
  if (/<[/?]?(?:!doctype|xml|html|head|body|title|center|style|script|table|div|pre|p|h\d)\b/i.test(text)) return '';
  // The first line of a stack trace is the message.
  const line = text.trim().split(/\n|\sat \S+ \([^()\s]*:\d+\)/, 1)[0] ?? '';
  const visible = line.replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, ' ').trim();
  return visible.length > 300 ? `${visible.slice(0, 299)}…` : visible;
}

/** The message for an error without one. */
export const unexplained = (): string => t('The service reported an error.');

/** Converts an error line of the stream, `{error: <string>}`. */
export function errorFromLine(text: string): ChatError {
  return new ChatError(BUSY.test(text) ? 'busy' : 'stream', plainLine(text) || unexplained());
}

/** Converts a JSON-RPC error object in a 200 response, which is how the service rejects a credential. */
export function errorFromJsonRpc(error: Record<string, unknown>): ChatError {
  const text = textIn(error, 'message') ?? '';
  const message = plainLine(text) || unexplained();
  if (BUSY.test(text)) return new ChatError('busy', message, { status: 200 });
  const kind = /\bbad branch\b|BadRequestError/i.test(text) ? 'badRequest' : 'auth';
  return new ChatError(kind, message, { status: 200 });
}

/** @param explained whether the body is JSON that contains an error message */
function kindOfStatus(status: number, explained: boolean): ChatErrorKind {
  if (status === 400 || status === 413 || status === 415 || status === 422) return 'badRequest';
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 407) return 'network';
  if (status === 429) return 'rateLimited';
  if (status === 408 || status >= 500) return 'server';
  // HTML or an empty body does not come from the chat API.
  return explained ? 'badRequest' : 'protocol';
}

/** Fields of errors in JSON. `error` and `title` come last: next to a message, they are usually the name of the status. */
const MESSAGE_FIELDS = ['message', 'detail', 'msg', 'error_description', 'errors', 'error', 'title'];

/** @returns the first message in an error, or in a list of errors; empty if there is none */
function messageIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const parts: unknown[] = Array.isArray(value) ? value : MESSAGE_FIELDS.map((field) => fieldsOf(value)[field]);
  return parts.map(messageIn).find((text) => text !== '') ?? '';
}

/** The message of an error body: JSON in one of the usual forms, or plain text. */
function messageOfBody(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return plainLine(typeof value === 'object' && value !== null ? messageIn(value) : String(value));
  } catch {
    return plainLine(body);
  }
}

/** Parses seconds or a time, which is read from the clock of the service. @returns milliseconds */
function readRetryAfter(headers: Headers): number | undefined {
  const header = headers.get('retry-after');
  if (!header) return undefined;
  const seconds = Number(header);
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** The message for a response without one. */
export const statusWords = (status: number): string => t('The service returned status {0}.', status);

/** @param body the text of the response, in any format */
export function errorFromStatus(status: number, body: string, headers: Headers): ChatError {
  if (TOKENS_ONLY.test(body))
    return new ChatError(
      'badRequest',
      t('This Chat API URL accepts only service tokens. Enter the URL of the agent, or use a service token.'),
      { status, code: 'TOKENS_ONLY' },
    );
  const message = messageOfBody(body);
  const explained = message !== '' && body.trimStart().startsWith('{');
  const kind = BUSY.test(body) ? 'busy' : kindOfStatus(status, explained);
  const retryAfter = readRetryAfter(headers);
  const isPage = (kind === 'notFound' || kind === 'forbidden') && body.trimStart().startsWith('<');
  const code = status === 407 ? PROXY_AUTH : isPage ? PAGE : undefined;
  return new ChatError(kind, message || statusWords(status), { status, code, retryAfter });
}

/** A failure and its causes: the reason of a failed `fetch` is often several levels deep. */
function* chainOf(failure: unknown): Generator<Error> {
  let at = failure;
  for (let depth = 0; at instanceof Error && depth < 6; depth += 1) {
    yield at;
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined);
  }
}

/** The code of a failed `fetch`; for some failures without one, a code of this client. */
function codeOf(failure: unknown): string | undefined {
  for (const error of chainOf(failure)) {
    // If a proxy refuses a tunnel, only the message says so. Its plain 407 response is a cause without message and
    // code.
    if (
      (/\bproxy\b/i.test(error.message) && /\b407\b/.test(error.message)) ||
      (error !== failure && error.message === '' && !('code' in error))
    )
      return PROXY_AUTH;
    const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
    if (status !== undefined) return `${PROXY}${status}`;
    if (error.name === 'HTTPParserError') return 'NOT_HTTP';
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code !== '') return code;
  }
  return undefined;
}

const saysRedirect = (failure: unknown): boolean =>
  [...chainOf(failure)].some(({ message }) => /redirect/i.test(message));

/** @returns the error with the credential redacted from its message, which is shown, logged and saved in many places */
export function withoutSecrets(error: ChatError, secrets: Secrets): ChatError {
  const message = secrets.redact(error.message);
  if (message === error.message) return error;
  const { kind, status, code, retryAfter, cause } = error;
  return new ChatError(kind, message, { status, code, retryAfter, cause });
}

/** Converts a failure of `fetch` or of reading a body. A `ChatError` is returned unchanged. */
export function errorFromFetch(failure: unknown): ChatError {
  if (failure instanceof ChatError) return failure;
  if (saysRedirect(failure))
    return new ChatError('protocol', t('The service redirects to another URL. Redirects are not followed.'), {
      code: 'REDIRECT',
      cause: failure,
    });
  const code = codeOf(failure);
  const text = failure instanceof Error ? plainLine(failure.message) : '';
  // The message of a failed `fetch` says less than the code: “fetch failed” or “terminated”.
  const message = code === undefined ? text || t('The connection failed.') : t('The connection failed ({0}).', code);
  return new ChatError('network', message, { code, cause: failure });
}

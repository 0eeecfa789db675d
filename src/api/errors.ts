/** The one error of the stream client (part 7 of the specification). */
import { t } from '../shared/text/l10n.ts';
import type { Secret } from '../shared/secret.ts';

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
  /** HTTP status, when there was a response. */
  status?: number;
  /** System or library code of a network failure, such as `ECONNREFUSED`. */
  code?: string;
  /** How long the service asks to wait, in milliseconds. */
  retryAfter?: number;
  cause?: unknown;
}

/** A failure of a request or of its stream. `message` is one line of plain text, fit to be shown. */
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

  /** The service does not know the branch that was asked for. */
  get badBranch(): boolean {
    return /\bbad branch\b/i.test(this.message);
  }

  /** Nobody vouches for the service, so that no further try will reach it. */
  get untrusted(): boolean {
    return this.kind === 'network' && /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(this.code ?? '');
  }

  /** The service was asked at the wrong moment: the same request may be taken in the next. */
  get untimely(): boolean {
    return this.kind === 'badRequest' && UNTIMELY.includes(this.status ?? 0);
  }
}

/** Conflict, locked, too early, and what gateways answer when a client seems to be gone. */
const UNTIMELY: readonly number[] = [409, 423, 425, 499];

const PROXY_AUTH = 'PROXY_AUTH';
/** Code of a “not found” that came as a page for people: no program has looked for anything. */
export const PAGE = 'PAGE';
const BUSY = /streaming for (?:this )?thread is in progress/i;

/** Characters of a message that are looked at; a service may send a whole page, or more. */
const MESSAGE_START = 4000;

/** @returns one line of plain text out of what a service sent; empty when it is a page of HTML */
function plainLine(sent: string): string {
  const text = sent.slice(0, MESSAGE_START);
  if (/<\/?(?:!doctype|html|head|body|title|center|style|script|table|div|pre|p|h\d)\b/i.test(text)) return '';
  // Of a stack, the first line is the message.
  const line = text.trim().split(/\n|\sat \S+ \(/, 1)[0] ?? '';
  const clean = line.replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, ' ').trim();
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

/** An error line of the stream, `{error: <string>}`. */
export function errorFromLine(text: string): ChatError {
  return new ChatError(BUSY.test(text) ? 'busy' : 'stream', plainLine(text) || t('The service reported an error.'));
}

/** A JSON-RPC error object inside a 200 response: how the service refuses a credential. */
export function errorFromJsonRpc(error: Record<string, unknown>): ChatError {
  const text = typeof error.message === 'string' ? error.message : '';
  const message = plainLine(text) || t('The service refused the request.');
  if (BUSY.test(text)) return new ChatError('busy', message, { status: 200 });
  const kind = /\bbad branch\b|BadRequestError/i.test(text) ? 'badRequest' : 'auth';
  return new ChatError(kind, message, { status: 200 });
}

/** @param explained whether the service says in JSON what is wrong */
function kindOfStatus(status: number, explained: boolean): ChatErrorKind {
  if (status === 400 || status === 413 || status === 415 || status === 422) return 'badRequest';
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 407 || status === 408) return 'network';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'server';
  // A page, or no word at all, comes from something else.
  return explained ? 'badRequest' : 'protocol';
}

/** The message inside an error body: JSON in one of its usual forms, or plain text. */
function messageOfBody(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return plainLine(String(value));
    const { error, message, detail } = value as Record<string, unknown>;
    const inner = typeof error === 'object' && error !== null ? (error as Record<string, unknown>).message : undefined;
    // Beside a message, the error is mostly the name of the status.
    for (const text of [inner, message, detail, error].flat()) if (typeof text === 'string') return plainLine(text);
    return '';
  } catch {
    return plainLine(body);
  }
}

/** Seconds or an HTTP date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

/** What is said of a response that says nothing itself. */
export const statusWords = (status: number): string => t('The service answered with status {0}.', status);

/** @param body the response's text, in whatever form a gateway gave it */
export function errorFromStatus(status: number, body: string, headers: Headers): ChatError {
  const message = messageOfBody(body);
  const explained = message !== '' && body.trimStart().startsWith('{');
  const kind = BUSY.test(body) ? 'busy' : kindOfStatus(status, explained);
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  const isPage = kind === 'notFound' && body.trimStart().startsWith('<');
  const code = status === 407 ? PROXY_AUTH : isPage ? PAGE : undefined;
  return new ChatError(kind, message || statusWords(status), {
    status,
    ...(code === undefined ? {} : { code }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** A failure and those that it wraps: the reason of a failed `fetch` is often several levels down. */
function* chainOf(failure: unknown): Generator<Error> {
  let at = failure;
  for (let depth = 0; at instanceof Error && depth < 6; depth += 1) {
    yield at;
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined);
  }
}

/** The code of a failed `fetch`; one of our own where the HTTP client gives none. */
function codeOf(failure: unknown): string | undefined {
  for (const error of chainOf(failure)) {
    // A tunnel that a proxy refuses is told in words alone; its plain answer 407 becomes a failure with no word at all.
    if (
      (/\bproxy\b/i.test(error.message) && /\b407\b/.test(error.message)) ||
      (error !== failure && error.message === '' && !('code' in error))
    )
      return PROXY_AUTH;
    if (error.name === 'HTTPParserError') return 'NOT_HTTP';
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code !== '') return code;
  }
  return undefined;
}

const saysRedirect = (failure: unknown): boolean =>
  [...chainOf(failure)].some(({ message }) => /redirect/i.test(message));

/** @returns the error without the credential, which some services repeat in what they say */
export function withoutSecret(error: ChatError, secret: Secret): ChatError {
  const message = secret.hide(error.message);
  if (message === error.message) return error;
  const { kind, status, code, retryAfter, cause } = error;
  const known = Object.entries({ status, code, retryAfter }).filter(([, value]) => value !== undefined);
  return new ChatError(kind, message, { ...Object.fromEntries(known), cause });
}

/** What `fetch` or the reading of a body threw. */
export function errorFromFetch(failure: unknown): ChatError {
  if (failure instanceof ChatError) return failure;
  if (saysRedirect(failure))
    return new ChatError('protocol', t('The service redirects to another address, which is not followed.'), {
      code: 'REDIRECT',
      cause: failure,
    });
  const code = codeOf(failure);
  const text = failure instanceof Error ? plainLine(failure.message) : '';
  return new ChatError('network', text || t('The connection failed.'), { ...(code ? { code } : {}), cause: failure });
}

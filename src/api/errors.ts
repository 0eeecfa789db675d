/** The one error of the stream client (part 7 of the specification). */

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
}

const BUSY = /streaming for (?:this )?thread is in progress/i;

/** @returns one line of plain text out of what a service sent; empty when it is a page of HTML */
export function plainLine(text: string): string {
  if (/<(?:!doctype|html|head|body|title|h1)\b/i.test(text)) return '';
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';

  const clean = line.replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, ' ').trim();
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

/** An error line of the stream, `{error: <string>}`. */
export function errorFromLine(text: string): ChatError {
  return new ChatError(BUSY.test(text) ? 'busy' : 'stream', plainLine(text) || 'The service reported an error.');
}

/** A JSON-RPC error object inside a 200 response: how the service refuses a credential. */
export function errorFromJsonRpc(error: Record<string, unknown>): ChatError {
  const text = typeof error.message === 'string' ? error.message : '';
  const message = plainLine(text) || 'The service refused the request.';
  if (BUSY.test(text)) return new ChatError('busy', message, { status: 200 });
  const kind = /\bbad branch\b|BadRequestError/i.test(text) ? 'badRequest' : 'auth';
  return new ChatError(kind, message, { status: 200 });
}

function kindOfStatus(status: number): ChatErrorKind {
  if (status === 400 || status === 413 || status === 415 || status === 422) return 'badRequest';
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 407 || status === 408) return 'network';
  if (status === 429) return 'rateLimited';
  return status >= 500 ? 'server' : 'protocol';
}

/** The message inside an error body: JSON in one of its usual forms, or plain text. */
function messageOfBody(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return plainLine(String(value));
    const { error, message } = value as Record<string, unknown>;
    const inner = typeof error === 'object' && error !== null ? (error as Record<string, unknown>).message : error;
    for (const text of [inner, message]) if (typeof text === 'string') return plainLine(text);
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

/** @param body the response's text, in whatever form a gateway gave it */
export function errorFromStatus(status: number, body: string, headers: Headers): ChatError {
  const message = messageOfBody(body);
  const kind = BUSY.test(body) ? 'busy' : kindOfStatus(status);
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  return new ChatError(kind, message || `The service answered with status ${status}.`, {
    status,
    ...(status === 407 ? { code: 'PROXY_AUTH' } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** The innermost code of a failed `fetch`: the reason is wrapped, sometimes several times. */
function codeOf(failure: unknown): string | undefined {
  for (let at = failure, depth = 0; typeof at === 'object' && at !== null && depth < 6; depth += 1) {
    const { code, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && code !== '') return code;
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}

function saysRedirect(failure: unknown): boolean {
  for (let at = failure, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1)
    if (/redirect/i.test(at.message)) return true;
  return false;
}

/** What `fetch` or the reading of a body threw. */
export function errorFromFetch(failure: unknown): ChatError {
  if (failure instanceof ChatError) return failure;
  if (saysRedirect(failure))
    return new ChatError('protocol', 'The service redirects to another address, which is not followed.', {
      code: 'REDIRECT',
      cause: failure,
    });
  const code = codeOf(failure);
  const text = failure instanceof Error ? plainLine(failure.message) : '';
  return new ChatError('network', text || 'The connection failed.', { ...(code ? { code } : {}), cause: failure });
}

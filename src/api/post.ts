/** Sends every request of the extension to a service: no redirects, no cookies, only the configured credential. */
import type { Secret } from '../shared/text/secret.ts';
import { readStart } from './body.ts';
import { errorFromStatus } from './errors.ts';
import { requestHeaders, type Credential } from './request.ts';

export interface Caller {
  credential: Credential;
  /** Redacts the credential's value from responses, so that it never reaches a message, a log or the history. */
  secret: Secret;
  fetch: typeof fetch;
}

/** The global `fetch`, looked up at each call, because VS Code replaces it. */
export const hostFetch: typeof fetch = (input, init) => fetch(input, init);

/**
 * @param body JSON
 * @returns a successful response with an unread body
 * @throws ChatError for any other response, whose body is read for the message; failures of `fetch` are not converted
 */
export async function post(
  { credential, secret, fetch }: Caller,
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
  throw errorFromStatus(response.status, secret.redact(await readStart(response)), response.headers);
}

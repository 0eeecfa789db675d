/** The one way in which a request leaves: to its own origin, with nothing but its credential. */
import type { Secret } from '../shared/secret.ts';
import { readStart } from './body.ts';
import { errorFromStatus } from './errors.ts';
import { requestHeaders, type Credential } from './request.ts';

export interface Caller {
  credential: Credential;
  /** Its value: nothing that the service sends may bring it back, into a message, a log or the history. */
  secret: Secret;
  fetch: typeof fetch;
}

/** @returns the host's own fetch, looked up at each request: VS Code puts its own in its place */
export const hostFetch: typeof fetch = (input, init) => fetch(input, init);

/**
 * @param body JSON
 * @returns a successful response, with its body unread
 * @throws ChatError for any other response, whose body is read for it; what `fetch` throws otherwise
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
  throw errorFromStatus(response.status, secret.hide(await readStart(response)), response.headers);
}

/** Requests with a credential that is renewed: before it expires, and once if the service rejects it. */
import { ChatError } from './errors.ts';
import type { Caller } from './exchange.ts';

/**
 * @param rejected a value that the service has rejected
 * @returns the caller with a valid credential
 * @throws ChatError if a new one is needed and can't be had
 */
export async function renewed(caller: Caller, rejected?: string): Promise<Caller> {
  const { credential, secrets } = caller;
  if (!credential.renew) return caller;
  const value = await credential.renew(rejected);
  secrets.add(value);
  return { ...caller, credential: { ...credential, value } };
}

/** Runs a request; if the credential is rejected before the first result, runs it again with a new one. */
export async function* renewing<T>(
  caller: Caller,
  request: (caller: Caller) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const first = await renewed(caller);
  let begun = false;
  try {
    for await (const part of request(first)) {
      begun = true;
      yield part;
    }
    return;
  } catch (failure) {
    if (begun || !caller.credential.renew || !(failure instanceof ChatError && failure.kind === 'auth')) throw failure;
  }
  yield* request(await renewed(caller, first.credential.value));
}

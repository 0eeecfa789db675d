/** Tests a connection with a request that changes nothing. */
import type { ChatClient } from '../../api/client.ts';
import { ChatError, errorFromFetch, PAGE } from '../../api/errors.ts';
import type { SessionSettings } from '../../shared/wire/streamLines.ts';
import { newMessageId } from '../session/clock.ts';

/** Milliseconds of silence after which the test fails. */
const PATIENCE = 15_000;
/** Statuses with which services reject an unknown thread or branch. */
const UNDERSTOOD: readonly (number | undefined)[] = [200, 400, 422];

/** @returns whether the service processed the request, and so accepted the credential */
const isAnswer = ({ kind, status }: ChatError): boolean =>
  kind === 'notFound' || kind === 'stream' || (kind === 'badRequest' && UNDERSTOOD.includes(status));

/**
 * Requests a thread that does not exist: a "not found" response shows that the credential was accepted.
 * @returns the reason why the connection does not work; undefined if it works
 */
export async function testRequest(client: ChatClient, settings?: SessionSettings): Promise<ChatError | undefined> {
  try {
    const request = { chatId: newMessageId(Date.now()), ...(settings ? { sessionSettings: settings } : {}) };
    for await (const _line of client.stream(request, { stallTimeout: PATIENCE })) break;
    return undefined;
  } catch (failure) {
    const error = errorFromFetch(failure);
    // A 404 HTML page: there is no chat service at this URL.
    if (error.code === PAGE) return new ChatError('protocol', error.message);
    return isAnswer(error) ? undefined : error;
  }
}

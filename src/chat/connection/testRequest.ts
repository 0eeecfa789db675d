/** Whether a connection works, found out by a request that changes nothing. */
import type { ChatClient } from '../../api/client.ts';
import { ChatError, errorFromFetch, PAGE } from '../../api/errors.ts';
import type { SessionSettings } from '../../shared/wire.ts';
import { newMessageId } from '../session/clock.ts';

/** Milliseconds. */
const PATIENCE = 15_000;
/** Statuses with which a service may say that there is no such thread, or no such branch. */
const UNDERSTOOD: readonly (number | undefined)[] = [200, 400, 422];

/** @returns whether the service has looked at what was asked, so that it has accepted the credential */
const isAnswer = ({ kind, status }: ChatError): boolean =>
  kind === 'notFound' || kind === 'stream' || (kind === 'badRequest' && UNDERSTOOD.includes(status));

/**
 * Reads a thread that does not exist: whatever else answers, the credential was accepted.
 * @returns why the connection does not work; undefined when it does
 */
export async function testRequest(client: ChatClient, settings?: SessionSettings): Promise<ChatError | undefined> {
  try {
    const request = { chatId: newMessageId(Date.now()), ...(settings ? { sessionSettings: settings } : {}) };
    for await (const _line of client.stream(request, { stallTimeout: PATIENCE })) break;
    return undefined;
  } catch (failure) {
    const error = errorFromFetch(failure);
    // No thread is missed by a page: there is no chat service at this address.
    if (error.code === PAGE) return new ChatError('protocol', error.message);
    return isAnswer(error) ? undefined : error;
  }
}

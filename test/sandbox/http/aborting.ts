/** `POST {base_url}/chat/abort` (4.2). */
import type { Exchange } from './exchange.ts';
import { HttpFailure, notFound } from './failures.ts';
import { readAbortFields } from './requests.ts';
import type { Service } from '../service/service.ts';

/** Stops the running answer of a thread; does nothing if there is none. */
export async function abortChat(service: Service, exchange: Exchange): Promise<void> {
  const { caller, body } = await service.authenticator.authenticate(exchange);
  const { chatId } = readAbortFields(body);
  const thread = service.threads.get(chatId);
  if (thread === undefined) throw notFound('There is no such chat thread');
  if (thread.owner !== caller.owner) throw new HttpFailure(403, 'The chat thread belongs to another user');
  thread.activeRun?.abort();
  exchange.response.writeHead(204).end();
}

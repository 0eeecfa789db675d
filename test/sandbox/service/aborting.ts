/** `POST {base_url}/chat/abort` (4.2). */
import type { Exchange } from './exchange.ts';
import { HttpFailure, notFound } from './failures.ts';
import { parseBody, readAbortFields } from './requests.ts';
import type { Service } from './service.ts';

/** Stops the running answer of a thread; does nothing if there is none. */
export async function abortChat(service: Service, exchange: Exchange): Promise<void> {
  let body: Record<string, unknown> | undefined;
  const caller = await service.authenticator.authenticate(exchange.request.headers, () => {
    body = parseBody(exchange.body);
    return body['sessionSettings'];
  });
  const { chatId } = readAbortFields(body ?? parseBody(exchange.body));
  const thread = service.threads.get(chatId);
  if (thread === undefined) throw notFound('There is no such chat thread');
  if (thread.owner !== caller.owner) throw new HttpFailure(403, 'The chat thread belongs to another user');
  thread.activeRun?.abort();
  exchange.response.writeHead(204).end();
}

import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Sandbox } from '../../sandbox/server.ts';
import type { ReceivedRequest } from './scriptedService.ts';

/** Forwards requests to the sandbox unless a test answers them. */
export async function forwardTo(sandbox: Sandbox, request: ReceivedRequest, response: ServerResponse): Promise<void> {
  const { origin } = new URL(sandbox.url);
  const isStream = request.path.endsWith('/chat/stream-chat-state');
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  const answer = await fetch(isStream ? sandbox.chatApiUrl : origin + request.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: request.headers.authorization ?? '' },
    body: JSON.stringify(request.body),
    signal: closed.signal,
  });
  response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
  if (answer.body) await pipeline(answer.body, response);
}

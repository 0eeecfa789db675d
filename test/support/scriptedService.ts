/** A service of a few lines, for what a test must decide line by line: real HTTP, answers written by the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface ScriptedService {
  chatApiUrl: string;
  requests: readonly ReceivedRequest[];
  /** Goes away, and comes back at the same address once `meanwhile` is over. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** Answers one request of the stream endpoint. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => Promise<void> | void;

/** @param answer called for each stream request; abort requests are answered 204 */
export async function scriptedService(answer: Answer): Promise<ScriptedService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const handle = async (): Promise<void> => {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      if (request.path.endsWith('/chat/abort')) response.writeHead(204).end();
      else await answer(request, response);
    };
    // A client that goes away is part of what is tested.
    handle().catch(() => response.destroy());
  });
  const listen = (at: number): Promise<void> => new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    chatApiUrl: `http://127.0.0.1:${port}/api/v1/agent/chat/stream-chat-state`,
    requests,
    restart: async (meanwhile) => {
      await close();
      await meanwhile();
      await listen(port);
    },
    stop: close,
  };
}

/** Writes lines as bytes in pieces of `size`, so that characters are cut. */
export function writeInPieces(response: ServerResponse, lines: readonly object[], size: number): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
  response.end();
}

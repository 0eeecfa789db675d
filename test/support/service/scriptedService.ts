/** A minimal HTTP service whose responses a test writes line by line. */
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
  /** Closes the server and reopens it at the same URL after `meanwhile`. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** Handles one request to the stream endpoint. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => Promise<void> | void;

/**
 * @param answer called for each stream request
 * @param abortStatus returns the status of the response to an abort request
 */
export async function scriptedService(
  answer: Answer,
  abortStatus: () => number | Promise<number> = () => 204,
): Promise<ScriptedService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const handle = async (): Promise<void> => {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      if (request.path.endsWith('/chat/abort')) response.writeHead(await abortStatus()).end();
      else await answer(request, response);
    };
    // Clients that disconnect are part of the tests.
    handle().catch(() => response.destroy());
  });
  // Only clients close idle connections: a busy machine would send requests on one that the server just closed.
  server.keepAliveTimeout = 0;
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

/** Writes lines in chunks of `size` bytes, which splits multi-byte characters. */
export function writeInPieces(response: ServerResponse, lines: readonly object[], size: number): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
  response.end();
}

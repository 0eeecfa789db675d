/** A local HTTP server that responds as a test specifies, and records its requests. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it arrived. */
export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
  body: Record<string, unknown>;
  response: ServerResponse;
  /** Settles when either side has closed the connection. */
  closed: Promise<void>;
}

export interface Service {
  url: string;
  origin: string;
  asked: Asked[];
  /** Number of open connections. */
  sockets: ReadonlySet<Socket>;
  close: () => Promise<void>;
}

export interface Tls {
  key: string;
  cert: string;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Starts a service on a free local port. `answer` is called for each request after its body has arrived. */
export async function serve(answer: (asked: Asked) => unknown, tls?: Tls): Promise<Service> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const listener: RequestListener = (request, response) => {
    const closed = new Promise<void>((resolve) => response.on('close', resolve));
    void bodyOf(request).then(
      async (text) => {
        const each = { path: request.url ?? '', headers: request.headers, text, body: parsed(text), response, closed };
        asked.push(each);
        await answer(each);
      },
      () => undefined,
    );
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // Only clients close idle connections: a busy machine would send requests on one that the server just closed.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `${origin}/api/v1/agent`, origin, asked, sockets, close };
}

/** Services of a test file, closed after each test. */
export function services(): { start: typeof serve; closeAll: () => Promise<void> } {
  let open: Service[] = [];
  return {
    start: async (...args) => {
      const service = await serve(...args);
      open.push(service);
      return service;
    },
    closeAll: async () => {
      await Promise.all(open.map((service) => service.close()));
      open = [];
    },
  };
}

export const ndjson = (...lines: unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Responds with status 200 and these lines. */
export function reply({ response }: Asked, ...lines: unknown[]): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(ndjson(...lines));
}

/** A corporate proxy: it requires a user name and password, and tunnels every host to one port. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

export interface Proxy {
  /** Host and port. */
  authority: string;
  /** Requested hosts in order, with the credentials that were sent; includes accepted requests. */
  asked: readonly { target: string; authorization: string | undefined }[];
  /** Sets the local port that tunnels lead to. */
  leadTo(port: number): void;
  stop(): Promise<void>;
}

/** @param credentials `name:password` */
export async function startProxy(credentials: string): Promise<Proxy> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  let port = 0;
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on('connect', (request, client, head) => {
    const authorization = request.headers['proxy-authorization'];
    asked.push({ target: request.url ?? '', authorization });
    client.on('error', () => undefined);
    if (authorization !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="company"\r\n\r\n');
      return;
    }
    const service = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      service.write(head);
      service.pipe(client).pipe(service);
    });
    service.on('error', () => client.destroy());
    sockets.add(service).add(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    authority: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    leadTo: (target) => {
      port = target;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

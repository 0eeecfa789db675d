/**
 * Preloaded into VS Code's server (`node --import`): rejects requests whose `Host` is not the server's own address,
 * which the server itself does not check. Prevents DNS rebinding, where a page resolves its own host name to 127.0.0.1.
 */
import { Server, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const forbidden = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * @returns whether `Host` is the loopback address with the port of the connection; always true on pipes, which have no
 * port
 */
function isAddressedHere({ headers, socket }: IncomingMessage): boolean {
  const port = socket.localPort;
  return port === undefined || headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
}

const emit = Server.prototype.emit;
Server.prototype.emit = function (event: string | symbol, ...values: unknown[]): boolean {
  const [request] = values as [IncomingMessage];
  if ((event !== 'request' && event !== 'upgrade') || isAddressedHere(request)) {
    return Reflect.apply(emit, this, [event, ...values]);
  }
  (request.socket as Socket).end(forbidden);
  return true;
};

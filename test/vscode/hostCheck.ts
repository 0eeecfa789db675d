/**
 * Preloaded into VS Code's server (`node --import`): refuses requests whose `Host` is not this server's own address.
 * A page that rebinds its name to 127.0.0.1 sends its own name there; the server itself does not look at it.
 */
import { Server, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const forbidden = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** @returns whether the request names the loopback address and the port it arrived at; pipes have no port */
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

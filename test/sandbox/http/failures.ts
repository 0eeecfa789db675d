/** Errors that reject requests (part 7). */

/** An HTTP status with a JSON body. */
export class HttpFailure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A failed authentication: a JSON-RPC error object inside a 200 response. */
export class AuthFailure extends Error {}

export const badRequest = (message: string): HttpFailure => new HttpFailure(400, message);
export const notFound = (message: string): HttpFailure => new HttpFailure(404, message);

/** A JSON-RPC error on one line, without a newline. */
export const jsonRpcError = (message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32603, message } });

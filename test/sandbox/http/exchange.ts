/** An HTTP request with its body, and its response. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Enough for a message with several images. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  body: string;
  /** Sends a complete response. */
  sendText(status: number, text: string, headers?: Record<string, string>): void;
}

/** @returns the body, or `undefined` if it is too large or the client has disconnected */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString();
}

export function makeExchange(request: IncomingMessage, response: ServerResponse, body: string): Exchange {
  return {
    request,
    response,
    path: new URL(request.url ?? '/', 'http://sandbox').pathname,
    body,
    sendText: (status, text, headers = {}) => {
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(text);
    },
  };
}

/** Faults that replace the response of the service. */
import type { Exchange } from '../http/exchange.ts';
import { jsonRpcError } from '../http/failures.ts';
import type { FaultSpec } from './spec.ts';

const page = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>gateway</center></body></html>
`;

/** @returns whether a response was sent */
export function refuse({ sendText }: Exchange, fault: FaultSpec): boolean {
  const { status, html, location, jsonRpc, retryAfter, body } = fault;
  if (jsonRpc !== undefined) {
    sendText(200, jsonRpcError(jsonRpc) + (fault.jsonRpcNewline === true ? '\n' : ''));
    return true;
  }
  if (status === undefined && html !== true && location === undefined) return false;
  const headers = {
    ...(html === true ? { 'Content-Type': 'text/html' } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    ...(location === undefined ? {} : { Location: location }),
  };
  const code = status ?? (location === undefined ? 502 : 302);
  sendText(code, body ?? (html === true ? page : JSON.stringify({ error: `Status ${code} was asked for` })), headers);
  return true;
}

/** Every failure that the service can report (part 7), in every way in which it can be delivered. */
import type { ChatErrorKind } from '../../../../src/api/errors.ts';
import { ndjson } from './service.ts';

const BUSY = 'Streaming for thread is in progress';
export const HTML = '<!DOCTYPE html><html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>';
export const STACK = 'Error: boom\n    at handler (/srv/app/index.js:10:5)\n    at next (/srv/app/router.js:2:1)';
const rpc = (message: string): string => `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"${message}"}}`;
const cutoff = { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c', isStreaming: true } };

export interface Failure {
  what: string;
  status?: number;
  type?: string;
  body: string;
  kind: ChatErrorKind;
  /** Expected error message. */
  says?: RegExp;
  /** One of the expected actions. */
  action: string;
}

export const failures: Failure[] = [
  {
    what: 'a bad branch, as an error line',
    body: ndjson(cutoff, { error: 'BadRequestError: Bad branch' }),
    kind: 'stream',
    says: /Bad branch/,
    action: 'switchBranch',
  },
  {
    what: 'a bad branch, as JSON with status 400',
    status: 400,
    body: '{"error":"Bad branch"}',
    kind: 'badRequest',
    says: /Bad branch/,
    action: 'switchBranch',
  },
  {
    what: 'a bad branch, as JSON-RPC',
    body: rpc('BadRequestError: Bad branch'),
    kind: 'badRequest',
    says: /Bad branch/,
    action: 'switchBranch',
  },
  {
    what: 'a failure while streaming',
    body: ndjson(cutoff, { error: 'Model overloaded' }),
    kind: 'stream',
    says: /^Model overloaded$/,
    action: 'retry',
  },
  {
    what: 'an error line without a newline',
    body: '{"error":"Model overloaded"}',
    kind: 'stream',
    says: /^Model overloaded$/,
    action: 'retry',
  },
  {
    what: 'an error line with a stack',
    body: ndjson({ error: STACK }),
    kind: 'stream',
    says: /^Error: boom$/,
    action: 'retry',
  },
  { what: 'an error line with nothing in it', body: ndjson({ error: '' }), kind: 'stream', action: 'retry' },
  {
    what: 'an invalid body, status 400 with JSON',
    status: 400,
    body: '{"error":"messageId is malformed"}',
    kind: 'badRequest',
    says: /^messageId is malformed$/,
    action: 'retry',
  },
  {
    what: 'an invalid body, status 400 with nested JSON',
    status: 400,
    body: '{"error":{"message":"bad"}}',
    kind: 'badRequest',
    says: /^bad$/,
    action: 'retry',
  },
  ...['"messageId is malformed"', '["messageId is malformed","input is too long"]'].map((message): Failure => ({
    what: `an invalid body, status 400 with its name beside ${message}`,
    status: 400,
    body: `{"statusCode":400,"error":"Bad Request","message":${message}}`,
    kind: 'badRequest',
    says: /^messageId is malformed$/,
    action: 'retry',
  })),
  {
    what: 'a refusal in detail, status 402',
    status: 402,
    type: 'application/problem+json',
    body: '{"title":"Payment Required","status":402,"detail":"Plan does not include chat"}',
    kind: 'badRequest',
    says: /^Plan does not include chat$/,
    action: 'retry',
  },
  {
    what: 'an invalid body, status 422 with text',
    status: 422,
    type: 'text/plain',
    body: 'bad\nmore',
    kind: 'badRequest',
    says: /^bad$/,
    action: 'retry',
  },
  {
    what: 'a refused credential, JSON-RPC without newline',
    body: rpc('Invalid API key'),
    kind: 'auth',
    says: /^Invalid API key$/,
    action: 'setApiKey',
  },
  {
    what: 'a refused credential, JSON-RPC with newline',
    body: `${rpc('Token lacks the chat scope')}\n`,
    kind: 'auth',
    says: /chat scope/,
    action: 'setApiKey',
  },
  {
    what: 'a refused credential, JSON-RPC over several deliveries',
    body: `\n\r\n${rpc('No sub')}\r\n`,
    kind: 'auth',
    says: /^No sub$/,
    action: 'setApiKey',
  },
  { what: 'a refused credential, status 401', status: 401, body: '', kind: 'auth', action: 'setApiKey' },
  {
    what: 'a refused credential, status 401 with HTML',
    status: 401,
    type: 'text/html',
    body: HTML,
    kind: 'auth',
    says: /401/,
    action: 'setApiKey',
  },
  {
    what: 'a refusal, status 403',
    status: 403,
    body: '{"message":"Not yours"}',
    kind: 'forbidden',
    says: /^Not yours$/,
    action: 'switchIdentity',
  },
  {
    what: 'an unknown agent or thread, status 404',
    status: 404,
    body: '{"error":"Chat not found"}',
    kind: 'notFound',
    says: /^Chat not found$/,
    action: 'newChat',
  },
  {
    what: 'an unknown agent, status 404 with HTML',
    status: 404,
    type: 'text/html',
    body: HTML,
    kind: 'notFound',
    says: /404/,
    action: 'newChat',
  },
  {
    what: 'a server error, status 500 with JSON',
    status: 500,
    body: '{"error":"Internal"}',
    kind: 'server',
    says: /^Internal$/,
    action: 'retry',
  },
  {
    what: 'a server error, status 500 with a stack',
    status: 500,
    type: 'text/plain',
    body: STACK,
    kind: 'server',
    says: /^Error: boom$/,
    action: 'retry',
  },
  {
    what: 'a gateway error, status 502 with HTML',
    status: 502,
    type: 'text/html',
    body: HTML,
    kind: 'server',
    says: /502/,
    action: 'retry',
  },
  {
    what: 'a gateway error, status 503 with an empty body',
    status: 503,
    body: '',
    kind: 'server',
    says: /503/,
    action: 'retry',
  },
  {
    what: 'too many requests, status 429',
    status: 429,
    body: 'slow down',
    kind: 'rateLimited',
    says: /^slow down$/,
    action: 'retry',
  },
  ...[402, 405, 406, 409, 411, 414, 423, 424, 425, 426, 428, 431, 451, 499].flatMap((status): Failure[] => [
    {
      what: `a refusal with a reason, status ${status}`,
      status,
      body: '{"error":"Plan does not include chat"}',
      kind: 'badRequest',
      says: /^Plan does not include chat$/,
      action: 'retry',
    },
    { what: `a page, status ${status}`, status, type: 'text/html', body: HTML, kind: 'protocol', action: 'connect' },
    { what: `no word, status ${status}`, status, body: '', kind: 'protocol', action: 'connect' },
  ]),
  {
    what: 'a proxy that wants a password, status 407',
    status: 407,
    type: 'text/html',
    body: HTML,
    kind: 'network',
    says: /./,
    action: 'retry',
  },
  {
    what: 'a thread in progress, as an error line',
    body: ndjson(cutoff, { error: BUSY }),
    kind: 'busy',
    action: 'attach',
  },
  { what: 'a thread in progress, as JSON-RPC', body: rpc(`Error: ${BUSY}`), kind: 'busy', action: 'attach' },
  {
    what: 'a thread in progress, as status 409',
    status: 409,
    body: `{"error":"${BUSY}"}`,
    kind: 'busy',
    action: 'attach',
  },
  { what: 'a thread in progress, as status 400', status: 400, body: BUSY, kind: 'busy', action: 'attach' },
  {
    what: 'a thread in progress, as status 500',
    status: 500,
    body: `{"error":{"message":"${BUSY}"}}`,
    kind: 'busy',
    action: 'attach',
  },
  {
    what: 'a web page with status 200',
    type: 'text/html; charset=utf-8',
    body: HTML,
    kind: 'protocol',
    action: 'connect',
  },
  { what: 'a web page with status 200 that says it is JSON', body: HTML, kind: 'protocol', action: 'connect' },
  { what: 'JSON of something else', body: '{"status":"ok"}', kind: 'protocol', action: 'connect' },
  {
    what: 'a refused key, as JSON-RPC over several lines',
    body: JSON.stringify(JSON.parse(rpc('Unauthorized')), null, 2),
    kind: 'auth',
    says: /^Unauthorized$/,
    action: 'setApiKey',
  },
  {
    what: 'a refused key, as JSON-RPC in a list',
    body: `[${rpc('Unauthorized')}]`,
    kind: 'auth',
    says: /^Unauthorized$/,
    action: 'setApiKey',
  },
  {
    what: 'a refused key, as JSON-RPC in a list after other entries',
    body: `[{"traceId":"x"},${rpc('Unauthorized')}]`,
    kind: 'auth',
    says: /^Unauthorized$/,
    action: 'setApiKey',
  },
  {
    what: 'a bad branch, as JSON-RPC while streaming',
    body: ndjson(cutoff) + rpc('Bad branch'),
    kind: 'badRequest',
    says: /^Bad branch$/,
    action: 'switchBranch',
  },
  {
    what: 'an error object while streaming',
    body: ndjson(cutoff, { error: { message: 'Internal' } }),
    kind: 'stream',
    says: /^Internal$/,
    action: 'retry',
  },
  {
    what: 'an error line of blanks without end',
    body: ndjson(cutoff, { error: `Overloaded${' '.repeat(1_000_000)}x` }),
    kind: 'stream',
    says: /^Overloaded$/,
    action: 'retry',
  },
];

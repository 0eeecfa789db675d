/** Routes HTTP requests, and rejects unknown paths and methods. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../faults/refuse.ts';
import type { FaultSpec } from '../faults/spec.ts';
import { abortChat } from './aborting.ts';
import { makeExchange, readBody, type Exchange } from './exchange.ts';
import { AuthFailure, HttpFailure, jsonRpcError, notFound } from './failures.ts';
import { queryData } from './querying.ts';
import type { Service } from '../service/service.ts';
import { streamChatState } from './streaming.ts';

/** `{base_url}` without its origin: names an account and an agent. */
export const BASE_PATH = '/api/v1/public/acme/agents/1';
export const QUERY_PATH = '/api/v1/query';
/** The endpoint that queues faults. */
const CONTROL_PATH = '/__control/faults';

/** A received request, for assertions in tests. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The same agent by way of its deployment; accepts service tokens only. */
export const DEPLOYMENT_PATH = '/api/v1/public/acme/deployments/1';

const routes: Readonly<Record<string, NonNullable<FaultSpec['endpoint']>>> = {
  [`${BASE_PATH}/chat/stream-chat-state`]: 'stream',
  [`${DEPLOYMENT_PATH}/chat/stream-chat-state`]: 'stream',
  [`${DEPLOYMENT_PATH}/chat/abort`]: 'abort',
  [`${BASE_PATH}/chat/abort`]: 'abort',
  [QUERY_PATH]: 'query',
};

/** Sets CORS headers. Every origin is allowed, since cookies are not used. */
function allowOrigins(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
  response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Svc-Auth-Token');
  response.setHeader('Access-Control-Allow-Private-Network', 'true');
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
  response.setHeader('Access-Control-Max-Age', '600');
  response.setHeader('Vary', 'Origin');
}

export interface RouterHooks {
  onRequest: (request: RecordedRequest) => void;
  /** Drops all connections and refuses new ones for this time. */
  restart: (milliseconds: number) => void;
}

export class Router {
  readonly #service: Service;
  readonly #hooks: RouterHooks;

  constructor(service: Service, hooks: RouterHooks) {
    this.#service = service;
    this.#hooks = hooks;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowOrigins(request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await readBody(request);
    const exchange = makeExchange(request, response, body ?? '');
    if (exchange.path === CONTROL_PATH) return this.#control(exchange);
    const { method = '', headers } = request;
    this.#hooks.onRequest({ method, path: exchange.path, headers, body: exchange.body });
    if (body === undefined) return exchange.sendText(413, JSON.stringify({ error: 'The body is too large' }));
    try {
      await this.#serve(exchange);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  async #serve(exchange: Exchange): Promise<void> {
    const endpoint = routes[exchange.path];
    if (endpoint === undefined || exchange.request.method !== 'POST')
      throw notFound('There is no such agent or address');
    if (!/^application\/json\b/i.test(exchange.request.headers['content-type'] ?? ''))
      throw new HttpFailure(400, 'Content-Type must be application/json');
    if (exchange.path.startsWith(DEPLOYMENT_PATH) && exchange.request.headers.authorization !== undefined)
      throw new HttpFailure(403, 'agentId is required for Api-Key authentication');
    const fault = this.#service.faults.next(endpoint);
    if (fault.restart !== undefined) return this.#hooks.restart(fault.restart);
    if (endpoint !== 'stream' && fault.latency !== undefined) await delay(fault.latency);
    if (refuse(exchange, fault)) return;
    if (endpoint === 'abort') return abortChat(this.#service, exchange);
    return endpoint === 'query'
      ? queryData(this.#service, exchange, fault)
      : streamChatState(this.#service, exchange, fault);
  }

  #fail(exchange: Exchange, error: unknown): void {
    if (error instanceof AuthFailure)
      return exchange.path === QUERY_PATH
        ? exchange.sendText(401, JSON.stringify({ error: error.message }))
        : exchange.sendText(200, jsonRpcError(error.message));
    const status = error instanceof HttpFailure ? error.status : 500;
    const message = error instanceof HttpFailure ? error.message : 'Internal server error';
    if (status === 500) console.error(error);
    exchange.sendText(status, JSON.stringify({ error: message }));
  }

  /** `POST` queues a fault or a list of faults, `DELETE` clears the queue. */
  #control({ request, body, sendText }: Exchange): void {
    const { faults } = this.#service;
    try {
      if (request.method === 'DELETE') faults.clear();
      else for (const spec of [JSON.parse(body) as FaultSpec | FaultSpec[]].flat()) faults.add(spec);
      sendText(200, '{}');
    } catch {
      sendText(400, JSON.stringify({ error: 'Faults are one JSON object or a list of them' }));
    }
  }
}

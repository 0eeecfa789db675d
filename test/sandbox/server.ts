/** The sandbox server: a chat service over demo data, for the demo and the tests. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultSpec } from './faults/spec.ts';
import { BASE_PATH, QUERY_PATH, Router, type RecordedRequest } from './http/router.ts';
import { createService, type AttachMode, type ServiceOptions } from './service/service.ts';
import { useWarehouse } from './service/warehouse.ts';

export type { FaultSpec, PayloadVariant } from './faults/spec.ts';
export type { TokenValidation } from './access/authentication.ts';
export type { RecordedRequest } from './http/router.ts';
export type { AttachMode } from './service/service.ts';

export interface SandboxOptions extends ServiceOptions {
  /** Defaults to 0, any free port. */
  port?: number;
  /** Called before the database is built, which takes some seconds at the first start. */
  onBuild?: () => void;
}

export interface Sandbox {
  /** `{base_url}` of the agent. */
  url: string;
  /** The Chat API URL, as pasted by users. */
  chatApiUrl: string;
  /** URL of the data query API. */
  dataQueryUrl: string;
  apiKey: string;
  port: number;
  /** All requests so far, except those to the control endpoint. */
  requests: readonly RecordedRequest[];
  /** Queues faults for the next requests; without arguments, clears the queue. */
  faults(...specs: readonly FaultSpec[]): void;
  /** Sets how requests with a known `messageId` attach to their run. */
  setAttach(mode: AttachMode): void;
  /** Closes all connections, aborts all answers and frees the port. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** @throws if the port is in use */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { branches, release } = await useWarehouse(options.onBuild);
  const service = createService(branches, options);
  const requests: RecordedRequest[] = [];
  const server = createServer();
  let stopping = false;
  const restart = async (milliseconds: number): Promise<void> => {
    await close(server);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    // For a moment, another process may use the port as its end of a connection.
    while (!stopping && !(await listen(server, port).catch(() => 0)))
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
  };
  const router = new Router(service, {
    onRequest: (request) => requests.push(request),
    restart: (ms) => void restart(ms),
  });
  server.on('request', (request, response) => void router.handle(request, response));
  // No server timeout: tests check the client's.
  server.requestTimeout = 0;
  // Only clients close idle connections: a busy machine would send requests on one that the server just closed.
  server.keepAliveTimeout = 0;
  const port = await listen(server, options.port ?? 0).catch((error: unknown) => {
    release();
    throw error;
  });
  const origin = `http://${HOST}:${port}`;
  const url = origin + BASE_PATH;
  return {
    url,
    chatApiUrl: `${url}/chat/stream-chat-state`,
    dataQueryUrl: origin + QUERY_PATH,
    apiKey: service.apiKey,
    port,
    requests,
    faults: (...specs) => {
      if (specs.length === 0) service.faults.clear();
      for (const spec of specs) service.faults.add(spec);
    },
    setAttach: (mode) => {
      service.attach = mode;
    },
    stop: async () => {
      stopping = true;
      service.threads.stopAll();
      await close(server);
      release();
    },
  };
}

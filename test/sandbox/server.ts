/** The sandbox: a chat service over a shop's data, for the demo and the tests. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultSpec } from './faults/spec.ts';
import { BASE_PATH, QUERY_PATH, Router, type RecordedRequest } from './service/router.ts';
import { createService, type AttachMode, type ServiceOptions } from './service/service.ts';
import { useWarehouse } from './service/warehouse.ts';

export type { FaultSpec, PayloadVariant } from './faults/spec.ts';
export type { TokenValidation } from './service/authentication.ts';
export type { RecordedRequest } from './service/router.ts';
export { DEFAULT_API_KEY, type AttachMode } from './service/service.ts';

export interface SandboxOptions extends ServiceOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** Called when the shop has to be built first, which takes some seconds, once. */
  onBuild?: () => void;
}

export interface Sandbox {
  /** `{base_url}` of the agent. */
  url: string;
  /** What a user pastes: the Chat API URL. */
  chatApiUrl: string;
  /** Where all rows of a query are to be had. */
  dataQueryUrl: string;
  apiKey: string;
  port: number;
  /** Every request so far, except those to the control address. */
  requests: readonly RecordedRequest[];
  /** Lets the next requests go wrong; without one, forgets what was to go wrong. */
  faults(...specs: readonly FaultSpec[]): void;
  /** How requests with a known `messageId` are attached from now on. */
  setAttach(mode: AttachMode): void;
  /** Sockets that are open now. */
  connections(): Promise<number>;
  /** Removes the users, and their threads, whose time is over. */
  expireUsers(): void;
  /** Ends every connection and answer, and frees the port. */
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

/** @throws when the port is taken */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { branches, release } = await useWarehouse(options.onBuild);
  const service = await createService(branches, options);
  const requests: RecordedRequest[] = [];
  const server = createServer();
  let stopping = false;
  const restart = async (milliseconds: number): Promise<void> => {
    await close(server);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    if (!stopping) await listen(server, port);
  };
  const router = new Router(service, {
    onRequest: (request) => requests.push(request),
    restart: (ms) => void restart(ms),
  });
  server.on('request', (request, response) => void router.handle(request, response));
  // Time-outs are what the client is tested for.
  server.requestTimeout = 0;
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
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    expireUsers: () => service.users.removeExpired(),
    stop: async () => {
      stopping = true;
      service.threads.stopAll();
      await close(server);
      release();
    },
  };
}

import assert from 'node:assert/strict';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts';
import { useSetup } from '../../support/useSetup.ts';

export type Line = Record<string, unknown> & {
  id?: string;
  role?: string;
  content?: string;
  thinking?: string;
  toolCall?: { name: string; input: string; result?: string };
  graphPath?: string[];
  isDelta?: boolean;
  isInProcess?: boolean;
  sort?: number;
  state?: { chatId?: string; isStreaming?: boolean; suspended?: { messageId: string }; messages?: unknown[] };
  error?: unknown;
};

export const dev = { externalId: 'dev' };

/** Starts a sandbox without delays. */
export const startFast = (options: SandboxOptions = {}): Promise<Sandbox> => startSandbox({ pace: 0, ...options });

/** Starts a sandbox without delays before the tests of the suite that calls this, and stops it after them. */
export const useSandbox = (options?: SandboxOptions): Sandbox => useSetup(() => startFast(options));

let lastMessage = 1_700_000_000_000;
/** @returns a unique message id */
export const newMessageId = (): string => `${(lastMessage += 1)}-message`;

/** Sends a request with the API key unless `headers` replace it. */
export function post(
  sandbox: Sandbox,
  url: string,
  body: unknown,
  headers: Record<string, string> = { Authorization: `Api-Key ${sandbox.apiKey}` },
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    redirect: 'manual',
  });
}

export const postChat = (sandbox: Sandbox, body: object, headers?: Record<string, string>): Promise<Response> =>
  post(sandbox, sandbox.chatApiUrl, { sessionSettings: dev, ...body }, headers);

export const postAbort = (sandbox: Sandbox, body: object, headers?: Record<string, string>): Promise<Response> =>
  post(sandbox, `${sandbox.url}/chat/abort`, { sessionSettings: dev, ...body }, headers);

export const parseLines = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);

/** Sends a chat request and reads the whole stream. */
export async function ask(sandbox: Sandbox, body: object, headers?: Record<string, string>): Promise<Line[]> {
  const response = await postChat(sandbox, body, headers);
  assert.equal(response.status, 200);
  return parseLines(await response.text());
}

/** Reads a stream line by line until the caller stops. */
async function* readLines(response: Response): AsyncGenerator<Line, void, undefined> {
  assert.ok(response.body);
  let held = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (held + chunk).split('\n');
    held = parts.pop() ?? '';
    for (const part of parts) if (part.trim() !== '') yield JSON.parse(part) as Line;
  }
}

/** @returns the lines up to the first that `isLast` accepts; the connection is closed */
export async function readUntil(response: Response, isLast: (line: Line) => boolean): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(response)) {
    lines.push(line);
    if (isLast(line)) break;
  }
  return lines;
}

export const chatIdOf = (lines: readonly Line[]): string => {
  const chatId = lines.find(({ id }) => id === '__cutoff__')?.state?.chatId;
  assert.ok(chatId);
  return chatId;
};

export const finalOf = (lines: readonly Line[]): string =>
  lines.findLast(({ graphPath }) => graphPath?.[0] === 'final')?.content ?? '';

export interface QueryResult {
  sqlQuery: string;
  schema: { name: string; column_type: string }[];
  data: unknown[][];
  totalRows: number;
  vegaSpec?: string;
  error?: string;
}
/** @returns the result of the thread's last query */
export function queryOf(lines: readonly Line[]): QueryResult {
  const result = lines.findLast(({ toolCall }) => toolCall?.name === 'svcSqlApi' && toolCall.result)?.toolCall?.result;
  assert.ok(result);
  return JSON.parse(result) as QueryResult;
}

/** Text of each message, accumulated as a client would. */
export function textsOf(lines: readonly Line[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { id, role, content, isDelta } of lines)
    if (id !== undefined && role === 'assistant' && content !== undefined)
      texts.set(id, isDelta === true ? (texts.get(id) ?? '') + content : content);
  return texts;
}

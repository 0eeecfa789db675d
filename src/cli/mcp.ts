/** `analytics-chat mcp`: two tools for any agent, over MCP on stdio. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import type { Answer } from '../evals/matrix/answer.ts';
import { queryFailure } from '../evals/matrix/expectation.ts';
import { messageOf } from '../shared/text/checks.ts';
import { fenced } from '../shared/text/plainText.ts';
import { capped, membersText, tableText } from '../shared/text/toolText.ts';
import type { ModelDefinition } from '../shared/wire/toolPayloads.ts';
import type { CliCommand } from './command.ts';
import { NO_ANSWER, Service, type Asking } from './service.ts';
import { ArgumentError } from './usage.ts';

const question = z.string().trim().min(1).describe('A question about the data, in plain words');
const branch = z.string().trim().min(1).optional().describe('Development branch of the data model; main by default');
const identity = z.string().trim().min(1).optional().describe('Name of the identity to ask as');

/**
 * Milliseconds. A service that is silent is given up after the second silence, in less than the minute after which clients
 * give up a call by default, without the reason.
 */
const GIVE_UP_AFTER = 25_000;

export const mcp: CliCommand = async ({ environment, output, version, signal }, { positionals }) => {
  if (positionals.length > 0) throw new ArgumentError('mcp takes no arguments.');
  const server = new McpServer({ name: 'analytics-chat', version });
  const tool = async (work: () => Promise<string>) => {
    try {
      return { content: [{ type: 'text' as const, text: output.clean(await work()) }] };
    } catch (failure) {
      return { content: [{ type: 'text' as const, text: output.clean(messageOf(failure)) }], isError: true };
    }
  };
  server.registerTool(
    'ask',
    {
      title: 'Ask the analytics agent',
      description: 'Answers a question about the data with text, SQL and rows. Slow: the agent searches and runs SQL.',
      inputSchema: { question, branch, as: identity },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (input, { signal: cancel }) =>
      tool(async () => {
        const service = new Service(environment, input.branch);
        const answer = await askOrThrow(service, { ...input, signal: cancel });
        const text = answerText(answer) || (queryFailure(answer) ?? NO_ANSWER);
        return `${text}\n\nAsked on branch ${service.branchLabel} as ${service.identityLabel(input.as)}`;
      }),
  );
  server.registerTool(
    'search_model',
    {
      title: 'Search the data model',
      description: 'Finds measures and dimensions of the data model by search terms.',
      inputSchema: { query: z.string().trim().min(1).describe('Search terms'), branch, as: identity },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (input, { signal: cancel }) => tool(() => searchModel(new Service(environment, input.branch), input, cancel)),
  );
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
  return signal.aborted ? 130 : 0;
};

/** @throws Error with the reason for which there is no answer */
async function askOrThrow(service: Service, asking: Asking): Promise<Answer> {
  const answer = await service.ask({ ...asking, giveUpAfter: GIVE_UP_AFTER });
  if (answer.error !== undefined) throw new Error([answer.error, answer.text].filter(Boolean).join('\n\n'));
  return answer;
}

const answerText = ({ text, queries }: Answer): string =>
  capped(
    [text, ...queries.flatMap(({ sql, table }) => (table ? [fenced(sql, 'sql'), tableText(table)] : []))]
      .filter(Boolean)
      .join('\n\n'),
  );

/** Asks the agent, and stops it after its first model search, because the rest of the answer is not needed. */
async function searchModel(
  service: Service,
  { query, as }: { query: string; as?: string },
  signal: AbortSignal,
): Promise<string> {
  const found = new Map<string, ModelDefinition>();
  let failure: string | undefined;
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = await askOrThrow(service, {
      question: `Which measures and dimensions are there for “${query}”?`,
      as,
      signal: enough.signal,
      onTool: (_, payload) => {
        if (payload.kind !== 'modelSearch') return;
        if (payload.error !== undefined) failure = `The search failed: ${payload.error}`;
        if (!payload.definitions) return;
        for (const definition of payload.definitions) found.set(definition.name, definition);
        // Stop after the event handlers of the session have run.
        if (found.size > 0) queueMicrotask(stop);
      },
    });
    const definitions = [...found.values()];
    return membersText(definitions, query) || allMembers(definitions) || answer.text || (failure ?? NO_ANSWER);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** All members that the agent found: it may have searched by other terms than those in the query. */
const allMembers = (definitions: readonly ModelDefinition[]): string =>
  capped(definitions.flatMap(({ members }) => members.map(({ name, title }) => `- \`${name}\` ${title}`)).join('\n'));

/** `analytics-chat mcp`: tools for coding agents, over MCP on stdio. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { ZodRawShape } from 'zod';
import { messageOf } from '../../shared/text/checks.ts';
import type { CliCommand, Invocation } from '../command.ts';
import { ArgumentError } from '../usage.ts';
import { askTool } from './askTool.ts';
import { ProgressReporter } from './progress.ts';
import { checkChangeTool, runQuestionsTool } from './runTools.ts';
import { StdioTransport } from './stdioTransport.ts';
import type { Tool, ToolInvocation } from './tool.ts';

const INSTRUCTIONS =
  'After an edit of the data model, commit and push it, then call check_change with wait: the service answers from what is pushed. Read the rows that changed, fix the model, and repeat. Answers that are unstable prove no change. Only a person accepts changed results. The command analytics-chat skill prints the whole procedure.';

export const mcp: CliCommand = async (invocation, { positionals }) => {
  const [folder, ...others] = positionals;
  if (others.length > 0) throw new ArgumentError('mcp takes one folder at most.');
  if (folder !== undefined) enter(folder);
  const server = new McpServer({ name: 'analytics-chat', version: invocation.version }, { instructions: INSTRUCTIONS });
  register(server, invocation, askTool);
  register(server, invocation, runQuestionsTool());
  register(server, invocation, checkChangeTool);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    invocation.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioTransport(process.stdin, invocation.output.streams.stdout));
  await closed;
  await server.close();
  return invocation.signal.aborted ? 130 : 0;
};

/** Makes the project of the tools the working directory, for clients that start servers somewhere else. */
function enter(folder: string): void {
  try {
    process.chdir(folder);
  } catch (failure) {
    throw new ArgumentError(`Can’t open ${folder}: ${messageOf(failure)}`);
  }
}

/** Messages name the options of the command line; the inputs of the tools have the same names. */
const withInputs = (message: string): string => message.replace(/--(?=(?:all|as|base|branch|wait)\b)/g, '');

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

function register<Input extends ZodRawShape>(server: McpServer, invocation: Invocation, tool: Tool<Input>): void {
  const { name, title, description, inputSchema, outputSchema } = tool;
  const annotations = { readOnlyHint: invocation.environment.isReadOnly, openWorldHint: true };
  const handler = async (input: unknown, extra: Extra): Promise<CallToolResult> => {
    const progress = progressOf(extra, invocation, title);
    try {
      const call: ToolInvocation = { ...invocation, signal: extra.signal, progress };
      const { text, structured } = await tool.run(input as Parameters<typeof tool.run>[0], call);
      return {
        content: [{ type: 'text', text: invocation.output.clean(text) }],
        structuredContent: cleaned(structured, invocation),
      };
    } catch (failure) {
      return {
        content: [{ type: 'text', text: invocation.output.clean(withInputs(messageOf(failure))) }],
        isError: true,
      };
    } finally {
      progress?.stop();
    }
  };
  server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, handler as never);
}

/** @returns undefined if the client asked for no progress */
function progressOf(
  { _meta, sendNotification }: Extra,
  { output }: Invocation,
  title: string,
): ProgressReporter | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return new ProgressReporter(({ message, ...update }) => {
    const params = { progressToken, ...update, message: output.clean(message) };
    // Fails if the client is gone, which cancels the call.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  }, title);
}

const cleaned = (structured: object, { output }: Invocation): Record<string, unknown> =>
  JSON.parse(JSON.stringify(structured), (_, value: unknown) =>
    typeof value === 'string' ? output.clean(value) : value,
  ) as Record<string, unknown>;

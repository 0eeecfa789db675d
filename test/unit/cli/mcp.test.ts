/** The MCP server, called by a client of the official SDK. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { after, afterEach, before, describe, it } from 'mocha';
import { canaryKey, Search } from '../../support/canary.ts';
import { until } from '../../support/until.ts';
import { useSandbox } from '../sandbox/support.ts';
import { Cli } from './support.ts';

describe('MCP server', () => {
  const cli = new Cli();
  const key = canaryKey();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const sandbox = useSandbox({ apiKey: key });
  let transport: StdioClientTransport;

  before(async () => {
    await cli.build();
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli.file, 'mcp'],
      env: {
        ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl,
        ANALYTICS_CHAT_API_KEY: key,
        ANALYTICS_CHAT_EXTERNAL_ID: 'agent',
      },
    });
    await client.connect(transport);
  });
  after(async () => {
    await client.close();
    cli.remove();
  });
  afterEach(() => sandbox.faults());

  async function call(name: string, input: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as { type: string; text: string }[];
    return { text: first?.text ?? '', isError: isError === true };
  }

  it('lists two tools with their inputs', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}), inputSchema.required]),
      [
        ['ask', ['question', 'branch', 'as'], ['question']],
        ['search_model', ['query', 'branch', 'as'], ['query']],
      ],
    );
  });

  it('answers a question with text, SQL and rows, on a branch too, and says where it asked', async () => {
    const { text } = await call('ask', { question: 'revenue by year' });
    assert.match(text, /^Revenue came to[^]*```sql\nSELECT[^]*\| 4269156\.03 \|[^]*\n\nAsked on branch main as agent$/);
    assert.match(
      (await call('ask', { question: 'revenue by year', branch: 'dev-net-revenue' })).text,
      /\| 4055566\.9 \|[^]*\n\nAsked on branch dev-net-revenue as agent$/,
    );
  });

  it('finds members of the data model without waiting for the rest of the answer', async () => {
    sandbox.faults({ pace: 30 });
    const before = sandbox.requests.length;
    const { text } = await call('search_model', { query: 'revenue' });
    assert.match(text, /^- `\w+\.revenue`/);
    assert.ok(sandbox.requests.slice(before).some(({ path }) => path.endsWith('/chat/abort')));
  });

  it('reports errors without the key', async () => {
    sandbox.faults({ errorLine: `the agent fell over ${key}` });
    const failed = await call('ask', { question: 'revenue' });
    assert.ok(failed.isError);
    assert.match(failed.text, /the agent fell over \[redacted\]/);
    assert.deepEqual(new Search(key).in(failed.text), []);
    assert.ok((await call('ask', { question: 'revenue', as: 'nobody' })).isError);
    assert.ok((await call('ask', { question: ' ' })).isError);
  });

  it('sends no control sequences, which clients may write to a terminal', async () => {
    const { text } = await call('ask', { question: 'revenue', as: '\u001b]0;title\u0007\u001b[2Jnobody' });
    assert.match(text, /“\]0;title\[2Jnobody”/);
  });

  it('aborts on the service when the client cancels', async () => {
    sandbox.faults({ pace: 200 });
    const before = sandbox.requests.length;
    const asked = (path: string): boolean =>
      sandbox.requests.slice(before).some((request) => request.path.endsWith(path));
    const controller = new AbortController();
    const calling = client.callTool({ name: 'ask', arguments: { question: 'revenue' } }, undefined, {
      signal: controller.signal,
    });
    const rejected = assert.rejects(calling);
    await until(() => asked('/chat/stream-chat-state'));
    controller.abort();
    await rejected;
    await until(() => asked('/chat/abort'));
  });

  it('exits with its client', async () => {
    const { pid } = transport;
    assert.ok(pid);
    await client.close();
    await until(() => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
  });
});

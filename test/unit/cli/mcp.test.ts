/** The MCP server, called by a client of the official SDK. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
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
  const env = (): Record<string, string> => ({
    ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl,
    ANALYTICS_CHAT_API_KEY: key,
    ANALYTICS_CHAT_EXTERNAL_ID: 'agent',
  });
  let transport: StdioClientTransport;

  before(async () => {
    await cli.build();
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli.file, 'mcp'],
      env: env(),
    });
    await client.connect(transport);
  });
  after(async () => {
    await client.close();
    cli.remove();
  });
  afterEach(() => sandbox.faults());

  interface Result {
    text: string;
    data: Record<string, unknown>;
    isError: boolean;
  }
  async function call(
    name: string,
    input: Record<string, unknown>,
    options?: Parameters<Client['callTool']>[2],
  ): Promise<Result> {
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: input },
      undefined,
      options,
    );
    const [first] = content as { type: string; text: string }[];
    const data = structuredContent as Record<string, unknown>;
    return { text: first?.text ?? '', data, isError: isError === true };
  }

  it('lists the tools with their inputs, and says when to use them', async () => {
    assert.match(client.getInstructions() ?? '', /call check_change/);
    const { tools } = await client.listTools();
    assert.ok(tools.every(({ annotations, outputSchema }) => annotations?.readOnlyHint && outputSchema));
    assert.deepEqual(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}), inputSchema.required]),
      [
        ['ask', ['question', 'branch', 'as', 'chatId'], ['question']],
        ['run_questions', ['paths', 'names', 'tag', 'branch', 'as', 'wait', 'failed_only'], undefined],
        ['check_change', ['base', 'branch', 'as', 'wait', 'all'], undefined],
      ],
    );
  });

  it('answers a question with text, SQL and rows, on a branch too, and says where it asked', async () => {
    const { text, data } = await call('ask', { question: 'revenue by year' });
    assert.match(
      text,
      /^Revenue came to[^]*```sql\nSELECT[^]*\| 4269156\.03 \|[^]*\n\nAsked on branch main as agent\n/,
    );
    const { queries, branch, identity, notice } = data as {
      queries: { sql: string; columns: { name: string }[]; rows: unknown[][]; totalRows: number }[];
    } & Record<string, unknown>;
    assert.deepEqual([branch, identity, notice], ['main', 'agent', undefined]);
    const [query] = queries;
    assert.match(query!.sql, /^SELECT/);
    assert.deepEqual(
      query!.rows.map((row) => row.length),
      Array(query!.totalRows).fill(query!.columns.length),
    );
    assert.match(
      (await call('ask', { question: 'revenue by year', branch: 'dev-net-revenue' })).text,
      /\| 4055566\.9 \|[^]*\n\nAsked on branch dev-net-revenue as agent\n/,
    );
  });

  it('says that rows are left out', async () => {
    const { text, data } = await call('ask', { question: 'revenue by day in 2024' });
    assert.match(text, /\n316 more rows\n/);
    assert.match(String(data['notice']), /^Some rows or queries are left out/);
  });

  it('continues a thread, and says that it does not exist', async () => {
    const { data } = await call('ask', { question: 'revenue by region in 2024' });
    const { chatId } = data;
    const next = await call('ask', { question: 'and only Europe?', chatId });
    assert.match(next.text, /^\*\*Europe\*\* has the highest revenue[^]*IN \('Europe'\)/);
    assert.equal(next.data['chatId'], chatId);
    const unknown = await call('ask', { question: 'and only Europe?', chatId: 'nowhere' });
    assert.deepEqual(
      [unknown.isError, unknown.text],
      [true, 'The service has no thread “nowhere”. Omit chatId to start one.'],
    );
  });

  it('says that the agent is still answering in a thread, and what to do', async () => {
    const { chatId } = (await call('ask', { question: 'revenue in 2024' })).data;
    sandbox.faults({ pace: 50 });
    const before = sandbox.requests.length;
    const running = call('ask', { question: 'and in 2023?', chatId });
    await until(() => sandbox.requests.length > before);
    const { text } = await call('ask', { question: 'and in 2022?', chatId });
    assert.match(text, /^The agent is still answering in this thread\. Wait for that answer, or omit chatId\.$/);
    await running;
  });

  it('reports the steps of the agent as progress', async () => {
    sandbox.faults({ pace: 20 });
    const updates: { progress: number; message?: string }[] = [];
    await call('ask', { question: 'revenue by year' }, { onprogress: (update) => updates.push(update) });
    // On a busy machine, a step is reported again while it lasts.
    const steps = updates.map(({ message }) => message).filter((message) => !/\(\d+ s\)$/.test(message ?? ''));
    assert.match(steps.join('\n'), /^Model search: .+\nSQL query: /);
    assert.ok(updates.every(({ progress }, at) => at === 0 || progress > updates[at - 1]!.progress));
  });

  it('reports progress while the service is silent, for clients that end calls without any', async () => {
    sandbox.faults({ latency: 2500 });
    const messages: (string | undefined)[] = [];
    await call('ask', { question: 'revenue by year' }, { onprogress: ({ message }) => messages.push(message) });
    assert.ok(
      messages.some((message) => /\(\d+ s\)$/.test(message ?? '')),
      messages.join('\n'),
    );
  });

  it('answers twenty calls at once, each its own', async () => {
    const years = Array.from({ length: 20 }, (_, at) => 2022 + (at % 3));
    const answers = await Promise.all(years.map((year) => call('ask', { question: `revenue in ${year}` })));
    for (const [at, { text }] of answers.entries()) assert.match(text, new RegExp(`'${years[at]}-01-01'`));
    assert.equal(new Set(answers.map(({ data }) => data['chatId'])).size, 20);
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

  it('answers what is no request with an error, and goes on', async () => {
    const child = spawn(process.execPath, [cli.file, 'mcp'], { env: env(), stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = [
      '{"jsonrpc": "2.0", "id": 1, "method": "ping"',
      '{"jsonrpc": "1.0", "id": 2, "method": "ping"}',
      '[]',
      '',
      '{"jsonrpc": "2.0", "id": 9, "result": 3}',
      '{"jsonrpc": "2.0", "id": "ü", "method": "ping"}',
    ];
    const bytes = Buffer.from(`${lines.join('\r\n')}\n`);
    // Within the two bytes of the letter.
    child.stdin.write(bytes.subarray(0, -22));
    child.stdin.end(bytes.subarray(-22));
    const answers = (await text(child.stdout)).trimEnd().split('\n');
    assert.deepEqual(
      answers.map((line) => {
        const { id, error } = JSON.parse(line) as { id: unknown; error?: { code: number } };
        return [id, error?.code];
      }),
      [
        [null, -32700],
        [2, -32600],
        [null, -32600],
        ['ü', undefined],
      ],
    );
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

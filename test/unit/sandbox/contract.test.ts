import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  ask,
  chatIdOf,
  dev,
  finalOf,
  newMessageId,
  parseLines,
  post,
  postChat,
  queryOf,
  startFast,
  textsOf,
  type Line,
  useSandbox,
} from './support.ts';

describe('sandbox: stream and requests', () => {
  const sandbox = useSandbox();

  it('streams an answer in the order of the contract', async () => {
    const messageId = newMessageId();
    const lines = await ask(sandbox, { input: 'revenue by month in 2024', messageId });
    const [cutoff, echo] = lines;
    assert.equal(cutoff?.id, '__cutoff__');
    assert.equal(cutoff.sort, 0);
    assert.equal(cutoff.role, 'assistant');
    assert.equal(cutoff.state?.isStreaming, true);
    assert.deepEqual(
      [echo?.id, echo?.role, echo?.content, echo?.isDelta],
      [messageId, 'user', 'revenue by month in 2024', false],
    );
    const kinds = lines.slice(2).map(({ id, toolCall, graphPath, isDelta, thinking }) => {
      if (id === '__state__' || id === '__usage__') return id;
      if (toolCall) return `${toolCall.name} ${toolCall.result === undefined ? 'start' : 'result'}`;
      if (graphPath?.[0] === 'final') return 'final';
      return thinking ? 'thinking' : isDelta === true ? 'content' : 'end';
    });
    const steps = kinds.filter((kind, index) => kind !== kinds[index - 1]);
    assert.deepEqual(steps, [
      'thinking',
      'end',
      'svcMeta start',
      'svcMeta result',
      'thinking',
      'end',
      'svcSqlApi start',
      'svcSqlApi result',
      'content',
      'end',
      'final',
      '__state__',
      '__usage__',
    ]);
  });

  it('numbers the lines of a thread in ascending order', async () => {
    const first = await ask(sandbox, { input: 'revenue in 2024' });
    const second = await ask(sandbox, { input: 'orders in 2024', chatId: chatIdOf(first) });
    const sorts = [...first, ...second.slice(1)].flatMap(({ sort }) => (sort === undefined ? [] : [sort]));
    assert.ok(sorts.length > 20);
    for (const [index, sort] of sorts.entries()) if (index > 0) assert.ok(sort > (sorts[index - 1] ?? 0));
  });

  it('ends each message with its whole text and each tool call with its first id', async () => {
    const lines = await ask(sandbox, { input: 'revenue by region in 2024' });
    const finished = lines.filter(
      ({ role, isInProcess, toolCall }) => role === 'assistant' && isInProcess === false && !toolCall,
    );
    const deltas = new Map<string, string>();
    for (const { id = '', content = '', isDelta } of lines)
      if (isDelta === true) deltas.set(id, (deltas.get(id) ?? '') + content);
    for (const { id = '', content } of finished) if (deltas.has(id)) assert.equal(content, deltas.get(id));
    const calls = lines.filter(({ toolCall }) => toolCall);
    assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
    for (const call of calls) {
      assert.equal(call.graphPath?.at(-1), 'tools');
      assert.equal(call.isInProcess, call.toolCall?.result === undefined);
    }
    assert.ok([...textsOf(lines).values()].includes(finalOf(lines)));
  });

  it('describes the members that it found and the SQL that it ran', async () => {
    const lines = await ask(sandbox, { input: 'revenue by month in 2024' });
    const [meta, sql] = ['svcMeta', 'svcSqlApi'].map(
      (name) => lines.findLast(({ toolCall }) => toolCall?.name === name)?.toolCall,
    );
    const found = JSON.parse(meta?.result ?? '') as {
      searchQuery: string;
      cubes: { name: string; type: string; members: Record<string, string>[] }[];
    };
    assert.equal(found.searchQuery, 'revenue by month in 2024');
    const revenue = found.cubes[0]?.members.find(({ name }) => name === 'sales.revenue');
    assert.deepEqual(revenue && [revenue['title'], revenue['type'], revenue['aggType']], ['Revenue', 'number', 'sum']);
    assert.ok((revenue?.['description'] ?? '').length > 20);
    const input = JSON.parse(sql?.input ?? '') as Record<string, string>;
    const result = queryOf(lines);
    assert.match(input['sqlQuery'] ?? '', /MEASURE\(sales\.revenue\)/);
    assert.equal(input['userRequest'], 'revenue by month in 2024');
    assert.equal(result.sqlQuery, input['sqlQuery']);
    assert.deepEqual(result.schema, [
      { name: 'month', column_type: 'time' },
      { name: 'revenue', column_type: 'number' },
    ]);
    assert.equal(result.data.length, 12);
    assert.equal(result.totalRows, 12);
    const spec = JSON.parse(result.vegaSpec ?? '') as { $schema: string; mark: { type: string }; data?: unknown };
    assert.match(spec.$schema, /vega-lite\/v5/);
    assert.equal(spec.mark.type, 'line');
    assert.equal(spec.data, undefined);
  });

  it('returns at most 100 rows and their total number', async () => {
    const { data, totalRows } = queryOf(await ask(sandbox, { input: 'orders by day in 2024' }));
    assert.equal(data.length, 100);
    assert.equal(totalRows, 366);
  });

  it('sends no reasoning outside development mode', async () => {
    const plain = await startFast({ developmentMode: false });
    try {
      const lines = await ask(plain, { input: 'revenue in 2024' });
      assert.ok(lines.every(({ thinking }) => !thinking));
      assert.match(finalOf(lines), /\*\*/);
    } finally {
      await plain.stop();
    }
  });

  it('reads a thread: history lines, then the state', async () => {
    const asked = await ask(sandbox, { input: 'revenue in 2024' });
    const chatId = chatIdOf(asked);
    const lines = await ask(sandbox, { chatId });
    assert.deepEqual(lines[0]?.state, { chatId, isStreaming: false });
    assert.equal(lines.at(-1)?.id, '__state__');
    assert.equal(finalOf(lines), finalOf(asked));
    const ids = lines.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(lines.at(-1)?.state?.messages?.length, lines.length - 2);
    const thoughts = (all: Line[]): string => all.map(({ thinking = '' }) => thinking).join('');
    assert.equal(thoughts(lines), thoughts(asked));
  });

  it('creates an empty thread without a message and a thread', async () => {
    const lines = await ask(sandbox, {});
    assert.deepEqual(
      lines.map(({ id }) => id),
      ['__cutoff__', '__state__'],
    );
    const next = await ask(sandbox, { chatId: chatIdOf(lines), input: 'revenue in 2024' });
    assert.equal(chatIdOf(next), chatIdOf(lines));
  });

  const refused: readonly (readonly [string, object | string])[] = [
    ['a body that is not JSON', '{"input":'],
    ['a body that is a list', '[]'],
    ['a messageId of another pattern', { input: 'x', messageId: '123-message' }],
    ['a messageId with something after it', { input: 'x', messageId: '1700000000000-message-2' }],
    ['input that is no text', { input: 7 }],
    ['a chatId that is no text', { chatId: {}, input: 'x' }],
    ['a branch that is no text', { input: 'x', activeBranchName: 1 }],
    ['isDefaultBranch that is no boolean', { input: 'x', isDefaultBranch: 'true' }],
    ['images that are no list', { input: 'x', images: {} }],
    ['an image without data', { input: 'x', images: [{ mimeType: 'image/png' }] }],
    [
      'an image with a data: prefix',
      { input: 'x', images: [{ mimeType: 'image/png', data: 'data:image/png;base64,AAAA' }] },
    ],
    ['an image that is none', { input: 'x', images: [{ mimeType: 'text/html', data: 'AAAA' }] }],
  ];
  for (const [what, body] of refused)
    it(`answers 400 to ${what}`, async () => {
      const sent = typeof body === 'string' ? body : { sessionSettings: dev, ...body };
      const response = await post(sandbox, sandbox.chatApiUrl, sent);
      assert.equal(response.status, 400);
      assert.equal(typeof ((await response.json()) as { error: unknown }).error, 'string');
    });

  it("accepts an image and says that it can't view it", async () => {
    const lines = await ask(sandbox, {
      input: 'revenue in 2024',
      images: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=', name: 'a.png' }],
    });
    assert.match(finalOf(lines), /cannot look into images/);
  });

  it('answers 404 for an unknown agent, account or thread', async () => {
    for (const path of ['/api/v1/public/acme/agents/2', '/api/v1/public/other/agents/1']) {
      const url = sandbox.chatApiUrl.replace('/api/v1/public/acme/agents/1', path);
      assert.equal((await post(sandbox, url, { sessionSettings: dev, input: 'x' })).status, 404);
    }
    assert.equal((await postChat(sandbox, { chatId: 'none', input: 'x' })).status, 404);
    assert.equal((await postChat(sandbox, { chatId: 'none' })).status, 404);
  });

  it("treats another user's thread as unknown", async () => {
    const chatId = chatIdOf(await ask(sandbox, { input: 'revenue in 2024' }));
    assert.equal((await postChat(sandbox, { chatId, sessionSettings: { externalId: 'eve' } })).status, 404);
  });

  it('refuses another branch in a thread if it pins threads to branches', async () => {
    const pinning = await startFast({ pinsBranches: true });
    const chatId = chatIdOf(await ask(pinning, { input: 'revenue in 2024' }));
    const branched = { chatId, input: 'revenue in 2024', activeBranchName: 'dev-margin' };
    assert.match(String((await ask(pinning, branched)).at(-1)?.error), /another branch/);
    const main = { activeBranchName: 'main', isDefaultBranch: true };
    assert.match(finalOf(await ask(pinning, { ...branched, ...main })), /Revenue/);
    await pinning.stop();
  });

  it('runs on a development branch, and reports any other name as a bad branch in the stream', async () => {
    const on = (branch: object): Promise<Line[]> => ask(sandbox, { input: 'revenue in 2024', ...branch });
    const [main, named, net] = await Promise.all([
      on({}),
      on({ activeBranchName: 'main', isDefaultBranch: true }),
      on({ activeBranchName: 'dev-net-revenue' }),
    ]);
    assert.deepEqual(queryOf(named).data, queryOf(main).data);
    assert.notDeepEqual(queryOf(net).data, queryOf(main).data);
    for (const bad of [
      { activeBranchName: 'nowhere' },
      { activeBranchName: 'main' },
      { activeBranchName: 'main', isDefaultBranch: false },
      { activeBranchName: 'dev-margin', isDefaultBranch: true },
      { isDefaultBranch: false },
    ]) {
      const lines = await on(bad);
      assert.deepEqual(lines.at(-1), { error: 'BadRequestError: Bad branch' });
      assert.ok(!lines.some(({ role }) => role === 'user'));
    }
    sandbox.faults({ badBranch: 'dev-margin', requests: 2 });
    const onMargin = async () =>
      (await on({ activeBranchName: 'dev-margin' })).some(({ error }) => error !== undefined);
    assert.deepEqual(
      [await onMargin(), (await on({})).some(({ error }) => error), await onMargin(), await onMargin()],
      [true, false, true, false],
    );
  });

  it('knows a member of a branch only on that branch', async () => {
    const input = 'gross margin in 2024';
    const there = await ask(sandbox, { input, activeBranchName: 'dev-margin' });
    assert.equal(queryOf(there).schema[0]?.name, 'gross_margin');
    const here = await ask(sandbox, { input });
    assert.ok(!here.some(({ toolCall }) => toolCall?.name === 'svcSqlApi'));
    assert.match(finalOf(here), /nothing in the data model for “gross”|“margin”/);
  });

  it('reports a failed query in the result of the tool', async () => {
    const lines = await ask(sandbox, { input: 'SELECT MEASURE(sales.nothing) FROM sales' });
    const call = lines.findLast(({ toolCall }) => toolCall);
    assert.equal(call?.isInProcess, false);
    assert.deepEqual(Object.keys(JSON.parse(call.toolCall?.result ?? '') as object), ['error']);
    assert.match(finalOf(lines), /failed/);
  });

  it('allows web pages and browser extensions (CORS)', async () => {
    const headers = {
      Origin: 'https://vscode.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    };
    const preflight = await fetch(sandbox.chatApiUrl, { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://vscode.example');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/i);
  });

  it('records requests for tests', async () => {
    const mark = newMessageId();
    await ask(sandbox, { input: 'revenue in 2024', messageId: mark });
    const request = sandbox.requests.find(({ body }) => body.includes(mark));
    assert.equal(request?.method, 'POST');
    assert.equal(request.headers.authorization, `Api-Key ${sandbox.apiKey}`);
    assert.equal(parseLines(request.body)[0]?.['messageId'], mark);
  });
});

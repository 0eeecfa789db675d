/** All rows of a query, requested with the branch and identity of its question and compared with the answer. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LoadedRows } from '../../../../src/shared/protocol/chat.ts';
import type * as loading from '../../../../src/vscode/results/allRows.ts';
import type * as tab from '../../../../src/vscode/results/resultsTab.ts';
import { ndjson, services as localServices, type Asked, type Service } from '../service.ts';
import { Editor, pairs, Panel, registered, until, viewOf, withQuery } from '../support.ts';
import type { ChatSession, ChatView, Home, Pairs, QuestionContext, ServiceStubs } from '../support.ts';

const { start, closeAll } = localServices();
const schema = [{ name: 'n', column_type: 'number' }];
const answering =
  (...data: unknown[][]) =>
  ({ response }: Asked): unknown =>
    response.end(ndjson({ schema, data }));

let editor: Editor;
beforeEach(() => (editor = new Editor()));
afterEach(closeAll);

/** @returns two chats with a query of three rows, whose SQL runs on the service */
function chatsOn({ url }: Service, more: ServiceStubs = {}): Pairs {
  const dataQuery = () => Promise.resolve({ dataQueryUrl: url, credential: { kind: 'apiKey', value: 'k' } });
  const two = pairs({ connector: { dataQuery }, ...more });
  for (const each of [two.first, two.second])
    for (const id of ['t8', 't9'])
      withQuery(each, id, { sqlQuery: `SELECT '${id}'`, queryTitle: id, totalRows: 3, data: [[90]], vegaSpec: '{}' });
  return two;
}

describe('loading all rows', () => {
  /** Loads the rows of the second chat. */
  async function load(two: Pairs, closed?: AbortSignal, query = 't9'): Promise<LoadedRows[]> {
    const { loadAll } = await editor.load<typeof loading>('results/allRows');
    const parts: LoadedRows[] = [];
    await loadAll(two.services, two.second, query, (part) => parts.push(part), closed);
    return parts;
  }
  const rowsOf = (parts: LoadedRows[]) => parts.flatMap(({ rows }) => rows);

  it('uses the connection, the branch and the identity of the question', async () => {
    const service = await start(answering([90], [180], [270]));
    const ben = { externalId: 'ben', userAttributes: [{ name: 'region', value: 'Europe' }] };
    const dataQuery = (home: Home, { branch, identity }: QuestionContext) =>
      Promise.resolve({
        ...{ dataQueryUrl: `${service.origin}/${home.connection}/{branch}`, mainBranch: 'main' },
        ...{ credential: { kind: 'apiKey', value: 'k' }, activeBranchName: branch, isDefaultBranch: false },
        sessionSettings: identity === 'ben' ? ben : {},
      });
    const parts = await load(chatsOn(service, { connector: { dataQuery } }));
    const body = { query: "SELECT 't9'", activeBranchName: 'net', isDefaultBranch: false, sessionSettings: ben };
    const [asked, ...others] = service.asked;
    assert.deepEqual([asked?.path, asked?.body, others], ['/finance/net', body, []]);
    assert.deepEqual(rowsOf(parts), [[90], [180], [270]]);
    assert.deepEqual([parts.at(-1)?.state, parts.at(-1)?.notice], ['done', undefined]);
    assert.deepEqual([editor.titles, editor.progress.at(-1)], [['Loading all rows…'], '3 of 3 rows']);
  });

  it('has instants in the time zone of the identity that asked, on its own connection, as the answer does', async () => {
    const [utc, noon] = ['2024-01-02T00:30:00Z', '2024-01-02T12:00:00Z'];
    const service = await start(answering([utc], [noon]));
    const zones = (of: { name: string }) =>
      of.name === 'finance' ? { ana: 'Asia/Tokyo', ben: 'America/New_York' } : { ben: 'Asia/Tokyo' };
    const two = chatsOn(service, { identities: { timeZones: zones } });
    withQuery(two.second, 't7', { sqlQuery: 'SELECT 1', data: [[utc], [noon]] });
    const parts = await load(two, undefined, 't7');
    assert.deepEqual(rowsOf(parts), [['2024-01-01T19:30:00-05:00'], ['2024-01-02T07:00:00-05:00']]);
    assert.equal(parts.at(-1)?.notice, undefined);
  });

  it('runs no SQL of a recorded chat, which may come from someone else', async () => {
    const service = await start(assert.fail as never);
    assert.deepEqual(await load(chatsOn(service, { repository: { isReadOnly: () => true } })), []);
    assert.match(editor.messages.join(), /^The SQL of a recorded chat can’t be run/);
    const two = chatsOn(service);
    withQuery(two.second, 't7', { sqlQuery: '' });
    assert.deepEqual([await load(two, undefined, 't7'), editor.messages.length], [[], 1], 'it is not known');
  });

  it('stops at 100,000 rows, and says so only if there are more', async () => {
    for (const [more, totalRows, state] of [
      [0, 3, 'done'],
      [1, 3, 'limited'],
      [0, 100_001, 'limited'],
    ] as const) {
      const service = await start(({ response }) => {
        response.write(ndjson({ schema, data: Array(60_000).fill([90]) }));
        response.end(ndjson({ data: Array(40_000 + more).fill([90]) }));
      });
      const two = chatsOn(service);
      withQuery(two.second, 't7', { sqlQuery: 'SELECT 1', data: [[90]], totalRows });
      const parts = await load(two, undefined, 't7');
      assert.deepEqual([parts[1]?.from, parts.at(-1)?.from, parts.at(-1)?.state], [60_000, 100_000, state]);
      assert.equal(editor.progress.at(-1), `${(100_000).toLocaleString()} of ${totalRows.toLocaleString()} rows`);
    }
  });

  it('ends the request when the view is closed or its user cancels, which is no difference', async () => {
    for (const end of ['close', 'cancel']) {
      const view = new AbortController();
      const service = await start(({ response }) => {
        response.write(ndjson({ schema, data: [[90]] }));
        if (end === 'close') view.abort();
        else editor.cancel();
      });
      const parts = await load(chatsOn(service), view.signal);
      await service.asked[0]?.closed;
      assert.deepEqual([parts.at(-1)?.state, parts.at(-1)?.notice], ['stopped', undefined]);
    }
  });

  it('reports rows that differ from the answer, as if the service ignores the branch', async () => {
    const parts = await load(chatsOn(await start(answering([100], [200]))));
    assert.equal(parts.at(-1)?.state, 'done');
    assert.match(parts.at(-1)?.notice ?? '', /^These rows differ from those in the answer\. 1 of the 1 rows/);
  });

  it('goes to a view only while that shows the same chat, once at a time for each query', async () => {
    const service = await start(({ response }) => void response.write(ndjson({ schema, data: [[90]] })));
    const two = chatsOn(service);
    const { intents } = await registered('results', two.services as never, editor.with());
    const posted: string[] = [];
    const view = { session: two.first, post: ({ type }: { type: string }) => posted.push(type) };
    const loadAll = (toolCallId: string): unknown =>
      intents.loadAll(view as unknown as ChatView, { type: 'loadAll', toolCallId });
    const running = loadAll('t9');
    await until(() => posted.splice(0).length > 0);
    await loadAll('t9');
    assert.deepEqual(editor.messages, ['All rows of this query are already loading.']);
    const stop = editor.cancel;
    const other = loadAll('t8');
    await until(() => service.asked.length === 2);
    editor.cancel();
    await other;
    posted.length = 0;
    view.session = two.second;
    void loadAll('t9');
    await until(() => posted.splice(0).length > 0);
    assert.equal(service.asked.length, 3);
    stop();
    await running;
    assert.deepEqual(posted, []);
    editor.cancel();
    view.session = two.first;
    const again = loadAll('t9');
    await until(() => posted.length > 0);
    assert.equal(editor.messages.length, 1, 'it can be loaded again');
    editor.cancel();
    await again;
  });
});

describe('a tab with results', () => {
  /** @returns functions that open and restore tabs */
  const open = () => editor.load<typeof tab>('results/resultsTab');
  const named = (threadId: string, toolCallId: string) => ({ threadId, toolCallId });
  const shown = { columns: [0], filters: [] };

  it('has the rows, the title and the changed chart of its query, and the arrangement of the grid it came from', async () => {
    const two = chatsOn(await start(answering([90])), {
      charts: { of: ({ thread }: ChatSession) => ['t8', 't7'].map((id) => [id, `${id} of ${thread.id}`]) },
    });
    editor.more = { l10n: { bundle: { Rows: 'Zeilen' } } };
    const { openResults } = await open();
    await openResults(two.services, { ...named('second', 't8'), shown });
    const [panel] = editor.panels as [Panel];
    panel.receive({ type: 'ready' });
    const [table, arrange] = panel.posted as unknown as Record<string, unknown>[];
    const { title, spec, hasSql, guardFormulas, remember, l10n } = table!;
    assert.deepEqual([panel.title, title, spec, hasSql, guardFormulas], ['t8', 't8', 't8 of second', true, true]);
    assert.deepEqual([remember, arrange], [named('second', 't8'), { type: 'arrange', shown }]);
    assert.deepEqual(l10n, { Rows: 'Zeilen' });
    await openResults(two.services, { ...named('second', 't8'), shown: { ...shown, isWhole: true } });
    assert.deepEqual([panel.types().at(-1), panel.reveals], ['arrange', 1]);
    assert.deepEqual([panel.type, panel.options?.retainContextWhenHidden], ['analyticsChat.results', true]);
    editor.settings = { 'export.guardFormulas': false };
    await assert.rejects(openResults(two.services, named('second', 't0')) as Promise<void>, /no longer available/);
    assert.ok(editor.panels.at(-1)!.isClosed && !panel.isClosed);
    await assert.rejects(openResults(two.services, {}) as Promise<void>, /no longer available/);
    for (const [fields, name, fromService] of [
      [{ sqlQuery: '', description: 'Two days' }, 'Two days', undefined],
      [{ sqlQuery: '', vegaSpec: '{"mark":"bar"}' }, 'Results', '{"mark":"bar"}'],
    ] as const) {
      withQuery(two.second, `of ${name}`, fields);
      await openResults(two.services, named('second', `of ${name}`));
      const last = editor.panels.at(-1)!;
      last.receive({ type: 'ready' });
      const [first, ...rest] = last.posted as unknown as Record<string, unknown>[];
      assert.deepEqual([last.title, first!['hasSql'], first!['spec'], rest], [name, false, fromService, []]);
      assert.equal(first!['guardFormulas'], false);
      assert.match(JSON.stringify(last.iconPath), /extension/);
    }
  });

  it('is one for each query of each chat, ends its request when it is closed, and can be opened again', async () => {
    const service = await start(({ response }) => void response.write(ndjson({ schema, data: [[90]] })));
    const two = chatsOn(service);
    const { openResults } = await open();
    for (const id of ['first', 'second', 'first'])
      for (const query of ['t8', 't9']) await openResults(two.services, named(id, query));
    assert.equal(editor.panels.length, 4);
    const panel = editor.panels[3]!;
    await openResults(two.services, named('second', 't9'));
    assert.deepEqual([panel.reveals, panel.types()], [1, []]);
    panel.receive({ type: 'loadAll' });
    await until(() => panel.types().includes('rows'));
    panel.dispose();
    await service.asked[0]?.closed;
    await openResults(two.services, named('second', 't9'));
    assert.equal(editor.panels.length, 5);
  });

  it('does what its page asks for, and logs what it can’t', async () => {
    const two = chatsOn(await start(answering([90])));
    const { openResults } = await open();
    await openResults(two.services, { ...named('second', 't9'), shown: { ...shown, isWhole: true } });
    const [panel] = editor.panels as [Panel];
    panel.receive({ type: 'ready' });
    panel.receive({ type: 'copy', text: 'cell' });
    panel.receive({ type: 'openSql' });
    panel.receive({ type: 'problem', text: 'Oops.' });
    panel.receive({});
    await until(() => panel.posted.some((message) => 'state' in message && message.state === 'done'));
    assert.deepEqual([editor.copied, editor.shown], [['cell'], ["SELECT 't9'"]]);
    assert.deepEqual(two.done.splice(0), ['A page reported an error: Oops.', 'A page sent an invalid message.']);
    [editor.picks, editor.targets] = [['The rows and columns as shown', 'CSV'], ['/shop/a']];
    panel.receive({ type: 'exportResults', shown: { columns: [0, 0], filters: [] } });
    await until(() => editor.files.has('/shop/a'));
    assert.equal(editor.files.get('/shop/a'), 'n,n\r\n90,90\r\n');
  });

  it('is restored after a restart, or closed if its results are gone', async () => {
    const two = chatsOn(await start(answering([90])));
    const { restoreResults } = await open();
    for (const [state, isClosed] of [
      [named('second', 't9'), false],
      [named('gone', 't9'), true],
      [named('second', 't0'), true],
      [undefined, true],
    ] as const) {
      const panel = new Panel();
      await restoreResults(two.services, panel as never, state);
      assert.deepEqual([panel.isClosed, panel.title], [isClosed, isClosed ? '' : 't9']);
      assert.equal(two.done.splice(0).length, isClosed ? 1 : 0);
      panel.dispose();
    }
  });

  it('is opened, exported and changed for the query of its chat, whose view has the focus after the prompts', async () => {
    const changed: unknown[] = [];
    const two = chatsOn(await start(answering([90])), {
      charts: {
        open: ({ thread }: ChatSession, id: string) => changed.push([thread.id, id]),
        change: ({ thread }: ChatSession, ...of: string[]) => changed.push([thread.id, ...of]),
      },
    });
    const { commands, intents } = await registered('results', two.services as never, editor.with());
    const view = viewOf(two.second, () => changed.push('focus'));
    const query = { toolCallId: 't8' };
    await intents.openChartSpec(view, { type: 'openChartSpec', ...query });
    await intents.changeChart(view, { type: 'changeChart', ...query, spec: '{}' });
    editor.picks = ['The rows and columns as shown', 'CSV', 'The rows and columns as shown', 'CSV'];
    editor.targets = ['/shop/a', '/read-only/a', '/shop/a.svg'];
    const twice = { columns: [0, 0], filters: [] };
    const exported = () => intents.exportResults(view, { type: 'exportResults', ...query, shown: twice });
    await exported();
    await assert.rejects(exported as () => Promise<unknown>, /No permission/);
    await intents.saveChart(view, { type: 'saveChart', ...query, format: 'svg', data: '<svg>the-key</svg>' });
    assert.deepEqual(changed, [['second', 't8'], ['second', 't8', '{}'], 'focus', 'focus', 'focus']);
    assert.deepEqual([...editor.files.values()], ['n,n\r\n90,90\r\n', '<svg>[redacted]</svg>']);
    await intents.openResults(view, { type: 'openResults', ...query, shown: twice });
    const [panel] = editor.panels as [Panel];
    panel.receive({ type: 'ready' });
    assert.deepEqual(panel.posted.slice(1), [{ type: 'arrange', shown: twice }]);
    await commands['analyticsChat.openResults']!({ threadId: 'second', ...query });
    assert.deepEqual([editor.panels.length, panel.reveals], [1, 1]);
  });
});

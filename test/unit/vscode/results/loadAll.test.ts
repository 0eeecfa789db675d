/** All rows of a query, requested with the branch and identity of its question and compared with the answer. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import type { LoadedRows } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { Connector } from '../../../../src/vscode/connection/connector.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { services, type Service } from '../../api/support/service.ts';

const { start, closeAll } = services();

const QUERY = 'tool-1';
const schema = [{ name: 'revenue', column_type: 'number' }];
const input = JSON.stringify({ sqlQuery: 'SELECT MEASURE(revenue) FROM sales' });
const result = JSON.stringify({ schema, data: [[90]], totalRows: 2 });
const europe = { externalId: 'ana', userAttributes: [{ name: 'region', value: 'Europe' }] };

const session = {
  thread: {
    ...emptyThread('first'),
    turns: [
      makeTurn({ id: 'question', context: { branch: 'dev/net', isDefaultBranch: false, identity: 'Ana in Europe' } }, [
        makeItem(QUERY, { toolCall: { name: 'svcSqlApi', input, result } }),
      ]),
    ],
  },
} as unknown as ChatSession;

/** What the progress notification said. */
const progress: string[] = [];
const editor = {
  window: {
    withProgress: (_options: object, work: (progress: object, token: object) => unknown) =>
      work(
        { report: ({ message }: { message: string }) => progress.push(message) },
        { onCancellationRequested: () => ({ dispose: () => undefined }) },
      ),
  },
};

type MakeConnector = new (...of: object[]) => Connector;
type LoadAll = (
  app: object,
  of: ChatSession,
  toolCallId: string,
  onPart: (part: LoadedRows) => void,
  closed?: AbortSignal,
) => Promise<void>;

describe('loading all rows', () => {
  let MakeConnector: MakeConnector;
  let loadAll: LoadAll;
  let service: Service;
  /** Whether the service respects the branch. */
  let heedsBranch: boolean;

  before(async () => {
    ({ Connector: MakeConnector } = await loadWithEditor<{ Connector: MakeConnector }>(
      'vscode/connection/connector.ts',
      editor,
    ));
    ({ loadAll } = await loadWithEditor<{ loadAll: LoadAll }>('vscode/results/allRows.ts', editor));
  });
  beforeEach(async () => {
    heedsBranch = true;
    service = await start(({ body, response }) => {
      const net = heedsBranch && body.activeBranchName === 'dev/net';
      response.end(`${JSON.stringify({ schema, data: net ? [[90], [180]] : [[100], [200]] })}\n`);
    });
  });
  afterEach(closeAll);

  async function load(closed?: AbortSignal, { origin, url } = service, isReadOnly = false): Promise<LoadedRows[]> {
    const dataQueryUrl = `${origin}/{branch}/query`;
    const entry = { name: '', chatApiUrl: url, authentication: 'apiKey', dataQueryUrl };
    const connections = { of: () => entry };
    const connector = new MakeConnector(
      connections,
      { read: () => Promise.resolve({ state: 'found', credential: { kind: 'apiKey', value: 'k' } }) },
      // The current branch and identity differ from those of the question.
      { main: 'main', current: { name: 'other', isDefault: false } },
      { on: () => 'Somebody else', settingsOf: (name: string) => (name === 'Ana in Europe' ? europe : {}) },
      {},
    );
    const sessions = { homeOf: () => undefined, connectionOf: () => entry };
    const parts: LoadedRows[] = [];
    const identities = { timeZones: () => ({ 'Ana in Europe': 'Europe/Berlin' }) };
    const app = { connector, identities, sessions, repository: { isReadOnly: () => isReadOnly } };
    await loadAll(app, session, QUERY, (part) => parts.push(part), closed);
    return parts;
  }

  it('uses the branch and the identity of the question', async () => {
    const parts = await load();
    assert.deepEqual(
      service.asked.map(({ path, body }) => [path, body]),
      [
        [
          '/dev%2Fnet/query',
          {
            query: 'SELECT MEASURE(revenue) FROM sales',
            activeBranchName: 'dev/net',
            isDefaultBranch: false,
            sessionSettings: europe,
          },
        ],
      ],
    );
    assert.deepEqual(
      parts.flatMap(({ rows }) => rows),
      [[90], [180]],
    );
    assert.equal(parts.at(-1)?.notice, undefined);
  });

  it('runs no SQL of a recorded chat, which may come from someone else', async () => {
    assert.deepEqual(await load(undefined, service, true), []);
    assert.deepEqual(service.asked, []);
  });

  it('says how many of all rows are loaded', async () => {
    progress.length = 0;
    await load();
    assert.equal(progress.at(-1), '2 of 2 rows');
  });

  it('stops at 100,000 rows, and says so only if there are more', async () => {
    for (const [more, state] of [
      [0, 'done'],
      [1, 'limited'],
    ] as const) {
      const data = Array.from({ length: 100_000 + more }, () => [90]);
      const large = await start(({ response }) => void response.end(`${JSON.stringify({ schema, data })}\n`));
      const parts = await load(undefined, large);
      assert.deepEqual([parts.at(-1)?.from, parts.at(-1)?.state], [100_000, state]);
    }
  });

  it('ends the request when the view is closed', async () => {
    const view = new AbortController();
    const service = await start(({ response }) => {
      response.write(`${JSON.stringify({ schema, data: [[90]] })}\n`);
      view.abort();
    });
    const parts = await load(view.signal, service);
    await service.asked[0]?.closed;
    assert.equal(parts.at(-1)?.state, 'stopped');
    assert.equal(parts.at(-1)?.notice, undefined, 'rows that were not loaded are no difference');
  });

  it('reports rows that differ from the answer if the service ignores the branch', async () => {
    heedsBranch = false;
    const parts = await load();
    assert.equal(parts.at(-1)?.state, 'done');
    assert.match(parts.at(-1)?.notice ?? '', /^These rows differ from those in the answer\. 1 of the 1 rows/);
  });
});

describe('a tab with results', () => {
  afterEach(closeAll);

  it('is revealed while it is open, ends its request when it is closed, and can be opened again', async () => {
    const service = await start(({ response }) => void response.write(`${JSON.stringify({ schema, data: [[90]] })}\n`));
    const posted: string[] = [];
    let close = (): void => undefined;
    let receive = (_message: object): void => undefined;
    let opened = 0;
    const nothing = { dispose: () => undefined };
    const panel = {
      webview: {
        asWebviewUri: String,
        postMessage: ({ type }: { type: string }) => posted.push(type),
        onDidReceiveMessage: (listener: typeof receive) => ((receive = listener), nothing),
      },
      onDidDispose: (listener: typeof close) => (close = listener),
      reveal: () => undefined,
    };
    type Open = (services: object, argument: object) => Promise<void>;
    const { openResults } = await loadWithEditor<{ openResults: Open }>('vscode/results/resultsTab.ts', {
      ...{ ...editor, Uri: { joinPath: () => '' } },
      window: { ...editor.window, createWebviewPanel: () => ((opened += 1), panel) },
    });
    const options = { dataQueryUrl: service.url, credential: { kind: 'apiKey', value: 'k' } };
    const services = {
      ...{
        context: {},
        guarded: (work: () => unknown) => work(),
        sessions: { homeOf: () => undefined, connectionOf: () => options },
      },
      connector: { dataQuery: () => Promise.resolve(options) },
      identities: { timeZones: () => ({}) },
      repository: { isReadOnly: () => false, open: () => Promise.resolve(session) },
    };
    await openResults(services, { threadId: 'first', toolCallId: QUERY });
    receive({ type: 'loadAll' });
    await until(() => posted.includes('rows'));
    await openResults(services, { threadId: 'first', toolCallId: QUERY });
    assert.equal(opened, 1);
    close();
    await service.asked[0]?.closed;
    await openResults(services, { threadId: 'first', toolCallId: QUERY });
    assert.equal(opened, 2);
  });
});

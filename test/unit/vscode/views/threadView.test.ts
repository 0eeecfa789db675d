/** A view between its host and its page: what is posted, and what is dropped. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyDraft, type ToWebview } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { ThreadView } from '../../../../src/vscode/views/threadView.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { services } from '../../api/support/service.ts';

const { start, closeAll } = services();
afterEach(closeAll);

const QUERY = 'tool-1';
const input = JSON.stringify({ sqlQuery: 'SELECT 1' });
const result = JSON.stringify({ schema: [{ name: 'a', column_type: 'int' }], data: [[1]], totalRows: 3 });
const toolCall = { name: 'svcSqlApi', input, result };

const sessionOf = (id: string): ChatSession =>
  ({ thread: withItems(emptyThread(id), makeItem(QUERY, { toolCall })) }) as unknown as ChatSession;

/** The part of VS Code's API that loading all rows needs. */
const editor = {
  l10n: {},
  ProgressLocation: { Notification: 15 },
  window: {
    withProgress: (_options: object, work: (progress: object, token: object) => unknown) =>
      work({ report: () => undefined }, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  },
};

type View = new (...of: ConstructorParameters<typeof ThreadView>) => ThreadView;
type HandleIntent = (app: object, view: ThreadView, message: object) => Promise<void>;

describe('a view', () => {
  let View: View;
  let handleIntent: HandleIntent;
  let view: ThreadView;
  let posted: ToWebview[];
  let visible: boolean;
  let fromPage: (message: unknown) => void;
  const session = sessionOf('first');

  before(async () => {
    ({ ThreadView: View } = await loadWithEditor<{ ThreadView: View }>('vscode/views/threadView.ts', editor));
    ({ handleIntent } = await loadWithEditor<{ handleIntent: HandleIntent }>('vscode/views/intents.ts', editor));
  });

  beforeEach(() => {
    posted = [];
    visible = true;
    const webview = {
      postMessage: (message: ToWebview) => Promise.resolve(posted.push(message) > 0),
      onDidReceiveMessage: (listener: typeof fromPage) => {
        fromPage = listener;
        return { dispose: () => undefined };
      },
    };
    const holder = {
      webview,
      get visible() {
        return visible;
      },
      // Dispose it like VS Code does when a tab is closed.
      reveal: () => assert.fail('Webview is disposed'),
    };
    view = new View(holder, session, {
      viewContext: () => ({}) as never,
      draft: () => emptyDraft,
      onIntent: () => undefined,
      onProblem: assert.fail,
    });
    fromPage({ type: 'ready' });
  });
  afterEach(() => view.dispose());

  const types = (): string[] => posted.splice(0).map(({ type }) => type);

  it('that is shown again gets the state for its user, but no rows or lists that its last page requested', () => {
    visible = false;
    view.visibilityChanged();
    view.post({ type: 'compose', draft: { text: 'About it:', images: [] } });
    for (let from = 0; from < 10; from += 1)
      view.post({ type: 'rows', toolCallId: QUERY, from, rows: [[from]], state: 'loading' });
    view.post({ type: 'threads', query: 'a', from: 0, entries: [], total: 0, busy: true });
    view.post({ type: 'focus', what: 'history' });
    assert.deepEqual(types(), ['snapshot']);
    visible = true;
    view.visibilityChanged();
    fromPage({ type: 'ready' });
    assert.deepEqual(types(), ['snapshot', 'compose', 'focus']);
  });

  it('that loads does not take the focus back later', () => {
    visible = false;
    view.visibilityChanged();
    view.post({ type: 'focus', what: 'composer' });
    visible = true;
    view.visibilityChanged();
    fromPage({ type: 'ready' });
    assert.deepEqual(types(), ['snapshot', 'snapshot']);
  });

  it('that was closed during a prompt stays closed', () => {
    view.dispose();
    view.reveal();
  });

  it('that shows another chat gets no rows of the previous one, whose queries may have the same ids', async () => {
    const next = Promise.withResolvers<void>();
    const service = await start(async ({ response }) => {
      response.write('{"schema":[{"name":"a","column_type":"int"}]}\n{"data":[[1]]}\n');
      await next.promise;
      response.end('{"data":[[2],[3]]}\n');
    });
    const app = {
      sessions: { homeOf: () => undefined },
      repository: { isReadOnly: () => false },
      connections: { of: () => ({ dataQueryUrl: service.url, authentication: 'apiKey' }) },
      connector: {
        dataQuery: () => Promise.resolve({ dataQueryUrl: service.url, credential: { kind: 'apiKey', value: 'k' } }),
      },
    };
    const loading = handleIntent(app, view, { type: 'loadAll', toolCallId: QUERY });
    await until(() => posted.some((message) => message.type === 'rows' && message.rows.length > 0));
    types();
    view.show(sessionOf('second'));
    next.resolve();
    await loading;
    assert.deepEqual(types(), ['snapshot']);
  });
});

/** A view between its host and its page: what is posted, and what is dropped. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyDraft, type ToWebview } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { ThreadView } from '../../../../src/vscode/views/threadView.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { until } from '../../../support/until.ts';
import { registered } from '../areas.ts';
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

describe('a view', () => {
  let View: View;
  let view: ThreadView;
  let posted: ToWebview[];
  let visible: boolean;
  let fromPage: (message: unknown) => void;
  const session = sessionOf('first');

  before(async () => {
    ({ ThreadView: View } = await loadWithEditor<{ ThreadView: View }>('vscode/views/threadView.ts', editor));
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
    view.post({ type: 'focus', what: 'last' });
    assert.deepEqual(types(), ['snapshot']);
    visible = true;
    view.visibilityChanged();
    fromPage({ type: 'ready' });
    assert.deepEqual(types(), ['snapshot', 'compose', 'focus']);
  });

  it('that is shown again gets nothing before its new page has loaded, also if it shows another chat', () => {
    visible = false;
    view.visibilityChanged();
    visible = true;
    view.visibilityChanged();
    types();
    view.show(sessionOf('second'));
    view.post({ type: 'compose', draft: { text: 'About it:', images: [] } });
    assert.deepEqual(types(), []);
    fromPage({ type: 'ready' });
    assert.deepEqual(types(), ['snapshot', 'compose']);
  });

  it('gets numbered batches of events, and its page is reloaded only if it is shown and silent', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const reloads: string[] = [];
    const webview = {
      html: 'the page',
      postMessage: (message: ToWebview) => Promise.resolve(posted.push(message) > 0),
      onDidReceiveMessage: (listener: typeof fromPage) => ((fromPage = listener), { dispose: () => undefined }),
    };
    const holder = {
      webview,
      get visible() {
        return visible;
      },
      reveal: () => undefined,
    };
    const onProblem = (text: string): void => void reloads.push(text);
    const host = { viewContext: () => ({}) as never, draft: () => emptyDraft, onIntent: () => undefined, onProblem };
    const shown = new View(holder, session, host);
    const wait = (answer: () => void): void => {
      for (let beat = 0; beat < 10; beat += 1) {
        mock.timers.tick(5000);
        answer();
      }
    };
    try {
      fromPage({ type: 'ready' });
      posted = [];
      for (let count = 0; count < 2; count += 1) shown.push([{ type: 'loading' }]);
      assert.deepEqual(
        posted.map((message) => message.type === 'events' && message.seq),
        [1, 2],
      );
      wait(() => fromPage({ type: 'pong' }));
      visible = false;
      shown.visibilityChanged();
      wait(() => undefined);
      assert.deepEqual(reloads, []);
      visible = true;
      shown.visibilityChanged();
      wait(() => undefined);
      assert.ok(reloads.length > 0);
    } finally {
      shown.dispose();
      mock.timers.reset();
    }
  });

  it('that is behind gets the events before a message that follows them', () => {
    types();
    for (let count = 0; count < 5; count += 1) view.push([{ type: 'loading' }]);
    assert.deepEqual(types(), ['events', 'events']);
    view.post({ type: 'compose', draft: emptyDraft });
    assert.deepEqual(types(), ['events', 'compose']);
  });

  it('that has rendered its events gets the next ones at once', () => {
    const push = (): void => view.push([{ type: 'loading' }]);
    for (let count = 0; count < 3; count += 1) push();
    view.post({ type: 'ping' });
    fromPage({ type: 'drawn', seq: 3 });
    const later = performance.now() + 500;
    const clock = mock.method(performance, 'now', () => later);
    types();
    push();
    clock.mock.restore();
    assert.deepEqual(types(), ['events']);
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
    const stubs = {
      sessions: { homeOf: () => undefined, connectionOf: () => ({ dataQueryUrl: service.url }) },
      repository: { isReadOnly: () => false },
      connector: {
        dataQuery: () => Promise.resolve({ dataQueryUrl: service.url, credential: { kind: 'apiKey', value: 'k' } }),
      },
    };
    const { intents } = await registered('results', stubs, editor);
    const loading = intents.loadAll(view, { type: 'loadAll', toolCallId: QUERY });
    await until(() => posted.some((message) => message.type === 'rows' && message.rows.length > 0));
    types();
    view.show(sessionOf('second'));
    next.resolve();
    await loading;
    assert.deepEqual(types(), ['snapshot']);
  });
});

describe('the page of a view', () => {
  it('can open web and mail links, but no commands, files or other programs', async () => {
    const opened: string[] = [];
    const { intents } = await registered(
      'conversation',
      {},
      {
        Uri: { parse: (text: string) => text },
        env: { openExternal: (uri: string) => Promise.resolve(opened.push(uri)) },
      },
    );
    const allowed = ['https://example.com/', 'mailto:ana@example.com'];
    const refused = ['command:workbench.action.quit', 'file:///etc/passwd', 'vscode://publisher.other/run', 'x'];
    for (const href of [...refused, ...allowed]) await intents.openLink({} as ThreadView, { type: 'openLink', href });
    assert.deepEqual(opened, allowed);
  });

  it('passes its draft to the other views of the chat, not back to the page that is being typed in', async () => {
    const session = sessionOf('first');
    const posted: string[] = [];
    const viewOf = (name: string) => ({ session, post: () => posted.push(name) }) as unknown as ThreadView;
    const own = viewOf('own');
    const { intents } = await registered('conversation', {
      sessions: { get: () => session, keepDraft: () => undefined },
      views: { of: () => [own, viewOf('other')] },
    });
    await intents.draft(own, { type: 'draft', threadId: 'first', draft: emptyDraft });
    assert.deepEqual(posted, ['other']);
  });
});

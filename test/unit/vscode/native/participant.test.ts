/** The participant in VS Code's chat, with a stub of the editor. */
import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { type ErrorAction } from '../../../../src/shared/thread/model.ts';
import type * as participant from '../../../../src/vscode/native/participant.ts';
import { answering, beginning, chatOn, connectionTo, delta, final } from '../service.ts';
import { queryLine, services as localServices, type Asked } from '../service.ts';
import { emptyThread, EventEmitter, finance, loadWithEditor, makeItem } from '../support.ts';
import { makeTurn, pairs, sales, withItems, withQuery, type ChatSession, type Thread } from '../support.ts';

class ChatResponseTurn {
  readonly result: object;
  constructor(threadId: string) {
    this.result = { metadata: { threadId } };
  }
}
interface Asking {
  prompt?: string;
  command?: string;
  onText?: (cancel: () => void) => void;
}

const SQL = "SELECT MEASURE(orders.count), 'the-key' FROM orders";
const query = (id: string, sort: number, data: unknown[][], queryTitle = 'Orders'): object =>
  queryLine(id, sort, { sqlQuery: SQL, queryTitle, data, schema: [{ name: 'n', column_type: 'number' }] });
const starred = { branch: '*dev*', isDefaultBranch: false, identity: 'ana' };

describe('the chat participant', () => {
  const { start, closeAll } = localServices();
  afterEach(closeAll);
  let native: typeof participant;
  before(async () => {
    native = await loadWithEditor<typeof participant>('vscode/native/participant.ts', { ChatResponseTurn });
  });

  /** Asks in a chat that continues the thread of a session; one before it continued another. */
  async function askIn(session: ChatSession, sessions: object, asking: Asking = {}) {
    const { prompt = 'and now?', command, onText = () => undefined } = asking;
    const opened: string[] = [];
    const open = (id: string) => (opened.push(id), Promise.resolve(session));
    const { services } = pairs({ repository: { open }, sessions });
    const stop = new EventEmitter<void>();
    const token = { isCancellationRequested: false, onCancellationRequested: stop.event };
    const cancel = (): void => {
      token.isCancellationRequested = true;
      stop.fire();
    };
    const buttons: unknown[][] = [];
    let [shown, progress] = ['', ''];
    const stream = {
      markdown: (text: string | { value: string }) => {
        shown += typeof text === 'string' ? text : text.value;
        onText(cancel);
      },
      progress: (text: string) => void (progress += text),
      button: ({ command, title, tooltip, arguments: values = [] }: vscode.Command) =>
        void buttons.push([command, tooltip ? `${title}: ${tooltip}` : title, ...(values as unknown[])]),
    };
    const history = ['earlier', session.thread.id].map((id) => new ChatResponseTurn(id));
    const request = { prompt, command } as never;
    const answer = native.participantHandler(services)(request, { history } as never, stream as never, token as never);
    const result = await answer;
    return { metadata: result && result.metadata, buttons, shown, progress, opened };
  }

  /** Asks a local service in a new thread. */
  async function ask(answer: (asked: Asked) => unknown, asking?: Asking) {
    const { url } = await start(answer);
    const { session, sessions } = chatOn({ url, connect: () => Promise.resolve(connectionTo({ url }, starred)) });
    return askIn(session, sessions, asking);
  }

  /** Asks in a thread whose question fails with this action; it can't be sent, or its answer fails. */
  function fail(thread: Thread, action: ErrorAction, isSent = false) {
    const changed = new EventEmitter<object>();
    const error = { kind: 'network', message: 'Cut *off*.', actions: [action, 'showLog'] as const };
    const turn = { ...makeTurn({ id: 'new', content: 'and now?' }), outcome: { state: 'failed', error } as const };
    const session = {
      thread,
      send: () => {
        if (isSent) session.thread = { ...thread, turns: [turn] };
        else changed.fire({ session, events: [{ type: 'unsent', error }] });
      },
      idle: () => undefined,
    };
    return askIn(session as unknown as ChatSession, { onDidChange: changed.event });
  }

  it('continues its last thread, but starts a new one with /new or if no question of it could be sent', async () => {
    const asked = { ...emptyThread('t'), turns: [makeTurn({ id: 'q' })] };
    const failed = await fail(asked, 'retry');
    assert.deepEqual([failed.metadata, failed.opened], [{ threadId: 't' }, ['t']]);
    assert.match(failed.shown, /^\n\nCut &#42;off&#42;/);
    assert.deepEqual((await fail(emptyThread('t'), 'retry')).metadata, {});
    const { shown, opened, metadata } = await ask(answering(final('Twelve.', 2)), { command: 'new' });
    assert.match(shown, /Twelve/);
    assert.deepEqual([opened, metadata], [[], { threadId: 't' }]);
    for (const [command, threadId] of [
      [undefined, 't'],
      ['new', undefined],
    ] as const) {
      const empty = await ask(() => assert.fail(), { prompt: ' ', ...(command && { command }) });
      assert.match(empty.shown, /^Ask about your data, for example: revenue/);
      assert.deepEqual(empty.metadata, threadId === undefined ? {} : { threadId });
    }
  });

  it('offers what may help after a failure: in its own chat, or for its own thread', async () => {
    for (const [action, ...button] of [
      ['retry', 'workbench.action.chat.open', 'Retry', { query: '@analytics and now?' }],
      ['setApiKey', 'analyticsChat.setApiKey', 'Set API key', { threadId: 't' }],
      ['connect', 'analyticsChat.connect', 'Connect'],
      ['switchBranch', 'analyticsChat.switchBranch', 'Switch branch'],
      ['switchIdentity', 'analyticsChat.switchIdentity', 'Switch identity'],
      ['openSettings', 'workbench.action.openSettings', 'Open settings', '@ext:analytics-chat.analytics-chat'],
      ['openProxySettings', 'workbench.action.openSettings', 'Open proxy settings', 'http.proxy'],
      ['showLog', 'analyticsChat.showLog', 'Show log'],
    ] as const)
      assert.deepEqual((await fail(emptyThread('t'), action)).buttons, [button]);
    const { buttons } = await fail(emptyThread('t'), 'resume', true);
    assert.deepEqual(buttons, [['analyticsChat.openThread', 'Open the chat', { threadId: 't' }]]);
  });

  it('writes nothing more once the user has canceled', async () => {
    const { shown } = await ask(beginning(delta('Stop here!', 2)), { onText: (cancel) => cancel() });
    // The last word may be the beginning of a secret.
    assert.equal(shown, 'Stop ');
  });

  it('says why there is no answer: a failed query, nothing at all, or because the service stopped', async () => {
    for (const [lines, message] of [
      [[queryLine('q', 2, { error: 'no such table' })], /^\s*The agent’s query failed&#58; no such table\s+\*Asked/],
      [[], /^\s*The agent returned no answer&#46;\s+\*Asked/],
      [[final('Twelve.', 2)], /^Twelve\.\s+\*Asked/],
      [[query('q', 2, [[12]])], /^\s*```sql\n[^`]*```\s+\*Asked/],
      [
        [{ id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'stopped' }],
        /^\s*The service stopped this answer&#46;\s+\*Asked/,
      ],
    ] as const)
      assert.match((await ask(answering(...lines))).shown, message);
  });

  it('shows its steps as plain text, and below the answer each SQL with buttons for it and its rows, and where it was asked', async () => {
    const title = '[free](https://evil.example) the-key';
    const lines = [query('q1', 2, [[12]], title), query('q2', 3, [], 'Costs'), final('Twelve.', 4)];
    const { buttons, shown, progress } = await ask(answering(...lines));
    assert.match(progress, /free.*redacted/);
    assert.doesNotMatch(progress, /\[free\]\(|the-key/);
    assert.deepEqual(shown.match(/Twelve|SELECT|\[redacted\]|Asked/g), [
      ...['Twelve', 'SELECT', '[redacted]', 'SELECT', '[redacted]', 'Asked'],
    ]);
    assert.match(shown, /\*Asked on branch &#42;dev&#42; as ana\*$/);
    assert.deepEqual(buttons, [
      ['analyticsChat.insertSql', `Insert SQL: ${title}`, { threadId: 't', toolCallId: 'q1' }],
      ['analyticsChat.openResults', `Open results: ${title}`, { threadId: 't', toolCallId: 'q1' }],
      ['analyticsChat.insertSql', 'Insert SQL: Costs', { threadId: 't', toolCallId: 'q2' }],
    ]);
  });

  it('switches the branch, or the identity of its own connection, whichever chat is active', async () => {
    const switched: unknown[] = [];
    const { services } = pairs({
      branches: {
        switchTo: (label: string) => Promise.resolve(Object.assign(services.branches, { label })),
      },
      identities: {
        on: (entry: object) => `ben on ${entry === finance ? 'finance' : 'sales'}`,
        switchTo: (name: string, entry: object) => Promise.resolve(switched.push([name, entry])),
      },
      // Before a view is shown, this would replace the last chat by an empty one.
      sessions: {
        get active() {
          return assert.fail('The active chat is used.');
        },
      },
    });
    for (const [command, prompt, threadId, shown] of [
      ['identity', 'ben', 'second', /on branch “now” as “ben on finance”/],
      ['identity', 'ana', undefined, /on branch “now” as “ben on sales”/],
      ['branch', 'dev', 'second', /on branch “dev” as “ben on finance”/],
      ['identity', 'nobody', 'second', /^There is no identity named/],
      ['identity', '', 'second', /^Nothing was changed/],
    ] as const) {
      const history = threadId === undefined ? [] : [new ChatResponseTurn(threadId)];
      let text = '';
      const stream = { markdown: ({ value }: { value: string }) => (text = value) };
      const request = { prompt: ` ${prompt} `, command };
      const handler = native.participantHandler(services) as (...of: unknown[]) => Promise<vscode.ChatResult>;
      const { metadata } = await handler(request, { history }, stream, {});
      assert.match(text, shown);
      assert.deepEqual(metadata, threadId === undefined ? {} : { threadId });
    }
    assert.deepEqual(switched, [
      ['ben', finance],
      ['ana', sales],
    ]);
  });

  it('suggests questions that follow the last answer of its own chat', () => {
    const measure = { name: 'orders.revenue', type: 'number', aggType: 'sum' };
    const dimension = { name: 'orders.region', type: 'string', title: 'region](x)' };
    const definitions = [{ name: 'orders', type: 'cube', members: [measure, dimension] }];
    const toolCall = { name: 'svcMeta', input: { searchQuery: 'x' }, result: { cubes: definitions } } as never;
    const two = pairs();
    const answer = makeItem('a', { content: 'Up.', graphPath: ['final'] });
    Object.assign(two.second, { thread: withItems(two.second.thread, makeItem('search', { toolCall }), answer) });
    withQuery(two.second, 't9', { sqlQuery: 'SELECT MEASURE(revenue) FROM orders' });
    const suggested = (threadId?: string) => native.participantFollowUps(two.services, { metadata: { threadId } });
    assert.deepEqual(suggested('second'), [{ prompt: 'revenue by region](x)', label: 'revenue by region] (x)' }]);
    assert.deepEqual([suggested('first'), suggested('gone'), suggested()], [[], [], []]);
  });
});

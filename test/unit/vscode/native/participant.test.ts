/** The participant in VS Code's chat, with a stub of the editor. */
import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { cutoff, delta, echo, final, state } from '../../chat/support/answers.ts';
import { open, type Opening } from '../../chat/support/sessions.ts';
import { ndjson, reply, services } from '../../api/support/service.ts';

interface Command {
  command: string;
  arguments: unknown[];
}
type Handler = (request: object, context: object, stream: object, token: object) => Promise<{ metadata: unknown }>;

class ChatResponseTurn {
  readonly result: object;
  constructor(result: object) {
    this.result = result;
  }
}
const nothing = { dispose: () => undefined };
const asked: Thread = {
  ...emptyThread('t'),
  chatId: 'c1',
  turns: [
    { ...makeTurn({ id: '1700000000000-message', content: 'before?' }, [makeItem('a')]), outcome: { state: 'done' } },
  ],
};

/** Asks in a chat that continues a thread, with a service or a failure to connect to one. */
async function askIn(
  handlerOf: (app: object) => Handler,
  thread: Thread,
  service: Pick<Opening, 'url' | 'connect'>,
  onText: (cancel: () => void) => void = () => undefined,
  command?: 'new',
) {
  const listeners = new Set<(change: object) => void>();
  const { session } = open({
    ...service,
    thread,
    onEvents: (events: readonly ThreadEvent[]) => listeners.forEach((listener) => listener({ session, events })),
  });
  const app = {
    repository: { open: () => (command ? assert.fail() : Promise.resolve(session)), isReadOnly: () => false },
    sessions: {
      onDidChange: (listener: (change: object) => void) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      remove: () => Promise.resolve(),
      add: () => session,
      draft: () => emptyDraft,
    },
    history: () => Promise.resolve({ remove: () => Promise.resolve() }),
    branches: { main: 'main' },
    log: { redactDocument: (text: string) => text },
  };
  const buttons: Command[] = [];
  let [shown, progress] = ['', ''];
  const stream = {
    markdown: (text: string) => {
      shown += text;
      onText(cancel);
    },
    progress: (text: string) => void (progress += text),
    button: (button: Command) => void buttons.push(button),
  };
  let abort = (): void => undefined;
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: typeof abort) => {
      abort = listener;
      return nothing;
    },
  };
  const cancel = (): void => {
    token.isCancellationRequested = true;
    abort();
  };
  const history = [new ChatResponseTurn({ metadata: { threadId: thread.id } })];
  const result = await handlerOf(app)({ prompt: 'and now?', command }, { history }, stream, token);
  assert.equal(listeners.size, 0, 'a later answer would be written to the same stream');
  return { result, buttons, shown, progress };
}

const unreachable = (failure: ChatError): Pick<Opening, 'url' | 'connect'> => ({
  url: '',
  connect: () => Promise.reject(failure),
});

const SQL = 'SELECT MEASURE(orders.count) FROM orders';
/** The line of a finished query with these rows. */
const query = (id: string, sort: number, data: unknown[][], queryTitle = 'Orders'): object => ({
  ...{ id, role: 'assistant', content: '', isDelta: false, isInProcess: false, sort },
  toolCall: {
    name: 'svcSqlApi',
    input: JSON.stringify({ sqlQuery: SQL, queryTitle }),
    result: JSON.stringify({
      ...{ sqlQuery: SQL, queryTitle, data },
      schema: [{ name: 'orders_count', column_type: 'number' }],
    }),
  },
});

describe('the chat participant', () => {
  const { start, closeAll } = services();
  afterEach(closeAll);
  let handlerOf: (app: object) => Handler;

  before(async () => {
    ({ participantHandler: handlerOf } = await loadWithEditor<{ participantHandler: typeof handlerOf }>(
      'vscode/native/participant.ts',
      { ChatResponseTurn },
    ));
  });

  it('continues its thread after a question that could not be sent', async () => {
    const { result } = await askIn(handlerOf, asked, unreachable(new ChatError('network', 'cut')));
    assert.deepEqual(result.metadata, { threadId: 't' });
  });

  it('starts a new thread after the first question of one could not be sent', async () => {
    const { result } = await askIn(handlerOf, emptyThread('t'), unreachable(new ChatError('network', 'cut')));
    assert.deepEqual(result.metadata, {});
  });

  it('starts a new thread with /new', async () => {
    const service = await start((asked) => reply(asked, cutoff(), echo(asked), final('Twelve.', 2), state));
    const { shown } = await askIn(handlerOf, emptyThread('t'), { url: service.url }, undefined, 'new');
    assert.match(shown, /Twelve/);
  });

  it('shows progress as text, not as Markdown', async () => {
    const title = '[free](https://evil.example)';
    const named = query('q1', 2, [[12]], title);
    const service = await start((asked) => reply(asked, cutoff(), echo(asked), named, final('Twelve.', 3), state));
    const { progress } = await askIn(handlerOf, emptyThread('t'), { url: service.url });
    assert.match(progress, /free/);
    assert.ok(!progress.includes(title), progress);
  });

  it('retries in the same chat', async () => {
    const { buttons } = await askIn(handlerOf, asked, unreachable(new ChatError('network', 'cut')));
    assert.deepEqual(
      buttons.map(({ command, arguments: values }) => [command, values]),
      [['workbench.action.chat.open', [{ query: '@analytics and now?' }]]],
    );
  });

  it('asks only for the key of its thread where the key is rejected', async () => {
    const { buttons } = await askIn(handlerOf, asked, unreachable(new ChatError('auth', 'Wrong key')));
    assert.deepEqual(
      buttons.map(({ command, arguments: values }) => [command, values]),
      [['analyticsChat.setApiKey', [{ threadId: 't' }]]],
    );
  });

  it('writes nothing more once the user has canceled', async () => {
    const service = await start((asked) => {
      if (asked.path.endsWith('/abort')) asked.response.writeHead(204).end();
      else asked.response.write(ndjson(cutoff(), echo(asked), delta('Stop here!', 2)));
    });
    const { shown } = await askIn(handlerOf, emptyThread('t'), { url: service.url }, (cancel) => cancel());
    // The last word may be the beginning of a secret.
    assert.equal(shown, 'Stop ');
  });

  it('says why there is no answer: a failed query, nothing at all, or because the service stopped', async () => {
    const call = { name: 'svcSqlApi', input: '{}', result: '{"error":"no such table"}' };
    const failed = { id: 'q', role: 'assistant', content: '', isDelta: false, isInProcess: false, toolCall: call };
    const stopped = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'stopped' };
    for (const [line, message] of [
      [failed, /^\s*The agent’s query failed&#58; no such table\s+\*Asked/],
      [undefined, /^\s*The agent returned no answer&#46;\s+\*Asked/],
      [stopped, /^\s*The service stopped this answer&#46;\s+\*Asked/],
    ] as const) {
      const service = await start((asked) => reply(asked, cutoff(), echo(asked), ...(line ? [line] : []), state));
      const { shown } = await askIn(handlerOf, emptyThread('t'), { url: service.url });
      assert.match(shown, message);
    }
  });

  it('shows the SQL of each query below the answer, with buttons for it and its rows, and where it was asked', async () => {
    const service = await start((asked) =>
      reply(asked, cutoff(), echo(asked), query('q1', 2, [[12]]), query('q2', 3, []), final('Twelve.', 4), state),
    );
    const { buttons, shown } = await askIn(handlerOf, emptyThread('t'), { url: service.url });
    assert.deepEqual(shown.match(/Twelve|SELECT|Asked/g), ['Twelve', 'SELECT', 'SELECT', 'Asked']);
    assert.match(shown, /\*Asked on branch main as dev\*$/);
    assert.deepEqual(
      buttons.map(({ command, arguments: values }) => [command, ...values]),
      [
        ['analyticsChat.insertSql', { threadId: 't', toolCallId: 'q1' }],
        ['analyticsChat.openResults', { threadId: 't', toolCallId: 'q1' }],
        ['analyticsChat.insertSql', { threadId: 't', toolCallId: 'q2' }],
      ],
    );
  });

  it('switches the identity of its own connection, whichever chat is active', async () => {
    const [own, current] = [{ name: 'own' }, { name: 'current' }];
    const session = { thread: asked };
    const switched: [identity: string, connection: string][] = [];
    const app = {
      repository: { open: () => Promise.resolve(session), isReadOnly: () => false },
      connections: { current, of: (home?: object) => (home ? own : current) },
      sessions: {
        homeOf: (each: object) => each === session && { origin: 'https://own.example' },
        // Before a view is shown, this would replace the last chat by an empty one.
        get active() {
          return assert.fail('The active chat is used.');
        },
      },
      identities: {
        current: 'of the current connection',
        names: () => ['ben'],
        on: (entry: { name: string }) => switched.find(([, name]) => name === entry.name)?.[0],
        switchTo: (name: string, entry: { name: string }) => Promise.resolve(switched.push([name, entry.name])),
      },
      branches: { label: 'main' },
    };
    for (const [threadId, connection] of [
      ['t', 'own'],
      [undefined, 'current'],
    ] as const) {
      const history = threadId === undefined ? [] : [new ChatResponseTurn({ metadata: { threadId } })];
      const shown: { value: string }[] = [];
      const stream = { markdown: (text: { value: string }) => shown.push(text) };
      await handlerOf(app)({ prompt: 'ben', command: 'identity' }, { history }, stream, {});
      assert.deepEqual(switched.at(-1), ['ben', connection]);
      assert.match(shown[0]?.value ?? '', /on branch “main” as “ben”/);
    }
  });
});

/** The participant in VS Code's chat, with a stub of the editor. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { open } from '../../chat/support/sessions.ts';

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

/** Asks in a chat that continues a thread; the message can't be sent because of `failure`. */
async function askIn(handlerOf: (app: object) => Handler, thread: Thread, failure: ChatError) {
  const listeners = new Set<(change: object) => void>();
  const { session } = open({
    url: '',
    thread,
    connect: () => Promise.reject(failure),
    onEvents: (events: readonly ThreadEvent[]) => listeners.forEach((listener) => listener({ session, events })),
  });
  const app = {
    repository: { open: () => Promise.resolve(session), isReadOnly: () => false },
    sessions: {
      onDidChange: (listener: (change: object) => void) => {
        listeners.add(listener);
        return nothing;
      },
      remove: () => Promise.resolve(),
    },
    history: () => Promise.resolve({ remove: () => Promise.resolve() }),
    log: { redactAnswer: (text: string) => text },
  };
  const buttons: Command[] = [];
  const stream = {
    markdown: () => undefined,
    progress: () => undefined,
    button: (button: Command) => void buttons.push(button),
  };
  const token = { isCancellationRequested: false, onCancellationRequested: () => nothing };
  const history = [new ChatResponseTurn({ metadata: { threadId: thread.id } })];
  const result = await handlerOf(app)({ prompt: 'and now?' }, { history }, stream, token);
  return { result, buttons };
}

describe('the chat participant', () => {
  let handlerOf: (app: object) => Handler;

  before(async () => {
    ({ participantHandler: handlerOf } = await loadWithEditor<{ participantHandler: typeof handlerOf }>(
      'vscode/native/participant.ts',
      { ChatResponseTurn, MarkdownString: class {} },
    ));
  });

  it('continues its thread after a question that could not be sent', async () => {
    const { result } = await askIn(handlerOf, asked, new ChatError('network', 'cut'));
    assert.deepEqual(result.metadata, { threadId: 't' });
  });

  it('starts a new thread after the first question of one could not be sent', async () => {
    const { result } = await askIn(handlerOf, emptyThread('t'), new ChatError('network', 'cut'));
    assert.deepEqual(result.metadata, {});
  });

  it('retries in the same chat', async () => {
    const { buttons } = await askIn(handlerOf, asked, new ChatError('network', 'cut'));
    assert.deepEqual(
      buttons.map(({ command, arguments: values }) => [command, values]),
      [['workbench.action.chat.open', [{ query: '@analytics and now?' }]]],
    );
  });

  it('asks only for the key of its thread where the key is rejected', async () => {
    const { buttons } = await askIn(handlerOf, asked, new ChatError('auth', 'Wrong key'));
    assert.deepEqual(
      buttons.map(({ command, arguments: values }) => [command, values]),
      [['analyticsChat.setApiKey', [{ threadId: 't' }]]],
    );
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { until } from '../../../support/until.ts';
import type { ChatView } from '../../../../src/vscode/host/chatView.ts';
import { registered } from '../areas.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { ndjson, reply, services, type Service } from '../../api/support/service.ts';
import { cutoff, echo, final, state } from '../../chat/support/answers.ts';
import { answerOf, connectionTo, message } from '../../chat/support/sessions.ts';

const { start, closeAll } = services();
type Make = new (...of: ConstructorParameters<typeof Sessions>) => Sessions;
type Options = ConstructorParameters<typeof Sessions>[0];

async function sessionsOn(service: Service, options: Partial<Options> = {}): Promise<Sessions> {
  const { Sessions: Made } = await loadWithEditor<{ Sessions: Make }>('vscode/threads/sessions.ts', {});
  return new Made({
    connect: () => Promise.resolve({ ...connectionTo(service), home: { origin: service.origin, connection: '' } }),
    ...{ context: () => undefined, connectionAt: () => undefined },
    ...{ onFailure: () => undefined, onUnknownLine: () => undefined, ...options },
  });
}

describe('the chats of a window', () => {
  afterEach(closeAll);

  it('log how many lines of the service were ignored, and show the rest', async () => {
    const logged: number[] = [];
    const service = await start((asked) =>
      reply(asked, { id: '__weather__', sunny: true }, final('Up.', 2), { traceId: 'abc' }, state),
    );
    const sessions = await sessionsOn(service, {
      onUnknownLine: (count) => logged.push(count),
    });
    const session = sessions.create();
    await session.send(message());
    assert.equal(answerOf(session), 'Up.');
    assert.equal(logged.at(-1), 2);
  });

  it('ask questions from the composer on its branch, also in a chat of a comparison, which has authoring off', async () => {
    const service = await start((asked) => reply(asked, final('Up.', 2), state));
    const asked: (string | undefined)[] = [];
    const authoring: (boolean | undefined)[] = [];
    const sessions = await sessionsOn(service, {
      connect: (_home, context, mayAuthor) => {
        asked.push(context?.branch);
        authoring.push(mayAuthor);
        return Promise.resolve({ ...connectionTo(service), home: { origin: service.origin, connection: '' } });
      },
    });
    const session = sessions.create();
    sessions.pin(session.thread.id, { branch: 'main', isDefaultBranch: true, identity: 'dev' });
    await session.send(message());
    const { intents } = await registered('conversation', { sessions });
    await intents.send({ session } as ChatView, { type: 'send', text: 'and by region?', images: [] });
    assert.deepEqual(asked, ['main', undefined]);
    // A chat that was deleted and restored is no longer part of the comparison.
    sessions.pin(session.thread.id, { branch: 'main', isDefaultBranch: true, identity: 'dev' });
    await sessions.remove(session.thread.id);
    await sessions.add(session.thread).send(message());
    assert.deepEqual(asked, ['main', undefined, undefined]);
    assert.deepEqual(authoring, [false, undefined, undefined]);
  });

  it('stop the answer of a chat that is deleted, also on the service', async () => {
    const service = await start((asked) => {
      if (asked.path.endsWith('/abort')) asked.response.writeHead(204).end();
      else asked.response.write(ndjson(cutoff(), echo(asked)));
    });
    const sessions = await sessionsOn(service);
    const session = sessions.create();
    void session.send(message());
    await until(() => session.thread.chatId);
    const removed: object[] = [];
    sessions.onDidRemove((each) => removed.push(each));
    await sessions.remove(session.thread.id);
    assert.deepEqual(removed, [session]);
    assert.deepEqual(
      service.asked.map(({ path }) => path.split('/').at(-1)),
      ['stream-chat-state', 'abort'],
    );
    assert.equal(session.status, 'ready');
    assert.equal(sessions.current, undefined);
    // The history saves that the answer was stopped, with this connection.
    assert.deepEqual(sessions.homeOf(session), { origin: service.origin, connection: '' });
  });

  it('stay on the connection of their first question, also if the service has not named them', async () => {
    const service = await start((asked) => reply(asked, echo(asked), final('Up.', 2)));
    const homes: unknown[] = [];
    const own = { origin: service.origin, connection: '' };
    const sessions = await sessionsOn(service, {
      connect: (home) => {
        homes.push(home);
        return Promise.resolve({ ...connectionTo(service), home: own });
      },
    });
    const session = sessions.create();
    await session.send(message());
    assert.equal(session.thread.chatId, undefined);
    await session.send(message('and by region?'));
    assert.deepEqual(homes, [undefined, own]);
  });
});

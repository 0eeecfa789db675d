import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { reply, services } from '../../api/support/service.ts';
import { final, state } from '../../chat/support/answers.ts';
import { answerOf, connectionTo, message } from '../../chat/support/sessions.ts';

const { start, closeAll } = services();

class EventEmitter {
  event = (): undefined => undefined;
  fire(): void {}
}

describe('the chats of a window', () => {
  afterEach(closeAll);

  it('log how many lines of the service were ignored, and show the rest', async () => {
    const logged: number[] = [];
    const { Sessions: Made } = await loadWithEditor<{
      Sessions: new (...of: ConstructorParameters<typeof Sessions>) => Sessions;
    }>('vscode/threads/sessions.ts', { EventEmitter });
    const service = await start((asked) =>
      reply(asked, { id: '__weather__', sunny: true }, final('Up.', 2), { traceId: 'abc' }, state),
    );
    const sessions = new Made({
      connect: () => Promise.resolve({ ...connectionTo(service), home: { name: '', origin: service.origin } }),
      context: () => undefined,
      onFailure: () => undefined,
      onUnknownLine: (count) => logged.push(count),
    });
    const session = sessions.create();
    await session.send(message());
    assert.equal(answerOf(session), 'Up.');
    assert.equal(logged.at(-1), 2);
  });
});

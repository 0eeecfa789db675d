import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { whileAnswering } from './window.ts';
import { answering, beginning, echo, final, message, reply, type Asked } from '../service.ts';
import { emptyThread, finance, homeOf, onNet, registered, sales, threadOf, until } from '../support.ts';
import type { ChatView, QuestionContext } from '../support.ts';

const onMain: QuestionContext = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
const refusing = ({ response }: Asked): unknown => response.writeHead(401).end('{}');
/** Does not name the chat. */
const unnamed = (asked: Asked): void => reply(asked, echo(asked), final('Up.', 2));

describe('the chats of a window', () => {
  it('ask questions from the composer on its branch, also in a chat of a comparison, which has authoring off', () =>
    whileAnswering(answering(final('Up.', 2)), async ({ services: { sessions }, connected }) => {
      const session = sessions.create();
      const other = sessions.add({ ...session.thread, id: 'other' });
      assert.equal(sessions.add(other.thread), other);
      sessions.pin(session.thread.id, onMain);
      await session.send(message());
      const { intents } = await registered('conversation', { sessions } as never);
      await intents.send({ session } as ChatView, { type: 'send', text: 'and by region?', images: [] });
      await other.send(message());
      // A chat that was deleted and restored is no longer part of the comparison.
      sessions.pin(session.thread.id, onMain);
      await sessions.remove(session.thread.id);
      await sessions.add(session.thread).send(message());
      const opened = connected.map(([, to, mayAuthor]) => `${to?.branch} ${mayAuthor}`);
      assert.deepEqual(opened, ['main false', ...Array<string>(3).fill('undefined undefined')]);
    }));

  it('stop the answer of a chat that is deleted, also on the service', () =>
    whileAnswering(beginning(), async ({ services: { sessions }, asked }) => {
      const session = sessions.create();
      void session.send(message());
      await until(() => session.thread.chatId);
      const removed: object[] = [];
      sessions.onDidRemove((each) => removed.push(each));
      await sessions.remove(session.thread.id);
      assert.ok(removed.length === 1 && removed[0] === session);
      assert.equal(asked.map(({ path }) => path.split('/').at(-1)).join(), 'stream-chat-state,abort');
      assert.deepEqual([session.status, sessions.current], ['ready', undefined]);
      // The history saves that the answer was stopped, with this connection.
      assert.deepEqual(sessions.homeOf(session), homeOf(sales));
    }));

  it('are asked on their own connection, in its context or the one they are pinned to, and log failures', () =>
    whileAnswering(refusing, async ({ services: { sessions }, done }) => {
      sessions.onDidChangeActive((each) => assert.equal(sessions.current, each));
      const session = sessions.add(threadOf('first'), message('typed'), homeOf(finance));
      assert.deepEqual([sessions.connectionOf(session), sessions.connectionOf(sessions.create())], [finance, sales]);
      // Without a question, it is one of no connection yet.
      const fresh = sessions.add(emptyThread('fresh'), undefined, homeOf(finance));
      assert.equal(sessions.connectionOf(fresh), sales);
      const queued: unknown[] = [];
      sessions.onDidChange(({ events }) => {
        for (const event of events) if (event.type === 'queued') queued.push(event.message.context);
      });
      for (const pinned of [undefined, onMain]) {
        sessions.pin('first', pinned);
        const sending = session.send(message());
        await session.send(message('and then?'));
        await sending;
        await session.idle();
      }
      assert.deepEqual(queued, [onNet, onMain]);
      assert.ok(done.length > 0 && done.every((each) => each.startsWith('failed: ')));
      await sessions.remove('first');
      assert.deepEqual(sessions.draft(sessions.add(threadOf('first')).thread.id), emptyDraft);
    }));

  it('stay on the connection of their first question, also if the service has not named them', () =>
    whileAnswering(unnamed, async ({ services: { sessions }, connected }) => {
      const session = sessions.create();
      await session.send(message());
      assert.equal(session.thread.chatId, undefined);
      await session.send(message('and by region?'));
      assert.deepEqual(
        connected.map(([home]) => home),
        [undefined, homeOf(sales)],
      );
    }));
});

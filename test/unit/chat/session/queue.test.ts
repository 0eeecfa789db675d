/** Messages that are sent during an answer are queued. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { QuestionContext, Thread } from '../../../../src/shared/thread/model.ts';
import { until } from '../../../support/until.ts';
import { ndjson, reply, services, type Service } from '../../api/support/service.ts';
import { answer, cutoff, echo } from '../support/answers.ts';
import { answerOf, connectionTo, instantClock, message, open } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';

const { start, closeAll } = services();
afterEach(closeAll);

describe('the queue', () => {
  it('is kept after a failure and a stop', async () => {
    const service = await start((asked) => {
      if (asked.path.endsWith('/abort')) return asked.response.writeHead(204).end();
      asked.response.write(ndjson(cutoff(), echo(asked)));
    });
    const { session } = open({ url: service.url });
    const asking = session.send(message('one'));
    await until(() => session.status === 'streaming');
    await session.send(message('two'));
    await session.abort();
    await asking;
    await session.idle();
    assert.deepEqual(
      session.thread.queue.map(({ text }) => text),
      ['two'],
    );
    assert.equal(service.asked.filter(({ path }) => !path.endsWith('/abort')).length, 1);
  });

  /** A service that repeats each question as its answer, and stops the first one. */
  const stoppedOnce = (): Promise<Service> =>
    start((asked) => {
      if (asked.path.endsWith('/abort')) return asked.response.writeHead(204).end();
      if (asked.body.input === 'one') return asked.response.write(ndjson(cutoff(), echo(asked)));
      return reply(asked, ...answer(asked, `to ${String(asked.body.input)}`));
    });
  const questions = ({ thread }: { thread: Thread }): string[] =>
    flat(thread)
      .filter(({ role }) => role === 'user')
      .map(({ content }) => content);

  it('continues although the service takes a moment to end the last answer', async () => {
    let refusals = 2;
    const service = await start((asked) => {
      if (asked.body.input === 'two' && (refusals -= 1) >= 0)
        return asked.response.writeHead(409).end('{"error":"Streaming for thread is in progress"}');
      return reply(asked, ...answer(asked, `to ${String(asked.body.input)}`));
    });
    const { session, unsent } = open({ url: service.url, clock: instantClock() });
    await Promise.all([session.send(message('one')), session.send(message('two'))]);
    await session.idle();
    assert.deepEqual([questions(session), answerOf(session), unsent], [['one', 'two'], 'to two', []]);
    assert.equal(service.asked.length, 4);
  });

  it('that was held is asked before new messages', async () => {
    const service = await stoppedOnce();
    const { session } = open({ url: service.url });
    const asking = session.send(message('one'));
    await until(() => session.status === 'streaming');
    for (const text of ['two', 'three']) await session.send(message(text));
    await session.abort();
    await asking;
    await session.send(message('four'));
    await session.idle();
    assert.deepEqual(questions(session), ['one', 'two', 'three', 'four']);
    assert.deepEqual([session.thread.queue, answerOf(session)], [[], 'to four']);
  });

  it('that was held is sent starting with the chosen message', async () => {
    const service = await stoppedOnce();
    const { session } = open({ url: service.url });
    const asking = session.send(message('one'));
    await until(() => session.status === 'streaming');
    for (const text of ['two', 'three', 'four']) await session.send(message(text));
    await session.abort();
    await asking;
    await session.sendQueued(session.thread.queue[1]!.id);
    await session.idle();
    assert.deepEqual(questions(session), ['one', 'three', 'two', 'four']);
  });

  it('puts a returned question first, and one that is retried', async () => {
    let fail = true;
    const service = await start((asked) =>
      fail ? asked.response.writeHead(400).end() : reply(asked, ...answer(asked, `to ${String(asked.body.input)}`)),
    );
    const { session, unsent } = open({ url: service.url });
    const asking = session.send(message('one'));
    await session.send(message('two'));
    await asking;
    assert.deepEqual([unsent, session.thread.queue.length], [[message('one')], 1]);
    fail = false;
    await session.send(message('one'));
    await session.idle();
    assert.deepEqual(questions(session), ['one', 'two']);
  });

  it('uses the branch and identity of the time when each message was sent', async () => {
    const on = (branch: string): QuestionContext => ({ branch, isDefaultBranch: false, identity: 'ana' });
    let chosen = on('left');
    const service = await start((asked) => void asked);
    const { session } = open({
      url: service.url,
      context: () => chosen,
      connect: (to) => Promise.resolve(connectionTo({ url: service.url }, to ?? chosen)),
    });
    const asking = session.send(message('one'));
    await session.send(message('two'));
    chosen = on('right');
    await session.send(message('three'));
    chosen = on('elsewhere');
    for (const count of [1, 2, 3]) {
      await until(() => service.asked.length === count);
      const asked = service.asked.at(-1)!;
      reply(asked, ...answer(asked, 'x'));
    }
    await asking;
    await session.idle();
    assert.deepEqual(
      service.asked.map(({ body }) => [body.input, body.activeBranchName]),
      [
        ['one', 'left'],
        ['two', 'left'],
        ['three', 'right'],
      ],
    );
    assert.deepEqual(
      flat(session.thread)
        .filter(({ context }) => context)
        .map(({ context }) => context),
      [on('left'), on('left'), on('right')],
    );
  });
});

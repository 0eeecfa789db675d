import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/client.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { turnsOf } from '../../../../src/shared/thread/turns.ts';
import { MESSAGE_ID } from '../../../../src/shared/wire/streamLines.ts';
import { until } from '../../../support/until.ts';
import { ndjson, reply, services } from '../../api/support/service.ts';
import { answer, cutoff, delta, echo, final, state } from '../support/answers.ts';
import { answerOf, connectionTo, instantClock, message, open, outcomeOf, context } from '../support/sessions.ts';
import { flat } from '../../../support/item.ts';

const { start, closeAll } = services();
afterEach(closeAll);

describe('a question', () => {
  it('is sent, and its whole answer is shown', async () => {
    const service = await start((asked) => reply(asked, ...answer(asked, 'It grew by 12 %.')));
    const { session, events } = open({ url: service.url });
    const id = await session.send(message());
    assert.match(id, MESSAGE_ID);
    assert.deepEqual(service.asked[0]?.body, {
      input: 'revenue?',
      messageId: id,
      sessionSettings: { externalId: 'dev' },
    });
    assert.equal(answerOf(session), 'It grew by 12 %.');
    assert.deepEqual([session.status, outcomeOf(session), session.thread.chatId], ['ready', 'done', 'c1']);
    assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['sent', 'finished']);
  });

  it('has its whole answer if the connection breaks behind its end', async () => {
    const service = await start((asked) => {
      asked.response.writeHead(200).write(ndjson(...answer(asked, 'Up.')));
    });
    const { session, events } = open({ url: service.url });
    const sent = session.send(message());
    await until(() => answerOf(session) === 'Up.');
    service.asked[0]?.response.destroy();
    await sent;
    assert.deepEqual([outcomeOf(session), session.status, service.asked.length], ['done', 'ready', 1]);
    assert.ok(!events.some(({ type }) => type === 'reconnecting'));
  });

  it('continues the thread, with a new message id for each message', async () => {
    const service = await start((asked) => reply(asked, ...answer(asked, String(asked.body.input))));
    const { session } = open({ url: service.url });
    const first = await session.send(message('one'));
    const second = await session.send(message('two'));
    assert.notEqual(first, second);
    assert.equal(service.asked[1]?.body.chatId, 'c1');
    assert.deepEqual(
      flat(session.thread).map(({ content }) => content),
      ['one', 'one', 'two', 'two'],
    );
  });

  it('has its branch, unless it is the main one', async () => {
    const service = await start((asked) => reply(asked, ...answer(asked, 'x')));
    const branch = { ...context, branch: 'dev', isDefaultBranch: false };
    const { session } = open({ url: service.url, connect: () => Promise.resolve(connectionTo(service, branch)) });
    await session.send(message());
    assert.equal(service.asked[0]?.body.activeBranchName, 'dev');
    assert.equal(service.asked[0]?.body.isDefaultBranch, false);
    assert.deepEqual(flat(session.thread)[0]?.context, branch);
    const main = { ...context, branch: 'main', isDefaultBranch: true };
    await open({ url: service.url, connect: () => Promise.resolve(connectionTo(service, main)) }).session.send(
      message(),
    );
    assert.deepEqual([service.asked[1]?.body.activeBranchName, service.asked[1]?.body.isDefaultBranch], ['main', true]);
    await open({ url: service.url }).session.send(message());
    assert.ok(!('activeBranchName' in (service.asked[2]?.body ?? {})));
  });

  it('has its images, which are shown with it', async () => {
    const image = { mimeType: 'image/png', data: 'iVBO', name: 'a.png' };
    const service = await start((asked) => reply(asked, ...answer(asked, 'x')));
    const { session } = open({ url: service.url });
    await session.send({ text: 'this?', images: [image] });
    await session.reattach();
    assert.deepEqual(
      service.asked.map(({ body }) => body.images),
      [[image], [image]],
    );
    assert.equal(service.asked[0]?.body.messageId, service.asked[1]?.body.messageId);
  });

  it('waits for an earlier one that was sent at the same time', async () => {
    const service = await start((asked) => reply(asked, ...answer(asked, `answer to ${String(asked.body.input)}`)));
    const connect = async (): Promise<ReturnType<typeof connectionTo>> => {
      await new Promise(setImmediate);
      return connectionTo(service);
    };
    const { session } = open({ url: service.url, connect });
    await Promise.all([session.send(message('one')), session.send(message('two')), session.send(message('three'))]);
    await session.idle();
    assert.deepEqual(
      flat(session.thread).map(({ content }) => content),
      ['one', 'answer to one', 'two', 'answer to two', 'three', 'answer to three'],
    );
    assert.deepEqual(session.thread.queue, []);
  });

  it('ends also without a final line or a state line', async () => {
    const service = await start((asked) =>
      reply(asked, cutoff(), echo(asked), { ...final('It grew.'), graphPath: ['svc_data_analyst_agent'] }),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session)], ['It grew.', 'done']);
  });

  it('is one request if the response is complete, also without a final line', async () => {
    const service = await start((asked) =>
      reply(asked, cutoff(), echo(asked), { ...final('It grew.'), graphPath: ['svc_data_analyst_agent'] }, state),
    );
    const { session } = open({ url: service.url });
    await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session), service.asked.length], ['It grew.', 'done', 1]);
  });
});

describe('a failing listener', () => {
  it('does not affect the answer, and its error is reported', async () => {
    const service = await start((asked) => reply(asked, ...answer(asked, 'It grew.')));
    const faults: unknown[] = [];
    let calls = 0;
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (fault) => faults.push(fault));
    try {
      const fault = new Error('drawing failed');
      const { session } = open({
        url: service.url,
        onEvents: () => {
          calls += 1;
          throw fault;
        },
      });
      await session.send(message());
      await until(() => calls > 0 && faults.length === calls);
      assert.deepEqual([answerOf(session), service.asked.length, faults[0]], ['It grew.', 1, fault]);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
  });
});

describe('an unsent message', () => {
  it('returns to the composer, leaves no trace in the thread, and keeps its id for the next try', async () => {
    let refuse = true;
    const service = await start((asked) =>
      refuse ? asked.response.writeHead(503).end() : reply(asked, ...answer(asked, 'x')),
    );
    const { session, unsent, failures } = open({ url: service.url, clock: instantClock() });
    const id = await session.send(message());
    assert.deepEqual(unsent, [message()]);
    assert.deepEqual([flat(session.thread).length, session.status, failures.length], [0, 'error', 1]);
    assert.equal(session.thread.error?.kind, 'server');
    refuse = false;
    assert.equal(await session.send(message()), id);
    assert.equal(new Set(service.asked.map(({ body }) => body.messageId)).size, 1);
    assert.deepEqual([answerOf(session), session.thread.error], ['x', undefined]);
  });

  it('returns before the error is shown', async () => {
    const service = await start(({ response }) => response.writeHead(401).end());
    const backWhenTold: number[] = [];
    const { session, unsent } = open({
      url: service.url,
      onEvents: (events) => {
        if (events.some(({ type }) => type === 'unsent')) backWhenTold.push(unsent.length);
      },
    });
    await session.send(message());
    assert.deepEqual(backWhenTold, [1]);
  });

  it('without a connection is only in the composer when the error is shown', async () => {
    const waiting: unknown[] = [];
    const { session, unsent } = open({
      url: '',
      connect: () => Promise.reject(new ChatError('auth', 'x')),
      onEvents: () => waiting.push(session.connecting),
    });
    await session.send(message());
    assert.deepEqual([unsent, waiting], [[message()], [undefined]]);
  });

  it('that is sent again twice is another question the second time', async () => {
    let refuse = true;
    const service = await start((asked) => (refuse ? asked.response.destroy() : reply(asked, ...answer(asked, 'x'))));
    const { session } = open({ url: service.url, clock: instantClock() });
    const id = await session.send(message());
    refuse = false;
    const ids = await Promise.all([session.send(message()), session.send(message())]);
    await session.idle();
    assert.deepEqual([ids[0], ids[1] === id, service.asked.at(-1)?.body.messageId], [id, false, ids[1]]);
  });

  it('is sent again by Retry', async () => {
    let refuse = true;
    const service = await start((asked) => (refuse ? asked.response.destroy() : reply(asked, ...answer(asked, 'x'))));
    const { session } = open({ url: service.url, clock: instantClock() });
    const id = await session.send(message());
    refuse = false;
    await session.retry();
    assert.equal(service.asked.at(-1)?.body.messageId, id);
    assert.equal(answerOf(session), 'x');
  });

  it('is not sent by Retry after something else has failed', async () => {
    const service = await start((asked) =>
      service.asked.length === 1
        ? reply(asked, cutoff(), echo(asked))
        : asked.response.writeHead(asked.body.input === 'costs?' ? 409 : 404).end('{"error":"no"}'),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message('revenue?'));
    await session.send(message('costs?'));
    await session.attach();
    assert.equal(outcomeOf(session), 'failed');
    await session.retry();
    assert.deepEqual(
      service.asked.map(({ body }) => body.input),
      ['revenue?', 'revenue?', 'costs?', 'revenue?', 'revenue?'],
    );
  });

  it('is sent by Retry if it failed again after something else had failed', async () => {
    const service = await start((asked) =>
      service.asked.length === 1
        ? reply(asked, ...answer(asked, 'x'))
        : asked.response.writeHead(asked.body.input === 'costs?' ? 401 : 404).end(),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message('revenue?'));
    await session.send(message('costs?'));
    await session.load();
    await session.send(message('costs?'));
    await session.retry();
    assert.deepEqual(
      service.asked.map(({ body }) => body.input),
      ['revenue?', 'costs?', undefined, 'costs?', 'costs?'],
    );
  });

  it('is not sent by Retry after the thread could not be read', async () => {
    const service = await start((asked) =>
      asked.body.input === 'revenue?'
        ? reply(asked, ...answer(asked, 'x'))
        : asked.response.writeHead(asked.body.input === undefined ? 404 : 401).end(),
    );
    const { session } = open({ url: service.url, clock: instantClock() });
    await session.send(message('revenue?'));
    await session.send(message('costs?'));
    assert.equal(session.failedToRead, false);
    await session.load();
    assert.equal(session.failedToRead, true);
    await session.retry();
    assert.deepEqual(
      service.asked.map(({ body }) => body.input),
      ['revenue?', 'costs?', undefined, undefined],
    );
  });

  it('is not sent by Retry after another message was answered', async () => {
    const service = await start((asked) =>
      asked.body.input === 'costs?' ? asked.response.writeHead(401).end() : reply(asked, ...answer(asked, 'x')),
    );
    const { session } = open({ url: service.url });
    for (const text of ['costs?', 'profit?']) await session.send(message(text));
    await session.retry();
    assert.deepEqual(
      service.asked.map(({ body }) => body.input),
      ['costs?', 'profit?', 'profit?'],
    );
  });

  it('gets a new id after it was rejected, or on another branch', async () => {
    let to = context;
    let status = 401;
    const service = await start(({ response }) => response.writeHead(status).end());
    const { session } = open({
      url: service.url,
      clock: instantClock(),
      connect: () => Promise.resolve(connectionTo(service, to)),
    });
    const ids = [await session.send(message())];
    status = 503;
    ids.push(await session.send(message()));
    to = { ...context, branch: 'dev', isDefaultBranch: false };
    ids.push(await session.send(message()));
    to = { ...to, branch: 'qa' };
    ids.push(await session.send(message()));
    to = { ...to, identity: 'ana' };
    ids.push(await session.send(message()));
    assert.equal(new Set(ids).size, 5);
  });

  it('is in the thread once, with its answer, if it is sent again after the thread was read', async () => {
    const service = await start((asked) =>
      asked.body.input === undefined
        ? reply(asked, echo(service.asked[0]!), final('Up.'), cutoff(), state)
        : asked.response.destroy(),
    );
    const thread = { ...emptyThread('t'), chatId: 'c1' };
    const { session, unsent } = open({ url: service.url, thread, clock: instantClock() });
    await session.send(message('q1'));
    assert.deepEqual([unsent, turnsOf(session.thread)], [[message('q1')], []]);
    await session.load();
    await session.send(message('q1'));
    const turns = turnsOf(session.thread).map(({ question, items }) => [
      question?.content,
      question?.context,
      items[0]?.content,
    ]);
    assert.deepEqual(turns, [['q1', context, 'Up.']]);
    assert.deepEqual([unsent.length, outcomeOf(session)], [1, 'done']);
  });

  it('keeps its id if it was possibly delivered, although the last try was rejected', async () => {
    const service = await start(({ response }) =>
      service.asked.length === 1 ? response.destroy() : response.writeHead(401).end(),
    );
    const { session, unsent } = open({ url: service.url, clock: instantClock() });
    const id = await session.send(message());
    assert.deepEqual([unsent.length, session.thread.error?.kind], [1, 'auth']);
    for (let tries = 1; tries <= 2; tries += 1) assert.equal(await session.send(message()), id);
  });

  for (const [status, keeps] of [
    [409, true],
    [425, true],
    [400, false],
  ] as const)
    it(`${keeps ? 'keeps its id' : 'gets a new id'} for the next try after ${status}`, async () => {
      const service = await start(({ response }) => response.writeHead(status).end('{"message":"Not now."}'));
      const { session } = open({ url: service.url, clock: instantClock() });
      const id = await session.send(message());
      assert.equal((await session.send(message())) === id, keeps);
    });

  it('without a connection reports what is missing', async () => {
    const missing = new ChatError('badRequest', 'There is no connection yet.', { code: 'NOT_CONNECTED' });
    const { session, unsent } = open({ url: 'https://x', connect: () => Promise.reject(missing) });
    await session.send(message());
    assert.deepEqual(session.thread.error?.actions, ['connect']);
    assert.deepEqual(unsent, [message()]);
  });

  it('is not sent at all if it breaks a rule', async () => {
    const service = await start(({ response }) => response.end());
    const connection = { ...connectionTo(service), sessionSettings: { externalId: 'Dev' } };
    const { session, unsent } = open({ url: service.url, connect: () => Promise.resolve(connection) });
    await session.send(message());
    assert.deepEqual([service.asked.length, unsent.length], [0, 1]);
    assert.match(session.thread.error?.message ?? '', /lowercase: dev/);
  });
});

describe('a failed question', () => {
  it('with an error line keeps the partial answer, and Retry asks again', async () => {
    let fail = true;
    const service = await start((asked) =>
      fail
        ? reply(asked, cutoff(), echo(asked), delta('Half', 2), { error: 'Model overloaded' })
        : reply(asked, ...answer(asked, 'x')),
    );
    const { session, unsent } = open({ url: service.url });
    const id = await session.send(message());
    assert.deepEqual([answerOf(session), outcomeOf(session), unsent.length], ['Half', 'failed', 0]);
    assert.equal(service.asked.length, 1);
    fail = false;
    await session.retry();
    assert.notEqual(service.asked[1]?.body.messageId, id);
    assert.deepEqual([answerOf(session), outcomeOf(session)], ['x', 'done']);
  });

  it('on an unknown branch offers to switch it, and returns the text', async () => {
    const service = await start((asked) => reply(asked, cutoff(), { error: 'BadRequestError: Bad branch' }));
    const { session, unsent } = open({ url: service.url });
    await session.send(message());
    assert.equal(session.thread.error?.actions[0], 'switchBranch');
    assert.deepEqual(unsent, [message()]);
  });

  it('that the service aborted counts as stopped', async () => {
    const aborted = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'stopped' };
    const service = await start((asked) => reply(asked, cutoff(), echo(asked), delta('Half', 2), aborted));
    const { session } = open({ url: service.url });
    await session.send(message());
    assert.deepEqual(flat(session.thread)[0]?.outcome, { state: 'stopped', service: 'byService' });
    assert.equal(service.asked.length, 1);
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ChatError, errorFromFetch, errorFromLine, errorFromStatus, withoutSecrets } from '../../../src/api/errors.ts';
import { describeError } from '../../../src/chat/connection/errorMessages.ts';
import { Secrets } from '../../../src/shared/text/secrets.ts';
import { failures } from './support/failures.ts';
import { assertPresentable, failureOf } from './support/failing.ts';
import { services } from './support/service.ts';

const { start, closeAll } = services();

describe('an error', () => {
  afterEach(closeAll);

  for (const { what, status = 200, type = 'application/json', body, kind, says, action } of failures)
    it(`${what}: ${kind}`, async () => {
      const service = await start(({ response }) => response.writeHead(status, { 'content-type': type }).end(body));
      const error = await failureOf(service.url);
      assert.equal(error.kind, kind);
      if (says) assert.match(error.message, says);
      assert.ok(describeError(error).actions.includes(action as never), describeError(error).actions.join());
      assertPresentable(error);
      assert.equal(error.badBranch, what.startsWith('a bad branch'));
    });

  it('of every kind has its own message', async () => {
    const kinds = [...new Set(failures.map(({ kind }) => kind))];
    const words = kinds.map((kind) => describeError(new ChatError(kind, 'x')).message);
    assert.equal(new Set(words).size, kinds.length);
  });

  it('quotes the service, and only the service', async () => {
    const silent = await start(({ response }) => response.writeHead(401).end());
    assert.doesNotMatch(describeError(await failureOf(silent.url)).message, /The service said/);
    const talking = await start(({ response }) => response.writeHead(401).end('Key expired'));
    assert.match(describeError(await failureOf(talking.url)).message, /The service said: “Key expired”/);
    const unsendable = new ChatError('auth', 'The key is empty.', { code: 'BAD_KEY' });
    assert.equal(describeError(unsendable).message, 'The key is empty.');
    const cut = new ChatError('network', 'cut', { code: 'ECONNRESET' });
    assert.match(describeError(cut).message, /was kept/);
    assert.doesNotMatch(describeError(cut, false).message, /was kept/);
  });

  it('gives the reason of the service in one line and without the key', async () => {
    const reason = `Upgrade to premium.\n    at plan (/srv/app.js:1:1) canary-key`;
    const refusing = await start(({ response }) => response.writeHead(402).end(JSON.stringify({ message: reason })));
    const { message } = describeError(await failureOf(refusing.url));
    assert.equal(message, 'The service rejected the request. The service said: “Upgrade to premium.”');
    const echoing = await start(({ response }) => response.writeHead(431).end('{"error":"canary-key is too long"}'));
    assert.match(describeError(await failureOf(echoing.url)).message, /The service said: “\[redacted\] is too long”/);
    const cut = await start(({ response }) => response.writeHead(400).end(`${'x'.repeat(290)} canary-key`));
    assert.doesNotMatch((await failureOf(cut.url)).message, /canary/);
    const page = await start(({ response }) => response.writeHead(402).end('<html>Pay here</html>'));
    assert.match(describeError(await failureOf(page.url)).message, /not the chat service\. Check the Chat API URL\.$/);
  });

  it('has no stack trace, also on one line', () => {
    const stack = 'Out of memory.  at plan (/srv/app.js:1:1) at run (/srv/app.js:2:1)';
    assert.equal(errorFromLine(stack).message, 'Out of memory.');
    assert.equal(errorFromLine('No access at all (yet)').message, 'No access at all (yet)');
    assert.equal(errorFromLine('No access at all').message, 'No access at all');
  });

  it('of a connection has the code or the reason, or says that the connection failed', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    assert.equal(
      errorFromFetch(new TypeError('fetch failed', { cause })).message,
      'The connection failed (ECONNREFUSED).',
    );
    assert.equal(errorFromFetch(new TypeError('socket hang up')).message, 'socket hang up');
    for (const failure of [new TypeError(''), new TypeError('<html>x</html>'), 'x'])
      assert.equal(errorFromFetch(failure).message, 'The connection failed.');
  });

  it('has Retry-After from seconds, or from a time on the clock of the service', async () => {
    for (const [value, least, most] of [
      ['7', 7000, 7000],
      [new Date(Date.now() + 60_000).toUTCString(), 50_000, 61_000],
      [new Date(0).toUTCString(), 0, 0],
    ] as const) {
      const service = await start(({ response }) => response.writeHead(429, { 'retry-after': value }).end());
      const { retryAfter = -1 } = await failureOf(service.url);
      assert.ok(retryAfter >= least && retryAfter <= most, `${value}: ${retryAfter}`);
    }
    for (const [date, wait] of [
      ['Wed, 01 Jan 2020 10:00:00 GMT', 30_000],
      ['', 0],
    ] as const) {
      const headers = new Headers({ date, 'retry-after': 'Wed, 01 Jan 2020 10:00:30 GMT' });
      assert.equal(errorFromStatus(429, '', headers).retryAfter, wait);
    }
    const service = await start(({ response }) => response.writeHead(503, { 'retry-after': 'soon' }).end());
    assert.equal((await failureOf(service.url)).retryAfter, undefined);
  });

  it('keeps status and Retry-After when the key is redacted from the message', () => {
    const details = { status: 429, retryAfter: 7000 };
    const error = withoutSecrets(
      new ChatError('rateLimited', 'canary-key is busy', details),
      new Secrets('canary-key'),
    );
    assert.deepEqual([error.message, error.status, error.retryAfter], ['[redacted] is busy', 429, 7000]);
  });

  it('has the message of the body although its error is null', () => {
    const { message } = errorFromStatus(400, '{"error":null,"message":"Not now."}', new Headers());
    assert.equal(message, 'Not now.');
  });

  it('is marked as a page only if HTML came instead of an error, with a status that the chat API has too', () => {
    const codeOf = (status: number, body: string): string | undefined =>
      errorFromStatus(status, body, new Headers()).code;
    assert.deepEqual(
      [codeOf(404, ' <!doctype html>'), codeOf(404, '{"error":"No such thread"}'), codeOf(500, '<html>')],
      ['PAGE', undefined, undefined],
    );
    assert.deepEqual([codeOf(403, '<html>'), codeOf(403, '{"error":"Not yours"}')], ['PAGE', undefined]);
  });

  it('shows bidirectional and invisible characters of the service as spaces', () => {
    for (const character of ['\u202e', '\u2066', '\u200f', '\u200b']) {
      const { message } = errorFromStatus(400, JSON.stringify({ message: `not${character}allowed` }), new Headers());
      assert.equal(message, 'not allowed');
    }
  });

  it('reads a limited part of an endless body', async () => {
    const service = await start(({ response }) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const error = await failureOf(service.url);
    assert.equal(error.kind, 'server');
    await service.asked[0]?.closed;
  });

  it('with an endless body fails by the stall timeout', async () => {
    const service = await start(({ response }) => {
      response.writeHead(401);
      response.write('Wrong');
    });
    const error = await failureOf(service.url, { stallTimeout: 500 });
    assert.deepEqual([error.kind, error.message], ['auth', 'Wrong']);
  });
});

describe('the kind of an error', () => {
  it('is known from the status', () => {
    const kindOf = (status: number): string => errorFromStatus(status, '{"message":"No."}', new Headers()).kind;
    for (const [kind, ...statuses] of [
      ['badRequest', 400, 413, 415, 422],
      ['auth', 401],
      ['forbidden', 403],
      ['notFound', 404, 410],
      ['network', 407],
      ['rateLimited', 429],
      ['server', 408, 500, 503],
    ] as const)
      for (const status of statuses) assert.equal(kindOf(status), kind, String(status));
    // Other refusals without a message come from something other than the chat API.
    const kindWithout = (status: number): string => errorFromStatus(status, '', new Headers()).kind;
    assert.deepEqual([400, 413, 415, 422, 402].map(kindWithout), [...Array<string>(4).fill('badRequest'), 'protocol']);
    const kindWith = (body: string): string => errorFromStatus(402, body, new Headers()).kind;
    assert.deepEqual(['{}', ' {"error":"No."}', 'No.'].map(kindWith), ['protocol', 'badRequest', 'protocol']);
  });
});

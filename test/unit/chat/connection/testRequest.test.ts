import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { ChatClient } from '../../../../src/api/client.ts';
import { describeError } from '../../../../src/chat/connection/errorMessages.ts';
import { testRequest } from '../../../../src/chat/connection/connection.ts';
import { until } from '../../../support/until.ts';
import { reply, services, type Asked } from '../../api/support/service.ts';
import { cutoff, state } from '../support/answers.ts';

const { start, closeAll } = services();
afterEach(closeAll);
afterEach(() => mock.timers.reset());

/** The message of a connection test; undefined if the connection works. */
async function toldOf(url: string): Promise<string | undefined> {
  const client = new ChatClient({ chatApiUrl: url, credential: { kind: 'apiKey', value: 'k' } });
  const failure = await testRequest(client, { externalId: 'dev' });
  return failure && describeError(failure, false).message;
}

describe('testing a connection', () => {
  const working: Record<string, (asked: Asked) => unknown> = {
    'an empty thread': (asked) => reply(asked, cutoff(), state),
    'a heartbeat before the thread': (asked) => reply(asked, {}, cutoff(), state),
    'an error line': (asked) => reply(asked, { error: 'No such thread' }),
    'status 404': ({ response }) => response.writeHead(404).end('{"error":"No such thread"}'),
    'status 400': ({ response }) => response.writeHead(400).end('{"error":"No such thread"}'),
  };
  for (const [what, answer] of Object.entries(working))
    it(`accepts ${what} as success`, async () => {
      const service = await start(answer);
      assert.equal(await toldOf(service.url), undefined);
      assert.equal(service.asked[0]?.body.input, undefined);
    });

  it('reports a rejected key, and a plan without the chat', async () => {
    for (const [status, words] of [
      [401, /does not accept the key/],
      [402, /Upgrade to premium/],
    ] as const) {
      const service = await start(({ response }) => response.writeHead(status).end('{"error":"Upgrade to premium"}'));
      assert.match((await toldOf(service.url)) ?? '', words);
    }
  });

  it('reports a URL without a chat service', async () => {
    const service = await start(({ response }) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>Error</title>Cannot POST'),
    );
    assert.match((await toldOf(service.url)) ?? '', /not the chat service/);
  });

  it('reports a gateway that blocks the request', async () => {
    const service = await start(({ response }) => response.writeHead(403).end('<html><h1>403 Forbidden</h1></html>'));
    assert.match((await toldOf(service.url)) ?? '', /gateway blocked the request/);
  });

  it('reports the error of a response that is JSON on several lines, and a response that is another API’s', async () => {
    const rejected = { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'Invalid token' } };
    for (const [body, words] of [
      [JSON.stringify(rejected, null, 2), /does not accept the key/],
      ['{"success":true}', /not the chat service/],
    ] as const) {
      const service = await start(({ response }) => response.end(body));
      assert.match((await toldOf(service.url)) ?? '', words);
    }
  });

  it('reports a service that never responds', async () => {
    const service = await start(() => undefined);
    mock.timers.enable({ apis: ['setTimeout'] });
    const told = toldOf(service.url);
    await new Promise(setImmediate);
    mock.timers.tick(15_000);
    mock.timers.reset();
    assert.equal(await told, 'The service stopped responding.');
    await until(() => service.sockets.size === 0);
  });
});

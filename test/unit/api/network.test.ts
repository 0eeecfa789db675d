import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { errorFromFetch } from '../../../src/api/errors.ts';
import { describeError } from '../../../src/chat/connection/errorMessages.ts';
import { assertPresentable, failureOf } from './support/failing.ts';
import { SELF_SIGNED } from './support/selfSigned.ts';
import { services } from './support/service.ts';

const { start, closeAll } = services();

describe('a network failure', () => {
  afterEach(closeAll);
  let raw: Server | undefined;
  afterEach(() => raw?.close());

  const shown = async (url: string, code: RegExp, words: RegExp): Promise<void> => {
    const error = await failureOf(url);
    assert.equal(error.kind, 'network');
    assert.match(error.code ?? '', code);
    assert.match(describeError(error).message, words);
    assertPresentable(error);
  };
  const rawService = async (onConnection: (socket: Socket) => void): Promise<string> => {
    raw = createServer(onConnection);
    await new Promise<void>((resolve) => raw?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
  };

  it('for an untrusted certificate is explained', async () => {
    const service = await start(({ response }) => response.end(), SELF_SIGNED);
    await shown(service.url, /^DEPTH_ZERO_SELF_SIGNED_CERT$/, /certificate .* not trusted/);
    assert.equal(service.asked.length, 0);
  });

  it('for a server without TLS is not blamed on the certificate', async () => {
    const service = await start(() => undefined);
    await shown(service.url.replace('http:', 'https:'), /SSL/, /secure connection .* Check the Chat API URL\.$/);
  });

  it('for an unknown host is explained', () =>
    shown('https://no-such-host.invalid', /ENOTFOUND|EAI_AGAIN/, /find the chat service/));

  it('for a certificate with an unknown issuer is explained', () => {
    for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']) {
      const cause = Object.assign(new Error('x'), { code });
      assert.match(describeError(errorFromFetch(new TypeError('fetch failed', { cause }))).message, /not trusted/);
    }
  });

  it('for a closed port is explained', async () => {
    const service = await start(() => undefined);
    await service.close();
    await shown(service.url, /ECONNREFUSED/, /refused the connection/);
  });

  it('for a host that does not answer is not a lost connection', () => {
    for (const code of ['UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH']) {
      const cause = Object.assign(new Error('x'), { code });
      assert.match(describeError(errorFromFetch(new TypeError('fetch failed', { cause }))).message, /be reached/);
    }
  });

  it('for a reset connection is explained', async () => {
    const url = await rawService((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await shown(url, /^ECONNRESET$/, /was lost/);
  });

  it('for a connection closed within a line is explained', async () => {
    const url = await rawService((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":"a"')),
    );
    await shown(url, /UND_ERR_SOCKET/, /was lost/);
  });

  it('for a response that is not HTTP is explained', async () => {
    const url = await rawService((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9\r\n')));
    await shown(url, /NOT_HTTP/, /was lost/);
  });

  it('for a proxy that refuses the tunnel is explained', () => {
    const cause = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    const error = errorFromFetch(new TypeError('fetch failed', { cause }));
    assert.match(describeError(error).message, /proxy requires a user name/);
  });

  it('for a timeout of the HTTP client counts as a lost connection', () => {
    for (const [text, code] of [
      ['terminated', 'UND_ERR_BODY_TIMEOUT'],
      ['fetch failed', 'UND_ERR_HEADERS_TIMEOUT'],
    ]) {
      const error = errorFromFetch(new TypeError(text, { cause: Object.assign(new Error('Timeout'), { code }) }));
      assert.deepEqual([error.kind, error.code], ['network', code]);
    }
  });

  it('without a reason, as in browsers, is explained', () => {
    const words = (): string => describeError(errorFromFetch(new TypeError('Failed to fetch'))).message;
    assert.match(words(), /could not be reached\. Check your network\.$/);
    const browser = globalThis as { origin?: string };
    browser.origin = 'https://editor.example';
    try {
      assert.match(words(), /allow requests from https:\/\/editor\.example \(CORS\)/);
    } finally {
      delete browser.origin;
    }
    assert.equal(errorFromFetch('odd').kind, 'network');
  });
});

/** Which error each form of a failure is, without a network. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  ChatError,
  errorFromFetch,
  errorFromJsonRpc,
  errorFromLine,
  errorFromStatus,
  withoutSecrets,
} from '../../../src/api/errors.ts';
import { Secrets } from '../../../src/shared/text/secrets.ts';

describe('the message of a service', () => {
  const long = 'x'.repeat(300);
  const texts: [sent: string, shown: string][] = [
    ['Out of memory.', 'Out of memory.'],
    [' \n  First line.\nSecond line.', 'First line.'],
    ['Out of memory. at plan (/srv/app.js:12:34) at run', 'Out of memory.'],
    ['a\u0007b\u007fc\u2066', 'a b c'],
    ['a < b > c', 'a < b > c'],
    [long, long],
    [`${long}x`, `${long.slice(1)}…`],
    ['', 'The service reported an error.'],
    ['Sorry.</DIV>', 'The service reported an error.'],
    ['<h1>Error</h1>', 'The service reported an error.'],
    ['<?xml version="1.0"?>\n<Error><Message>Denied</Message></Error>', 'The service reported an error.'],
    [`${'a'.repeat(4000)}<html>`, `${'a'.repeat(299)}…`],
  ];
  for (const [sent, shown] of texts)
    it(`is one line of plain text: ${JSON.stringify(sent.slice(0, 40))}`, () => {
      const { kind, message } = errorFromLine(sent);
      assert.deepEqual([kind, message], ['stream', shown]);
    });

  const bodies: [body: string, message: string][] = [
    ['{"error":{"message":"No input."}}', 'No input.'],
    ['{"message":"No input.","error":"Bad Request"}', 'No input.'],
    ['{"detail":"No input.","error":"Bad Request"}', 'No input.'],
    ['{"error":"No input."}', 'No input.'],
    ['{"error":{"code":1},"message":["No input.","No id."]}', 'No input.'],
    ['{"error":"Bad Request","errors":[{"message":"No input."}]}', 'No input.'],
    ['{"errors":[{"code":1},{"message":"No input."}]}', 'No input.'],
    ['{"errors":["No input."]}', 'No input.'],
    ['{"detail":[{"loc":["body","input"],"msg":"No input.","type":"missing"}]}', 'No input.'],
    ['{"type":"about:blank","title":"No input.","status":400}', 'No input.'],
    ['{"title":"Bad Request","detail":"No input."}', 'No input.'],
    ['{"error":"invalid_request","error_description":"No input."}', 'No input.'],
    ['[{"message":"No input."}]', 'No input.'],
    ['"No input."', 'No input.'],
    ['null', 'null'],
    ['No input.', 'No input.'],
    ['{"error":[1]}', 'The service returned status 400.'],
    ['', 'The service returned status 400.'],
  ];
  for (const [body, message] of bodies)
    it(`is found in a body: ${body}`, () => {
      const error = errorFromStatus(400, body, new Headers());
      assert.deepEqual([error.kind, error.status, error.message], ['badRequest', 400, message]);
    });
});

describe('an error', () => {
  it('says that the thread is being answered, in any form', () => {
    for (const text of ['Streaming for thread is in progress', 'Error: streaming for this thread is in progress.'])
      for (const error of [
        errorFromLine(text),
        errorFromJsonRpc({ message: text }),
        errorFromStatus(500, text, new Headers()),
      ])
        assert.equal(error.kind, 'busy');
  });

  it('in a response without error status is about the credential or the branch', () => {
    for (const [message, kind] of [
      ['invalid token', 'auth'],
      ['Bad branch: dev', 'badRequest'],
      ['BadRequestError: x', 'badRequest'],
    ] as const) {
      const error = errorFromJsonRpc({ message });
      assert.deepEqual([error.kind, error.message, error.status], [kind, message, 200]);
    }
    assert.equal(errorFromJsonRpc({ message: 1 }).message, 'The service reported an error.');
  });

  it('with a status from a proxy or of a missing page has a code', () => {
    const codeOf = (status: number, body = ''): unknown => errorFromStatus(status, body, new Headers()).code;
    assert.deepEqual(
      [codeOf(407), codeOf(404, '<html>'), codeOf(404, 'x'), codeOf(500)],
      ['PROXY_AUTH', 'PAGE', undefined, undefined],
    );
    for (const value of ['', ' ', 'soon'])
      assert.ok(errorFromStatus(429, '', new Headers({ 'retry-after': value })).retryAfter === undefined);
  });

  it('knows whether a later try can succeed', () => {
    const untimely = (kind: ChatError['kind'], status?: number): boolean =>
      new ChatError(kind, 'x', status === undefined ? {} : { status }).untimely;
    assert.deepEqual(
      [409, 423, 425, 499].map((status) => untimely('badRequest', status)),
      [true, true, true, true],
    );
    assert.deepEqual(
      [untimely('badRequest', 400), untimely('badRequest'), untimely('busy', 409)],
      [false, false, false],
    );
    const untrusted = (code?: string, kind: ChatError['kind'] = 'network'): boolean =>
      new ChatError(kind, 'x', code === undefined ? {} : { code }).untrusted;
    for (const code of [
      'CERT_HAS_EXPIRED',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ERR_TLS_HANDSHAKE',
      'UNABLE_TO_GET_ISSUER_CERT',
    ])
      assert.ok(untrusted(code), code);
    assert.deepEqual(
      [untrusted(), untrusted('ECONNRESET'), untrusted('CERT_HAS_EXPIRED', 'protocol')],
      [false, false, false],
    );
  });

  it('asks to wait if there were too many requests, or if the service says how long', () => {
    assert.deepEqual(
      [
        new ChatError('rateLimited', 'x'),
        new ChatError('server', 'x', { retryAfter: 0 }),
        new ChatError('server', 'x'),
      ].map(({ asksToWait }) => asksToWait),
      [true, true, false],
    );
  });

  it('has a cause only if it was given one', () => {
    assert.ok(!('cause' in new ChatError('auth', 'x')));
    assert.equal(new ChatError('auth', 'x', { cause: 'y' }).cause, 'y');
  });

  it('stays the same object if it does not contain the credential, and keeps everything else otherwise', () => {
    const secrets = new Secrets('canary-key');
    const clean = new ChatError('auth', 'No.');
    assert.equal(withoutSecrets(clean, secrets), clean);
    const cause = new Error('x');
    const {
      kind,
      code,
      status,
      cause: kept,
    } = withoutSecrets(new ChatError('network', 'canary-key', { code: 'ECONNRESET', cause }), secrets);
    assert.deepEqual([kind, code, status, kept], ['network', 'ECONNRESET', undefined, cause]);
  });
});

describe('a failed request', () => {
  const failing = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });
  const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });
  const nested = (depth: number): unknown =>
    depth === 0 ? coded('ECONNRESET') : new Error('x', { cause: nested(depth - 1) });
  const failures: [what: string, failure: unknown, kind: string, code: string | undefined][] = [
    ['with a code', coded('ECONNRESET'), 'network', 'ECONNRESET'],
    ['with a code in its cause', failing(coded('ENOTFOUND')), 'network', 'ENOTFOUND'],
    [
      'with the codes of several addresses',
      failing(new AggregateError([coded('ECONNREFUSED'), coded('x')], 'y')),
      'network',
      'ECONNREFUSED',
    ],
    ['with a code that is a number', Object.assign(new Error('x'), { code: 20 }), 'network', undefined],
    ['with an empty code', Object.assign(failing(coded('EPIPE')), { code: '' }), 'network', 'EPIPE'],
    ['with a code five causes deep', nested(5), 'network', 'ECONNRESET'],
    ['with a code six causes deep', nested(6), 'network', undefined],
    ['without a code', new TypeError('Failed to fetch'), 'network', undefined],
    ['of a proxy tunnel', failing(new Error('Proxy response (407) !== 200')), 'network', 'PROXY_AUTH'],
    [
      'of a proxy with another status',
      failing(Object.assign(coded('UND_ERR_ABORTED'), { message: 'Proxy response (403) !== 200' })),
      'network',
      'PROXY_403',
    ],
    ['with another 407', failing(new Error('read 407 bytes')), 'network', undefined],
    ['of a proxy, without any detail', failing(new Error('')), 'network', 'PROXY_AUTH'],
    ['without any detail', new Error(''), 'network', undefined],
    ['without a message', failing(coded('EPIPE', '')), 'network', 'EPIPE'],
    [
      'of a server that does not speak HTTP',
      failing(Object.assign(coded('HPE_X'), { name: 'HTTPParserError' })),
      'network',
      'NOT_HTTP',
    ],
    ['by a redirect', failing(new Error('unexpected Redirect')), 'protocol', 'REDIRECT'],
    ['by a text', 'x', 'network', undefined],
  ];
  for (const [what, failure, kind, code] of failures)
    it(`has its code: ${what}`, () => {
      const error = errorFromFetch(failure);
      assert.deepEqual([error.kind, error.code, error.cause], [kind, code, failure]);
    });

  it('is not converted twice', () => {
    const error = new ChatError('busy', 'x');
    assert.equal(errorFromFetch(error), error);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chatAddresses, dataQueryAddress, takesOnlyTokens } from '../../../src/api/address.ts';
import { ChatError } from '../../../src/api/errors.ts';

const BASE = 'https://eu.example.com/api/v1/account/agents/42';

describe('addresses', () => {
  it('accept the Chat API URL in any pasted form', () => {
    const path = '/chat/stream-chat-state';
    const forms = ['', '/', '//', path, `${path}/`, `/${path}`, '/chat/abort', '?x=1', '#top'];
    // Text that is copied from a web page may contain no-break spaces.
    for (const form of forms) assert.equal(chatAddresses(` ${BASE}${form}\n\u00a0`).base, BASE, form);
    assert.equal(chatAddresses('https://example.com\u00a0').base, 'https://example.com');
  });

  it('derive the abort address by replacing the end of the stream address', () => {
    assert.equal(chatAddresses(BASE).stream, `${BASE}/chat/stream-chat-state`);
    assert.equal(chatAddresses(BASE).abort, `${BASE}/chat/abort`);
  });

  it('accept only service tokens if they name a deployment', () => {
    const urls = [
      'https://a.example/api/v1/deployments/7/chat/stream-chat-state',
      BASE,
      'https://deployments.example/x',
    ];
    assert.deepEqual(urls.map(takesOnlyTokens), [true, false, false]);
  });

  it('keep a path that only resembles the suffix', () => {
    const path = 'https://example.com/chat/stream-chat-state/agents/1';
    assert.equal(chatAddresses(path).abort, `${path}/chat/abort`);
  });

  it('have the origin that credentials belong to', () => {
    assert.equal(chatAddresses('https://EXAMPLE.com:443/x').origin, 'https://example.com');
    assert.equal(chatAddresses('https://example.com:8443/x').origin, 'https://example.com:8443');
  });

  it('allow http only for this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.10.20.30', '[::1]'])
      assert.equal(chatAddresses(`http://${host}:3000/a`).origin, `http://${host}:3000`);
    for (const host of [
      'example.com',
      '127.0.0.1.example.com',
      'localhost.example.com',
      'agent.localhost',
      '10.0.0.1',
      '0.0.0.0',
      '[::2]',
    ])
      assert.throws(
        () => chatAddresses(`http://${host}/a`),
        (error) => error instanceof ChatError && error.kind === 'badRequest' && error.code === 'INSECURE_URL',
        host,
      );
  });

  it('are named as the Chat API URL if they are rejected', () => {
    for (const url of ['agent', 'http://example.com', 'https://me@example.com'])
      assert.throws(() => chatAddresses(url), /“Chat API URL”/, url);
  });

  it('reject invalid URLs and URLs with credentials', () => {
    for (const url of [
      '',
      'agent',
      'ftp://example.com',
      'file:///etc/passwd',
      'https://',
      'https://me:pass@example.com',
      'https://:pass@example.com',
      // A name may be mistaken for a key.
      'https://pass@example.com',
    ])
      assert.throws(
        () => chatAddresses(url),
        (error) =>
          error instanceof ChatError &&
          error.kind === 'badRequest' &&
          error.code === 'BAD_URL' &&
          !error.message.includes('pass@'),
        url,
      );
  });
});

describe('the data query URL', () => {
  const host = 'https://api.example.com';

  it('contains the encoded branch in its path or query', () => {
    for (const [template, branch, address] of [
      ['/v1/{branch}/query', 'dev-margin', '/v1/dev-margin/query'],
      ['/v1/{branch}/query', 'feature/a b', '/v1/feature%2Fa%20b/query'],
      ['/v1/query?branch={branch}&of={branch}', 'a&b=c#d', '/v1/query?branch=a%26b%3Dc%23d&of=a%26b%3Dc%23d'],
      ['/{branch}', '@evil.example.com', '/%40evil.example.com'],
      ['/{branch}', '../secrets', '/..%2Fsecrets'],
      ['/v1/query', 'dev-margin', '/v1/query'],
      ['/v1/query', '..', '/v1/query'],
    ] as const)
      assert.equal(dataQueryAddress(host + template, branch).href, host + address);
  });

  it('keeps its origin and folder, whatever the branch', () => {
    for (const [template, branch] of [
      ['https://api.example.com{branch}/query', '.evil.com'],
      ['https://{branch}/query', 'evil.com'],
      ['https://{branch}.example.com/query', 'dev'],
      ['https://api.example.com:{branch}/query', '8443'],
      [`${host}/v1/{branch}/query`, '..'],
      [`${host}/v1/{branch}/query`, '.'],
    ] as const)
      assert.throws(
        () => dataQueryAddress(template, branch),
        (error) => error instanceof ChatError && error.kind === 'badRequest' && error.code === 'BAD_URL',
        template,
      );
  });

  it('is named as a setting if it is invalid', () => {
    for (const template of ['{branch}', 'query'])
      assert.throws(() => dataQueryAddress(template, 'dev'), /“dataQueryUrl” is not a valid URL/);
  });
});

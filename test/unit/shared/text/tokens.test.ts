import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { redactTokens } from '../../../../src/shared/text/secrets.ts';

describe('unknown credentials in text', () => {
  it('are redacted in headers, in any notation', () => {
    for (const [text, clean] of [
      ['Authorization: Api-Key k-1, sent', 'Authorization: Api-Key [redacted], sent'],
      ['{"authorization":"api-key k-1"}', '{"authorization":"api-key [redacted]"}'],
      ['X-Svc-Auth-Token: t-1', 'X-Svc-Auth-Token: [redacted]'],
      ['{"x-svc-auth-token":"t-1"}', '{"x-svc-auth-token":"[redacted]"}'],
    ] as const)
      assert.equal(redactTokens(text), clean);
  });
});

describe('JSON Web Tokens in text', () => {
  const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln-_bmF0dXJl';

  it('are redacted anywhere, including their signature', () => {
    assert.equal(redactTokens(`Bearer ${token}, sent`), 'Bearer [redacted], sent');
    assert.equal(redactTokens(`token-${token}`), 'token-[redacted]');
    assert.equal(redactTokens('eyJhbGciOiJub25lIn0.e30.'), '[redacted]');
  });

  it('are distinguished from other text with dots', () => {
    for (const text of ['orders.count and eyJ', 'a.b.c', 'eyJhbGciOiJub25lIn0']) assert.equal(redactTokens(text), text);
  });
});

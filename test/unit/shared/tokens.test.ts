import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { redactTokens } from '../../../src/shared/text/secret.ts';

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

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Secrets } from '../../../../src/shared/text/secrets.ts';

const KEY = 'sk/7f3kQ9+zLw2"XeVb5T=Ra8Nd';
const TOKEN = 'other_token-of-the-same-user';
// Not shared, so that each test notices a fault in the constructor.
const both = (): Secrets => new Secrets(` ${KEY}\n`, TOKEN);

const encodings: Record<string, (value: string) => string> = {
  plain: (value) => `Invalid key ${value}.`,
  'in a header': (value) => `authorization: Api-Key ${value}`,
  'percent-encoded': (value) => `https://agent.example/?key=${encodeURIComponent(value)}&x=1`,
  'in JSON': (value) => JSON.stringify({ error: `bad ${value}` }),
  'in JSON inside JSON': (value) => JSON.stringify({ result: JSON.stringify({ error: value }) }),
};

describe('secrets', () => {
  for (const [name, encode] of Object.entries(encodings))
    it(`are each redacted: ${name}`, () => {
      assert.equal(
        both().redact(encode(KEY) + encode(TOKEN) + encode(KEY)),
        encode('[redacted]').replaceAll('%5Bredacted%5D', '[redacted]').repeat(3),
      );
    });

  it('are redacted wherever they are, without changing the text around them', () => {
    const secrets = both();
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6, unit: fc.constantFrom('a', ' ', '"', 'é') })), (parts) => {
        assert.equal(secrets.redact(parts.join(KEY)), parts.join('[redacted]'));
      }),
    );
  });

  it('are redacted from Markdown that escapes their signs, such as the heading of an exported chat', () => {
    assert.equal(new Secrets('sk_live_7f3kQ9zLw2').redact('# sk\\_live\\_7f3kQ9zLw2\n'), '# [redacted]\n');
  });

  it('leave valid JSON, also if they start with a quote', () => {
    const key = '"key-that-starts-with-a-quote';
    for (const value of [KEY, key]) {
      const line = JSON.stringify({ a: value, b: [`x${value}y`], c: JSON.stringify({ error: value }) });
      const redacted: unknown = JSON.parse(new Secrets(value).redact(line));
      assert.deepEqual(redacted, { a: '[redacted]', b: ['x[redacted]y'], c: '{"error":"[redacted]"}' });
    }
  });

  it('are redacted as a whole if one begins with another, in any order', () => {
    for (const values of [
      ['acme-key', 'acme-key-of-2024'],
      ['acme-key-of-2024', 'acme-key'],
    ])
      assert.equal(new Secrets(...values).redact('acme-key-of-2024, acme-key.'), '[redacted], [redacted].');
  });

  it('are redacted from the moment they are added, however often', () => {
    const secrets = new Secrets();
    assert.equal(secrets.redact(TOKEN), TOKEN);
    for (const value of [TOKEN, KEY, TOKEN]) secrets.add(value);
    assert.equal(secrets.redact(`${TOKEN} ${KEY}`), '[redacted] [redacted]');
  });

  it('that are short enough to occur by chance are not redacted, nor parts of longer ones', () => {
    assert.equal(new Secrets('').redact('a'), 'a');
    assert.equal(new Secrets('seven-7').redact('seven-7'), 'seven-7');
    assert.equal(new Secrets('eight-88').redact('eight-88'), '[redacted]');
    const rows = JSON.stringify(['2024-01-15', 'production']);
    assert.equal(new Secrets('acme-production-2024-01-key').redact(rows), rows);
  });
});

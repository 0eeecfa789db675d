import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Secret } from '../../../../src/shared/text/secret.ts';

const KEY = 'sk/7f3kQ9+zLw2"XeVb5T=Ra8Nd';
// Not shared, so that each test notices a fault in the constructor.
const secretOf = (): Secret => new Secret(` ${KEY}\n`);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const encodings: Record<string, string> = {
  plain: `Invalid key ${KEY}.`,
  'in a header': `{"headers":{"authorization":"Api-Key ${KEY}"}}`,
  percent: `https://agent.example/?key=${encodeURIComponent(KEY)}&x=1`,
  'percent, in lower case': `https://agent.example/?key=${encodeURIComponent(KEY).replaceAll(/%../g, (byte) => byte.toLowerCase())}`,
  'percent, twice': `https://agent.example/?next=${encodeURIComponent(`/?key=${encodeURIComponent(KEY)}`)}`,
  JSON: JSON.stringify({ error: `bad ${KEY}` }),
  'JSON with slashes escaped': JSON.stringify({ error: KEY }).replaceAll('/', '\\/'),
  hex: Buffer.from(KEY).toString('hex'),
  HEX: Buffer.from(`a${KEY}b`).toString('hex').toUpperCase(),
  'base64, after 0': base64(KEY),
  'base64, after 1': base64(`:${KEY}`),
  'base64, after 2': base64(`u:${KEY}:`),
  'base64, after 3': base64(`abc${KEY}::`),
  'base64 of a URL': Buffer.from(`abcd${KEY}d`).toString('base64url'),
  'the beginning': `key ${KEY.slice(0, 12)}… is unknown`,
  'the middle': `…${KEY.slice(7, 15)}…`,
  'the end': `…${KEY.slice(-9)}`,
};

/** The shortest part of the key, or of an encoding of it, that must not remain: eight characters. */
function piecesIn(text: string): string[] {
  const forms = [
    KEY,
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('hex'),
    Buffer.from(KEY).toString('base64url'),
  ];
  return forms.flatMap((form) =>
    Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)).filter((piece) =>
      text.toLowerCase().includes(piece.toLowerCase()),
    ),
  );
}

describe('a secret', () => {
  for (const [name, text] of Object.entries(encodings))
    it(`is redacted in a message: ${name}`, () => {
      const clean = secretOf().redact(text);
      assert.match(clean, /\[redacted\]/);
      assert.deepEqual(piecesIn(clean), []);
    });

  it('is redacted as URL-safe base64 where that differs from plain base64', () => {
    const key = new Secret('sk>>>???~~~7f3kQ9ÿÿ');
    for (const before of ['', 'a', 'ab']) {
      const text = Buffer.from(`${before}sk>>>???~~~7f3kQ9ÿÿ:`).toString('base64url');
      assert.match(text, /[-_]/);
      assert.match(key.redactWhole(text), /\[redacted\]/);
    }
  });

  it('is redacted from each base64 character that depends on it alone', () => {
    for (const length of [25, 26, 27])
      for (const before of [0, 1, 2])
        for (const after of ['', 'b']) {
          const key = KEY.slice(0, length);
          const text = base64('a'.repeat(before) + key + after);
          const first = Math.ceil((before * 8) / 6);
          const end = Math.floor(((before + length) * 8) / 6);
          assert.equal(new Secret(key).redactForms(text), `${text.slice(0, first)}[redacted]${text.slice(end)}`);
        }
  });

  it('is redacted wherever it is, without changing the text around it', () => {
    const secret = secretOf();
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6, unit: fc.constantFrom('a', ' ', '"', 'é') })), (parts) => {
        assert.equal(secret.redact(parts.join(KEY)), parts.join('[redacted]'));
        assert.equal(secret.redactWhole(parts.join(KEY)), parts.join('[redacted]'));
      }),
    );
  });

  it('is redacted from Markdown that escapes its signs, such as the heading of an exported chat', () => {
    assert.equal(new Secret('sk_live_7f3kQ9zLw2').redactForms('# sk\\_live\\_7f3kQ9zLw2\n'), '# [redacted]\n');
  });

  it('leaves valid JSON in a line of JSON', () => {
    const line = JSON.stringify({ a: KEY, b: [`x${KEY}y`], c: JSON.stringify({ error: KEY }) });
    const value = JSON.parse(secretOf().redactWhole(line)) as Record<string, unknown>;
    assert.deepEqual(value, { a: '[redacted]', b: ['x[redacted]y'], c: '{"error":"[redacted]"}' });
  });

  it('that starts with a quote is replaced together with the escape of the quote', () => {
    const key = '"key-that-starts-with-a-quote';
    const line = JSON.stringify({ error: key });
    assert.equal(new Secret(key).redactWhole(line), '{"error":"[redacted]"}');
  });

  it('is removed from a document completely, and nothing else is', () => {
    const key = new Secret('acme-production-2024-01-key');
    const rows = JSON.stringify(['2024-01-15', 'production']);
    assert.equal(key.redactForms(rows), rows);
    for (const text of Object.values(encodings).slice(0, -3))
      assert.deepEqual(piecesIn(secretOf().redactForms(text)), [], text);
  });

  /** Nested JSON strings, with these escapes for some characters. */
  const nested = (escape: (character: string) => string, levels: number): string => {
    let text = `key ${KEY}!`;
    for (let level = 0; level < levels; level += 1)
      text = JSON.stringify({ error: text }).replaceAll(/[^\\"{}:]/g, (each) => escape(each));
    return text;
  };
  const code = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');
  const escapes: Record<string, (character: string) => string> = {
    'signs, as one library does': (each) => (/[=<>&']/.test(each) ? `\\u${code(each)}` : each),
    'signs in capitals, as another does': (each) => (/[+&<>]/.test(each) ? `\\u${code(each).toUpperCase()}` : each),
    'letters and digits': (each) => (/[0-9A-Za-z]/.test(each) ? `\\u${code(each)}` : each),
    'every other character': (each) => (each.charCodeAt(0) % 2 === 0 ? `\\u${code(each)}` : each),
  };
  for (const [name, escape] of Object.entries(escapes))
    for (const levels of [1, 2])
      it(`is redacted in ${levels === 1 ? 'JSON' : 'JSON within JSON'} that escapes ${name}`, () => {
        let text = secretOf().redactWhole(nested(escape, levels));
        for (let level = 0; level < levels; level += 1) text = (JSON.parse(text) as { error: string }).error;
        assert.equal(text, 'key [redacted]!');
      });

  it('leaves a mark where its beginning was, also at the start of a text', () => {
    assert.equal(secretOf().redact(`${KEY.slice(0, 12)} is unknown`), '[redacted] is unknown');
    assert.equal(secretOf().redact(`${KEY.slice(0, 9)}, ${KEY.slice(-9)}`), '[redacted], [redacted]');
    assert.equal(secretOf().redact(KEY.slice(0, 8) + KEY.slice(-8)), '[redacted]');
  });

  it('keeps the escapes of quotes and backslashes, so that the line stays JSON', () => {
    const line = String.raw`{"content":"\u0022 \u005c \u003d ${KEY.replace('"', '\\"')}"}`;
    assert.deepEqual(JSON.parse(secretOf().redactWhole(line)), { content: '" \\ = [redacted]' });
  });

  it('changes no other escapes', () => {
    const line = String.raw`{"content":"a \u003d b, \\u003d, \u0022"}`;
    assert.equal(secretOf().redactWhole(line), line);
  });

  it('is searched in linear time in a line of backslashes', () => {
    const line = `${'\\'.repeat(2_000_000)}x \\u00zz`;
    assert.equal(secretOf().redactWhole(line), line);
  });

  it('that is short is redacted only as a whole', () => {
    const short = new Secret('development');
    const text = 'The key “development” is for the development of developme.';
    assert.equal(short.redactWhole(text), text);
    assert.equal(new Secret('0123456789abcdef').redactWhole('0123456789abcdef'), '[redacted]');
    assert.equal(short.redact(text), 'The key “[redacted]” is for the [redacted] of developme.');
    assert.equal(new Secret('abcd').redact('an abcd'), 'an [redacted]');
    assert.equal(new Secret('abc').redact('abc'), 'abc');
  });
});

describe('a key in streamed text', () => {
  it('is cut off from its beginning on, until it is clear that it is another text', () => {
    assert.equal(secretOf().redactStreaming(`use ${KEY.slice(0, 10)}`), 'use ');
    assert.equal(secretOf().redactStreaming(`use ${KEY.slice(0, 10)}?`), `use ${KEY.slice(0, 10)}?`);
    assert.equal(secretOf().redactStreaming(`use ${KEY} now`), secretOf().redactWhole(`use ${KEY} now`));
    assert.equal(secretOf().redactStreaming(`use ${KEY.slice(0, 4)}`), 'use ');
    assert.equal(secretOf().redactStreaming(`use ${Buffer.from(KEY).toString('hex').slice(0, 50)}`), 'use ');
    assert.equal(secretOf().redactStreaming(''), '');
    assert.equal(secretOf().redactStreaming(KEY.slice(0, 2), 1), '');
    assert.equal(secretOf().redactStreaming(KEY.slice(0, 2)), KEY.slice(0, 2));
  });

  it('stays if it is short', () => {
    for (const key of ['abc', 'development']) assert.equal(new Secret(key).redactStreaming(`abc ${key}`), `abc ${key}`);
  });
});

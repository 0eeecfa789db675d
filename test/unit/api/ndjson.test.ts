import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MAX_LINE_BYTES, NdjsonParser, type ParsedLine } from '../../../src/api/ndjson.ts';
import { answerLines } from '../../bench/parse/lines.ts';
import { sparse } from '../../support/runs.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(...chunks: Uint8Array[]): ParsedLine[] {
  const parser = new NdjsonParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.flush()];
}
const values = (lines: ParsedLine[]): unknown[] => lines.map((line) => ('value' in line ? line.value : line.problem));

/** An answer of about 10 kB with characters of one to four bytes. */
function answer(): Uint8Array {
  let text = '';
  for (const line of answerLines(30, 7)) {
    text += `${JSON.stringify(line)}${text.length % 2 === 0 ? '' : '\r'}\n`;
    if (text.length > 10_000) break;
  }
  return bytesOf(`${text}{"content":"👩\u200d👩\u200d👧 é 東京 🙂"}`);
}

describe('NDJSON', () => {
  it('parses one object per line, and a last one without a newline', () => {
    assert.deepEqual(values(parse(bytesOf('{"a":1}\n{"b":2}'))), [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(values(parse(bytesOf('{"a":1}\n{"b":2}\n'))), [{ a: 1 }, { b: 2 }]);
  });

  it('yields a line as soon as its newline has arrived', () => {
    const parser = new NdjsonParser();
    assert.deepEqual(values(parser.push(bytesOf('{"a":1}\n{"b"'))), [{ a: 1 }]);
    assert.deepEqual(values(parser.push(bytesOf(':2}'))), []);
    assert.deepEqual(values(parser.push(bytesOf('\n'))), [{ b: 2 }]);
    assert.deepEqual(values(parser.flush()), []);
  });

  it('accepts CRLF, blank lines and byte order marks', () => {
    const text = '\ufeff{"a":1}\r\n\r\n  \n\n\ufeff{"b":2}\r\n\t\n{"c":3}\r';
    assert.deepEqual(values(parse(bytesOf(text))), [{ a: 1 }, { b: 2 }, { c: 3 }]);
    assert.deepEqual(values(parse(bytesOf(`${'\ufeff'.repeat(100_000)}{"a":1}\n\ufeff\n`))), [{ a: 1 }]);
  });

  it('counts an invalid line and continues', () => {
    const lines = values(parse(bytesOf('{"a":1}\n<html>\n{"b"\n{"c":3}\n')));
    assert.deepEqual(lines, [{ a: 1 }, 'not JSON', 'not JSON', { c: 3 }]);
  });

  it('replaces invalid UTF-8 and continues', () => {
    const bad = [...bytesOf('{"a":"'), 0xff, 0xe6, 0x9d, ...bytesOf('"}\n{"b":2}\n')];
    const lines = values(parse(Uint8Array.from(bad)));
    assert.equal(lines.length, 2);
    assert.match((lines[0] as { a: string }).a, /^\ufffd+$/);
    assert.deepEqual(lines[1], { b: 2 });
  });

  it('yields the same lines for a 10 kB answer split in two at every byte', () => {
    const bytes = answer();
    assert.ok(bytes.length > 10_000);
    const whole = values(parse(bytes));
    for (let at = 0; at <= bytes.length; at += sparse)
      assert.deepEqual(values(parse(bytes.subarray(0, at), bytes.subarray(at))), whole, `cut at ${at}`);
  });

  it('yields the same lines byte by byte', () => {
    const bytes = answer();
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    assert.deepEqual(parse(...single), parse(bytes));
  });

  it('yields the same lines for any bytes and any chunks', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', '{"a":"🙂"}', '\ufeff', '[]', '"').map(bytesOf),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(), { maxLength: 8 }), (pieces, cuts) => {
        const bytes = Buffer.concat(pieces);
        const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        assert.deepEqual(parse(...chunks), parse(bytes));
      }),
    );
  });

  it('does not retain its input chunks', () => {
    const parser = new NdjsonParser();
    const chunk = bytesOf('{"a":"kept');
    parser.push(chunk);
    chunk.fill(0);
    assert.deepEqual(values(parser.push(bytesOf('"}\n'))), [{ a: 'kept' }]);
  });

  it('skips a line that is too long, counts it and continues, whatever the chunks', () => {
    const long = new Uint8Array(MAX_LINE_BYTES + 1).fill(0x61);
    const [before, after] = [bytesOf('{"a":1}\n'), bytesOf('\n{"b":2}\n')];
    const expected = [{ a: 1 }, 'line too long', { b: 2 }];
    const half = 20_000_000;
    assert.deepEqual(values(parse(before, long.subarray(0, half), long.subarray(half), after)), expected);
    assert.deepEqual(values(parse(Buffer.concat([before, long, after]))), expected);
    assert.deepEqual(values(parse(before, long)), [{ a: 1 }, 'line too long']);
  });

  it('accepts a line just below the limit', () => {
    const letters = Buffer.alloc(MAX_LINE_BYTES - 2, '東');
    const end = bytesOf('"\n{"b":2}\n');
    const [line, next] = values(parse(Buffer.concat([bytesOf('"'), letters, end])));
    assert.equal((line as string).length, letters.length / 3);
    assert.deepEqual(next, { b: 2 });
    const longer = Buffer.concat([bytesOf('"a'), letters, end]);
    assert.deepEqual(values(parse(longer)), ['line too long', { b: 2 }]);
  });
});

describe('a hostile stream', () => {
  /** `parses` is the number of calls of `JSON.parse`, which take time and memory. */
  const counted = (text: string): { parsed: ParsedLine[]; parses: number } => {
    const counter = mock.method(JSON, 'parse').mock;
    try {
      return { parsed: parse(bytesOf(text)), parses: counter.callCount() };
    } finally {
      // Now, because a second counter would count for the first one, which would stay and keep every later call.
      counter.restore();
    }
  };

  it('with millions of brackets in a line is rejected without being parsed', () => {
    for (const text of ['['.repeat(2e6), `{"id":"a","toolCall":${'{"input":'.repeat(1e6)}`]) {
      const { parsed, parses } = counted(text);
      assert.deepEqual(
        parsed.map((line) => ('problem' in line ? line.problem : 'parsed')),
        ['nested too deep'],
      );
      assert.equal(parses, 0);
    }
  });

  it('is not taken for one because a line has many brackets side by side', () => {
    for (const pair of ['{}', '[]', '"{\\"["']) {
      const [line, more] = parse(bytesOf(`{"data":[${Array(250_000).fill(pair).join()}]}`));
      assert.ok(line && !('problem' in line) && !more, pair);
    }
  });

  it('with a million byte order marks yields nothing, without an exception for each', () => {
    const { parsed, parses } = counted('\ufeff\n'.repeat(1e6));
    assert.deepEqual([parsed.length, parses], [0, 0]);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { chunksOf } from '../../../../webview/markdown/highlight.ts';

const line = fc.nat(900).map((length) => `${'x'.repeat(length)}\n`);
const code = fc.array(line, { maxLength: 30 }).map((lines) => lines.join(''));

describe('Chunks of code', () => {
  it('contain the whole code in complete lines', () => {
    fc.assert(
      fc.property(code, (text) => {
        const chunks = chunksOf(text);
        assert.equal(chunks.join(''), text);
        assert.ok(chunks.every((chunk) => chunk.endsWith('\n') && chunk.length < 2048 + 901));
        assert.ok(chunks.slice(0, -1).every((chunk) => chunk.length >= 2048));
      }),
    );
  });

  it('end at the first line end from 2048 characters on', () => {
    const first = (length: number): number | undefined => chunksOf(`${'x'.repeat(length - 1)}\ny\nz`)[0]?.length;
    assert.deepEqual([first(2047), first(2048)], [2049, 2048]);
  });

  it('stay unchanged when the code grows', () => {
    fc.assert(
      fc.property(code, code, (text, more) => {
        const finished = chunksOf(text).slice(0, -1);
        assert.deepEqual(chunksOf(text + more).slice(0, finished.length), finished);
      }),
    );
  });
});

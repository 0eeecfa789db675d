import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { chunksOf } from '../../../../webview/markdown/highlight.ts';

const line = fc.nat(900).map((length) => `${'x'.repeat(length)}\n`);
const code = fc.array(line, { maxLength: 30 }).map((lines) => lines.join(''));

describe('Pieces of code', () => {
  it('are the whole code, each of whole lines', () => {
    fc.assert(
      fc.property(code, (text) => {
        const chunks = chunksOf(text);
        assert.equal(chunks.join(''), text);
        assert.ok(chunks.every((chunk) => chunk.endsWith('\n') && chunk.length < 2048 + 901));
      }),
    );
  });

  it('stay as they are when the code grows', () => {
    fc.assert(
      fc.property(code, code, (text, more) => {
        const finished = chunksOf(text).slice(0, -1);
        assert.deepEqual(chunksOf(text + more).slice(0, finished.length), finished);
      }),
    );
  });
});

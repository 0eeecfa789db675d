import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { newSource } from '../../../../webview/markdown/source.ts';

describe('A growing text', () => {
  it("is read once, with CommonMark's line ends, wherever it is split", () => {
    const piece = fc.constantFrom('a', '\r', '\n', '\r\n', '\0', '\u{1f600}', 'word');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(60)), (pieces, cuts) => {
        const text = pieces.join('');
        const source = newSource();
        const read = cuts
          .map((cut) => Math.min(cut, text.length))
          .sort((one, other) => one - other)
          .map((cut) => source.read(text.slice(0, cut), false));
        read.push(source.read(text, true));
        assert.equal(read.join(''), text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'));
        assert.ok(read.slice(0, -1).every((part) => !/[\ud800-\udbff]$/.test(part ?? '')));
      }),
    );
  });

  it('is detected when it does not continue', () => {
    const source = newSource();
    assert.equal(source.read('one two', false), 'one two');
    assert.equal(source.read('one two', false), '');
    assert.equal(source.read('one', false), undefined);
    assert.equal(source.read('one tea three', false), undefined);
    assert.equal(source.read('any two three', false), undefined);
  });

  it('is compared completely at its end', () => {
    const source = newSource();
    source.read(`a${'x'.repeat(200)}`, false);
    assert.equal(source.read(`b${'x'.repeat(200)}y`, true), undefined);
  });
});

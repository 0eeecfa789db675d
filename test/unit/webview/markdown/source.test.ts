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
    const begun = `one two${'x'.repeat(200)}`;
    assert.deepEqual([source.read(begun, false), source.read(begun, false)], [begun, '']);
    for (const other of ['one', `one tea${'x'.repeat(300)}`]) assert.equal(source.read(other, false), undefined);
    assert.equal(source.read(`two ${begun}`, true), undefined);
    assert.equal(source.read(`${begun}y`, true), 'y');
  });
});

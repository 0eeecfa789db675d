import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { alignedLine, shownCell, widthsOf } from '../../../../src/shared/results/textTable.ts';

describe('cells of a table in plain text', () => {
  it('show what is not visible: null, empty text, outer spaces and control characters', () => {
    for (const [cell, shown] of [
      [null, 'NULL'],
      ['', "''"],
      [' a', '" a"'],
      ['a\nb', 'a\\nb'],
      ['a\tb', 'a\\tb'],
      ['a\rb\u001b[2J\u0085', 'a\\u000db\\u001b[2J\\u0085'],
      ['a\u2028b', 'a\\u2028b'],
      ['\u202edlrow', '\\u202edlrow'],
      ['a\u{e0041}', 'a\\udb40\\udc41'],
      ['NULL', 'NULL'],
      [0, '0'],
    ] as const)
      assert.equal(shownCell(cell), shown);
  });

  it('are cut after 60 characters', () => {
    assert.equal(shownCell('x'.repeat(60)), 'x'.repeat(60));
    assert.equal(shownCell('x'.repeat(61)), `${'x'.repeat(59)}…`);
  });

  it('are aligned in columns, numbers on the right, without spaces at the end', () => {
    const lines = [
      ['month', 'revenue'],
      ['January', '5'],
    ];
    const widths = widthsOf(lines);
    assert.deepEqual(widths, [7, 7]);
    assert.deepEqual(widthsOf([['ab'], ['c', 'de']]), [2, 2]);
    assert.deepEqual(
      lines.map((cells) => alignedLine(cells, widths, [false, true])),
      ['month    revenue', 'January        5'],
    );
    assert.equal(alignedLine(['a', 'b'], [3, 3], [false, false]), 'a    b');
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { diffLines } from '../../../src/compare/lineDiff.ts';
import { runs } from '../insert/arbitrarySql.ts';

const MARKS = { both: ' ', left: '-', right: '+' } as const;
const shown = (left: string, right: string): string[] =>
  diffLines(left, right).map(({ side, text }) => MARKS[side] + text);

describe('a line diff', () => {
  it('keeps shared lines, and puts removed lines before added ones', () => {
    assert.deepEqual(shown('SELECT\n  a,\n  b\nFROM t', 'SELECT\n  a,\n  c\nFROM t\nLIMIT 5'), [
      ' SELECT',
      '   a,',
      '-  b',
      '+  c',
      ' FROM t',
      '+LIMIT 5',
    ]);
  });

  it('ignores line ends', () => assert.deepEqual(shown('a\r\nb', 'a\nb'), [' a', ' b']));

  it('restores both texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const lines = diffLines(left, right);
        const without = (other: 'left' | 'right') =>
          lines
            .filter(({ side }) => side !== other)
            .map((line) => line.text)
            .join('\n');
        assert.deepEqual([without('right'), without('left')], [left, right]);
      }),
      runs,
    );
  });

  it('accepts texts of any length', () => {
    const long = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
    assert.equal(diffLines(long, `${long}\nx`).at(-1)?.text, 'x');
    const other = Array.from({ length: 5000 }, (_, index) => `other ${index}`).join('\n');
    const sides = diffLines(long, other).map(({ side }) => side);
    assert.deepEqual(sides, [...Array<string>(5000).fill('left'), ...Array<string>(5000).fill('right')]);
  });

  it('stays small for a small change in a text of any length', () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}`);
    const changed = (right: readonly string[]) =>
      shown(lines.join('\n'), right.join('\n')).filter((line) => !line.startsWith(' '));
    assert.deepEqual(changed(['x', ...lines]), ['+x']);
    assert.deepEqual(changed(lines.with(1500, 'x')), ['-line 1500', '+x']);
  });
});

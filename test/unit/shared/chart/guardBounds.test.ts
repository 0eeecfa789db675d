/** The bounds of data, from which the guard knows that a chart can be drawn in time. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  boundsOf,
  either,
  FieldBounds,
  none,
  rowsIn,
  scalar,
  type Bounds,
} from '../../../../src/shared/chart/guard/bounds.ts';
import { fields } from '../support/expressions.ts';

describe('the bounds of values', () => {
  it('contain every number, text, date and list', () => {
    const values: [values: unknown[], low: number, high: number, text: number, items: number, distinct: number][] = [
      [[1, '2', -3], -3, 2, 1, 0, 3],
      [[1, 1, '1'], 1, 1, 1, 0, 2],
      [['2024-01-01', '1970-01-01'], 0, 1_704_067_200_000, 10, 0, 2],
      [['text'], -Infinity, Infinity, 4, 0, 1],
      [[[1, 5], [1, 5], [2]], 1, 5, 5, 2, 2],
      [[{ a: [1, 2, { b: [1, 2, 3, 4] }] }], -Infinity, Infinity, 27, 4, 1],
      [[null, true], 0, 1, 0, 0, 2],
      [[], Infinity, -Infinity, 0, 0, 0],
    ];
    for (const [of, low, high, text, items, distinct] of values)
      assert.deepEqual(boundsOf(of), { ...none, low, high, text, items, distinct }, JSON.stringify(of));
  });

  it('are combined to the widest', () => {
    assert.deepEqual(
      either({ ...fields.n! }, { ...fields.t!, low: 0, high: 9 }, { ...fields.l!, low: 1, high: 1, opaque: true }),
      {
        ...{ low: -2, high: 9, text: 60, items: 6, distinct: 12, opaque: true },
      },
    );
    assert.deepEqual(either(), { ...none, opaque: false });
  });

  it('of a field are those of its column, or of its path', () => {
    const known = new FieldBounds([{ a: 1, 'b.c': 5, d: [1, 2] }, { a: 3 }, 'text', 7]);
    const parts = ({ low, high, text, items, distinct }: Bounds): unknown[] => [low, high, text, items, distinct];
    const missing = boundsOf([1, 3, undefined, undefined]);
    assert.deepEqual(known.of('a'), missing);
    assert.deepEqual(known.of({ field: 'a' }), missing);
    assert.deepEqual(known.of('b\\.c'), boundsOf([5, undefined]));
    assert.deepEqual(known.of('d.length'), known.of('d'));
    assert.deepEqual(parts(known.of('z')), [-Infinity, Infinity, 5, 2, Infinity], 'the widest of all');
    known.set('a', { ...scalar, low: 0, high: 9, text: 3, distinct: 2 });
    assert.deepEqual(parts(known.of('a')), [-Infinity, Infinity, 3, 0, 3]);
    known.set('new', fields.n!);
    assert.deepEqual(known.of('new'), fields.n);
    const data = { rows: 5, copies: 2, source: [] };
    assert.deepEqual(
      [known.groups(['new'], data), known.groups(['new', 'a'], data), known.groups(undefined, data)],
      [10, 30, 2],
    );
  });

  it('of a field in an expression are those of its literal name', () => {
    const known = new FieldBounds([{ 'a [x]': 1, 'b\\c': 2, 'b\u29f5c': 3, long: 'text' }]);
    assert.deepEqual(known.named('a [x]'), boundsOf([1]));
    known.set('a [x]', fields.n!);
    assert.deepEqual([known.named('a [x]').high, known.of('a \\[x\\]').high], [fields.n!.high, fields.n!.high]);
    assert.equal(known.named('a').text, 4, 'the widest of all');
    known.set('sum_b\u29f5c', fields.n!);
    assert.deepEqual([known.named('sum_b\u29f5c'), known.of('sum_b\u29f5c')], [fields.n, fields.n]);
    assert.deepEqual(known.of('b\u29f5c'), boundsOf([2, 3]), 'of each member that stands for the column');
  });

  it('are those of rows that are up to three objects deep', () => {
    assert.deepEqual(rowsIn({ a: { b: { c: { rows: [1] } } } }, { property: 'rows' }), [1]);
    assert.deepEqual(rowsIn({ a: { b: { c: { d: { rows: [1] } } } } }, { property: 'rows' }), []);
    assert.deepEqual(rowsIn({ rows: 1 }, { property: 'rows' }), [1]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { markSizes } from '../../../../webview/chart/markSizes.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';
import {
  countDistinct,
  fieldUses,
  transformsOf,
  unitsOf,
  viewCount,
  withFoldedNames,
} from '../../../../src/shared/chart/units.ts';

const bar = { mark: 'bar' };
const line = { mark: { type: 'line', point: true } };

describe('views of a chart', () => {
  it('are found in layers, rows, columns and repeats, in order and with the inherited encoding', () => {
    const x = { field: 'a' };
    const own = { field: 'b' };
    const units = unitsOf({
      encoding: { x },
      vconcat: [{ layer: [bar, { ...line, encoding: { x: own } }] }, { hconcat: [bar] }, { spec: { mark: 'rule' } }],
    });
    assert.deepEqual(units, [
      { mark: 'bar', settings: {}, encoding: { x } },
      { mark: 'line', settings: line.mark, encoding: { x: own } },
      { mark: 'bar', settings: {}, encoding: { x } },
      { mark: 'rule', settings: {}, encoding: { x } },
    ]);
  });

  it('are counted with their repeats', () => {
    assert.equal(viewCount(bar), 1);
    assert.equal(viewCount({ concat: [bar, bar, { layer: [bar, line] }] }), 4);
    assert.equal(viewCount({ repeat: ['a', 'b'], spec: bar }), 2);
    assert.equal(
      viewCount({ repeat: { row: ['a', 'b'], column: ['c', 'd', 'e'], layer: 2 }, spec: { layer: [bar, line] } }),
      12,
    );
  });

  it('are searched for fields and transforms', () => {
    const filter = { filter: 'datum.a > 1' };
    const spec = { transform: [filter], layer: [{ ...bar, encoding: { x: { field: 'a' }, y: { field: 1 } } }] };
    assert.deepEqual(fieldUses(spec), [{ field: 'a' }]);
    assert.deepEqual(transformsOf({ hconcat: [spec, { transform: [{ fold: [] }] }] }), [filter, { fold: [] }]);
  });
});

describe('distinct values of a channel', () => {
  const rows = Array.from({ length: 90 }, (_, index) => [index, index % 3]);
  const columns = [{ name: 'n' }, { name: 'group' }];
  const count = (channel: unknown): number => countDistinct({ columns, rows, totalRows: 90 } as never)(channel);

  it('are those of its column', () => {
    assert.deepEqual([count({ field: 'n' }), count({ field: 'group' })], [90, 3]);
    assert.deepEqual([count({ field: 'none' }), count({ aggregate: 'count' }), count(undefined)], [1, 1, 1]);
  });

  it('are at most its bins, or the units of its calendar', () => {
    const of = (channel: object): number => count({ field: 'n', ...channel });
    assert.deepEqual(
      [of({ bin: true }), of({ bin: { maxbins: 20 } }), of({ bin: { step: 5 } }), of({ bin: false })],
      [10, 20, 10, 90],
    );
    assert.deepEqual(
      ['quarter', 'month', 'day', 'date', 'hours', 'utcmonth', 'yearmonth'].map((timeUnit) => of({ timeUnit })),
      [4, 12, 7, 31, 24, 12, 60],
    );
    assert.equal(count({ field: 'group', timeUnit: 'month' }), 3);
  });

  it('are unknown if a transform creates them', () => {
    const table = { columns: [{ name: 'd', type: 'date' }], rows: rows.map(() => ['2024-01-01']), totalRows: 90 };
    const sizes = (mark: string, encoding: object) =>
      markSizes({ mark, encoding }, 600, table.rows.length, countDistinct(table)) as Record<string, Fields>;
    const y = { field: 'n', type: 'quantitative' };
    const bars = sizes('bar', { x: { field: 'c', type: 'temporal' }, y });
    assert.equal(bars['bar']?.continuousBandSize, 4, 'bars that don’t cover each other');
    for (const type of ['ordinal', undefined])
      assert.equal(sizes('line', { x: { field: 'c' }, y: { field: 'c', type } })['line']?.point, undefined);
  });

  it('are the folded names if a fold creates the column', () => {
    const table = { columns: [{ name: 'a.b', type: 'number' }], rows: [[1]], totalRows: 1 };
    const folded = (transform: object, of = table): number =>
      countDistinct(withFoldedNames({ transform: [transform] }, of))({ field: 'name' });
    assert.equal(folded({ fold: ['a\\.b', 'c', 'd'], as: ['name', 'n'] }), 3);
    assert.equal(countDistinct(withFoldedNames({ transform: [{ fold: ['x', 'y'] }] }, table))({ field: 'key' }), 2);
    assert.equal(folded({ fold: ['c', 'd'], as: ['name'] }, { ...table, rows: [[1], [2], [3]] }), 2);
    assert.equal(folded({ calculate: '1', as: 'name' }), 1);
    assert.deepEqual(withFoldedNames({ transform: [{ fold: ['a'] }] }, { ...table, rows: [] }).rows, []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { altText } from '../../../src/shared/chart/altText.ts';
import { chartRows } from '../../../src/shared/chart/rows.ts';
import { isPlain } from '../../../src/shared/chart/plain.ts';
import { readSpec } from '../../../src/shared/chart/readSpec.ts';
import { hostileSpecs, hostileTable } from '../../fixtures/chart/hostile.ts';

const table = {
  columns: [
    { name: 'month', type: 'time' },
    { name: 'revenue', type: 'number' },
  ],
  rows: [
    ['2024-01-01', '1200'],
    ['2024-02-01', '900.5'],
    ['2024-03-01', '1500'],
  ],
  totalRows: 3,
};
const x = { field: 'month', type: 'temporal' };
const y = { field: 'revenue', type: 'quantitative' };

describe('a chart in words', () => {
  const say = (spec: Record<string, unknown>, title: string) => altText(spec, chartRows(spec, table), { table, title });

  it('names title, marks, fields and extremes', () => {
    assert.equal(
      say({ mark: 'line', encoding: { x, y } }, 'Revenue by month'),
      'Chart: Revenue by month. line chart of month, revenue. 3 rows. ' +
        'revenue: lowest 900.5 at 2024-02-01, highest 1,500 at 2024-03-01',
    );
  });

  it('names every mark of a layered chart once, and the title that the specification gives', () => {
    const layer = [{ mark: 'bar' }, { mark: { type: 'line' } }, { mark: 'line' }];
    assert.match(
      say({ title: 'Both', encoding: { x, y }, layer }, ''),
      /^Chart: Both\. bar chart, line chart of month, revenue\./,
    );
  });

  it('says something of a chart without fields', () => {
    assert.equal(say({ mark: 'rule', encoding: {} }, ''), 'Chart. lines. 3 rows');
  });
});

describe('charts that need no trial', () => {
  it('are the plain ones', () => {
    const spec = { mark: 'bar', encoding: { x: { ...x, timeUnit: 'yearmonth' }, y: { ...y, aggregate: 'sum' } } };
    assert.equal(isPlain(spec, table), true);
  });

  it('are none with expressions, generators, steps or long lists', () => {
    const plain = { mark: 'bar', encoding: { x, y } };
    for (const more of [
      { transform: [{ calculate: '1', as: 'a' }] },
      { transform: [{ filter: 'datum.a > 1' }] },
      { params: [{ name: 'p', expr: '1' }] },
      { data: { sequence: { start: 0, stop: 10 } } },
      { encoding: { x, y: { ...y, bin: { step: 0.1 } } } },
      { encoding: { x, y: { ...y, axis: { values: Array.from({ length: 200 }, (_, i) => i) } } } },
      { encoding: { x: { ...x, axis: { tickCount: 'millisecond' } }, y } },
    ]) {
      assert.equal(isPlain({ ...plain, ...more }, table), false, JSON.stringify(more));
    }
  });

  it('are none of those that are given up for what they would cost', () => {
    for (const { name, spec, refused } of hostileSpecs) {
      if (!refused) continue;
      try {
        const read = readSpec(spec).spec;
        const isOrdinary = isPlain(read, hostileTable) && /unknown mark|huge repeat|thousands|facets by/.test(name);
        assert.ok(isOrdinary || !isPlain(read, hostileTable), name);
      } catch (error) {
        assert.equal((error as Error).name, 'ChartProblem', name);
      }
    }
  });
});

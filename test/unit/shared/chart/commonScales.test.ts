import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withCommonScales } from '../../../../src/shared/chart/commonScales.ts';

const columns = ['k', 'c', 'v', 't'].map((name) => ({ name, type: { v: 'number', t: 'date' }[name] ?? 'string' }));
const tableOf = (...rows: unknown[][]) => ({ columns, rows, totalRows: rows.length });
const main = tableOf(['a', 'x', 10, '2024-01-01'], ['a', 'y', '-4', '2024-02-01'], ['b', 'x', 30, '2024-03-01']);
const branch = tableOf(['a', 'x', 20, '2024-02-01'], ['c', 'x', 5, '2024-05-01'], ['c', 'y', null, null]);
const y = { field: 'v', type: 'quantitative' };
const x = { field: 'k', type: 'nominal' };

/** @returns the domains of an axis of both charts */
function domains(axis: 'x' | 'y', spec: object, other: object = spec): unknown[] {
  const specs = withCommonScales([
    { spec: JSON.stringify(spec), table: main },
    { spec: JSON.stringify(other), table: branch },
  ]);
  return specs.map((text) => {
    const parsed = JSON.parse(text) as { encoding?: Record<string, { scale?: { domain?: unknown } }>; layer?: never[] };
    const encoding = parsed.encoding ?? (parsed.layer?.[0] as typeof parsed | undefined)?.encoding;
    return encoding?.[axis]?.scale?.domain;
  });
}
const both = (domain: unknown): unknown[] => [domain, domain];

describe('charts that are compared', () => {
  for (const [what, encoding, domain] of [
    ['single values, from zero', { x, y }, [-4, 30]],
    ['single values, not from zero', { x, y: { ...y, scale: { zero: false } } }, [-4, 30]],
    ['sums of each place', { x, y: { ...y, aggregate: 'sum' } }, [0, 30]],
    ['means of each place', { x, y: { ...y, aggregate: 'mean' } }, [0, 30]],
    ['counts of each place', { x, y: { aggregate: 'count' } }, [0, 2]],
    ['smallest values of each place', { x, y: { ...y, aggregate: 'min' } }, [-4, 30]],
    ['stacks of positive and negative values', { x: { ...x, field: 't' }, y, color: { field: 'c' } }, [-4, 30]],
    ['stacks of sums', { y: { ...y, aggregate: 'sum' }, color: { field: 'k' } }, [0, 36]],
    ['bars beside each other', { x, xOffset: { field: 'c' }, y: { ...y, aggregate: 'sum' } }, [-4, 30]],
  ] as const)
    it(`have one scale for ${what}`, () => {
      assert.deepEqual(domains('y', { mark: 'bar', encoding }), both(domain));
    });

  it('have the same names in the same order, and the same times', () => {
    assert.deepEqual(domains('x', { mark: 'bar', encoding: { x, y } }), both(['a', 'b', 'c']));
    const times = [Date.parse('2024-01-01T00:00:00'), Date.parse('2024-05-01T00:00:00')];
    assert.deepEqual(domains('x', { mark: 'line', encoding: { x: { field: 't', type: 'temporal' }, y } }), both(times));
  });

  it('have one scale for the layers of all', () => {
    const point = { mark: 'point', encoding: { x, y } };
    assert.deepEqual(domains('y', { layer: [point, { ...point, mark: 'line' }] }), both([-4, 30]));
    assert.deepEqual(domains('y', { mark: 'bar', encoding: { x, y } }, point), both([-4, 30]));
  });

  it('keep their scales where these can’t be told or differ', () => {
    const bars = { mark: 'bar', encoding: { x, y } };
    for (const [spec, other] of [
      [{ ...bars, transform: [{ filter: 'datum.v > 0' }] }],
      [{ mark: 'bar', encoding: { x, y: { ...y, bin: true } } }],
      [{ mark: 'bar', encoding: { x, y: { ...y, aggregate: 'median' } } }],
      [{ mark: 'bar', encoding: { x, y: { ...y, stack: 'normalize' }, color: { field: 'c' } } }],
      [{ mark: 'bar', encoding: { x: { field: 't', timeUnit: 'year' }, y: { ...y, aggregate: 'sum' } } }],
      [{ mark: 'bar', encoding: { x, y, row: { field: 'c' } } }],
      [{ mark: 'boxplot', encoding: { x, y } }],
      [{ mark: 'arc', encoding: { theta: y } }],
      [bars, { mark: 'bar', encoding: { x } }],
      [bars, { mark: 'bar', encoding: { x, y: { field: 'c', type: 'nominal' } } }],
    ])
      assert.deepEqual(domains('y', spec!, other ?? spec!), both(undefined), JSON.stringify(spec));
    const own = { mark: 'bar', encoding: { x, y: { ...y, scale: { domain: [0, 1] } } } };
    assert.deepEqual(domains('y', own), both([0, 1]));
    assert.deepEqual(
      withCommonScales([
        { spec: 'no JSON', table: main },
        { spec: '[]', table: branch },
      ]),
      ['no JSON', '[]'],
    );
  });
});

/** The time to draw the shapes of a map, from which the guard knows that it can be drawn in time. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import { detailOf, shapeTimer } from '../../../../src/shared/chart/guard/shapes.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';

/** Lines across the map, which the projection bends. */
const zigzag = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? [0, 0] : [90, 10]));
const line = (count: number) => ({ type: 'LineString', coordinates: zigzag(count) });
const topology = (count: number, more: object = {}) => ({
  type: 'Topology',
  arcs: [zigzag(count), zigzag(2)],
  ...more,
});

describe('the time to draw a shape', () => {
  const time = (shape: unknown, values: unknown = [], detail = 1): string =>
    shapeTimer(values, detail)(shape).toFixed(3);

  it('is that of its positions, and of the points between those that are far apart', () => {
    assert.equal(time(line(1)), '0.400');
    assert.equal(time(line(3)), (3 * 0.4 + 2 * 18).toFixed(3));
    assert.equal(time(line(3), [], 4), (3 * 0.4 + 2 * 38).toFixed(3));
    assert.equal(
      time({
        geometry: {
          coordinates: [
            [0, 0],
            [0.5, 0.5],
          ],
        },
      }),
      '0.800',
    );
    assert.equal(time({ coordinates: [[zigzag(2)], [zigzag(2)]] }), (4 * 0.4 + 2 * 18).toFixed(3));
    for (const other of [
      null,
      'text',
      {
        coordinates: [
          ['a', 'b'],
          [{}, null],
        ],
      },
    ])
      assert.ok(Number(time(other)) < 1);
  });

  it('is that of the arcs of its topology, in either direction', () => {
    const arcs = (...indexes: unknown[]) => ({ type: 'MultiLineString', arcs: indexes });
    const two = 2 * 0.4 + 18;
    assert.equal(time(arcs([1], [~1], [0, 7]), topology(3)), (2 * two + 3 * 0.4 + 36).toFixed(3));
    const deltas = topology(3, { transform: { scale: [0.01, 0.01] } });
    assert.equal(time(arcs([0]), deltas), '1.200');
  });

  it('depends on the projection with the most pixels per degree', () => {
    assert.equal(detailOf([{}]).toFixed(3), ((150 / 0.7 / 180) * Math.PI).toFixed(3));
    assert.equal(detailOf([{ scale: 900, precision: 0.1 }, {}]).toFixed(3), ((9_000 / 180) * Math.PI).toFixed(3));
  });
});

describe('a map', () => {
  const map = (values: unknown, more: Fields = {}, transform: Fields[] = []) => ({
    projections: [{ name: 'p' }],
    data: [
      { name: 'rows', values: [{ k: 1 }, { k: 1 }, { k: 1 }] },
      { name: 'shapes', values, ...more },
      { name: 'drawn', source: transform.length > 0 ? 'rows' : 'shapes', transform },
    ],
    marks: [{ type: 'shape', from: { data: 'drawn' }, transform: [{ type: 'geoshape', projection: 'p' }] }],
  });
  const isTooSlow = (chart: Fields): boolean => {
    try {
      checkChart(chart);
      return false;
    } catch (error) {
      return /too long to draw/.test(String(error));
    }
  };

  it('is drawn if its shapes take less than the limit', () => {
    assert.deepEqual([isTooSlow(map([line(2_000)])), isTooSlow(map([line(20_000)]))], [false, true]);
  });

  it('counts an arc for each shape that has it', () => {
    const geometries = (count: number) => Array.from({ length: count }, () => ({ type: 'LineString', arcs: [0] }));
    const values = (count: number) =>
      topology(300, { objects: { f: { type: 'GeometryCollection', geometries: geometries(count) } } });
    const format = { type: 'topojson', feature: 'f' };
    assert.deepEqual(
      [1, 300].map((count) => isTooSlow(map(values(count), { format }))),
      [false, true],
    );
  });

  it('counts a shape for each row that gets it from other data', () => {
    const joins = [
      { type: 'lookup', from: 'shapes', key: 'k', fields: ['k'], values: ['type', 'coordinates'] },
      { type: 'formula', expr: "data('shapes')[0].coordinates", as: 'coordinates' },
    ];
    for (const join of joins)
      assert.deepEqual(
        [1_000, 4_500].map((count) => isTooSlow(map([line(count)], {}, [join]))),
        [false, true],
      );
  });
});

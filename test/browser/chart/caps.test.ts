/** Limits of what a chart creates, each with a chart that is within it and one that exceeds it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openSite, type ChartSite } from './site.ts';

const columns = ['n', 'g', 'l', 't'].map((name) => ({ name, type: { l: 'json', t: 'string' }[name] ?? 'number' }));
/** Numbers from zero, in groups of ten, with lists of three values and texts of four characters. */
const tableOf = (count: number) => ({
  columns,
  rows: Array.from({ length: count }, (_, n) => [n, Math.floor(n / 10), [1, 2, 3], 'four']),
  totalRows: count,
});
const n = { field: 'n', type: 'quantitative' };
const points = { mark: 'point', encoding: { x: n } };
const transformed = (...transform: object[]) => ({ ...points, transform });
const showing = (field: string, transform: object) => ({
  mark: 'point',
  encoding: { x: { field, type: 'quantitative' } },
  transform: [transform],
});
const calculated = (calculate: string) => transformed({ calculate, as: 'made' });
const list = (length: number): string[] => Array.from({ length }, () => 'n');
const keyvals = (stop: number) => ({ impute: 'n', key: 'n', keyvals: { start: 0, stop }, value: 0, groupby: ['g'] });
const dashed = (strokeDash: unknown) => ({ mark: { type: 'line', strokeDash }, encoding: { x: n, y: n } });
const map = (count: number, shapes: number) => ({
  data: {
    values: {
      type: 'Topology',
      arcs: [Array.from({ length: count }, (_, at) => [at % 2, at % 3])],
      objects: {
        f: {
          type: 'GeometryCollection',
          geometries: Array.from({ length: shapes }, () => ({ type: 'LineString', arcs: [0] })),
        },
      },
    },
    format: { type: 'topojson', feature: 'f' },
  },
  mark: 'geoshape',
  projection: { type: 'mercator' },
});

const limits: readonly (readonly [what: string, rows: number, within: object, beyond: object, words: RegExp])[] = [
  [
    'rows of a sequence',
    1,
    { ...points, data: { sequence: { start: 0, stop: 5_000, as: 'n' } } },
    { ...points, data: { sequence: { start: 0, stop: 5_001, as: 'n' } } },
    /sequence: 5,001/,
  ],
  ['elements of a sequence', 9, calculated('sequence(0, 500, 0.1)'), calculated('sequence(5001)'), /sequence: 5,001/],
  [
    'elements of a sequence that goes down',
    9,
    calculated('sequence(500, 0, -0.1)'),
    calculated('sequence(0, -5001, -1)'),
    /sequence: 5,001/,
  ],
  [
    'rows of a sequence that goes down',
    1,
    { ...points, data: { sequence: { start: 5_000, stop: 0, step: -1, as: 'n' } } },
    { ...points, data: { sequence: { start: 0, stop: -5_002, step: -1, as: 'n' } } },
    /sequence: 5,002/,
  ],
  ['rows of a fold', 50, transformed({ fold: list(100) }), transformed({ fold: list(101) }), /fold: 5,050/],
  [
    'rows of a flattened list',
    1_600,
    transformed({ flatten: ['l'] }),
    transformed({ flatten: ['l'] }, { calculate: '[1, 2, 3]', as: 'm' }, { flatten: ['m'] }),
    /flatten: 14,400/,
  ],
  ['imputed rows', 50, transformed(keyvals(900)), transformed(keyvals(1_000)), /impute: 5,250/],
  [
    'steps of a density',
    20,
    showing('value', { density: 'n', steps: 1_000, groupby: ['g'] }),
    showing('value', { density: 'n', steps: 3_000, groupby: ['g'] }),
    /density: 6,000/,
  ],
  [
    'terms of a regression',
    20,
    showing('n', { regression: 'g', on: 'n', method: 'poly', order: 3 }),
    showing('n', { regression: 'g', on: 'n', method: 'poly', order: 1e3 }),
    /regression: 10,000/,
  ],
  [
    'columns of a pivot',
    600,
    showing('5', { pivot: 'g', value: 'n' }),
    showing('5', { pivot: 'n', value: 'n' }),
    /pivot: 600/,
  ],
  [
    'steps of a window',
    2_300,
    transformed({ window: [{ op: 'mean', field: 'n', as: 'm' }] }),
    transformed({ window: [{ op: 'median', field: 'n', as: 'm' }] }),
    /window: 5,290,000/,
  ],
  [
    'bins',
    50,
    { ...points, encoding: { x: { field: 'n', bin: { step: 0.1 } } } },
    { ...points, encoding: { x: { field: 'n', bin: { step: 0.01 } } } },
    /bins: 4,900/,
  ],
  [
    'facets',
    600,
    { ...points, encoding: { x: n, facet: { field: 'g', columns: 20 } } },
    { ...points, encoding: { x: n, facet: { field: 'n', columns: 20 } } },
    /facet: 600/,
  ],
  [
    'cells of rows and columns',
    400,
    { ...points, encoding: { x: n, row: { field: 'g' }, column: { field: 't' } } },
    { ...points, encoding: { x: n, row: { field: 'n' }, column: { field: 'g' } } },
    /aggregate: 16,000/,
  ],
  ['marks', 9_000, { layer: [points, points] }, { layer: list(4).map(() => points) }, /marks: 36,003/],
  [
    'length of a text',
    9,
    calculated("pad('', 999) + datum.t"),
    transformed(...list(15).map(() => ({ calculate: "datum.t + '' + datum.t", as: 't' }))),
    /text: 65,536/,
  ],
  ['dashes', 9, dashed([0.5, 0.1]), dashed([1e-9, 1e-9]), /strokeDash/],
  [
    'dashes of a scale',
    9,
    { ...dashed([1]), encoding: { x: n, strokeDash: { field: 'g', type: 'nominal' } } },
    {
      ...dashed([1]),
      encoding: { x: n, strokeDash: { field: 'g', type: 'nominal', scale: { range: [[1e-9, 1e-9]] } } },
    },
    /strokeDash/,
  ],
  ['dashes of an expression', 9, dashed({ expr: '[4, 4]' }), dashed({ expr: '[1e-9, 1e-9]' }), /strokeDash/],
  ['positions of a map', 1, map(900, 100), map(900, 200), /positions: 180,000/],
];

describe('the limits of a chart', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  after(() => site.close());

  for (const [what, rows, within, beyond, words] of limits)
    it(`are exact for the ${what}`, async () => {
      const draw = (spec: object) => site.draw({ spec: JSON.stringify(spec), table: tableOf(rows), title: '' });
      const drawn = await draw(within);
      assert.equal(drawn.problem, undefined);
      assert.match((await draw(beyond)).problem ?? 'drawn', words);
    });

  it('leave the page responsive', async () => {
    const drawn = await site.draw({ spec: JSON.stringify(points), table: tableOf(10_000), title: '' });
    assert.equal(drawn.problem, undefined);
    assert.ok(drawn.blocked < 2_000, `${drawn.blocked} ms`);
  });
});

/** How many rows a transform makes, and the bounds of the fields that it adds. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { boundsOf, FieldBounds, scalar, type Bounds } from '../../../../src/shared/chart/guard/bounds.ts';
import { applyTransform } from '../../../../src/shared/chart/guard/transforms.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';

/** A hundred rows in four groups, with texts of up to nine characters and lists of three. */
const source = Array.from({ length: 100 }, (_, at) => ({
  ...{ n: at, g: at % 4, t: 'x'.repeat(at % 10), l: [1, 2, 3], d: Date.UTC(2020, at, 1) },
}));

function apply(transform: Fields, copies = 1, count = 100) {
  const fields = new FieldBounds(source);
  const { data, bins, time } = applyTransform({
    ...{ transform, data: { rows: count, copies, source }, fields },
    value: (parameter) => boundsOf([parameter]),
    shapes: new Map(),
    expression: () => ({ ...scalar, low: 1, high: 2, text: 7, distinct: 2 }),
  });
  return { rows: data.rows, bins, fields, time };
}

type Made = [low: number, high: number, text: number, items: number, distinct: number];
const partsOf = ({ low, high, text, items, distinct }: Bounds): Made => [low, high, text, items, distinct];

describe('a transform', () => {
  const transforms: [transform: Fields, rows: number, bins?: number, ...made: Made[]][] = [
    [{ type: 'collect' }, 100],
    [{ type: 'filter', expr: 'x' }, 100],
    [{ type: 'formula', expr: 'x', as: 'm' }, 100, undefined, [1, 2, 7, 0, 2]],
    [
      { type: 'aggregate', groupby: ['g'], ops: ['sum'], fields: ['n'], as: ['m'] },
      4,
      undefined,
      [-Infinity, Infinity, 0, 0, 4],
    ],
    [
      { type: 'aggregate', groupby: ['n', 'g'], ops: ['sum'], fields: ['n'], as: ['m'] },
      100,
      undefined,
      [-Infinity, Infinity, 0, 0, 100],
    ],
    [{ type: 'aggregate', groupby: ['n', 'g'], cross: true }, 400],
    [
      { type: 'aggregate', groupby: ['g'], ops: ['values'], fields: ['t'], as: ['m'] },
      4,
      undefined,
      [-Infinity, Infinity, 900, 100, 4],
    ],
    [{ type: 'aggregate', ops: ['count'], as: ['m'] }, 1, undefined, [-Infinity, Infinity, 0, 0, 1]],
    [
      { type: 'joinaggregate', groupby: ['g'], ops: ['max'], fields: ['t'], as: ['m'] },
      100,
      undefined,
      [-Infinity, Infinity, 9, 0, 100],
    ],
    [{ type: 'bin', field: 'n', as: ['a', 'b'], signal: 's' }, 100, 22, [0, 99, 0, 0, 22], [0, 99, 0, 0, 22]],
    [{ type: 'bin', field: 'n', maxbins: 5, as: ['a'] }, 100, 7, [0, 99, 0, 0, 7]],
    [{ type: 'bin', field: 'n', step: 10, as: ['a'] }, 100, 12, [0, 99, 0, 0, 12]],
    [{ type: 'bin', field: 'n', steps: [1, 3, 6], as: ['a'] }, 100, 62, [0, 99, 0, 0, 62]],
    [{ type: 'bin', field: 'n', steps: [1], as: ['a'] }, 100, 101, [0, 99, 0, 0, 100]],
    [{ type: 'bin', field: 'n', steps: [50], as: ['a'] }, 100, 22, [0, 99, 0, 0, 22]],
    [{ type: 'bin', field: 'n', step: 10, steps: [1, 2, 3], as: ['a'] }, 100, 12, [0, 99, 0, 0, 12]],
    [{ type: 'bin', field: 'n', extent: [-50, 200], step: 5, as: ['a'] }, 100, 52, [-50, 200, 0, 0, 52]],
    [
      { type: 'kde', groupby: ['g'], as: ['a', 'b'] },
      800,
      undefined,
      [-Infinity, Infinity, 0, 0, 800],
      [-Infinity, Infinity, 0, 0, 800],
    ],
    [{ type: 'kde', steps: 10, as: ['a'] }, 10, undefined, [-Infinity, Infinity, 0, 0, 10]],
    [
      { type: 'kde', maxsteps: 50, resolve: 'shared', groupby: ['g'], as: ['a'] },
      200,
      undefined,
      [-Infinity, Infinity, 0, 0, 50],
    ],
    [{ type: 'flatten', fields: ['l'], as: ['m'] }, 300, undefined, [-Infinity, Infinity, 7, 3, 300]],
    [
      { type: 'fold', fields: ['n', 't'], as: ['k', 'v'] },
      200,
      undefined,
      [-Infinity, Infinity, 200, 0, 2],
      [-Infinity, Infinity, 9, 0, 110],
    ],
    [{ type: 'impute', key: 'n', groupby: ['g'] }, 400],
    [{ type: 'impute', key: 'g', keyvals: [7, 8] }, 100],
    [{ type: 'impute', key: 'n', groupby: ['g'], keyvals: [[7, 8]] }, 408],
    [
      { type: 'lookup', fields: ['n'], values: ['v'], as: ['m'] },
      100,
      undefined,
      [-Infinity, Infinity, 9, 3, Infinity],
    ],
    [{ type: 'lookup', fields: ['n'], values: ['n'] }, 100],
    [{ type: 'lookup', fields: ['g'], values: ['w'] }, 100],
    [{ type: 'pivot', field: 'g', value: 'n' }, 100],
    [
      { type: 'quantile', groupby: ['g'], as: ['p', 'q'] },
      400,
      undefined,
      [-Infinity, Infinity, 0, 0, 400],
      [-Infinity, Infinity, 0, 0, 400],
    ],
    [{ type: 'quantile', probs: [0.1, 0.5] }, 2],
    [{ type: 'quantile', step: 0.1 }, 10],
    [
      { type: 'regression', groupby: ['g'], as: ['a', 'b'] },
      840,
      undefined,
      [-Infinity, Infinity, 0, 0, 840],
      [-Infinity, Infinity, 0, 0, 840],
    ],
    [{ type: 'sequence', start: 0, stop: 30, step: 4, as: 'm' }, 8, undefined, [0, 30, 0, 0, 8]],
    [{ type: 'sequence', stop: 30, as: 'm' }, 30, undefined, [0, 30, 0, 0, 30]],
    [{ type: 'sequence', start: 40, stop: 10, step: -2, as: 'm' }, 15, undefined, [40, 10, 0, 0, 15]],
    [
      { type: 'timeunit', field: 'd', units: ['month'], as: ['a'] },
      100,
      undefined,
      [1300000000000, 1400000000000, 0, 0, 12],
    ],
    [
      { type: 'timeunit', field: 'd', units: ['hours', 'minutes'], as: ['a'] },
      100,
      undefined,
      [1300000000000, 1400000000000, 0, 0, 100],
    ],
    [{ type: 'window', ops: ['rank'], as: ['m'] }, 100, undefined, [-Infinity, Infinity, 0, 0, 100]],
    [{ type: 'graticule' }, 1],
    [
      { type: 'stack', field: 'n', as: ['a', 'b'] },
      100,
      undefined,
      [-Infinity, Infinity, 0, 0, 100],
      [-Infinity, Infinity, 0, 0, 100],
    ],
    [{ type: 'voronoi' }, 100],
    [{ type: 'loess' }, 100],
  ];
  for (const [transform, ...expected] of transforms)
    it(`has bounded rows and fields: ${JSON.stringify(transform)}`, () => {
      const { rows, bins, fields } = apply(transform);
      const [wantedRows, wantedBins, ...made] = expected;
      assert.deepEqual([rows, bins], [wantedRows, wantedBins]);
      const names = [transform.as].flat() as string[];
      for (const [at, bounds] of made.entries()) assert.deepEqual(partsOf(fields.of(names[at])), bounds, names[at]);
    });

  it('takes time for every row that it reads or makes', () => {
    const perRow: [transform: Fields, microseconds: number, visited?: number][] = [
      [{ type: 'collect' }, 0.4],
      [{ type: 'aggregate', ops: ['sum', 'min'], fields: ['n', 'n'] }, 0.6],
      [{ type: 'aggregate', ops: ['median', 'q1'], fields: ['n', 'n'] }, 2.6],
      [{ type: 'joinaggregate', ops: ['ci0'], fields: ['n'], groupby: ['g', 't'] }, 41.05],
      [{ type: 'window', ops: ['rank'] }, 2],
      [{ type: 'window', ops: ['median'] }, 2 + 0.35 * 100],
      [{ type: 'window', ops: ['median'], frame: [-3, 2] }, 2 + 0.35 * 6],
      [{ type: 'window', ops: ['median'], frame: [-30, 200] }, 2 + 0.35 * 100],
      [{ type: 'window', ops: ['median', 'sum'], frame: [null, 0] }, 3 + 0.35 * 100],
      [{ type: 'kde', steps: 400 }, 20, 400],
      [{ type: 'timeunit', field: 'd', units: ['year'] }, 2],
      [{ type: 'geoshape' }, (JSON.stringify(source).length * 0.4) / 100],
      [{ type: 'graticule' }, 54 * 144 * 5],
      [{ type: 'graticule', stepMinor: [20, 5], stepMajor: [90, 90], precision: 1 }, 108 * 360 * 5],
      [{ type: 'loess' }, 10],
      [{ type: 'pivot', field: 'g' }, 1.8],
      [{ type: 'pivot', field: 'n', limit: 10 }, 3],
      [{ type: 'regression', groupby: ['g'] }, 5, 840],
      [{ type: 'voronoi' }, 10],
    ];
    for (const [transform, microseconds, visited = 100] of perRow) {
      const time = (apply(transform).time - 20) / visited - 0.02 * Math.log2(visited + 1);
      assert.equal(time.toFixed(6), microseconds.toFixed(6), JSON.stringify(transform));
    }
    const [one, three] = [1, 3].map((copies) => apply({ type: 'collect' }, copies).time);
    assert.equal((three! - one!).toFixed(6), '40.000000', 'for each facet');
  });

  it('may keep any number of rows, but not make as many', () => {
    assert.equal(apply({ type: 'collect' }, 1, 9000).rows, 9000);
    assert.equal(apply({ type: 'fold', fields: ['n'] }, 1, 9000).rows, 9000);
    assert.throws(() => apply({ type: 'fold', fields: ['n', 't'] }, 1, 9000), { message: /“fold: 18,000”/ });
  });

  it('widens the bounds of a column that a lookup overwrites', () => {
    assert.equal(apply({ type: 'lookup', fields: ['g'], values: ['n'] }).fields.of('n').high, Infinity);
  });

  it('has as many values of a calendar unit as its years', () => {
    const { fields } = apply({ type: 'timeunit', field: 'd', units: ['year'], as: ['a'] });
    // A hundred months from 2020 on.
    assert.equal(fields.of('a').distinct, 10);
  });

  it('may widen its period by a year on each side', () => {
    const { fields } = apply({ type: 'timeunit', field: 'd', units: ['year', 'month'], as: ['a', 'b'] });
    const year = 366 * 86_400_000;
    const { low, high } = fields.of('d');
    assert.deepEqual(partsOf(fields.of('b')), [low - year, high + year, 0, 0, 100]);
  });

  it('is rejected if it is unknown, or makes more rows than a chart may have', () => {
    const limits: [transform: Fields, kind: string | undefined][] = [
      [{ type: 'force' }, 'refused'],
      [{ type: 'toString' }, 'refused'],
      [{ type: 'aggregate', groupby: { signal: 's' } }, 'refused'],
      [{ type: 'regression', groupby: ['n'] }, 'tooLarge'],
      [{ type: 'kde', steps: 1001 }, 'tooLarge'],
      [{ type: 'bin', field: 'n', maxbins: 1001 }, 'tooLarge'],
      [{ type: 'bin', field: 'n', base: 1 }, 'tooLarge'],
      [{ type: 'bin', field: 'n', step: 0.01 }, 'tooLarge'],
      [{ type: 'bin', field: 'n', steps: [0.01] }, 'tooLarge'],
      [{ type: 'bin', field: 'n', steps: [1e-9, 50] }, 'tooLarge'],
      [{ type: 'bin', field: 'n', steps: [1], step: 0.01 }, 'tooLarge'],
      [{ type: 'bin', field: 'n', steps: [0, 50] }, 'refused'],
      [{ type: 'sequence', stop: 5001 }, 'tooLarge'],
      [{ type: 'quantile', step: 0.0001 }, 'tooLarge'],
      [{ type: 'regression', order: 21 }, 'tooLarge'],
      [
        {
          type: 'graticule',
          extentMajor: [
            [-361, 0],
            [0, 0],
          ],
        },
        'tooLarge',
      ],
      [{ type: 'graticule', step: [0.05, 1] }, 'tooLarge'],
      [{ type: 'graticule', precision: 0.05 }, 'tooLarge'],
      [{ type: 'kde', minsteps: 0 }, 'tooLarge'],
      [{ type: 'kde', minsteps: 1001 }, 'tooLarge'],
      [{ type: 'graticule', minstep: 0.05, reprecision: 0.05 }, undefined],
      ...['fields', 'groupby', 'ops', 'probs', 'units', 'values', 'steps'].map((key): [Fields, string] => [
        { type: 'stack', [key]: { signal: 's' } },
        'refused',
      ]),
      [{ type: 'flatten', fields: ['l'] }, undefined],
      [
        {
          type: 'graticule',
          extent: [
            [-360, -90],
            [360, 90],
          ],
          step: [10, 10],
          precision: 2.5,
        },
        undefined,
      ],
      [{ type: 'sequence', stop: 5000 }, undefined],
      [{ type: 'kde', groupby: ['g'], steps: 1000 }, undefined],
    ];
    for (const [transform, kind] of limits)
      if (kind) assert.throws(() => apply(transform), { kind }, JSON.stringify(transform));
      else assert.doesNotThrow(() => apply(transform), JSON.stringify(transform));
  });
});

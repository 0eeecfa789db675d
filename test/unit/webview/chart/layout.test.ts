/** Sizes of charts: of a first drawing, and of the next one after it was measured. */
import assert from 'node:assert/strict';
import type { View } from 'vega';
import { describe, it } from 'mocha';
import { improved, unmeasured, type Fit } from '../../../../webview/chart/fit.ts';
import { isSingle, layOut } from '../../../../webview/chart/layout.ts';
import { markSizes } from '../../../../webview/chart/markSizes.ts';

const value = { field: 'v', type: 'quantitative' };
const city = { field: 'city', type: 'nominal' };
const time = { field: 't', type: 'temporal' };
const plain = { mark: 'bar', encoding: { x: city, y: value } };
const rows = { mark: 'bar', encoding: { x: value, y: city } };

type Part = 'axis' | 'axisX' | 'axisXDiscrete' | 'axisY' | 'title' | 'legend' | 'view' | 'facet';
type Config = Record<Part, Record<string, unknown>>;

describe('the layout of a chart', () => {
  const laidOut = (spec: object, width: number, fit: Partial<Fit> = {}) =>
    layOut(spec as Record<string, unknown>, width, { ...unmeasured(width), ...fit });

  it('has the height of the specification within limits, of its rows, or one for its width', () => {
    const heightOf = (spec: object, width = 400, fit: Partial<Fit> = {}): unknown =>
      laidOut(spec, width, fit).spec.height;
    for (const [spec, expected] of [
      [{ ...plain, width: 500, height: 300 }, 300],
      [{ ...plain, height: 89 }, 90],
      [{ ...plain, height: 601 }, 600],
      [{ ...rows, height: 300 }, 300],
      [rows, { step: 22 }],
      [{ ...rows, height: { step: 30 } }, { step: 30 }],
      [{ ...rows, height: { step: 7 } }, { step: 8 }],
      [{ ...rows, height: { step: 61 } }, { step: 60 }],
      [{ layer: [plain, rows] }, { step: 22 }],
      [plain, 176],
      [{ ...plain, height: 'container' }, 176],
      [{ mark: 'arc', encoding: { theta: value } }, 310],
      [{ layer: [{ mark: 'arc' }, { mark: 'text' }] }, 310],
    ] as const)
      assert.deepEqual(heightOf(spec), expected, JSON.stringify(spec));
    assert.deepEqual(
      [300, 600].map((width) => heightOf(plain, width)),
      [140, 270],
    );
    assert.deepEqual(
      [200, 300].map((width) => heightOf({ mark: 'arc' }, width)),
      [180, 240],
    );
    assert.deepEqual(heightOf(rows, 400, { rows: 2 }), { step: 44 });
    const { width, autosize } = laidOut({ ...plain, width: 500, autosize: 'pad' }, 400).spec;
    assert.deepEqual([width, autosize], [400, { type: 'fit-x', contains: 'padding' }]);
  });

  it('is that of a single plot unless there are facets or several plots', () => {
    const one = { mark: 'bar' };
    for (const [spec, expected] of [
      [plain, true],
      [{ layer: [one, one] }, true],
      [{ hconcat: [one] }, false],
      [{ ...one, encoding: { facet: null } }, true],
      ...['row', 'column', 'facet'].map((channel) => [{ ...one, encoding: { [channel]: city } }, false] as const),
    ] as const)
      assert.equal(isSingle(spec), expected, JSON.stringify(spec));
  });

  it('leaves less room for labels and titles in a narrow chart, and puts its legends below', () => {
    const config = (width: number, fit?: Partial<Fit>) => laidOut(plain, width, fit).config as Config;
    assert.deepEqual(
      [340, 339].map((width) => [config(width).axis.labelLimit, config(width).axisXDiscrete.labelLimit]),
      [
        [140, 110],
        [90, 80],
      ],
    );
    const { axisX, axisY, title, legend } = config(440);
    assert.deepEqual([axisX.titleLimit, axisY.titleLimit, title.limit], [340, 198, 426]);
    assert.deepEqual([legend.orient, legend.labelLimit], [undefined, 124]);
    const narrow = config(439).legend;
    assert.deepEqual([narrow.orient, narrow.labelLimit], ['bottom', 409]);
    assert.equal(config(200, { isBelow: false }).legend.labelLimit, 50);
    assert.deepEqual(
      ([0, -40, -90] as const).map((angle) => config(400, { angle }).axisXDiscrete.labelOverlap),
      [false, false, true],
    );
    const [beside, other, within] = [
      { orient: 'left' },
      { orient: 'top' },
      { orient: 'none', legendX: 1, legendY: 1 },
    ].map((place) => ({
      ...plain,
      encoding: { ...plain.encoding, color: { ...city, legend: { ...place, title: 'T' } } },
    }));
    const legendOf = (spec: object | undefined, isBelow: boolean): unknown =>
      (laidOut(spec!, 400, { isBelow }).spec as { encoding: { color: { legend: unknown } } }).encoding.color.legend;
    assert.deepEqual(
      [legendOf(beside, true), legendOf(beside, false), legendOf(other, true), legendOf(within, true)],
      [{ title: 'T' }, { orient: 'left', title: 'T' }, { orient: 'top', title: 'T' }, { title: 'T' }],
    );
  });

  it('slants the labels of names and times, keeps those of plots apart, and has legends below one another', () => {
    const vertical = { frame: 'bounds', direction: 'vertical' };
    const both = {
      axis: { labelLimit: 140 },
      axisX: { titleLimit: 300 },
      axisXTemporal: { labelAngle: -40 },
      axisXDiscrete: { labelAngle: -40, labelOverlap: false, labelLimit: 110 },
      title: { limit: 386 },
      legend: {
        ...{ columns: { expr: 'fit_legend_columns' }, layout: { bottom: vertical, top: vertical } },
        ...{ labelLimit: 370, orient: 'bottom', gradientLength: 150 },
      },
    };
    const fit = { angle: -40, plots: 0.5 } as const;
    assert.deepEqual(laidOut(plain, 400, fit).config, { ...both, axisY: { titleLimit: 176 } });
    assert.deepEqual(laidOut({ hconcat: [plain, plain] }, 400, fit).config, {
      ...both,
      axisX: { titleLimit: 100, labelFlush: true },
      axisXQuantitative: { labelBound: 6 },
      axisXTemporal: { labelAngle: -40, labelBound: 6 },
      view: { continuousWidth: 100, discreteWidth: 100, continuousHeight: 120 },
      facet: { columns: 2 },
      concat: { columns: 2 },
    });
    const heights = [0.1, 5].map((plots) => laidOut({ hconcat: [plain] }, 400, { plots }).config.view);
    assert.deepEqual(heights, [
      { continuousWidth: 40, discreteWidth: 40, continuousHeight: 90 },
      { continuousWidth: 1000, discreteWidth: 1000, continuousHeight: 220 },
    ]);
  });

  it('scales the plots of a composition, and has as many side by side as there is room for', () => {
    const specOf = (spec: object, width: number, plots = 0.5) =>
      laidOut(spec, width, { plots }).spec as Partial<
        Record<'concat' | 'hconcat' | 'vconcat', Record<string, unknown>[]>
      > & { columns?: unknown };
    const two = specOf(
      {
        hconcat: [
          { ...plain, width: 300, height: 'container' },
          { ...plain, width: 60 },
          { layer: [plain], width: 200, height: 50 },
        ],
        autosize: 'fit',
      },
      400,
    );
    assert.equal('autosize' in two, false);
    assert.deepEqual(
      two.hconcat?.map(({ width, height }) => [width, height]),
      [
        [150, undefined],
        [40, undefined],
        [100, 50],
      ],
    );
    const three = { hconcat: [plain, plain, plain] };
    assert.deepEqual([specOf(three, 360).concat, specOf(three, 359).concat?.length], [undefined, 3]);
    const nested = specOf({ vconcat: [three, plain] }, 300);
    assert.deepEqual(Object.keys(nested.vconcat?.[0] ?? {}), ['concat']);
    for (const [columns, width, expected] of [
      [5, 450, 3],
      [5, 449, 2],
      [2, 450, 2],
      [5, 100, 1],
      [0, 450, undefined],
    ] as const)
      assert.equal(specOf({ columns, concat: [plain] }, width).columns, expected, `${columns} in ${width}`);
    const { view, facet } = laidOut({ hconcat: [plain] }, 400, { plots: 0.5 }).config as Config;
    assert.deepEqual(
      [view, facet],
      [{ continuousWidth: 100, discreteWidth: 100, continuousHeight: 120 }, { columns: 2 }],
    );
  });
});

describe('the sizes of marks', () => {
  const sizes = (spec: object, width: number | undefined, count: number, rowCount = 10) =>
    markSizes(spec as Record<string, unknown>, width, rowCount, () => count) as Record<
      'line' | 'area',
      { point?: { size: number } }
    > & {
      bar?: { continuousBandSize: number };
    };

  it('make bars at times as wide as their number allows', () => {
    const bars = { mark: 'bar', encoding: { x: time, y: value } };
    const band = (spec: object, width: number | undefined, count: number): unknown =>
      sizes(spec, width, count).bar?.continuousBandSize;
    assert.deepEqual([band(bars, 400, 10), band(bars, 400, 5), band(bars, 400, 1000)], [24, 40, 1]);
    assert.equal(band(bars, undefined, 10), undefined, 'several plots');
    assert.equal(band({ mark: 'bar', encoding: { x: value, y: value } }, 400, 10), 24, 'numbers');
    assert.equal(
      band({ layer: [{ mark: 'line', encoding: { x: time } }, bars] }, 400, 10),
      24,
      'bars among other marks',
    );
    for (const x of [city, { ...time, timeUnit: 'month' }, { ...value, bin: true }, { ...value, aggregate: 'sum' }])
      assert.equal(band({ mark: 'bar', encoding: { x, y: value } }, 400, 10), undefined, JSON.stringify(x));
    assert.equal(band({ mark: 'bar', encoding: { x: time, y: city } }, 400, 10), undefined);
    assert.equal(band({ mark: 'line', encoding: { x: time, y: value } }, 400, 10), undefined);
  });

  it('show lines and areas that have a single point', () => {
    const line = { mark: 'line', encoding: { x: time, y: value } };
    const shows = (spec: object, count: number, rowCount?: number): boolean[] => {
      const { line: lines, area } = sizes(spec, 400, count, rowCount);
      return [lines.point?.size === 60, area.point?.size === 60];
    };
    assert.deepEqual(shows(line, 1), [true, true]);
    assert.deepEqual(shows({ ...line, mark: 'area' }, 1), [true, true]);
    assert.deepEqual(shows(line, 2), [false, false]);
    assert.deepEqual(shows(line, 2, 1), [true, true]);
    assert.deepEqual(shows({ mark: 'line', encoding: { x: value, y: value } }, 1), [false, false]);
    assert.deepEqual(shows({ layer: [line, { mark: 'line', encoding: { x: value, y: value } }] }, 1), [false, false]);
    assert.deepEqual(shows({ ...line, mark: 'bar' }, 1), [false, false]);
  });
});

describe('a chart that was drawn', () => {
  const fit: Fit = { angle: 0, isBelow: false, rows: 1, plots: 1 };
  const label = (x1: number, x2: number, more: object = {}) => ({
    x: (x1 + x2) / 2,
    bounds: { x1, x2, y2: 0 },
    ...more,
  });
  interface Drawn {
    height?: number;
    labels?: object[];
    axisEnd?: number;
    legendEnd?: number;
    width?: number;
  }
  /** A view with one axis below its plot and one legend beside it. */
  const viewOf = ({ height = 200, labels = [], axisEnd = 220, legendEnd = 0, width = 386 }: Drawn): View => {
    const axis = {
      orient: 'bottom',
      bounds: { x1: 0, x2: 0, y2: axisEnd },
      items: [{ role: 'axis-label', items: labels }],
    };
    const other = {
      orient: 'left',
      bounds: { y2: 900 },
      items: [{ role: 'axis-label', items: [label(0, 9), label(0, 9)] }],
    };
    const items = [
      { role: 'axis', items: [other, axis] },
      { role: 'legend', items: [{ orient: 'right', bounds: { y2: legendEnd } }] },
    ];
    return {
      height: () => height,
      scenegraph: () => ({ root: { bounds: { x1: -10, x2: width - 10 }, items } }),
    } as unknown as View;
  };
  const next = (drawn: Drawn, isSingle = true, before: Partial<Fit> = {}): Partial<Fit> | undefined =>
    improved({ ...fit, ...before }, viewOf(drawn), { width: 400, isSingle });

  it('is drawn again only if it does not fit', () => {
    assert.equal(next({}), undefined);
    assert.equal(next({ labels: [label(0, 20), label(24, 44)] }), undefined);
  });

  it('has labels slanted as little as necessary, also those in another order, but not upright again', () => {
    for (const [labels, expected] of [
      [[label(0, 20), label(23, 43)], -40],
      [[label(23, 43), label(0, 20)], -40],
      [[label(0, 20), label(16, 36)], -40],
      [[label(0, 20), label(15, 35)], -90],
      [[label(0, 20), label(30, 50, { opacity: 0 })], -40],
      [[label(0, 20)], 0],
    ] as const)
      assert.equal(next({ labels: [...labels] })?.angle ?? 0, expected, JSON.stringify(labels));
    assert.equal(next({ labels: [label(0, 20), label(23, 43)] }, true, { angle: -90 }), undefined);
  });

  it('has a height within limits', () => {
    for (const [height, expected] of [
      [45, 2],
      [88, 90 / 88],
      [89, undefined],
      [601, undefined],
      [602, 600 / 602],
      [1200, 0.5],
    ] as const)
      assert.equal(next({ height })?.rows, expected, String(height));
    assert.equal(next({ height: 45 }, true, { rows: 2 })?.rows, 4);
    assert.equal(next({ height: 45 }, false), undefined, 'of a composition');
  });

  it('has its legends below it if they would be higher', () => {
    assert.deepEqual(
      [220, 221].map((legendEnd) => next({ legendEnd })?.isBelow),
      [undefined, true],
    );
    assert.equal(next({ legendEnd: 200, axisEnd: 0 }), undefined);
    for (const legendEnd of [0, 221]) assert.equal(next({ legendEnd }, true, { isBelow: true }), undefined, 'for good');
  });

  it('has plots of a composition as wide as there is room for', () => {
    const plots = (width: number, before?: Partial<Fit>): number | undefined =>
      next({ width: width - 14 }, false, before)?.plots;
    assert.deepEqual([plots(380), plots(400)], [undefined, undefined]);
    assert.equal(plots(196), 2);
    assert.equal(plots(784), 0.5);
    assert.equal(plots(440, { before: { plots: 2, drawn: 840 } }), 1 - 48 / 400);
    assert.deepEqual(next({ width: 182 }, false)?.before, { plots: 1, drawn: 196 });
  });
});

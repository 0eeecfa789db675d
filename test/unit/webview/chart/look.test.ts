/** Sizes, distances, fonts and colors of charts as they are drawn; the browser test of the same name has the rest. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { drawableSpecs, sales } from '../../../fixtures/chart/drawable.ts';
import { draw, themeOf, variables, vegaLocale, type Item } from './drawn.ts';

const region = { field: 'region', type: 'nominal' };
const orders = { field: 'orders', type: 'quantitative' };
const revenue = { field: 'revenue', type: 'quantitative' };
const month = { field: 'sales.month', type: 'temporal' };
const across = { x: orders, y: region };
const upright = { x: region, y: { ...revenue, aggregate: 'sum' } };
const overTime = { x: month, y: revenue };
const map = drawableSpecs.find(({ name }) => name === 'mark geoshape')?.spec;
const titled = { mark: 'bar', title: { text: 'T', subtitle: 'S' }, encoding: { ...upright, color: region } };
const shapes = (filled: boolean) => ({
  mark: { type: 'point', filled },
  encoding: { x: orders, y: revenue, color: orders, shape: region },
});
const box = { mark: 'boxplot', encoding: across };
const facets = { mark: 'bar', encoding: { ...upright, row: region } };
const heat = { mark: 'rect', encoding: { x: region, y: month, color: { ...orders, type: 'ordinal' } } };

/** Each part with properties of an item, usually the first one, in a width of 600 pixels. */
const looks: readonly (readonly [part: string, spec: object, role: string, expected: object, at?: number])[] = [
  [
    'points',
    { mark: 'point', encoding: across },
    'mark',
    { size: 40, fill: '#0000a1', strokeWidth: 1.5, fillOpacity: 0.75 },
  ],
  ['circles', { mark: 'circle', encoding: across }, 'mark', { size: 40, opacity: 0.75 }],
  ['squares', { mark: 'square', encoding: across }, 'mark', { size: 40, opacity: 0.75 }],
  ['ticks', { mark: 'tick', encoding: across }, 'mark', { width: 1.5 }],
  ['error bands', { mark: 'errorband', encoding: overTime }, 'mark', { fill: '#0000a1', opacity: 0.25 }],
  ['areas', { mark: 'area', encoding: overTime }, 'mark', { fill: '#0000a1', fillOpacity: 0.35 }],
  ['lines', { mark: 'line', encoding: overTime }, 'mark', { stroke: '#0000a1', strokeWidth: 2, strokeCap: 'round' }],
  ['arcs', { mark: 'arc', encoding: { theta: revenue } }, 'mark', { stroke: '#111111', strokeWidth: 1 }],
  ['rules', { mark: 'rule', encoding: across }, 'mark', { stroke: '#888888' }],
  ['maps', map!, 'mark', { fill: '#393939', stroke: '#111111', strokeWidth: 0.5 }],
  ['texts', { mark: 'text', encoding: across }, 'mark', { fill: '#eeeeee', font: 'Georgia', fontSize: 12 }],
  ['labels of x', titled, 'axis-label', { y: 6, fill: '#888888', font: 'Georgia', fontSize: 12, angle: 0 }],
  [
    'titles of x',
    titled,
    'axis-title',
    { y: 25, fill: '#888888', font: 'Georgia', fontSize: 12, fontWeight: 'normal' },
  ],
  ['grids', titled, 'axis-grid', { stroke: '#2c2c2c', strokeWidth: 1, x: 0 }],
  ['domains', titled, 'axis-domain', { stroke: '#2c2c2c', y: 0, x: 0 }],
  ['symbols', titled, 'legend-symbol', { size: 60, strokeWidth: 1.5, fill: '#0000a1' }],
  ['entries', titled, 'legend-label', { fill: '#888888', font: 'Georgia', fontSize: 12 }],
  ['legends', titled, 'legend-title', { fill: '#888888', font: 'Georgia', fontSize: 12, fontWeight: 'normal' }],
  ['titles', titled, 'title', { offset: 10, anchor: 'start', frame: 'bounds' }],
  ['titles', titled, 'title-text', { fill: '#eeeeee', font: 'Georgia', fontSize: 13, fontWeight: 600 }],
  ['subtitles', titled, 'title-subtitle', { fill: '#888888', font: 'Georgia', fontSize: 12, x: 0 }],
  ['gradients', { ...heat, encoding: { ...across, color: orders } }, 'legend-gradient', { width: 8 }],
  ['headers', facets, 'title-text', { text: 'region', fill: '#888888', font: 'Georgia', fontWeight: 'normal' }],
  ['names of facets', facets, 'title-text', { text: 'South', fill: '#eeeeee', font: 'Georgia', fontSize: 12 }, -1],
  ['names of facets', facets, 'title', { offset: 4 }, -1],
  ['shapes', shapes(true), 'legend-symbol', { fill: '#888888', stroke: 'transparent' }],
  ['outlines', shapes(false), 'legend-symbol', { fill: 'transparent', stroke: '#888888' }],
  ['whiskers', box, 'mark', { stroke: '#888888' }],
  ['boxes', box, 'mark', { fill: '#0000a1', fillOpacity: 0.9 }, 6],
  ['medians', box, 'mark', { fill: '#111111', strokeWidth: 2 }, -1],
  ['rows of one of several plots', { vconcat: [{ mark: 'bar', encoding: across }, titled] }, 'scope', { height: 66 }],
  ['plots', facets, 'scope', { stroke: null, fill: 'transparent' }],
];

describe('the look of a drawn chart', () => {
  it('has the sizes, colors and fonts of its theme in each part', async () => {
    const drawn = new Map<object, Awaited<ReturnType<typeof draw>>>();
    for (const [part, spec, role, expected, at = 0] of looks) {
      const chart = drawn.get(spec) ?? (await draw(spec, sales, { width: 600 }));
      drawn.set(spec, chart);
      const item = chart.items(role).at(at);
      const found = Object.fromEntries(Object.keys(expected).map((name) => [name, item?.[name]]));
      assert.deepEqual(found, expected, `${part}: ${role}`);
    }
    const { view, items } = drawn.get(titled)!;
    const padding = (view as unknown as { padding(): object }).padding();
    assert.deepEqual([view.background(), padding], ['transparent', { left: 4, right: 10, top: 6, bottom: 4 }]);
    assert.deepEqual(
      items('scope').map(({ y }) => y),
      [0, 15, 30],
      'entries of a legend',
    );
  });

  it('has lines of a grid only for numbers, and lines at the names and times', async () => {
    for (const [spec, grid, domain] of [
      [{ mark: 'point', encoding: { x: orders, y: revenue } }, 'xy', ''],
      [{ mark: 'bar', encoding: across }, 'x', 'y'],
      [{ mark: 'bar', encoding: upright }, 'y', 'x'],
      [{ mark: 'line', encoding: overTime }, 'y', 'x'],
      [{ mark: 'rect', encoding: { x: region, y: { ...month, timeUnit: 'month' } } }, '', 'xy'],
      [{ mark: 'boxplot', encoding: across }, 'x', 'y'],
    ] as const) {
      const { items } = await draw(spec, sales, { width: 600 });
      const lines = (role: string) =>
        new Set(items(role).map(({ x2 }) => ((x2 === undefined) === /grid/.test(role) ? 'x' : 'y')));
      const found = ['axis-grid', 'axis-domain'].map((role) => [...lines(role)].sort().join(''));
      assert.deepEqual([found, items('axis-tick').length], [[grid, domain], 0], JSON.stringify(spec));
    }
  });

  it('has the color of its theme for large numbers, and a faint one for small numbers', async () => {
    const byOrder = { ...orders, type: 'ordinal' };
    for (const [mark, color, kind, least, most] of [
      ['bar', orders, 'vscode-dark', [13, 13, 49], [0, 0, 161]],
      ['rect', orders, 'vscode-dark', [13, 13, 49], [0, 0, 161]],
      ['bar', byOrder, 'vscode-dark', [12, 14, 55], [0, 4, 155]],
      ['bar', orders, 'vscode-light', [14, 14, 39], [0, 0, 161]],
      ['point', { ...orders, scale: { domainMid: 30 } }, 'vscode-dark', [0, 0, 165], [0, 0, 161]],
    ] as const) {
      const marks = (await draw({ mark, encoding: { x: month, color } }, sales, { kind })).items('mark');
      const ordersOf = ({ datum }: (typeof marks)[number]): number => (datum as { orders: number }).orders;
      const sorted = marks.toSorted((one, next) => ordersOf(one) - ordersOf(next));
      const expected = [least, most].map((rgb) => `rgb(${rgb.join(', ')})`);
      assert.deepEqual([sorted[0]?.fill, sorted.at(-1)?.fill], expected, JSON.stringify([mark, color, kind]));
    }
  });

  const numbered = (count: number, name: (at: number) => string, type: string) => ({
    columns: ['k', 'v'].map((key) => ({ name: key, type: key === 'k' ? type : 'number' })),
    rows: Array.from({ length: count }, (_, at) => [name(at), at]),
    totalRows: count,
  });
  const v = { field: 'v', type: 'quantitative' };

  it('keeps labels apart, and shows as many names of rows as fit', async () => {
    type Bounds = Record<'x1' | 'x2' | 'y1' | 'y2', number>;
    const shown = (items: readonly Item[]) =>
      items.filter(({ opacity }) => opacity !== 0).map(({ bounds, text }) => ({ text, ...(bounds as Bounds) }));
    for (const width of [160, 165, 170, 175]) {
      const { items } = await draw({ mark: 'point', encoding: { x: v } }, numbered(901, String, 'string'), { width });
      const labels = shown(items('axis-label'));
      const distances = labels.slice(1).map(({ x1 }, at) => x1 - labels[at]!.x2);
      assert.ok(distances.length > 0 && Math.min(...distances) >= 6, `${width}: ${distances.join()}`);
    }
    const names = numbered(30, (at) => `k${at}`, 'string');
    for (const [height, expected] of [
      [300, 15],
      [400, 30],
    ] as const) {
      const bars = { mark: 'bar', height, encoding: { y: { field: 'k', type: 'nominal' }, x: v } };
      const labels = shown((await draw(bars, names)).items('axis-label')).filter(({ text }) => /k/.test(String(text)));
      assert.equal(labels.length, expected, `${height}`);
    }
  });

  it('has as many entries of a legend below it, or above it, side by side as fit', async () => {
    for (const [width, legend, expected] of [
      [152, {}, 1],
      [153, {}, 2],
      [226, {}, 2],
      [227, {}, 3],
      [600, {}, 1],
      [600, { orient: 'top' }, 3],
    ] as const) {
      const spec = { ...titled, encoding: { ...upright, color: { ...region, legend } } };
      const { items } = await draw(spec, sales, { width });
      assert.equal(new Set(items('scope').map(({ x }) => x)).size, expected, `${width} ${JSON.stringify(legend)}`);
    }
  });

  it('shows the bars of days, however many they are', async () => {
    const days = numbered(400, (at) => new Date(Date.UTC(2023, 0, at + 1)).toISOString().slice(0, 10), 'date');
    const x = { field: 'k', type: 'temporal', timeUnit: 'yearmonthdate' };
    const bars = (await draw({ mark: 'bar', encoding: { x, y: v } }, days)).items('mark');
    assert.deepEqual(new Set(bars.map(({ width }) => Math.round(Number(width)))), new Set([2]));
  });

  it('has the names and separators of each language, and those of Vega for American English', () => {
    interface Locale {
      number?: { decimal: string; thousands: string };
      time?: Record<'date' | 'time' | 'months' | 'shortMonths' | 'days' | 'shortDays', string | string[]>;
    }
    for (const [language, expected] of [
      ['en', undefined],
      ['en-US', undefined],
      ['en-GB', '., %Y-%m-%d January Jan December Sunday Sun Saturday'],
      ['de', ',. %Y-%m-%d Januar Jan Dezember Sonntag So Samstag'],
      ['es', ',. %Y-%m-%d enero ene diciembre domingo dom sábado'],
    ] as const) {
      const { number, time } = vegaLocale(language) as Locale;
      const { months = [], shortMonths = [], days = [], shortDays = [] } = time ?? {};
      const names = [months[0], shortMonths[0], months.at(-1), days[0], shortDays[0], days.at(-1)];
      const found = number && [number.decimal + number.thousands, time?.date, ...names].join(' ');
      assert.equal(found, expected, language);
    }
  });

  it('reads each color and the font of the theme, in which high contrast has clearer lines', () => {
    const { 'font-size': _, ...others } = variables;
    const palette = [1, 2, 3, 4, 5, 6].map((at) => `#0000a${at}`);
    const mixed = [4, 4, 5, 5, 6, 6].map((at) => `#6b6bc${at}`);
    const own = {
      ...{ foreground: '#eeeeee', muted: '#888888', background: '#111111', grid: '#2c2c2c' },
      ...{ dark: true, highContrast: false, fontFamily: 'Georgia', fontSize: 14, palette: [...palette, ...mixed] },
    };
    assert.deepEqual(themeOf(variables), own);
    assert.deepEqual(themeOf(others), { ...own, fontSize: 13 });
    const clear = { ...own, highContrast: true, grid: '#5e5e5e' };
    assert.deepEqual(themeOf(variables, 'vscode-high-contrast'), clear);
    assert.deepEqual(themeOf(variables, 'vscode-high-contrast-light'), { ...clear, dark: false });
    const plain = { fontFamily: 'Around', fontSize: 13, highContrast: false };
    const dark = {
      ...plain,
      foreground: '#cccccc',
      muted: '#9d9d9d',
      background: '#1f1f1f',
      grid: '#343434',
      dark: true,
    };
    const light = {
      ...plain,
      foreground: '#3b3b3b',
      muted: '#616161',
      background: '#ffffff',
      grid: '#e7e7e7',
      dark: false,
    };
    for (const [kind, expected] of [
      ['vscode-dark', dark],
      ['vscode-light', light],
    ] as const) {
      const { palette: colors, ...found } = themeOf({}, kind);
      assert.deepEqual([found, new Set(colors).size], [expected, 12], kind);
      // A picture on white does not depend on the theme, apart from its font.
      const onWhite = { ...themeOf({}, 'vscode-light'), fontFamily: 'Georgia', fontSize: 14 };
      assert.deepEqual(themeOf(variables, kind, true), onWhite, kind);
    }
    assert.deepEqual(themeOf(variables, 'vscode-high-contrast', true).highContrast, false);
  });
});

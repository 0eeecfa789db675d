import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { attachData } from '../../../../src/shared/chart/attachData.ts';
import { escapeColumns } from '../../../../src/shared/chart/names.ts';
import { chartRows } from '../../../../src/shared/chart/rows.ts';
import { compileChart } from '../../../../webview/chart/compile.ts';
import { drawView } from '../../../../webview/chart/drawView.ts';
import { unmeasured } from '../../../../webview/chart/fit.ts';
import { layOut } from '../../../../webview/chart/layout.ts';

const width = 400;

/** @returns the SVG of a chart of two columns, a measure and the one that is given */
async function svgOf(mark: string, x: Record<string, unknown>, type: string, rows: unknown[][]): Promise<string> {
  const columns = [
    { name: String(x.field), type },
    { name: 'v', type: 'double' },
  ];
  const table = { columns, rows, totalRows: rows.length };
  const encoding = { x, y: { field: 'v', type: 'quantitative' } };
  const spec = attachData(escapeColumns({ mark, width, height: 200, encoding }, table));
  const compile = () => Promise.resolve(compileChart(spec, { aria: false }, chartRows(spec, table), table));
  const options = { width, isSingle: true, locale: {}, tooltip: () => undefined, onProblem: assert.fail };
  const view = await drawView(undefined, compile, options);
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

/** @returns the shapes of the marks that are drawn for a measure by quarters of a column of times */
async function shapesOf(mark: string, field: string): Promise<string[]> {
  const rows = ['01', '02', '03', '04', '05', '06'].flatMap((month, at) =>
    [1, 2, 3, 20].map((value) => [`2024-${month}-01`, value * (at + 1)]),
  );
  const svg = await svgOf(mark, { field, type: 'temporal', timeUnit: 'yearquarter' }, 'timestamp', rows);
  return [...svg.matchAll(/<g class="mark-\w+ role-mark[^>]*>(.*?)<\/g>/gs)].map(([, shapes = '']) => shapes);
}

describe('an axis of numbers', () => {
  const labelsOf = async (x: Record<string, unknown>, mark = 'point', found = [2019, 2021, 2024]): Promise<string> => {
    const years = found.map((year) => [year, 1]);
    const svg = await svgOf(mark, { type: 'quantitative', ...x }, 'integer', years);
    const [, axis = ''] = /role-axis-label[^>]*>(.*?)<\/g>/s.exec(svg.slice(svg.indexOf('x-axis') + 1)) ?? [];
    return [...axis.matchAll(/>([^<]+)<\/text>/g)].map(([, label]) => label).join(' ');
  };

  it('has whole years without separators, and no zero', async () => {
    const years = '2019 2020 2021 2022 2023 2024';
    assert.equal(await labelsOf({ field: 'year' }), years);
    assert.equal(await labelsOf({ field: 'orders.year' }, 'bar'), years);
    assert.equal(await labelsOf({ field: 'year' }, 'point', [2023, 2024]), '2023 2024');
    assert.equal(await labelsOf({ field: 'year', axis: { format: '.1f', values: [2020] } }), '2020.0');
    assert.match(await labelsOf({ field: 'year', scale: { zero: true } }), /^0 .*2000/);
    assert.match(await labelsOf({ field: 'kilometers' }), /^0 .*2,000/);
  });
});

describe('a column of years', () => {
  const columns = ['year', 'n'].map((name) => ({ name, type: 'integer' }));
  const table = { columns, rows: [2019, 2021, 2024].map((year) => [year, 1]), totalRows: 3 };
  interface Compiled {
    scales: { name: string; zero?: boolean }[];
    axes?: { scale: string; format?: string; grid?: boolean }[];
    legends?: Record<string, string>[];
  }
  /** @returns whether the scale of a channel has a zero, and the format of its axis or legend */
  const shownBy = (channel: string, definition: object, mark: string | object = 'point'): string => {
    const encoding = {
      x: { field: 'n', type: 'nominal' },
      [channel]: { field: 'year', type: 'quantitative', ...definition },
    };
    const spec = attachData(escapeColumns({ mark, encoding }, table));
    const {
      scales,
      axes = [],
      legends = [],
    } = compileChart(spec, {}, chartRows(spec, table), table) as unknown as Compiled;
    const zero = scales.find(({ name }) => name === channel)?.zero === true;
    const format = [
      ...axes.filter(({ scale, grid }) => scale === channel && !grid),
      ...legends.filter((legend) => Object.values(legend).includes(channel)),
    ].map((guide) => guide.format ?? 'none');
    return `${zero ? 'zero ' : ''}${format.join() || 'no guide'}`;
  };

  it('has whole numbers in its axis or legend, and a zero only where the mark has its base', () => {
    for (const [channel, definition, mark, expected] of [
      ['y', {}, 'point', 'd'],
      ['y', {}, 'line', 'd'],
      ['y', {}, 'bar', 'zero d'],
      ['y', {}, { type: 'area' }, 'zero d'],
      ['x', {}, 'bar', 'd'],
      ['y', { axis: null }, 'point', 'no guide'],
      ['y', { axis: { format: '.1f' } }, 'point', '.1f'],
      ['y', { scale: { zero: true } }, 'point', 'zero d'],
      ['y', { scale: null }, 'point', 'no guide'],
      ['y', { aggregate: 'mean' }, 'point', 'zero none'],
      ['color', {}, 'point', 'd'],
      ['fill', {}, 'point', 'd'],
      ['stroke', {}, 'point', 'd'],
      ['size', {}, 'point', 'zero d'],
      ['size', { legend: null }, 'point', 'zero no guide'],
      ['y', { field: 'n' }, 'point', 'zero none'],
    ] as const)
      assert.equal(shownBy(channel, definition, mark), expected, JSON.stringify([channel, definition, mark]));
  });
});

describe('a chart of a column of times by a calendar unit', () => {
  for (const mark of ['boxplot', 'errorbar', 'errorband', 'line'])
    it(`is drawn as the mark ${mark} in the same way, whatever the name of the column`, async () => {
      const shapes = await shapesOf(mark, 't');
      assert.ok(shapes.join('').includes('<'));
      for (const name of ['orders.created_at', 'Date [UTC]', 'a..b'])
        assert.deepEqual(await shapesOf(mark, name), shapes, name);
    });
});

describe('the titles of a chart', () => {
  it('are the names of the columns, also in plots side by side', () => {
    const table = { columns: [{ name: "user's", type: 'double' }], rows: [[1]], totalRows: 1 };
    const users = { field: "user's", type: 'quantitative' };
    const plot = { mark: 'point', encoding: { x: users, color: users } };
    for (const shown of [plot, { hconcat: [plot, plot] }]) {
      const spec = attachData(escapeColumns(shown, table));
      const compiled = compileChart(spec, {}, chartRows(spec, table), table);
      const titles = JSON.stringify(compiled).match(/(?<="title":)"[^"]*"/g) ?? [];
      assert.deepEqual([...new Set(titles)], ['"user\'s"']);
      assert.ok(titles.length > 1, 'of axes and legends');
    }
    const encoding = { x: { aggregate: 'count' }, y: { field: "user's", aggregate: 'sum', type: 'quantitative' } };
    const spec = attachData(escapeColumns({ mark: 'point', encoding }, table));
    const { axes } = compileChart(spec, {}, chartRows(spec, table), table) as { axes: { title?: string }[] };
    assert.deepEqual(
      axes.flatMap(({ title }) => title ?? []),
      ['Count', "Sum of user's"],
    );
  });
});

describe('plots side by side', () => {
  it('are wrapped where each would be too narrow', () => {
    const plots = ['bar', 'line', 'point'].map((mark) => ({ mark }));
    const laidOut = (width: number): string[] =>
      Object.keys(layOut({ hconcat: plots }, width, unmeasured(width)).spec).filter((key) => key.endsWith('concat'));
    assert.deepEqual([laidOut(400), laidOut(300)], [['hconcat'], ['concat']]);
  });
});

describe('facets, layers and narrow charts', () => {
  const columns = ['city', 'n', 'm', 'd'].map((name, at) => ({
    name,
    type: ['string', 'number', 'number', 'date'][at]!,
  }));
  const table = { columns, rows: [['a', '1.50', 2, '2024-01-01']], totalRows: 1 };
  const compiled = (spec: object) => {
    const own = attachData(escapeColumns(spec as Record<string, unknown>, table));
    return compileChart(own, {}, chartRows(own, table), table);
  };
  const [n, m] = ['n', 'm'].map((field) => ({ field, type: 'quantitative' }));
  const city = { field: 'city', type: 'nominal' };

  it('have labels for null, and exact numbers in tooltips', () => {
    const plot = { mark: 'point', encoding: { x: { ...n, axis: { format: '$.1f' } }, y: m, tooltip: n } };
    for (const spec of [plot, { ...plot, encoding: { ...plot.encoding, row: city } }, { layer: [plot] }]) {
      const text = JSON.stringify(compiled(spec));
      assert.match(text, /isValid\(datum\.value\) \? datum\.value === 0 \? format\(0, '\$d'\) : datum\.label : 'null'/);
      assert.match(text, /"hover":\{"tooltip":\{"signal":"format\(datum\[\\"n\\"\], \\",\.2f\\"\)/);
    }
  });

  it('leave out what a logarithmic scale can’t show, of each of their columns', () => {
    const on = (y: object) => ({ mark: 'point', encoding: { x: city, y: { ...y, scale: { type: 'log' } } } });
    for (const [spec, expected] of [
      [on(n!), ['n']],
      [{ layer: [on(n!), on(m!)] }, ['m', 'n']],
    ] as const) {
      const filtered = JSON.stringify(compiled(spec)).match(/(?<="datum\[\\")\w+(?=\\"\] > 0")/g);
      assert.deepEqual([...new Set(filtered)].sort(), expected);
    }
  });

  it('have short names of months, unless they have a format', () => {
    const formatOf = (x: object, shown: number): unknown => {
      const encoding = { x: { field: 'd', type: 'temporal', ...x }, y: n };
      const { axes = [] } = compiled({ mark: 'line', width: shown, encoding }) as { axes?: Record<string, unknown>[] };
      return axes.find(({ scale, grid }) => scale === 'x' && !grid)?.format;
    };
    const short = { month: '%b' };
    assert.deepEqual([formatOf({}, 339), formatOf({ scale: { type: 'utc' } }, 339)], [short, short]);
    assert.deepEqual([formatOf({ axis: { format: '%Y' } }, 339), formatOf({}, 340)], ['%Y', undefined]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  fieldType,
  readStudio,
  setField,
  setLogarithmic,
  setMark,
  setTop,
  studioMarks,
  swapAxes,
} from '../../../../webview/studio/edit.ts';

const x = { field: 'region', type: 'nominal', sort: '-y' };
const y = { field: 'revenue', type: 'quantitative' };
const spec = { mark: { type: 'bar', tooltip: true }, encoding: { x, y } };
const table = {
  columns: [
    { name: 'region', type: 'string' },
    { name: 'orders.count', type: 'number' },
    { name: 'day', type: '' },
    { name: 'amount', type: '' },
    { name: 'flag', type: 'boolean' },
  ],
  rows: [['EU', '1', '2024-01-01', '3.5', true]],
  totalRows: 1,
};
const column = (name: string) => table.columns.find((one) => one.name === name) ?? { name, type: '' };

describe('the chart studio', () => {
  it('shows the current selections, and none for a composition', () => {
    assert.deepEqual(readStudio(spec, table), {
      mark: 'bar',
      x: 'region',
      y: 'revenue',
      color: undefined,
      logarithmic: false,
    });
    assert.equal(readStudio({ layer: [spec] }, table), undefined);
  });

  it('changes the mark and keeps its other properties', () => {
    assert.deepEqual(setMark(spec, 'line').mark, { type: 'line', tooltip: true });
    assert.equal(setMark({ ...spec, mark: 'bar' }, 'area').mark, 'area');
  });

  it('drops properties that only other marks have', () => {
    const mark = { type: 'point', interpolate: 'step', point: true, innerRadius: 9, filled: false, opacity: 0.5 };
    assert.deepEqual(setMark({ ...spec, mark }, 'bar').mark, { type: 'bar', opacity: 0.5 });
  });

  it('converts a bar chart to a pie and back', () => {
    const pie = setMark(spec, 'arc');
    assert.deepEqual(pie.encoding, { color: x, theta: y });
    assert.deepEqual(setMark(pie, 'bar').encoding, spec.encoding);
    assert.deepEqual(readStudio(pie, table), {
      mark: 'arc',
      x: 'region',
      y: 'revenue',
      color: undefined,
      logarithmic: false,
    });
  });

  it('swaps axes with their sort, and swaps them back', () => {
    const swapped = swapAxes(spec);
    assert.deepEqual(swapped.encoding, { x: y, y: { ...x, sort: '-x' } });
    assert.deepEqual(swapAxes(swapped).encoding, spec.encoding);
  });

  it("sets fields by the columns' types, and clears them", () => {
    const picked = setField(spec, 'y', column('orders.count'), table);
    assert.deepEqual(picked.encoding, { x, y: { field: 'orders\\.count', type: 'quantitative' } });
    assert.equal(readStudio(picked, table)?.y, 'orders.count');
    const colored = setField(spec, 'color', column('flag'), table);
    assert.deepEqual(colored.encoding, { x, y, color: { field: 'flag', type: 'nominal' } });
    assert.deepEqual(setField(colored, 'color', undefined, table).encoding, spec.encoding);
  });

  it('treats durations as names, not as numbers', () => {
    assert.equal(fieldType({ name: 'a', type: 'interval' }, table), 'nominal');
    assert.equal(fieldType({ name: 'a', type: 'int8' }, table), 'quantitative');
  });

  it("uses the grid's rules for numbers", () => {
    for (const type of ['tinyint', 'mediumint', 'hugeint', 'dec(10,2)', 'serial', 'double precision'])
      assert.equal(fieldType({ name: 'a', type }, table), 'quantitative', type);
  });

  it('escapes column names, whatever they are', () => {
    for (const name of ["it's", 'C:\\dir', 'sales [USD]', 'constructor']) {
      const odd = { name, type: 'number' };
      const named = { columns: [odd], rows: [[1]], totalRows: 1 };
      assert.equal(readStudio(setField(spec, 'y', odd, named), named)?.y, name);
      assert.equal(readStudio({ mark: 'bar', encoding: { y: { field: name } } }, named)?.y, name);
    }
  });

  it('infers dates and numbers if the service sends no type', () => {
    assert.deepEqual(
      table.columns.map((one) => fieldType(one, table)),
      ['nominal', 'quantitative', 'temporal', 'quantitative', 'nominal'],
    );
  });

  it('toggles a logarithmic scale on the measure', () => {
    const logarithmic = setLogarithmic(swapAxes(spec), true);
    assert.deepEqual((logarithmic.encoding as { x: unknown }).x, { ...y, stack: null, scale: { type: 'log' } });
    assert.equal(readStudio(logarithmic, table)?.logarithmic, true);
    assert.equal(readStudio(setLogarithmic(logarithmic, false), table)?.logarithmic, false);
  });

  it('shows only the largest values, once, besides other transforms, and all again', () => {
    const filtered = { ...spec, transform: [{ filter: 'datum.revenue > 0' }] };
    const top = setTop(setTop(filtered, 10), 5);
    assert.equal(readStudio(top, table)?.top, 5);
    assert.equal((top.transform as unknown[]).length, 3);
    assert.deepEqual(setTop(top, undefined), filtered);
  });

  /** What an edit leaves of a specification, for a table of cases. */
  const cases: readonly (readonly [what: string, edited: unknown, expected: unknown])[] = [
    [
      'a mark without further properties is a name',
      setMark({ mark: { type: 'bar', filled: true }, encoding: {} }, 'line').mark,
      'line',
    ],
    [
      'the slices of horizontal bars are their names, without axes and scales',
      setMark(
        {
          mark: 'bar',
          encoding: { x: { ...y, scale: {} }, y: { ...x, axis: {} }, color: x, xOffset: x, yOffset: x, tooltip: x },
        },
        'arc',
      ).encoding,
      { tooltip: x, color: x, theta: y },
    ],
    [
      'two measures of a pie keep their order',
      setMark({ mark: 'point', encoding: { x: { ...x, aggregate: 'count' }, y } }, 'arc').encoding,
      { color: { ...x, aggregate: 'count' }, theta: y },
    ],
    [
      'a pie keeps its channels as a pie',
      setMark({ mark: 'arc', encoding: { theta: y, color: x } }, 'arc').encoding,
      { theta: y, color: x },
    ],
    [
      'all channels of an axis are swapped, and the size is left out',
      swapAxes({ mark: 'bar', width: 9, height: 9, title: 't', encoding: { x, x2: y, yOffset: x, color: y } }),
      {
        mark: 'bar',
        title: 't',
        encoding: { color: y, y: { ...x, sort: '-x' }, y2: y, xOffset: { ...x, sort: '-x' } },
      },
    ],
    [
      'sorts that name no axis are kept',
      swapAxes({ mark: 'bar', encoding: { x: { sort: 'x' }, y: { sort: 'descending' } } }).encoding,
      { y: { sort: 'y' }, x: { sort: 'descending' } },
    ],
    [
      'what is no channel is kept',
      swapAxes({ mark: 'bar', encoding: { x: 1, y: { sort: ['x'] } } }).encoding,
      { y: 1, x: { sort: ['x'] } },
    ],
    [
      'a pie has its own channels for both axes',
      [
        setField({ mark: 'arc' }, 'x', column('flag'), table),
        setField({ mark: 'arc' }, 'y', column('amount'), table),
      ].map((one) => one.encoding),
      [{ color: { field: 'flag', type: 'nominal' } }, { theta: { field: 'amount', type: 'quantitative' } }],
    ],
    [
      'a field of the same type keeps the scale, and nothing else',
      setField(
        { mark: 'bar', encoding: { y: { ...y, title: 't', scale: { zero: false } } } },
        'y',
        column('amount'),
        table,
      ).encoding,
      { y: { scale: { zero: false }, field: 'amount', type: 'quantitative' } },
    ],
    [
      'a field of another type keeps no scale',
      setField({ mark: 'bar', encoding: { y: { ...y, scale: { zero: false } } } }, 'y', column('flag'), table).encoding,
      { y: { field: 'flag', type: 'nominal' } },
    ],
    [
      'other properties of a scale are kept by the logarithm',
      setLogarithmic(
        { mark: 'bar', encoding: { x, y: { ...y, stack: 'zero', scale: { zero: true, base: 2, nice: true } } } },
        true,
      ).encoding,
      { x, y: { ...y, stack: null, scale: { nice: true, type: 'log' } } },
    ],
    [
      'and without it',
      setLogarithmic(
        { mark: 'bar', encoding: { x, y: { ...y, stack: null, scale: { type: 'log', nice: true } } } },
        false,
      ).encoding,
      { x, y: { ...y, scale: { nice: true } } },
    ],
    [
      'a chart without a measure has no logarithm',
      setLogarithmic({ mark: 'bar', encoding: { x } }, true),
      { mark: 'bar', encoding: { x } },
    ],
    [
      'that of a pie is its size',
      setLogarithmic({ mark: 'arc', encoding: { theta: y } }, true).encoding,
      { theta: { ...y, stack: null, scale: { type: 'log' } } },
    ],
    [
      'a chart without a measure has no largest values',
      setTop({ mark: 'bar', transform: [], encoding: { x } }, 5),
      { mark: 'bar', encoding: { x } },
    ],
    [
      'the largest values are those of the measure, by rank',
      setTop({ mark: 'bar', encoding: { x: y, y: x } }, 5).transform,
      [
        { window: [{ op: 'row_number', as: 'studio rank' }], sort: [{ field: 'revenue', order: 'descending' }] },
        { filter: { field: 'studio rank', lte: 5 } },
      ],
    ],
    [
      'windows and filters of the chart itself are kept',
      setTop(
        {
          mark: 'bar',
          transform: [{ window: [{ op: 'rank', as: 'r' }] }, { filter: { field: 'r', lte: 3 } }],
          encoding: { x, y },
        },
        undefined,
      ).transform,
      [{ window: [{ op: 'rank', as: 'r' }] }, { filter: { field: 'r', lte: 3 } }],
    ],
    [
      'a filter of the chart itself is no number of rows to show',
      readStudio(
        {
          mark: 'bar',
          transform: [{ filter: { field: 'r', lte: 3 } }, { filter: { field: 'studio rank', lte: '3' } }],
          encoding: { x },
        },
        table,
      ),
      { mark: 'bar', x: 'region', y: undefined, color: undefined, logarithmic: false },
    ],
    [
      'a measure on the x axis has the logarithm, colors are fields',
      readStudio(
        { mark: { type: 'bar' }, encoding: { x: { ...y, scale: { type: 'log' } }, y: x, color: { field: 'flag' } } },
        table,
      ),
      { mark: 'bar', x: 'revenue', y: 'region', color: 'flag', logarithmic: true },
    ],
    [
      'of two measures, that of the y axis has it',
      readStudio(
        { mark: 'point', encoding: { x: { ...y, scale: { type: 'log' } }, y, color: { value: 'red' } } },
        table,
      ),
      { mark: 'point', x: 'revenue', y: 'revenue', color: undefined, logarithmic: false },
    ],
  ];
  for (const [what, edited, expected] of cases)
    it(`has rules for what is kept: ${what}`, () => assert.deepEqual(edited, expected));

  it('reads text as times only if all of it are dates', () => {
    const typeOf = (...cells: unknown[]): string => {
      const d = { name: 'd', type: 'string' };
      return fieldType(d, {
        columns: [{ name: 'n', type: 'number' }, d],
        rows: cells.map((cell) => [1, cell]),
        totalRows: 9,
      });
    };
    for (const [cells, expected] of [
      [['2024-01', '2024-02-03', '2024-01-01T10:00', '2024-01-01 10:00', null, ''], 'temporal'],
      [['2024-01-01', 'x'], 'nominal'],
      [['2024-01-01x'], 'nominal'],
      [['x2024-01-01'], 'nominal'],
      [['2024'], 'nominal'],
      [[null, ''], 'nominal'],
      [[], 'nominal'],
    ] as const)
      assert.equal(typeOf(...cells), expected, cells.join());
    assert.equal(fieldType({ name: 'a', type: 'timestamp' }, table), 'temporal');
  });

  it('never changes its input', () => {
    const before = structuredClone(spec);
    for (const mark of studioMarks) setMark(spec, mark);
    swapAxes(spec);
    setTop(setLogarithmic(setField(spec, 'x', column('day'), table), true), 3);
    assert.deepEqual(spec, before);
  });
});

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

  it('never changes its input', () => {
    const before = structuredClone(spec);
    for (const mark of studioMarks) setMark(spec, mark);
    swapAxes(spec);
    setTop(setLogarithmic(setField(spec, 'x', column('day'), table), true), 3);
    assert.deepEqual(spec, before);
  });
});

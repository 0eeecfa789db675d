import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { chartRows } from '../../../../src/shared/chart/rows.ts';
import { inTimeZone, rowsInTimeZone } from '../../../../src/shared/results/timeZone.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';

const tableOf = (type: string, ...cells: unknown[]): ResultTable => ({
  columns: [{ name: 'at', type }],
  rows: cells.map((cell) => [cell]),
  totalRows: cells.length,
});
const shown = (zone: string, ...cells: unknown[]): unknown[] =>
  inTimeZone(tableOf('time', ...cells), zone).rows.map(([cell]) => cell);

describe('the instants of a table', () => {
  it('are shown on the clock of the time zone, with its offset, in summer and winter', () => {
    for (const [cell, text] of [
      ['2024-01-01T12:00:00Z', '2024-01-01T13:00:00+01:00'],
      ['2024-07-01 23:30:00+00', '2024-07-02 01:30:00+02:00'],
      ['2024-01-01T12:00:00.250Z', '2024-01-01T13:00:00.250+01:00'],
      ['2024-01-01T06:00:00-05:00', '2024-01-01T12:00:00+01:00'],
      ['2024-07-01 12:00:00 America/New_York', '2024-07-01 18:00:00+02:00'],
      ['2024-10-27T00:30:00Z', '2024-10-27T02:30:00+02:00'],
      ['2024-10-27T01:30:00Z', '2024-10-27T02:30:00+01:00'],
    ])
      assert.deepEqual(shown('Europe/Berlin', cell), [text]);
    assert.deepEqual(shown('America/St_Johns', '2024-01-01T12:00Z'), ['2024-01-01T08:30:00-03:30']);
  });

  it('stay as they are where they are days, have no zone, or are no times', () => {
    for (const cells of [
      ['2024-01-01', '2024-02-01'],
      ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', null],
      ['2024-01-01T12:00:00.000'],
      ['2024-01-01Z', 'Z', '', null, 5, { at: '2024-01-01T12:00:00Z' }],
    ])
      assert.deepEqual(shown('Europe/Berlin', ...cells), cells);
  });

  it('stay as the service sent them without a time zone, or with an unknown one', () => {
    const table = tableOf('time', '2024-01-01T12:00:00Z');
    assert.equal(inTimeZone(table, undefined), table);
    assert.equal(inTimeZone(table, 'Mars/Olympus'), table);
    const rows = [['2024-01-01T12:00:00Z']];
    assert.equal(rowsInTimeZone(table.columns, rows), rows);
    assert.deepEqual(rowsInTimeZone(inTimeZone(table, 'Asia/Tokyo').columns, rows), [['2024-01-01T21:00:00+09:00']]);
  });

  it('have the same clock in a chart, in every time zone of the browser', () => {
    const spec = { mark: 'line', encoding: { x: { field: 'at', type: 'temporal' } } };
    const drawn = (type: string, cell: unknown): unknown =>
      chartRows(spec, inTimeZone(tableOf(type, cell, cell), 'Asia/Tokyo'))[0]?.at;
    assert.equal(drawn('time', '2024-01-01T12:00:00Z'), '2024-01-01T21:00:00');
    assert.equal(drawn('number', '1709553600'), '2024-03-04T21:00:00');
    assert.equal(drawn('time', '2024-01-01T00:00:00Z'), '2024-01-01T00:00:00');
    assert.equal(drawn('time', '2024-01-01T12:00:00'), '2024-01-01T12:00:00');
  });
});

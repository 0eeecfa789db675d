import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { attachData } from '../../../src/shared/chart/attachData.ts';
import { missingFields } from '../../../src/shared/chart/missing.ts';
import { escapeColumns } from '../../../src/shared/chart/escape.ts';
import { chartRows, plainName } from '../../../src/shared/chart/rows.ts';
import { undrawnRows } from '../../../src/shared/chart/undrawn.ts';
import type { ResultTable } from '../../../src/shared/payloads.ts';

function tableOf(columns: Record<string, string>, ...rows: unknown[][]): ResultTable {
  return { columns: Object.entries(columns).map(([name, type]) => ({ name, type })), rows, totalRows: rows.length };
}
const encode = (encoding: object, more: object = {}) => ({ mark: 'bar', encoding, ...more });
const q = (field: string, more: object = {}) => ({ field, type: 'quantitative', ...more });
const temporal = (field: string, more: object = {}) => ({ field, type: 'temporal', ...more });

describe('names of fields', () => {
  it('are read without escapes and brackets', () => {
    assert.equal(plainName("orders\\.count['a'][0]"), 'orders.count.a.0');
  });

  it('may be a million brackets', () => {
    const name = '['.repeat(1_000_000);
    assert.equal(plainName(name), name);
  });
});

describe('rows for charts', () => {
  it('turns numbers sent as strings into numbers, by the column’s type or by use', () => {
    const table = tableOf({ typed: 'number', used: '', id: 'string' }, ['12.50', '3', '007'], ['-1e3', null, '008']);
    assert.deepEqual(chartRows(encode({ x: q('used') }), table), [
      { typed: 12.5, used: 3, id: '007' },
      { typed: -1000, used: null, id: '008' },
    ]);
  });

  it('keeps the digits of numbers that only name something', () => {
    const table = tableOf({ id: 'bigint' }, ['9007199254740993']);
    assert.deepEqual(chartRows(encode({ x: { field: 'id', type: 'nominal' } }), table), [{ id: '9007199254740993' }]);
  });

  it('leaves text that is no number as it is', () => {
    const table = tableOf({ v: '' }, ['1'], ['n/a']);
    assert.deepEqual(chartRows(encode({ x: q('v') }), table), [{ v: '1' }, { v: 'n/a' }]);
  });

  it('reads a day as a day on the calendar, in every form that services send', () => {
    const forms = ['2024-03-01', '2024-03', '2024-Q1', '2024-03-01 10:20:30', '2024-03-01T00:00:00.000'];
    const rows = chartRows(encode({ x: temporal('d') }), tableOf({ d: 'time' }, ...forms.map((form) => [form])));
    assert.deepEqual(
      rows.map(({ d }) => d),
      [
        '2024-03-01T00:00:00',
        '2024-03-01T00:00:00',
        '2024-01-01T00:00:00',
        '2024-03-01T10:20:30',
        '2024-03-01T00:00:00.000',
      ],
    );
  });

  it('takes a column of UTC midnights for days, other instants for instants', () => {
    const days = tableOf({ d: 'time' }, ['2024-03-01T00:00:00.000Z'], ['2024-04-01T00:00:00Z']);
    assert.deepEqual(chartRows(encode({ x: temporal('d') }), days), [
      { d: '2024-03-01T00:00:00' },
      { d: '2024-04-01T00:00:00' },
    ]);
    const instants = tableOf({ d: 'time' }, ['2024-03-01T00:00:00.000Z'], ['2024-04-01T07:00:00Z']);
    assert.equal(chartRows(encode({ x: temporal('d') }), instants)[1]?.d, '2024-04-01T07:00:00Z');
  });

  it('reads in UTC what the specification shows in UTC', () => {
    const spec = encode({ x: temporal('d', { timeUnit: 'utcyearmonth' }) });
    assert.deepEqual(chartRows(spec, tableOf({ d: 'time' }, ['2024-03-01'])), [{ d: '2024-03-01T00:00:00Z' }]);
  });

  it('leaves a date alone that the specification parses by a pattern of its own', () => {
    const spec = encode({ x: temporal('d') }, { data: { format: { parse: { d: 'date:%d.%m.%Y' } } } });
    assert.deepEqual(chartRows(spec, tableOf({ d: 'string' }, ['01.03.2024'])), [{ d: '01.03.2024' }]);
  });

  it('lets names with dots be found both ways, and never reaches a prototype', () => {
    const table = tableOf({ 'orders.count': 'number', '__proto__.hacked': 'number', __proto__: 'string' }, [
      '5',
      '1',
      'x',
    ]);
    const [row] = chartRows(encode({ x: q('orders.count') }), table);
    assert.equal(row?.['orders.count'], 5);
    assert.deepEqual(row?.orders, { count: 5 });
    assert.equal(({} as { hacked?: unknown }).hacked, undefined);
    assert.equal(Object.getPrototypeOf(row), Object.prototype);
  });

  it('escapes references to columns with dots, not titles', () => {
    const table = tableOf({ 'orders.count': 'number', orders: 'number' });
    const spec = encode(
      { x: q('orders.count', { title: 'orders.count' }) },
      { transform: [{ aggregate: [{ op: 'sum', field: 'orders.count', as: 'total' }], groupby: ['orders.count'] }] },
    );
    assert.deepEqual(escapeColumns(spec, table), {
      mark: 'bar',
      encoding: { x: q('orders\\.count', { title: 'orders.count' }) },
      transform: [{ aggregate: [{ op: 'sum', field: 'orders\\.count', as: 'total' }], groupby: ['orders\\.count'] }],
    });
  });
});

describe('rows that a chart cannot draw', () => {
  const count = (spec: Record<string, unknown>, table: ResultTable) => undrawnRows(spec, chartRows(spec, table), table);
  const table = tableOf(
    { v: '', d: 'time' },
    ['1', '2024-01-01'],
    [null, '2024-01-02'],
    ['n/a', 'never'],
    ['-4', null],
  );

  it('are those without a number or a date where one is needed', () => {
    assert.equal(count(encode({ x: q('v') }), table), 2);
    assert.equal(count(encode({ x: temporal('d') }), table), 2);
    assert.equal(count(encode({ x: temporal('d'), y: q('v') }), table), 3);
  });

  it('are those without a place on a logarithmic scale', () => {
    assert.equal(count(encode({ x: q('v', { scale: { type: 'log' } }) }), table), 3);
  });

  it('are none where nulls are shown, or where names and counts need no value', () => {
    assert.equal(count({ mark: { type: 'point', invalid: null }, encoding: { x: q('v') } }, table), 0);
    assert.equal(count(encode({ x: { field: 'v', type: 'nominal' }, y: { aggregate: 'count' } }), table), 0);
  });

  it('are not those of a field that the specification makes itself', () => {
    assert.equal(count(encode({ x: q('v') }, { transform: [{ calculate: '1', as: 'v' }] }), table), 0);
  });
});

describe('fields that the result does not have', () => {
  const table = tableOf({ a: 'number', 'b.c': 'number' });
  const missing = (encoding: object, more: object = {}) => missingFields(attachData(encode(encoding, more)), table);

  it('are named while others are there', () => {
    assert.deepEqual(missing({ x: q('a'), y: q('b\\.c'), color: { field: 'z' } }), ['z']);
  });

  it('are not those whose names have brackets', () => {
    const bracketed = tableOf({ 'orders.rev[usd]': 'number', a: 'number' });
    const spec = attachData(encode({ x: q('a'), y: q('orders\\.rev\\[usd\\]') }));
    assert.deepEqual(missingFields(spec, bracketed), []);
  });

  it('are a reason not to draw when there is none else', () => {
    assert.throws(() => missing({ x: q('y'), y: q('z') }), /does not have: y, z/);
  });

  it('are of no concern where the specification makes them, or has data of its own', () => {
    assert.deepEqual(missing({ x: q('z') }, { transform: [{ calculate: '1', as: 'z' }] }), []);
    assert.deepEqual(missing({ x: q('z') }, { data: { values: [{ z: 1 }] } }), []);
  });
});

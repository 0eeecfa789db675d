import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runs } from '../../../support/runs.ts';
import { describe, it } from 'mocha';
import { cellText } from '../../../../src/shared/results/cells.ts';
import { laidOut } from '../../../../src/shared/text/jsonText.ts';
import { readTable, readToolPayload, type SqlQueryPayload } from '../../../../src/shared/wire/toolPayloads.ts';
import type { ToolCall } from '../../../../src/shared/wire/streamLines.ts';

const text = JSON.stringify;
const query = (call: Omit<ToolCall, 'name'>, name = 'svcSqlApi'): SqlQueryPayload => {
  const payload = readToolPayload({ name, ...call });
  assert.ok(payload.kind === 'sqlQuery');
  return payload;
};
const input = {
  sqlQuery: 'SELECT 1',
  queryTitle: 'One',
  description: 'Gives one',
  userRequest: 'one?',
  memoryId: 'm',
  vegaSpec: '{"mark":"bar"}',
};
const result = {
  ...input,
  schema: [
    { name: 'month', column_type: 'TIME' },
    { name: 'revenue', column_type: 'number' },
  ],
  data: [['2024-01', 12.5]],
  totalRows: 345,
  uuid: 'u1',
};

describe('svcMeta', () => {
  it('has its query while it runs, then the definitions with their members', () => {
    const call = { name: 'svcMeta', input: text({ searchQuery: 'revenue' }) };
    assert.deepEqual(readToolPayload(call), {
      kind: 'modelSearch',
      searchQuery: 'revenue',
      definitions: undefined,
      error: undefined,
    });
    const member = { name: 'orders.revenue', title: 'Revenue', description: 'Sum', type: 'number', aggType: 'sum' };
    const { aggType: _, ...plain } = { ...member, name: 'orders.month' };
    const cubes = [{ name: 'orders', type: 'view', title: 'Orders', members: [member, plain] }];
    assert.deepEqual(readToolPayload({ ...call, result: text({ cubes, searchQuery: 'sales' }) }), {
      kind: 'modelSearch',
      searchQuery: 'sales',
      definitions: cubes,
      error: undefined,
    });
  });
});

describe('svcMeta in its other forms', () => {
  const search = (call: object) => readToolPayload({ name: 'svcMeta', ...call });
  const cubes = [{ name: 'orders', type: 'view', title: 'Orders', members: [] }];

  it('has the same contents: cubes as text or alone, and a search as `query`', () => {
    const wanted = search({ input: { searchQuery: 'sales' }, result: { cubes } });
    assert.ok(wanted.kind === 'modelSearch' && wanted.definitions?.length === 1);
    assert.deepEqual(search({ input: { query: 'sales' }, result: { cubes: text(cubes) } }), wanted);
    assert.deepEqual(search({ input: { query: 'sales' }, result: cubes }), wanted);
  });

  it('has no definitions but those that are objects', () => {
    const payload = search({ result: { cubes: ['orders', null, ...cubes, { members: 'all' }] } });
    const unnamed = { name: '', type: '', title: '', members: [] };
    assert.deepEqual(payload.kind === 'modelSearch' && payload.definitions, [...cubes, unnamed]);
  });
});

describe('svcMeta with names of members', () => {
  it('has their titles and types from the annotation, and qualified names', () => {
    const cube = {
      ...{
        name: 'orders',
        type: 'view',
        title: 'Orders',
        measures: ['orders.revenue', 'count', 7],
        dimensions: ['city'],
      },
      annotation: { 'orders.revenue': { title: 'Revenue', type: 'number' }, city: { title: 'City', type: 'string' } },
    };
    const payload = readToolPayload({ name: 'svcMeta', result: text({ cubes: [cube] }) });
    const member = { title: '', description: '', type: '' };
    assert.deepEqual(payload.kind === 'modelSearch' && payload.definitions?.[0]?.members, [
      { ...member, name: 'orders.revenue', title: 'Revenue', type: 'number', aggType: 'measure' },
      { ...member, name: 'orders.count', aggType: 'measure' },
      { ...member, name: 'orders.city', title: 'City', type: 'string' },
    ]);
  });
});

describe('svcMeta with malformed members', () => {
  it('has only the members with a name', () => {
    const named = { name: 'orders.count', title: '', description: '', type: 'number' };
    const cubes = [{ name: 'orders', members: [{ title: 'No name' }, 'orders.x', null, named] }];
    const payload = readToolPayload({ name: 'svcMeta', result: text({ cubes }) });
    assert.deepEqual(payload.kind === 'modelSearch' && payload.definitions?.[0]?.members, [named]);
  });
});

describe('svcSqlApi', () => {
  it('has no value in a column named like an inherited property if the row has none', () => {
    const schema = [{ name: 'constructor' }, { name: 'a' }];
    assert.deepEqual(readTable({ schema, data: [{ a: 1 }] })?.rows, [[null, 1]]);
  });

  it('has the contents of its input while it runs', () => {
    const payload = query({ input: text(input) });
    const { memoryId: _memory, userRequest: _request, ...known } = input;
    assert.deepEqual(payload, { kind: 'sqlQuery', ...known, table: undefined, error: undefined });
  });

  it('has the rows, the columns and the total count of its result', () => {
    const payload = query({ input: text(input), result: text(result) });
    assert.deepEqual(payload.table, {
      columns: [
        { name: 'month', type: 'time' },
        { name: 'revenue', type: 'number' },
      ],
      rows: [['2024-01', 12.5]],
      totalRows: 345,
    });
  });

  it('accepts every variant', () => {
    const plain = query({ input: text(input), result: text(result) });
    const columns = [
      { name: 'month', columnType: 'TIME' },
      { name: 'revenue', columnType: 'number' },
    ];
    const variants: Partial<SqlQueryPayload>[] = [
      query({ input, result }),
      query({ input: text(input), result: text(result) }, 'svcSqlApiWithChart'),
      query({
        input: text({ ...input, sqlQuery: undefined, query: 'SELECT 1' }),
        result: text({ ...result, sqlQuery: undefined }),
      }),
      query({ input: text(input), result: text({ ...result, schema: columns }) }),
      query({ input: text(input), result: text({ ...result, totalRows: '345' }) }),
      query({ input: text(input), result: text({ ...result, data: [{ revenue: 12.5, month: '2024-01' }] }) }),
      query({ input: text(input), result: text({ ...result, data: text(result.data), schema: text(result.schema) }) }),
    ];
    for (const variant of variants) assert.deepEqual(variant, plain);
    const spec = query({ input: text(input), result: text({ ...result, vegaSpec: { mark: 'bar' } }) }).vegaSpec;
    assert.deepEqual(JSON.parse(spec ?? ''), { mark: 'bar' });
  });

  it('keeps numbers beyond a double, and numeric strings', () => {
    const { table } = query({ result: '{"data":[[9007199254740993,1.10,"245",null,""]]}' });
    assert.deepEqual(table?.rows, [['9007199254740993', '1.10', '245', null, '']]);
  });

  it('distinguishes numbers and text inside of a cell, unless a number would lose digits', () => {
    const cell = '{"price":12.50,"version":"1.10","id":9007199254740993,"parts":[{"n":2.0}]}';
    const expected = { price: 12.5, version: '1.10', id: '9007199254740993', parts: [{ n: 2 }] };
    for (const result of [
      `{"data":[["1",${cell}]]}`,
      `{"data":${text(`[["1",${cell}]]`)}}`,
      `{"data":[{"a":"1","b":${cell}}]}`,
      `[["1",${cell}]]`,
    ])
      assert.deepEqual(query({ result }).table?.rows, [['1', expected]]);
  });

  it('reports a failure, as text or as an object', () => {
    assert.equal(query({ result: text({ error: 'no such member' }) }).error, 'no such member');
    assert.equal(query({ result: text({ error: { message: 'nested' } }) }).error, 'nested');
    assert.equal(query({ result: text({ error: { code: 7 } }) }).error, '{\n  "code": 7\n}');
    assert.equal(query({ result: text({ error: null }) }).error, undefined);
    assert.equal(query({ result: text({ error: '', data: [] }) }).error, undefined);
    assert.equal(query({ result: text({ error: '' }) }).error, '');
  });

  it('has a chart specification only if there is one, of its result before that of its input', () => {
    assert.equal(query({ input: { vegaSpec: ' ' }, result: { vegaSpec: 1 } }).vegaSpec, undefined);
    assert.equal(query({ input, result: { vegaSpec: '' } }).vegaSpec, input.vegaSpec);
    assert.equal(query({ input, result: { vegaSpec: '{"mark":"line"}' } }).vegaSpec, '{"mark":"line"}');
  });

  it('names columns without a name by their position, and has their type under any of its names', () => {
    const schema = ['a', {}, { name: '', type: 'NUMBER' }, 7, { name: 'd', columnType: 'Time' }];
    assert.deepEqual(readTable({ schema })?.columns, [
      { name: 'a', type: '' },
      { name: 'column 2', type: '' },
      { name: 'column 3', type: 'number' },
      { name: 'column 4', type: '' },
      { name: 'd', type: 'time' },
    ]);
  });

  it('has the keys of all rows as columns if there is no schema, and no table without rows and schema', () => {
    const table = readTable({ data: [{ a: 1 }, { b: 2, a: null }] });
    assert.deepEqual(
      [table?.columns.map(({ name }) => name), table?.rows],
      [
        ['a', 'b'],
        [
          [1, null],
          [null, 2],
        ],
      ],
    );
    for (const none of [undefined, 'text', {}, { totalRows: 3 }, { schema: 'x', data: 1 }])
      assert.equal(readTable(none), undefined);
    assert.deepEqual(query({ result: [{ a: 1 }] }).table?.rows, [[1]]);
  });

  it('has a whole number of rows in total', () => {
    const total = (totalRows: unknown): number | undefined => readTable({ data: [[1]], totalRows })?.totalRows;
    assert.deepEqual([total(12.7), total(' 12 '), total(' '), total(Infinity), total('1e3')], [12, 12, 1, 1, 1000]);
  });

  it('never has a total below the number of rows', () => {
    for (const totalRows of [undefined, 0, -1, 'many', null])
      assert.equal(readTable({ data: [[1], [2]], totalRows })?.totalRows, 2);
  });

  it('has as many cells in every row as there are columns', () => {
    const table = readTable({ schema: [{ name: 'a' }, { name: 'b' }], data: [[1], [1, 2, 3], 7, null, { b: 2 }] });
    assert.deepEqual(table?.rows, [
      [1, null, null],
      [1, 2, 3],
      [7, null, null],
      [null, null, null],
      [null, 2, null],
    ]);
    assert.deepEqual(
      table?.columns.map(({ name }) => name),
      ['a', 'b', 'column 3'],
    );
    assert.deepEqual(readTable({ data: [[1, 2], [3]] })?.columns.length, 2);
    assert.deepEqual(readTable({ schema: [], data: [[1, 2], [3]] })?.columns.length, 2);
  });

  it('shows unexpected results, and decodes one that was encoded twice', () => {
    const failed = query({ result: 'Error: relation "x" does not exist' });
    assert.deepEqual([failed.error, failed.table], ['Error: relation "x" does not exist', undefined]);
    assert.deepEqual(query({ result: text(text(result)) }).table?.totalRows, 345);
    const search = readToolPayload({ name: 'svcMeta', input: '{}', result: 'Error: no model' });
    assert.equal(search.error, 'Error: no model');
  });

  it('keeps the numbers of a chart specification', () => {
    const spec = '{"width":300.0,"transform":[{"filter":{"field":"b","equal":1.0}}]}';
    for (const shape of [`{"vegaSpec":${spec}}`, text({ vegaSpec: spec })])
      assert.deepEqual(JSON.parse(query({ result: shape }).vegaSpec ?? ''), JSON.parse(spec));
  });
});

describe('tools', () => {
  it('that are unknown show their raw input and result', () => {
    const payload = readToolPayload({ name: 'other', input: '{"a":1}', result: { b: 2 } });
    assert.deepEqual(payload, {
      kind: 'unknownTool',
      name: 'other',
      input: '{\n  "a": 1\n}',
      result: '{\n  "b": 2\n}',
      error: undefined,
    });
    const exact = readToolPayload({ name: 'other', input: '{"limit":1.0}', result: '[1]' });
    assert.ok(exact.kind === 'unknownTool');
    assert.deepEqual([exact.input, exact.result], ['{"limit":1.0}', '[\n  1\n]']);
  });

  it('of any name are results if they have rows or a chart, with their SQL and a title', () => {
    const rows = { schema: [{ name: 'n', column_type: 'number' }], data: [[1]] };
    const read = (input: unknown, found: object) => readToolPayload({ name: 'run_code', input, result: text(found) });
    const code = read({ code: 'print(1)' }, rows);
    assert.ok(code.kind === 'sqlQuery');
    assert.deepEqual([code.sqlQuery, code.queryTitle, code.table?.rows], ['', 'run_code', [[1]]]);
    const query = read({ query: 'SELECT 1 AS n' }, { ...rows, queryTitle: 'One' });
    assert.ok(query.kind === 'sqlQuery');
    assert.deepEqual([query.sqlQuery, query.queryTitle], ['SELECT 1 AS n', 'One']);
    const chart = read({}, { vegaSpec: { mark: 'bar' } });
    assert.ok(chart.kind === 'sqlQuery' && chart.vegaSpec && chart.table === undefined);
    for (const found of [{ data: [[1]] }, { schema: {}, data: {} }, { vegaSpec: '' }, { sqlQuery: 'SELECT 1' }])
      assert.equal(read({ vegaSpec: '{}' }, found).kind, 'unknownTool');
  });

  it('that are unknown have no result while they run, and the message of their error', () => {
    const running = readToolPayload({ name: 'other', input: 'plain text' });
    assert.deepEqual(running, { kind: 'unknownTool', name: 'other', input: 'plain text', error: undefined });
    assert.equal(readToolPayload({ name: 'other', result: { error: 'denied' } }).error, 'denied');
    assert.equal(readToolPayload({ name: 'other', result: { error: { message: 1 } } }).error, '{\n  "message": 1\n}');
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const shown = readToolPayload({ name: 'other', input: circular, result: '  {"a":[]}' });
    assert.ok(shown.kind === 'unknownTool');
    assert.deepEqual([shown.input, shown.result], ['…', '{\n  "a": []\n}']);
  });

  it('with any input are read without an exception', () => {
    const names = fc.constantFrom('svcMeta', 'svcSqlApi', 'svcSqlApiWithChart', 'other', '');
    const value = fc.oneof(fc.json(), fc.string(), fc.anything());
    const fields = 'cubes schema data totalRows error vegaSpec sqlQuery members name'.split(' ');
    const shaped = fc.record(Object.fromEntries(fields.map((field) => [field, fc.anything()])), { requiredKeys: [] });
    fc.assert(
      fc.property(names, fc.oneof(value, shaped), fc.oneof(value, shaped), (name, input, result) => {
        readToolPayload({ name, input, result });
      }),
      { numRuns: runs(250) },
    );
  });
});

describe('the value of a cell', () => {
  it('is formatted if it is JSON, without changing a digit', () => {
    assert.equal(laidOut(cellText({ a: 1 })), '{\n  "a": 1\n}');
    assert.equal(laidOut('{"a":[1,2.50]}'), '{"a":[1,2.50]}');
    assert.equal(laidOut('[9007199254740993]'), '[9007199254740993]');
    assert.equal(laidOut('[1, 2]'), '[\n  1,\n  2\n]');
    assert.equal(laidOut('{not json'), '{not json');
  });
});

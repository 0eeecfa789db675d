import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { attachData } from '../../../../src/shared/chart/attachData.ts';
import { mismatchesOf } from '../../../../src/shared/chart/mismatches.ts';
import { escapeColumns, fieldOf, plainName } from '../../../../src/shared/chart/names.ts';
import { chartRows } from '../../../../src/shared/chart/rows.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';

function tableOf(columns: Record<string, string>, ...rows: unknown[][]): ResultTable {
  return { columns: Object.entries(columns).map(([name, type]) => ({ name, type })), rows, totalRows: rows.length };
}
const encode = (encoding: object, more: object = {}) => ({ mark: 'bar', encoding, ...more });
const q = (field: string, more: object = {}) => ({ field, type: 'quantitative', ...more });
/** The notices about mismatches, or the reason not to draw. */
function gaps(spec: object, table: ResultTable): string[] {
  const attached = attachData(spec as Record<string, unknown>);
  try {
    return mismatchesOf(attached, chartRows(attached, table), table);
  } catch (error) {
    return [String(error)];
  }
}
const temporal = (field: string, more: object = {}) => ({ field, type: 'temporal', ...more });

describe('the rows of a chart', () => {
  it('keep the format of times that the specification compares with', () => {
    const table = { columns: [{ name: 'at', type: 'time' }], rows: [['2024-01-01T00:00:00.000']], totalRows: 1 };
    const encoding = { x: { field: 'at', type: 'nominal' } };
    const spec = (filter: string) => ({ mark: 'bar', encoding, transform: [{ filter }] });
    assert.equal(chartRows(spec("datum.at == '2024-01-01T00:00:00.000'"), table)[0]?.at, '2024-01-01T00:00:00.000');
    assert.notEqual(chartRows(spec("datum.at == '2024-01-01'"), table)[0]?.at, '2024-01-01T00:00:00.000');
  });

  it('have long texts cut off, but not JSON', () => {
    const [text, json] = ['x['.repeat(1000), ` ["${'x'.repeat(2000)}"]`];
    const cells = [text, `${text}x`, json, 5];
    const table = { columns: [{ name: 'a', type: 'string' }], rows: cells.map((cell) => [cell]), totalRows: 4 };
    assert.deepEqual(
      chartRows({}, table).map(({ a }) => a),
      [text, `${text}…`, json, 5],
    );
  });

  it('are at most as many as a chart can show', () => {
    const table = (count: number) => ({
      ...{ columns: [{ name: 'a', type: 'number' }], totalRows: count },
      rows: Array.from({ length: count }, (_, at) => [at]),
    });
    assert.throws(() => chartRows({}, table(10_001)), /10.?001 rows; the limit for charts is 10.?000/);
    assert.equal(chartRows({}, table(10_000)).length, 10_000);
  });
});

describe('field names', () => {
  it('are decoded from escapes and brackets', () => {
    assert.equal(plainName("orders\\.count['ab'][10]"), 'orders.count.ab.10');
    for (const field of ['[orders.count]', "['orders.count']"]) assert.equal(plainName(field), 'orders.count');
    for (const name of ['sales [USD]', "it's", '"quoted"', 'C:\\dir\\x', 'a\r\nb', 'a"]b', 'constructor', '.a..b.']) {
      assert.equal(plainName(fieldOf(name)), name);
    }
  });

  it('may contain a million brackets', () => {
    const name = '['.repeat(1_000_000);
    assert.equal(plainName(name), name);
  });
});

describe('rows for charts', () => {
  it('convert numbers sent as strings, by column type or by use', () => {
    const table = tableOf({ typed: 'number', used: '', id: 'string' }, ['12.50', '3', '007'], ['-1e3', null, '008']);
    assert.deepEqual(chartRows(encode({ x: q('used') }), table), [
      { typed: 12.5, used: 3, id: '007' },
      { typed: -1000, used: null, id: '008' },
    ]);
  });

  it('convert texts to numbers where these are measured, if all are numbers', () => {
    const table = tableOf({ v: 'string' }, ['3'], [4], [null], [' 5 ']);
    const values = (definition: object) =>
      chartRows(encode({ x: { field: 'v', ...definition } }), table).map(({ v }) => v);
    assert.deepEqual(values({ type: 'quantitative' }), [3, 4, null, 5]);
    assert.deepEqual(values({ type: 'nominal' }), ['3', 4, null, ' 5 ']);
  });

  it('read dates where a calendar unit is drawn, but not where a number is', () => {
    const table = tableOf({ d: 'time' }, ['2024-03-01'], [null]);
    const values = (definition: object) =>
      chartRows(encode({ x: { field: 'd', ...definition } }), table).map(({ d }) => d);
    assert.deepEqual(values({ timeUnit: 'month' }), ['2024-03-01T00:00:00', null]);
    assert.deepEqual(values({ timeUnit: 'month', type: 'quantitative' }), ['2024-03-01', null]);
  });

  const timesOf = (cells: readonly unknown[], definition: object = {}, name = 'd'): unknown[] => {
    const table = tableOf({ [name]: 'string' }, ...cells.map((cell) => [cell]));
    return chartRows(encode({ x: temporal(name, definition) }), table).map((row) => row[name]);
  };

  for (const [what, cells, times] of [
    ['months as digits', [202401, '202412', null], ['2024-01-01T00:00:00', '2024-12-01T00:00:00', null]],
    [
      'days as digits',
      [20240105, ' 20241231 ', '20240105.0'],
      ['2024-01-05T00:00:00', '2024-12-31T00:00:00', '2024-01-05T00:00:00'],
    ],
    ['years as digits', [2024, '1999'], ['2024-01-01T00:00:00', '1999-01-01T00:00:00']],
    [
      'hours, minutes and seconds as digits',
      ['2024010510', 202401051030, '20240105103007'],
      ['2024-01-05T10:00:00', '2024-01-05T10:30:00', '2024-01-05T10:30:07'],
    ],
    [
      'Unix seconds',
      [1_704_412_800, '1704412801', 946_684_800],
      ['2024-01-05T00:00:00Z', '2024-01-05T00:00:01Z', '2000-01-01T00:00:00Z'],
    ],
    [
      'Unix milliseconds',
      ['1500400000001', 1_500_400_000_000, '-315619200000'],
      ['2017-07-18T17:46:40.001Z', '2017-07-18T17:46:40Z', '1960-01-01T00:00:00Z'],
    ],
    ['Unix microseconds and nanoseconds', ['1704412800500000'], ['2024-01-05T00:00:00.500Z']],
    ['Unix midnights as days', [1_704_412_800, 0, null], ['2024-01-05T00:00:00', '1970-01-01T00:00:00', null]],
    [
      'midnights of a zone as days',
      ['2024-01-01 00:00:00+01', '2024-07-01T00:00:00.000+02:00', '2024-07-01 00:00 Asia/Kolkata'],
      ['2024-01-01T00:00:00', '2024-07-01T00:00:00', '2024-07-01T00:00:00'],
    ],
    [
      'times of a zone',
      ['2024-01-01 00:00:00+01', '2024-07-01 10:00:00 Europe/Berlin'],
      ['2023-12-31T23:00:00Z', '2024-07-01T08:00:00Z'],
    ],
    [
      'months and days in English',
      ['Jan 2024', 'March 5, 2024', '01-Feb-2024', 'Mon, 01 Jan 2024 00:00:00 GMT'],
      ['2024-01-01T00:00:00', '2024-03-05T00:00:00', '2024-02-01T00:00:00', '2024-01-01T00:00:00'],
    ],
    [
      'days in numbers',
      ['1/5/2024 3:30 PM', '2024/01/05', '2024/02', '05.01.2024 10:00'],
      ['2024-01-05T15:30:00', '2024-01-05T00:00:00', '2024-02-01T00:00:00', '2024-01-05T10:00:00'],
    ],
    ['days in numbers, the day first', ['05/01/2024', '31/01/2024'], ['2024-01-05T00:00:00', '2024-01-31T00:00:00']],
    [
      'quarters',
      ['2024-Q2', '2024Q1', 'Q4 2024'],
      ['2024-04-01T00:00:00', '2024-01-01T00:00:00', '2024-10-01T00:00:00'],
    ],
    [
      'weeks of ISO 8601 as their Mondays',
      ['2024-W05', '2021W01', '2020-W53'],
      ['2024-01-29T00:00:00', '2021-01-04T00:00:00', '2020-12-28T00:00:00'],
    ],
  ] as const)
    it(`read ${what}`, () => {
      assert.deepEqual(timesOf(cells), times);
    });

  it('read digits as weeks or quarters if the name of the column says so', () => {
    for (const name of ['yearweek', 'orders.iso_week', 'yyyyww'])
      assert.deepEqual(timesOf([202405, '202452', 202454], {}, name), [null, null, null], name);
    for (const name of ['yearweek', 'iso_week', 'Kalenderwoche'])
      assert.deepEqual(timesOf([202405, '202452'], {}, name), ['2024-01-29T00:00:00', '2024-12-23T00:00:00'], name);
    assert.deepEqual(timesOf([20241, 20244], {}, 'quarter'), ['2024-01-01T00:00:00', '2024-10-01T00:00:00']);
    assert.deepEqual(timesOf([202405, 20240131], {}, 'week'), ['2024-01-29T00:00:00', '2024-01-31T00:00:00']);
  });

  it('read no time in other numbers and texts', () => {
    for (const cells of [
      [202401, 202413],
      [20240105, 20241305],
      [0, 1, 86_399],
      [45_292],
      [3_600],
      [
        'Region 5',
        'Marketing 2024',
        'Jan 24',
        '10:30:00',
        '2024-W54',
        '0000-00-00',
        'FY2024',
        '1/5/24',
        '2024/13',
        'May'.repeat(50),
      ],
      [true, { a: 2024 }, [2024], 1e300],
    ])
      assert.deepEqual(
        timesOf(cells),
        cells.map(() => null),
        JSON.stringify(cells),
      );
  });

  it('convert truth values of every database', () => {
    const table = tableOf({ paid: 'boolean' }, ['true'], ['t'], ['false'], ['f'], [true], ['yes'], [null]);
    assert.deepEqual(
      chartRows(encode({ x: { field: 'paid' } }), table).map(({ paid }) => paid),
      [true, true, false, false, true, 'yes', null],
    );
  });

  it('keep codes that are only counted, and convert them to be added', () => {
    const table = tableOf({ code: 'string' }, ['007']);
    assert.deepEqual(chartRows(encode({ y: { aggregate: 'count', field: 'code' } }), table), [{ code: '007' }]);
    assert.deepEqual(chartRows(encode({ y: { aggregate: 'sum', field: 'code' } }), table), [{ code: 7 }]);
  });

  it('keep cells of a measure that are not all numbers', () => {
    const table = tableOf({ v: '' }, ['3'], [true], [{ a: 1 }]);
    assert.deepEqual(chartRows(encode({ x: q('v') }), table), [{ v: '3' }, { v: true }, { v: { a: 1 } }]);
  });

  it('keep the digits of numbers that are names', () => {
    const table = tableOf({ id: 'bigint' }, ['9007199254740993']);
    assert.deepEqual(chartRows(encode({ x: { field: 'id', type: 'nominal' } }), table), [{ id: '9007199254740993' }]);
  });

  it("use the grid's rules for numbers and codes", () => {
    const columns = { untyped: '', wrapped: 'nullable(int64)', code: '', list: 'array<int>' };
    assert.deepEqual(chartRows(encode({}), tableOf(columns, ['3', '4', '007', '[1]'], ['5', '6', '008', '[]'])), [
      { untyped: 3, wrapped: 4, code: '007', list: [1] },
      { untyped: 5, wrapped: 6, code: '008', list: [] },
    ]);
  });

  it('format times that are names like the grid, unless they are compared', () => {
    const table = tableOf({ d: 'timestamp' }, ['2021-01-01T00:00:00.000'], ['2021-02-01T00:00:00.000']);
    const nominal = { x: { field: 'd', type: 'nominal' } };
    assert.deepEqual(chartRows(encode(nominal), table), [{ d: '2021-01-01' }, { d: '2021-02-01' }]);
    const compared = { transform: [{ filter: { field: 'd', oneOf: ['2021-01-01T00:00:00.000'] } }] };
    assert.deepEqual(chartRows(encode(nominal, compared), table)[0], { d: '2021-01-01T00:00:00.000' });
  });

  it('have the first of two columns with the same name', () => {
    const twice = { name: 'v', type: 'number' };
    const table = { columns: [{ name: 'k', type: 'string' }, twice, twice], rows: [['a', 1, 10]], totalRows: 1 };
    assert.deepEqual(chartRows(encode({ y: q('v') }), table), [{ k: 'a', v: 1 }]);
    assert.deepEqual(gaps(encode({ y: q('v') }), table), [
      'The result has several columns named “v”. The chart uses the first one.',
    ]);
    assert.deepEqual(gaps(encode({ y: { field: 'k' } }), table), []);
  });

  it('keep text in a column of lists and objects', () => {
    const table = tableOf({ j: 'json' }, ['12'], ['true'], [' [1, "a"]'], [['7']], ['{a']);
    assert.deepEqual(
      chartRows(encode({}), table).map(({ j }) => j),
      ['12', 'true', [1, 'a'], [7], '{a'],
    );
  });

  it('have no value for an empty or infinite measure', () => {
    for (const [type, cells, expected] of [
      ['double', ['1.5', 'Infinity', '-inf', ''], [1.5, null, null, null]],
      ['string', ['1.5', '', null], [1.5, null, null]],
      ['string', ['n/a', ''], ['n/a', null]],
    ] as const) {
      const table = tableOf({ v: type }, ...cells.map((cell) => [cell]));
      assert.deepEqual(
        chartRows(encode({ x: q('v') }), table).map(({ v }) => v),
        expected,
      );
    }
  });

  it('keep text that is not a number', () => {
    const table = tableOf({ v: '' }, ['1'], ['n/a']);
    assert.deepEqual(chartRows(encode({ x: q('v') }), table), [{ v: '1' }, { v: 'n/a' }]);
  });

  it('read a day as a calendar day, in every form that services send', () => {
    const forms = [
      '2024-03-01',
      '2024-03',
      '2024',
      '2024-Q1',
      '2024-03-01 10:20:30',
      '2024-03-01T00:00:00.000',
      ' 2024 ',
      2024,
      'FY2024',
    ];
    const rows = chartRows(encode({ x: temporal('d') }), tableOf({ d: 'time' }, ...forms.map((form) => [form])));
    assert.deepEqual(
      rows.map(({ d }) => d),
      [
        '2024-03-01T00:00:00',
        '2024-03-01T00:00:00',
        '2024-01-01T00:00:00',
        '2024-01-01T00:00:00',
        '2024-03-01T10:20:30',
        '2024-03-01T00:00:00',
        '2024-01-01T00:00:00',
        '2024-01-01T00:00:00',
        null,
      ],
    );
  });

  it('treat a column of UTC midnights as days, and other instants as instants', () => {
    const days = tableOf({ d: 'time' }, ['2024-03-01T00:00:00.000Z'], ['2024-04-01T00:00:00Z'], [null]);
    assert.deepEqual(chartRows(encode({ x: temporal('d') }), days), [
      { d: '2024-03-01T00:00:00' },
      { d: '2024-04-01T00:00:00' },
      { d: null },
    ]);
    const forms = ['2024-03-01 00:00:00+00', '2024-03-01 00:00:00.000 UTC', '2024-03-01 00:00:00.000 +0000'];
    for (const form of forms)
      assert.deepEqual(chartRows(encode({ x: temporal('d') }), tableOf({ d: 'time' }, [form])), [
        { d: '2024-03-01T00:00:00' },
      ]);
    const inUtc = chartRows(encode({ x: temporal('d', { scale: { type: 'utc' } }) }), days);
    assert.equal(inUtc[1]?.d, '2024-04-01T00:00:00Z');
    const instants = tableOf({ d: 'time' }, ['2024-03-01T00:00:00.000Z'], ['2024-04-01T07:00:00Z']);
    assert.deepEqual(
      chartRows(encode({ x: temporal('d') }), instants).map(({ d }) => d),
      ['2024-03-01T00:00:00Z', '2024-04-01T07:00:00Z'],
    );
  });

  it('use UTC where the specification shows UTC', () => {
    for (const shown of [
      { timeUnit: 'utcyearmonth' },
      { timeUnit: { unit: 'month', utc: true } },
      { scale: { type: 'utc' } },
    ]) {
      const spec = encode({ x: temporal('d', shown) });
      assert.deepEqual(chartRows(spec, tableOf({ d: 'time' }, ['2024-03-01'])), [{ d: '2024-03-01T00:00:00Z' }]);
    }
  });

  it('keep a date that the specification parses with its own pattern', () => {
    const spec = encode({ x: temporal('d') }, { data: { format: { parse: { d: 'date:%d.%m.%Y' } } } });
    assert.deepEqual(chartRows(spec, tableOf({ d: 'string' }, ['01.03.2024'])), [{ d: '01.03.2024' }]);
    const parsed = (pattern: string) => encode({ x: temporal('d') }, { data: { format: { parse: { d: pattern } } } });
    assert.deepEqual(chartRows(parsed('date:%Y'), tableOf({ d: 'string' }, ['2024'])), [{ d: '2024' }]);
    assert.deepEqual(chartRows(parsed('date'), tableOf({ d: 'string' }, ['2024'])), [{ d: '2024-01-01T00:00:00' }]);
  });

  it('make names with dots available both ways, and never reach a prototype', () => {
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
    const taken = tableOf({ a: 'json', 'a.b': 'number', n: 'number', 'n.b': 'number' }, ['{"b":1}', 2, 3, 4]);
    assert.deepEqual(chartRows({}, taken), [{ a: { b: 1 }, 'a.b': 2, n: 3, 'n.b': 4 }]);
  });

  it('have escaped references to columns with dots, but not titles', () => {
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

describe('references to columns', () => {
  const table = tableOf({ 'o.a': 'number', 'o.b': 'number' }, ['1', '2']);

  it('are escaped, but not values that equal a column name', () => {
    const values = {
      transform: [
        { fold: ['o.a', 'o.b'], as: ['key', 'value'] },
        { filter: { field: 'key', oneOf: ['o.b'] } },
        { filter: { field: 'key', equal: 'o.b' } },
      ],
      encoding: {
        x: { field: 'key', type: 'nominal', sort: ['o.b', 'o.a'] },
        color: { field: 'key', legend: { values: ['o.b'] }, scale: { domain: ['o.b'] } },
        detail: [{ field: 'o.a' }],
      },
    };
    assert.deepEqual(escapeColumns(values, table), {
      ...values,
      transform: [{ fold: ['o\\.a', 'o\\.b'], as: ['key', 'value'] }, ...values.transform.slice(1)],
      encoding: { ...values.encoding, detail: [{ field: 'o\\.a' }] },
    });
  });

  it('include those of repeats, pivots and selections', () => {
    const spec = {
      repeat: { row: ['o.a'], layer: ['o.b'] },
      params: [{ name: 'p', select: { type: 'point', fields: ['o.a'] }, value: [{ field: 'o.a' }] }],
      transform: [{ pivot: 'o.a', value: 'o.b', groupby: ['o.b'] }],
    };
    assert.deepEqual(escapeColumns(spec, table), {
      repeat: { row: ['o\\.a'], layer: ['o\\.b'] },
      params: [{ name: 'p', select: { type: 'point', fields: ['o\\.a'] }, value: [{ field: 'o.a' }] }],
      transform: [{ pivot: 'o\\.a', value: 'o\\.b', groupby: ['o\\.b'] }],
    });
  });
});

describe('dropped rows', () => {
  const count = (spec: Record<string, unknown>, table: ResultTable) => Number.parseInt(gaps(spec, table)[0] ?? '0', 10);
  const table = tableOf(
    { v: '', d: 'time' },
    ['1', '2024-01-01'],
    [null, '2024-01-02'],
    ['n/a', 'never'],
    ['-4', null],
  );

  it('lack a required number or date', () => {
    assert.equal(count(encode({ x: q('v') }), tableOf({ v: 'number' }, [''], ['1'], [{}])), 2);
    assert.equal(count(encode({ x: q('v') }), table), 2);
    assert.equal(count(encode({ x: temporal('d') }), table), 2);
    assert.equal(count(encode({ x: temporal('d'), y: q('v') }), table), 3);
    const times = tableOf({ d: 'time' }, ['2024-01-01'], [1_700_000_000_000], ['never'], ['2024-01-03']);
    assert.equal(count(encode({ x: temporal('d') }), times), 1);
    for (const channel of ['xOffset', 'size', 'color', 'fill', 'opacity', 'strokeWidth', 'angle'])
      assert.equal(count(encode({ x: { field: 'd', type: 'nominal' }, [channel]: q('v') }), table), 2, channel);
  });

  it("can't be shown on a logarithmic scale", () => {
    const logarithmic = encode({ x: q('v', { scale: { type: 'log' } }) });
    assert.equal(count(logarithmic, table), 3);
    assert.equal(count(logarithmic, tableOf({ v: 'number' }, ['0'], ['0.5'])), 1);
  });

  it("exclude rows with nulls that are shown, or that names and counts don't need", () => {
    assert.equal(count({ mark: { type: 'point', invalid: null }, encoding: { x: q('v') } }, table), 0);
    const configured = (config: object, mark: object = { type: 'point' }) =>
      count({ mark, encoding: { x: q('v') }, config }, table);
    assert.equal(configured({ mark: { invalid: null } }), 0);
    assert.equal(configured({ point: { invalid: 'show' } }), 0);
    assert.equal(configured({ bar: { invalid: 'show' }, mark: { invalid: 'filter' } }), 2);
    assert.equal(configured({ point: { invalid: 'show' } }, { type: 'point', invalid: 'filter' }), 2);
    assert.equal(count(encode({ x: { field: 'v', type: 'nominal' }, y: { aggregate: 'count' } }), table), 0);
  });

  it('depend on the type, time unit and aggregate of the channel', () => {
    const definitions: [dropped: number, definition: object][] = [
      [2, { field: 'd', timeUnit: 'month' }],
      [2, { field: 'v', timeUnit: 'month', type: 'quantitative' }],
      [0, { field: 'v', aggregate: 'count', type: 'quantitative' }],
      [0, { field: 'v', aggregate: 'distinct', type: 'quantitative' }],
      [2, { field: 'v', aggregate: 'sum' }],
      [0, { field: 'v', aggregate: 'max' }],
      [0, { field: 'v', aggregate: 'sum', type: 'nominal' }],
      [2, { field: 'v', aggregate: 'sum', type: 'quantitative', scale: { type: 'log' } }],
      [2, { field: 'v', type: 'quantitative', scale: { type: 'linear' } }],
      [0, { value: 1 }],
    ];
    for (const [dropped, definition] of definitions)
      assert.equal(count(encode({ x: definition, y: null }), table), dropped, JSON.stringify(definition));
    const pointed = (invalid: string) => count({ mark: { type: 'point', invalid }, encoding: { x: q('v') } }, table);
    assert.deepEqual(['filter', 'break-paths-show-path-domains', 'show'].map(pointed), [2, 2, 0]);
    const spaced = { transform: [{ filter: "datum['other'] > 1 && datum.w" }] };
    assert.equal(count(encode({ x: q('v') }, spaced), table), 2);
  });

  it('are counted once, although several layers leave them out', () => {
    const layer = ['v', 'd'].map((field) => ({
      mark: 'point',
      encoding: { x: field === 'd' ? temporal('d') : q('v') },
    }));
    assert.equal(count({ layer }, table), 3);
  });

  it('exclude rows that a filter removes', () => {
    for (const filter of [
      { field: 'v', valid: true },
      { and: [{ not: { field: 'v', equal: null } }] },
      'datum.v > 0',
      { or: ['isValid(datum["v"])'] },
    ]) {
      assert.equal(count(encode({ x: q('v') }, { transform: [{ filter }] }), table), 0, JSON.stringify(filter));
    }
    assert.equal(count(encode({ x: q('v') }, { transform: [{ filter: 'datum.d' }] }), table), 2);
  });

  it('exclude fields that the specification creates', () => {
    assert.equal(count(encode({ x: q('v') }, { transform: [{ calculate: '1', as: 'v' }] }), table), 0);
  });
});

describe('a pie chart', () => {
  const pie = (theta: object, more: object = {}) => ({
    mark: { type: 'arc' },
    encoding: { theta: q('v', theta) },
    ...more,
  });
  const problem = (spec: object, ...cells: unknown[]): boolean =>
    gaps(spec, tableOf({ v: 'number' }, ...cells.map((cell) => [cell]))).some((gap) => gap.includes('negative values'));

  it('is not drawn with negative values, unless a transform or an aggregation changes them', () => {
    assert.equal(problem(pie({}), 4, '-1'), true);
    assert.equal(problem(pie({}), 4, 0, null, 'n/a'), false);
    assert.equal(problem(pie({ aggregate: 'sum' }), 4, -1), false);
    assert.equal(problem(pie({ stack: null }), 4, -1), false);
    assert.equal(problem(pie({}, { transform: [{ filter: 'datum.v > 0' }] }), 4, -1), false);
    assert.equal(problem({ ...pie({}), mark: 'point' }, 4, -1), false);
    const gauge = { theta: q('v'), theta2: q('v') };
    assert.equal(problem({ mark: 'arc', encoding: gauge }, 4, -1), false);
  });
});

describe('an empty chart', () => {
  const table = tableOf({ v: '', w: 'number' }, [null, '1'], ['n/a', '2']);
  const isEmpty = (spec: object) => gaps(spec, table).some((gap) => gap.includes('None of the rows has a value'));
  const layers = (...fields: string[]) => ({
    layer: fields.map((field) => ({ mark: 'point', encoding: { x: q(field) } })),
  });

  it('has no row with a value for any of its views', () => {
    assert.equal(isEmpty(encode({ x: q('v') })), true);
    assert.equal(isEmpty(encode({ x: q('v'), y: q('w') })), true);
    assert.equal(isEmpty(layers('v', 'v')), true);
  });

  it('is not one in which a view has values, or needs none', () => {
    assert.equal(isEmpty(encode({ x: q('w') })), false);
    assert.equal(isEmpty(layers('v', 'w')), false);
    assert.equal(isEmpty(encode({ x: { field: 'v', type: 'nominal' } })), false);
  });
});

describe('missing fields', () => {
  const table = tableOf({ a: 'number', 'b.c': 'number' });
  const missing = (encoding: object, more: object = {}) => gaps(encode(encoding, more), table);

  it('are listed if other fields exist', () => {
    assert.deepEqual(missing({ x: q('a'), y: q('b\\.c'), color: { field: 'z' } }), [
      'The chart uses the field “z”, which the result doesn’t have.',
    ]);
  });

  it('exclude parts of a column', () => {
    assert.deepEqual(missing({ x: q('a'), y: { field: 'a.part' } }), []);
  });

  it('exclude names with brackets that exist', () => {
    const bracketed = tableOf({ 'orders.rev[usd]': 'number', a: 'number' });
    assert.deepEqual(gaps(encode({ x: q('a'), y: q('orders\\.rev\\[usd\\]') }), bracketed), []);
    assert.deepEqual(gaps(encode({ x: q("['orders.count']") }), tableOf({ 'orders.count': 'number' })), []);
  });

  it('prevent drawing if no field exists', () => {
    assert.match(missing({ x: q('y'), y: q('z') }).join(), /doesn’t have: y, z/);
  });

  it('are ignored if the specification creates them, or has inline data', () => {
    assert.deepEqual(missing({ x: q('z') }, { transform: [{ calculate: '1', as: 'z' }] }), []);
    assert.deepEqual(missing({ x: q('z') }, { data: { values: [{ z: 1 }] } }), []);
  });
});

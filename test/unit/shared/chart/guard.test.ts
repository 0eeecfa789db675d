import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compile, type TopLevelSpec } from 'vega-lite';
import { attachData, tableName } from '../../../../src/shared/chart/attachData.ts';
import { rowsIn } from '../../../../src/shared/chart/guard/bounds.ts';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';
import { fieldsIn } from '../../../../src/shared/chart/json.ts';
import { ChartProblem } from '../../../../src/shared/chart/limits.ts';
import { readSpec } from '../../../../src/shared/chart/readSpec.ts';
import { chartRows } from '../../../../src/shared/chart/rows.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { drawableSpecs, sales } from '../../../fixtures/chart/drawable.ts';
import { hostileSpecs, hostileTable } from '../../../fixtures/chart/hostile.ts';

const x = { field: 'category', type: 'nominal' };
const y = { field: 'amount', type: 'quantitative' };
const bars = { mark: 'bar', encoding: { x, y } };
const silent = Object.fromEntries(
  ['level', 'error', 'warn', 'info', 'debug'].map((name) => [name, () => silent]),
) as never;

/** The checked, compiled specification and the estimated cost of drawing it. */
function check(spec: object | string, table: ResultTable = hostileTable) {
  const read = readSpec(typeof spec === 'string' ? spec : JSON.stringify(spec)).spec;
  const compiled = compile({ ...attachData(read), width: 300 } as unknown as TopLevelSpec, { logger: silent })
    .spec as unknown as Fields;
  for (const source of fieldsIn(compiled.data)) if (source.name === tableName) source.values = chartRows(read, table);
  return { compiled, estimate: checkChart(compiled) };
}

const refuses = (spec: object, words: RegExp, table?: ResultTable): void =>
  assert.throws(
    () => check(spec, table),
    (error) => error instanceof ChartProblem && words.test(error.message),
    JSON.stringify(spec).slice(0, 200),
  );
const calculated = (calculate: string) => ({ ...bars, transform: [{ calculate, as: 'made' }] });
const tableOf = (count: number): ResultTable => ({
  ...hostileTable,
  rows: Array.from({ length: count }, (_, i) => [`c${i}`, String(i), i, '2024-01-01']),
  totalRows: count,
});

describe('inline rows', () => {
  it('are found by property, or as the features of a map', () => {
    const map = { objects: { land: { geometries: [1, 2] } } };
    assert.deepEqual(rowsIn([1, 2], undefined), [1, 2]);
    assert.deepEqual(rowsIn({ data: { list: [1] } }, { property: 'list' }), [1]);
    for (const format of [{ feature: 'land' }, { mesh: 'land' }]) assert.deepEqual(rowsIn(map, format), [1, 2]);
  });
});

describe('the chart guard', () => {
  it('accepts every chart type', () => {
    for (const { name, spec } of drawableSpecs) assert.doesNotThrow(() => check(spec, sales), name);
  });

  it('rejects the hostile charts that must be rejected, with a reason', () => {
    for (const { name, spec, refused } of hostileSpecs) {
      if (refused) assert.throws(() => check(spec), Error, name);
    }
  });

  it('estimates the marks of a chart and their cost', () => {
    const [small, large] = [check(bars, tableOf(10)).estimate, check(bars, tableOf(1_000)).estimate];
    assert.deepEqual([small.items, large.items], [10, 1_000]);
    assert.ok(large.time > 10 * small.time);
  });

  it('estimates more time for a transform that has more to do', () => {
    const table = tableOf(60);
    const time = (transform: object): number => check({ ...bars, transform: [transform] }, table).estimate.time;
    const ops = (...names: string[]) => names.map((op, at) => ({ op, field: 'amount', as: `m${at}` }));
    const pivot = { pivot: 'category', value: 'amount', groupby: ['n'] };
    const pairs: [what: string, less: object, more: object][] = [
      ['window', { window: ops('sum'), frame: [-1, 1] }, { window: ops('sum', 'mean'), frame: [-1, 1] }],
      ['frame', { window: ops('median'), frame: [-1, 1] }, { window: ops('median'), frame: [-9, 1] }],
      ['open frame', { window: ops('median'), frame: [-9, 9] }, { window: ops('median'), frame: [null, 9] }],
      ['operations', { joinaggregate: ops('sum') }, { joinaggregate: ops('sum', 'mean') }],
      ['slow operations', { joinaggregate: ops('mean') }, { joinaggregate: ops('median') }],
      ['groups', { joinaggregate: ops('sum') }, { joinaggregate: ops('sum'), groupby: ['category'] }],
      ['columns', { ...pivot, limit: 2 }, { ...pivot, limit: 50 }],
      ['steps', { density: 'amount', steps: 10, as: ['a', 'b'] }, { density: 'amount', steps: 500, as: ['a', 'b'] }],
    ];
    for (const [what, less, more] of pairs) assert.ok(time(more) > time(less), what);
  });

  it('allows the functions for every part of a date, local and in UTC', () => {
    const parts = ['year', 'quarter', 'month', 'week', 'dayofyear', 'date', 'day', 'hours', 'minutes', 'seconds'];
    for (const part of [...parts, 'milliseconds'])
      for (const name of [part, `utc${part}`]) assert.doesNotThrow(() => check(calculated(`${name}(datum.day)`)), name);
    assert.doesNotThrow(() => check(calculated('timezoneoffset(datum.day)')));
  });

  it('allows only known functions', () => {
    for (const name of ['fetch', 'setdata', 'encode', 'view', 'warn', 'modify', 'constructor', 'toString.call'])
      refuses(calculated(`${name}('x', 1)`), /supported|parsed/);
    refuses({ ...bars, transform: [{ filter: "fetch('x')" }] }, /supported/);
  });

  it('names the method in an expression that calls one', () => {
    refuses(calculated('datum.category.map(1)'), /asks for “\.map\(\)”/);
  });

  it('allows no property that leads to code', () => {
    for (const text of ['datum.constructor', "datum['prototype']", '{getter: datum.amount}', '{toString: 1}'])
      refuses(calculated(text), /isn’t supported/);
  });

  it('exposes nothing of the page through events and scene items', () => {
    const select = { name: 'p', select: { type: 'point' } };
    refuses(
      { ...bars, params: [{ name: 'p', select: { type: 'point', on: 'click[event.view.open]' } }] },
      /event\.view/,
    );
    refuses({ ...bars, params: [select, { name: 'q', expr: 'unit.context' }] }, /event\.context/);
    refuses({ ...bars, params: [select, { name: 'q', expr: '[unit]' }] }, /“event”/);
    refuses({ ...bars, params: [select, { name: 'q', expr: 'unit.item.context' }] }, /event\.context/);
    assert.doesNotThrow(() => check({ ...bars, params: [select, { name: 'q', expr: '[unit && 1]' }] }));
    refuses(
      { ...bars, params: [select, { name: 'q', expr: 'unit' }, { name: 'r', expr: "q['con' + 'text']" }] },
      /event/,
    );
    assert.doesNotThrow(() => check({ ...bars, params: [select] }));
  });

  it('counts the entries of a legend, which take longer than the marks', () => {
    const points = (legend: object) => ({
      mark: 'point',
      encoding: {
        ...{ x: { field: 'amount', type: 'quantitative' }, y: { field: 'n', type: 'quantitative' } },
        color: { field: 'category', type: 'nominal', ...legend },
      },
    });
    refuses(points({}), /too long/, tableOf(9_000));
    assert.doesNotThrow(() => check(points({ legend: null }), tableOf(9_000)));
    assert.doesNotThrow(() => check(points({}), tableOf(1_000)));
  });

  it('bounds sequences by their arguments', () => {
    assert.doesNotThrow(() => check(calculated('sequence(0, 100, 0.1)')));
    assert.doesNotThrow(() => check(calculated('sequence(datum.n)')));
    refuses(calculated('sequence(1e6)'), /sequence: 1,000,000/);
    refuses(calculated('sequence(0, 1, datum.n)'), /sequence/);
    refuses(calculated('sequence(now())'), /sequence: ∞/);
    refuses(calculated("timeSequence('milliseconds', 0, 1e12)"), /timeSequence/);
  });

  it('bounds computed arguments by their operators', () => {
    for (const count of ['2000 + 2000', '8000 / 2', '- -4000', 'length([1, 2])', 'test(/a/, "b") ? 9 : 4000'])
      assert.doesNotThrow(() => check(calculated(`sequence(${count})`)), count);
    for (const count of [
      '3000 + 3000',
      '4000 - -4000',
      '8000 / 1',
      '8000 / datum.n',
      '1e9 * 2',
      '1 ? 9 : 6000',
      '0 || 6000',
      '"a" + 1',
    ])
      refuses(calculated(`sequence(${count})`), /sequence|text/);
    for (const compared of ['1e9 > 2', '1e9 === 2', '1e9 != 2', '1e9 <= 2', '!1e9'])
      assert.doesNotThrow(() => check(calculated(`sequence(${compared})`)), compared);
  });

  it('bounds rows after each transform that multiplies them', () => {
    const many = Array.from({ length: 300 }, () => 'amount');
    refuses({ ...bars, transform: [{ fold: many }] }, /fold: 7,200/);
    refuses({ ...bars, transform: [{ calculate: 'sequence(3000)', as: 'a' }, { flatten: ['a'] }] }, /flatten: 72,000/);
    refuses({ ...bars, transform: [{ density: 'amount', groupby: ['n'], steps: 300 }] }, /kde|density/);
    const keyvals = { start: 0, stop: 900, step: 1 };
    refuses(
      { ...bars, transform: [{ impute: 'amount', key: 'n', keyvals, value: 0, groupby: ['category'] }] },
      /impute/,
    );
    assert.doesNotThrow(() => check({ ...bars, transform: [{ fold: ['amount', 'n'] }] }));
  });

  it('bounds the length of texts through transforms', () => {
    const doubling = Array.from({ length: 20 }, () => ({
      calculate: "datum.category + '' + datum.category",
      as: 'category',
    }));
    refuses({ ...bars, transform: doubling }, /text: /);
    refuses(calculated("pad('x', 5000, 'y', 'left')"), /pad: 5,000/);
    refuses(calculated("format(1, '10000d')"), /format/);
    refuses(calculated("replace(pad('', 999, 'a'), /a/g, pad('', 999, 'b'))"), /text: /);
  });

  it('bounds texts that are read through another object', () => {
    for (const object of ['(datum || 0)', '[datum][0]', '{a: datum}.a', 'if(true, datum, 0)', 'merge(datum, {})']) {
      const text = `${object}.category + '' + ${object}.category`;
      refuses(
        { ...bars, transform: Array.from({ length: 20 }, () => ({ calculate: text, as: 'category' })) },
        /text: /,
      );
    }
    refuses(calculated("length(join(sequence(999), pad('', 999, 'x')))"), /text: /);
  });

  it('checks expressions everywhere', () => {
    const harm = { signal: 'sequence(1e9)' };
    for (const place of [
      { padding: harm },
      { title: { text: harm } },
      { config: { axis: { labelFontSize: harm } } },
      { encoding: { x: { ...x, axis: { labelExpr: 'sequence(1e9)' } }, y } },
      { encoding: { x, y: { ...y, scale: { domainMax: harm } } } },
      { mark: { type: 'bar', tooltip: harm } },
      { transform: [{ window: [{ op: 'sum', field: 'n', as: 's' }], frame: harm }] },
      { transform: [{ quantile: 'amount', probs: harm }] },
      { params: [{ name: 'my_width', expr: '1e9' }], transform: [{ calculate: 'sequence(my_width)', as: 'made' }] },
    ])
      assert.throws(() => check({ ...bars, ...place }), ChartProblem, JSON.stringify(place));
  });

  it('rejects regular expressions that may be slow, and computed ones', () => {
    for (const text of [
      'test(/(a+)+b/, datum.category)',
      "test('(a|b)*c', datum.category)",
      "test(/(a*)\\1*b*c/, pad('', 999, 'a'))",
    ])
      refuses(calculated(text), /regular expression/);
    for (const long of ['a?'.repeat(60), 'a'.repeat(201)])
      refuses(calculated(`test(/${long}/, datum.category)`), /regular expression/);
    refuses(calculated("test(datum.category + '+', 'a')"), /isn’t supported/);
    for (const text of ["split('aaa', made)", "replace('aaa', made, '')", "test(made, 'aaa')"])
      refuses({ ...calculated(text), params: [{ name: 'made', expr: "regexp('a*b')" }] }, /isn’t supported/);
    assert.doesNotThrow(() => check(calculated('test(/^Cat.*y/, datum.category) ? 1 : 2')));
  });

  it('rejects inline text data, image URLs and data from a URL', () => {
    refuses({ ...bars, data: { values: 'a,b\n1,2', format: { type: 'csv' } } }, /values/);
    refuses({ layer: [{ ...bars, data: { url: 'https://evil.invalid/' } }] }, /data from a URL/);
    const { compiled } = check({ mark: { type: 'image', url: 'https://evil.invalid/' }, encoding: { x, y } });
    assert.doesNotMatch(JSON.stringify(compiled), /evil/);
  });

  it('bounds ticks, bins, dashes and steps', () => {
    const axis = (of: object) => ({ mark: 'bar', encoding: { x: { field: 'day', type: 'temporal', axis: of }, y } });
    refuses(axis({ tickCount: 'second' }), /tickCount/);
    assert.doesNotThrow(() => check(axis({ tickCount: 'day' })));
    refuses(axis({ tickCount: { expr: '1e7' } }), /tickCount/);
    const dashed = (strokeDash: unknown) => ({ mark: { type: 'line', strokeDash }, encoding: { x, y } });
    refuses(dashed([1e-9, 1e-9]), /strokeDash/);
    refuses(dashed({ expr: '[1e-9, 1e-9]' }), /strokeDash/);
    refuses(dashed({ expr: '[datum.n * 1e-9, datum.n * 1e-9]' }), /strokeDash/);
    for (const short of [[0.1, 4], { expr: '[4, 0]' }]) assert.doesNotThrow(() => check(dashed(short)));
    const range = [[1e-9, 1e-9]];
    refuses({ mark: 'line', encoding: { x, y, strokeDash: { field: 'category', scale: { range } } } }, /range/);
    refuses(
      { mark: 'bar', encoding: { x: { field: 'amount', bin: { step: 1e-6 } }, y: { aggregate: 'count' } } },
      /bins/,
    );
    refuses(
      {
        mark: 'bar',
        encoding: { x: { field: 'amount', bin: { step: 1, extent: [0, 1e9] } }, y: { aggregate: 'count' } },
      },
      /bins/,
    );
    const data = {
      graticule: {
        extentMajor: [
          [-1e9, -80],
          [1e9, 80],
        ],
      },
    };
    refuses({ data, mark: 'geoshape', projection: { type: 'mercator' } }, /extentMajor/);
    refuses({ ...bars, encoding: { x, y: { ...y, scale: { type: 'log', base: 1.000001 } } } }, /base/);
  });

  it('counts the entries that a transform repeats in each facet, and the fonts and texts that it draws', () => {
    const texts = (mark: object) => ({
      mark: { type: 'text', ...mark },
      encoding: { x, y, text: { field: 'category' } },
    });
    const plain = check(texts({})).estimate.time;
    assert.ok(check(texts({ font: { expr: "'serif'" } })).estimate.time > plain + 24 * 300 - 1);
    const longer = { ...texts({}), transform: [{ calculate: "pad('', 900, 'a')", as: 'category' }] };
    assert.ok(check(longer).estimate.time > check(texts({})).estimate.time + 24 * 9 - 1);
  });

  it('accepts regular expressions by name, and no computed range of one', () => {
    assert.doesNotThrow(() => check(calculated("test(regexp('^Cat'), datum.category)")));
    refuses(calculated('test(regexp(datum.category), datum.category)'), /isn’t supported|regular expression/);
    refuses(calculated("test(regexp('(a+)+b'), datum.category)"), /regular expression/);
  });

  it('bounds the combination of many rows and small charts', () => {
    const facet = { field: 'category', type: 'nominal', columns: 10 };
    refuses({ mark: 'point', encoding: { x, y, facet } }, /too long to draw/, tableOf(1_000));
    assert.doesNotThrow(() => check({ mark: 'point', encoding: { x, y, facet } }, tableOf(50)));
    refuses(
      { mark: 'line', transform: [{ loess: 'amount', on: 'n' }], encoding: { x, y } },
      /too long to draw/,
      tableOf(5_000),
    );
  });
});

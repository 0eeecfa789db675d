/** What the guard accepts and rejects in compiled charts. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compile, type TopLevelSpec } from 'vega-lite';
import { attachData } from '../../../../src/shared/chart/attachData.ts';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import { checkExpression } from '../../../../src/shared/chart/guard/expression.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';
import { readSpec } from '../../../../src/shared/chart/readSpec.ts';
import { drawableSpecs } from '../../../fixtures/chart/drawable.ts';

const silent = Object.fromEntries(
  ['level', 'error', 'warn', 'info', 'debug'].map((name) => [name, () => silent]),
) as never;
const compiled = (spec: object): Fields => {
  const read = readSpec(JSON.stringify(spec)).spec;
  return compile({ ...attachData(read), width: 300 } as unknown as TopLevelSpec, { logger: silent })
    .spec as unknown as Fields;
};
const bars = { mark: 'bar', encoding: { x: { field: 'a' }, y: { field: 'n', type: 'quantitative' } } };

const accepts = (chart: Fields): void => assert.doesNotThrow(() => checkChart({ ...chart }), JSON.stringify(chart));
const refuses = (chart: Fields, message: RegExp, kind = 'refused'): void =>
  assert.throws(() => checkChart({ ...chart }), { kind, message }, JSON.stringify(chart).slice(0, 200));
const rows = { name: 'rows', values: [{ n: 1 }] };
const signals = (...of: Fields[]): Fields => ({ signals: of });

describe('the chart guard', () => {
  it('accepts every chart type', () => {
    for (const { name, spec } of drawableSpecs) assert.doesNotThrow(() => checkChart(compiled(spec)), name);
  });

  it('accepts the listeners of Vega-Lite’s selections', () => {
    for (const select of ['point', 'interval'])
      for (const more of [{}, { bind: 'scales' }, { select: { type: select, encodings: ['x'] } }])
        accepts(compiled({ ...bars, params: [{ name: 'p', select, ...more }] }));
  });

  it('changes nothing that Vega listens to', () => {
    const chart: Fields = { config: { events: { defaults: {} }, signals: [{ name: 'a' }], axis: { grid: true } } };
    checkChart(chart);
    assert.deepEqual(chart, { config: { axis: { grid: true } } });
  });

  it('rejects unknown marks and transforms at any depth', () => {
    const group = (mark: Fields): Fields => ({ marks: [{ type: 'group', marks: [mark] }] });
    accepts(group({ type: 'rect', transform: [{ type: 'geoshape' }] }));
    refuses(group({ type: 'bomb' }), /“bomb”/);
    refuses(group({ type: 'rect', transform: [{ type: 'force' }] }), /“force”/);
    refuses({ data: [{ ...rows, transform: [{ type: 'nest' }] }] }, /“nest”/);
  });

  it('rejects unknown properties of data sets and signals', () => {
    accepts({ data: [rows, { name: 'b', source: 'rows', transform: [], format: {} }] });
    for (const key of ['url', 'async', 'on']) refuses({ data: [{ ...rows, [key]: 1 }] }, RegExp(`“${key}”`));
    const signal = { name: 'a', description: '', value: 1, update: '1', init: '1', on: [], react: true, push: 'outer' };
    accepts(signals(signal));
    for (const key of ['bind', '']) refuses(signals({ ...signal, [key]: 1 }), RegExp(`“${key}”`));
  });

  it('rejects data in other forms than rows, from several sources, and of too many rows', () => {
    const list = (length: number) => Array.from({ length }, () => 0);
    accepts({ data: [{ name: 'a', values: list(10_000) }] });
    refuses({ data: [{ name: 'a', values: list(10_001) }] }, /“values: 10,001”/, 'tooLarge');
    refuses({ data: [{ name: 'a', values: 'a,b' }] }, /“values”/);
    refuses({ data: [rows, { name: 'a', source: ['rows', 'rows'] }] }, /“source”/);
  });

  it('checks expressions everywhere', () => {
    const harm = { signal: 'fetch()' };
    for (const chart of [
      { padding: harm },
      { title: { text: harm } },
      { config: { axis: { labelFontSize: harm } } },
      { axes: [{ encode: { labels: { update: { text: harm } } } }] },
      { axes: [{ values: harm }] },
      { scales: [{ domain: harm }] },
      { data: [{ ...rows, format: { parse: harm } }] },
      { data: [{ ...rows, transform: [{ type: 'filter', expr: 'fetch()' }] }] },
      { marks: [{ type: 'rect', encode: { update: { fill: [{ test: 'fetch()', value: 1 }] } } }] },
      { marks: [{ type: 'group', ...signals({ name: 'a', init: 'fetch()' }) }] },
      signals({ name: 'a', update: 'fetch()' }),
    ])
      refuses(chart, /“fetch”/);
    refuses(signals({ name: 'cursor' }), /“cursor”/);
    accepts(signals({ name: 'cursors' }));
  });

  it('exposes nothing of the page through marks and signals that are scene items', () => {
    const drawing = (data: string | undefined, signal: string, name?: string) => ({
      data: [rows, { name: 'b' }],
      marks: [
        { type: 'rect', name: 'a', from: { data: 'rows' } },
        { type: 'group', name, from: { facet: { name: 'part', data: 'rows' } } },
        { type: 'rect', from: { data }, encode: { update: { x: { signal } } } },
      ],
    });
    for (const data of ['rows', 'part', undefined]) accepts(drawing(data, 'datum.context'));
    refuses(drawing('a', 'datum.context'), /“datum”/);
    accepts(drawing('a', 'datum.datum.context'));
    accepts(drawing('rows', "length(data('b'))"));
    refuses(drawing('rows', "data('a')[0]"), /“data”/);
    refuses(drawing('rows', "data('b')[0]", 'b'), /“data”/);
    accepts(signals({ name: 'unit', on: [{ events: 'click', update: 'isTuple(group()) ? group() : unit' }] }));
    refuses(signals({ name: 'a', update: 'unit.mark' }), /“unit”/);
  });
});

const check = (text: string, ofItems = false): void => checkExpression(text, { rows: new Set(['rows']), ofItems });

describe('an expression of a chart', () => {
  it('may call the functions for every part of a date, local and in UTC', () => {
    const parts = 'year quarter month week dayofyear date day hours minutes seconds milliseconds'.split(' ');
    for (const part of [...parts, ...parts.map((name) => `utc${name}`)])
      assert.doesNotThrow(() => check(`${part}(datum.day)`), part);
  });

  for (const [what, message, texts] of [
    [
      'call unknown functions',
      /supported/,
      ['fetch()', 'setdata("a", 1)', 'encode(1)', 'view()', 'warn(1)', 'a_bs(1)', 'screen()', 'datum.a + [fetch()]'],
    ],
    [
      'call functions of handlers',
      /supported/,
      ['item()', 'group()', 'x()', 'modify("x_store")', 'vlSelectionTuples([])', 'intersect([])'],
    ],
    ['call methods', /“\.…?(toString|map)?\(\)”/, ['datum.t.toString()', 'datum.t.map(1)', 'datum["t"]()', '(1)()']],
    [
      'look up computed names, or what is not a row',
      /supported/,
      ['data(datum.t)', 'scale(datum.t, 1)', 'domain(1)', 'indata(datum.t, "a", 1)', 'data("marks")', 'indata("a")'],
    ],
    [
      'reach code through inherited properties',
      /supported/,
      ['datum.constructor', 'datum["prototype"]', '{toString: 1}', '{"valueOf": 1}', '{getter: 1}', 'datum.__proto__'],
    ],
    [
      'read the page through an event or a scene item',
      /“(event|item|unit)”/,
      ['event.view', 'item["context"]', 'datum[event]', '{a: item}', '1 ? event : 2', 'a || !unit', 'if(1, unit, 1)'],
    ],
    [
      'have computed patterns, and those that may take long',
      /supported/,
      [
        'test(/(a|b)+c/, "x")',
        'test(/(a+)+/, "x")',
        'test(/a*b*/, datum.n)',
        'test("(a|b)*c", datum.n)',
        'test(/(a*)\\1+/, "x")',
        `test("${'a'.repeat(201)}", "x")`,
        'test(datum.t, "x")',
        'test(null, "x")',
        'regexp("a")',
        'replace(datum.t, /(a+)+/, "b")',
        'split(datum.t, /(a+)+/)',
        '[/(a+)+/]',
      ],
    ],
    [
      'make texts of a computed length, or long ones',
      /“(pad|format|timeFormat|utcFormat|timeParse|utcParse)”/,
      [
        "pad('', 1000)",
        "pad('', datum.n)",
        "format(datum.n, '1000d')",
        "format(datum.n, '1' + '0000d')",
        "timeFormat(datum.n, {year: '%c'})",
        `utcFormat(datum.n, '${'%c'.repeat(50)}')`,
        'timeParse(datum.t, datum.t)',
        'utcParse(datum.t, datum.t)',
      ],
    ],
    ['be invalid', /^Unexpect/, ['datum.', '1 +', 'a = 1', '{[datum.t]: 1}']],
  ] as const)
    it(`may not ${what}`, () => {
      for (const text of texts) assert.throws(() => check(text), { message }, text);
    });

  it('may read its row, parameters and parent, and have plain patterns', () => {
    for (const text of [
      'datum.event.item["unit"][datum.n]',
      'brush.x[0] + parent["item"] + {event: 1}.event',
      'scale("x", 1) + length(data("rows")) + _abs(1)',
      'test(/^Cat.*y/, datum.c) ? 1 : 2',
      'test("^a+", datum.c)',
      'test(/(?:ab)?c+/, "x")',
      'pad(datum.n, 3, "0", "left") + format(datum.n, "07.2f") + timeFormat(datum.t)',
      'timeFormat(datum.t, timeUnitSpecifier(["year"], {"year": "%Y"}))',
      'replace(datum.t, /[^0-9]+/g, "")',
      'replace(datum.t, /_/g, " ")',
      'replace(datum.t, "(a+)+", "b")',
      'split(datum.t, datum.n)',
      `test("${'a'.repeat(200)}", "x")`,
    ])
      assert.doesNotThrow(() => check(text), text);
  });

  it('may read the row of a scene item, but nothing else of it', () => {
    for (const text of ['datum.datum.n', 'datum.datum', 'datum.datum["context"]', 'upper(datum["datum"].n)'])
      assert.doesNotThrow(() => check(text, true), text);
    for (const text of ['datum', 'datum.context', 'datum[datum.datum.n]', 'datum["con" + "text"]', 'a.datum[datum]'])
      assert.throws(() => check(text, true), { kind: 'refused' }, text);
  });
});

/** What the guard accepts and rejects in compiled charts. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compile, type TopLevelSpec } from 'vega-lite';
import { attachData } from '../../../../src/shared/chart/attachData.ts';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import { checkExpression, type ExpressionScope } from '../../../../src/shared/chart/guard/expression.ts';
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
      { scales: [{ domain: harm }] },
      { data: [{ ...rows, format: { parse: harm } }] },
      { data: [{ ...rows, transform: [{ type: 'filter', expr: 'fetch()' }] }] },
      { marks: [{ type: 'rect', encode: { update: { fill: [{ test: 'fetch()', value: 1 }] } } }] },
      { marks: [{ type: 'group', ...signals({ name: 'a', init: 'fetch()' }) }] },
      signals({ name: 'a', update: 'fetch()' }),
      signals({ name: 'a', on: [{ events: 'click', update: 'fetch()' }] }),
      signals({ name: 'a', on: [{ events: 'click', update: { expr: 'fetch()' } }] }),
    ])
      refuses(chart, /“fetch”/);
    refuses(signals({ name: 'cursor' }), /“cursor”/);
    accepts(signals({ name: 'cursors' }));
  });

  it('accepts only plain types of events, of one source, with safe filters', () => {
    const on = (events: unknown) => signals({ name: 'a', on: [{ events, update: '1' }] });
    for (const events of ['click', 'window:mouseup', 'mousemove{10}', 'view:mousemove{100}', { type: 'click' }])
      accepts(on(events));
    for (const events of ['click[1]', '@a:click', 'a:b:click', 'click{}', 'click{a}', ' click', 'click ', 'a, b', '*'])
      refuses(on(events), /is.?n.t supported/);
    const filtered = (filter: unknown) => on([{ type: 'click', between: [{ type: 'down', filter }] }]);
    for (const filter of ['event.shiftKey', ['event.shiftKey', 'event.key'], '[event]']) accepts(filtered(filter));
    for (const filter of ['event.view', ['event.shiftKey', 'event.view'], 'datum.view'])
      refuses(filtered(filter), /“event.view”/);
  });

  it('exposes nothing of the page through signals and marks that contain scene items', () => {
    const unit = { name: 'unit', on: [{ events: 'click', update: 'isTuple(group()) ? group() : unit' }] };
    const derived = (update: string) => signals(unit, { name: 'copy', update: 'unit' }, { name: 'a', update });
    for (const update of ['unit.mark', 'copy && 1', 'unit.datum.n']) accepts(derived(update));
    for (const update of ['unit.context', 'copy.context', 'unit.item.context', "copy['con' + 'text']"])
      refuses(derived(update), /“event\./);
    for (const update of ['[unit]', 'copy + 1']) refuses(derived(update), /“event”/);
    const marks = (data: string | undefined) => ({
      data: [rows],
      marks: [
        { type: 'rect', name: 'a', from: { data: 'rows' } },
        { type: 'group', from: { facet: { name: 'part', data: 'rows' } } },
        { type: 'rect', from: { data }, encode: { update: { x: { signal: 'datum.context' } } } },
      ],
    });
    for (const data of ['rows', 'part', undefined]) accepts(marks(data));
    refuses(marks('a'), /“event.context”/);
  });
});

const scope: ExpressionScope = { handler: false, ofItems: false, isOpaque: () => false };
const isOpaque = (text: string, more: Partial<ExpressionScope> = {}): boolean =>
  checkExpression(text, { ...scope, ...more });

describe('an expression of a chart', () => {
  it('may call the functions for every part of a date, local and in UTC', () => {
    const parts = 'year quarter month week dayofyear date day hours minutes seconds milliseconds'.split(' ');
    for (const part of [...parts, ...parts.map((name) => `utc${name}`)])
      assert.equal(isOpaque(`${part}(datum.day)`), false, part);
  });

  for (const [what, message, texts] of [
    [
      'call unknown functions',
      /supported/,
      ['fetch()', 'setdata("a", 1)', 'encode(1)', 'view()', 'warn(1)', 'a_bs(1)'],
    ],
    [
      'call functions of handlers',
      /supported/,
      ['item()', 'group()', 'x()', 'modify("x_store")', 'vlSelectionTuples([])'],
    ],
    ['call methods', /“\.…?(toString|map)?\(\)”/, ['datum.t.toString()', 'datum.t.map(1)', 'datum["t"]()', '(1)()']],
    [
      'look up computed names',
      /supported/,
      ['data(datum.t)', 'scale(datum.t, 1)', 'domain(1)', 'indata(datum.t, "a", 1)'],
    ],
    [
      'reach code through inherited properties',
      /supported/,
      ['datum.constructor', 'datum["prototype"]', '{toString: 1}', '{"valueOf": 1}', '{getter: 1}', 'datum.__proto__'],
    ],
    ['read the page through an event', /“event\./, ['event.view', 'item["context"]', 'item.itemx', 'event[datum.t]']],
    [
      'use an event other than by its properties',
      /“event”/,
      [
        'datum[event]',
        '[event]',
        '{a: item}',
        'event + 1',
        '1 < event',
        '-event',
        'isValid(event)',
        'upper(item.mark)',
      ],
    ],
    [
      'have computed patterns, and those that may take long',
      /supported/,
      [
        'test(/(a|b)+c/, "x")',
        'test(/(a+)+/, "x")',
        'test(/a*b*c*/, datum.n)',
        'test("(a|b)*c", datum.n)',
        'test(/(a)\\1/, "x")',
        'test(/(?<n>a)\\k<n>/, "x")',
        `test("${'a'.repeat(201)}", "x")`,
        'test(datum.t, "x")',
        'test(null, "x")',
        'test(regexp("(a+)+"), "x")',
        'test(regexp(), "x")',
        'split(datum.t, datum.t)',
        'replace(datum.t, upper("a"), "b")',
      ],
    ],
    ['be invalid', /can’t be parsed: ./, ['datum.', '1 +', 'a = 1', '{[datum.t]: 1}']],
  ] as const)
    it(`may not ${what}`, () => {
      for (const text of texts) assert.throws(() => isOpaque(text), { message }, text);
    });

  it('may have plain patterns', () => {
    for (const text of [
      'test(/^Cat.*y/, datum.c) ? 1 : 2',
      'test(/[a*b*c*]d*/, datum.n)',
      'test(/\\*\\*\\*\\*a/, datum.n)',
      'test(/(?:ab)?c+/, "x")',
      'test(regexp("a*b"), "x")',
      'replace(datum.t, /[^0-9]+/g, "")',
      'replace(datum.t, "(a+)+", "b")',
      'split(datum.t, ",")',
      `test("${'a'.repeat(200)}", "x")`,
    ])
      assert.equal(isOpaque(text), false, text);
  });

  it('may pass events and items on, and read their safe properties', () => {
    for (const [text, expected] of [
      ['event', true],
      ['event.shiftKey', false],
      ['event["key"]', false],
      ['item.mark.items[12]', true],
      ['item.mark.name', false],
      ['item.datum', false],
      ['event || 1', true],
      ['event && 1', false],
      ['event ? 1 : event', true],
      ['!event', false],
      ['event == item', false],
      ['inScope(event)', false],
      ['isTuple(item)', false],
      ['datum.a.b[0]', false],
      ['_abs(1)', false],
    ] as const)
      assert.equal(isOpaque(text), expected, text);
    assert.equal(isOpaque('datum', { ofItems: true }), true);
    assert.equal(isOpaque('unit', { isOpaque: (name) => name === 'unit' }), true);
    const handler = { handler: true };
    for (const text of ['[event]', 'isValid(event)', '{a: item}', 'modify("x_store")', 'item()'])
      assert.doesNotThrow(() => isOpaque(text, handler), text);
    assert.equal(isOpaque('item()', handler), true);
    assert.throws(() => isOpaque('modify("rows")', handler), { kind: 'refused' });
  });
});

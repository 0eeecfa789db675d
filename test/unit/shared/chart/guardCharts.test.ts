/** Compiled charts that the guard rejects, each beside one that it accepts. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';

const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ n, t: 'four' }));
const rows = { name: 'rows', values: rowsOf(10) };
const accepts = (chart: Fields): void => assert.doesNotThrow(() => checkChart({ ...chart }), JSON.stringify(chart));
const refuses = (chart: Fields, message: RegExp, kind = 'refused'): void =>
  assert.throws(() => checkChart({ ...chart }), { kind, message }, JSON.stringify(chart).slice(0, 200));
const tooLarge = (chart: Fields, message: RegExp): void => refuses(chart, message, 'tooLarge');
const signals = (...of: Fields[]): Fields => ({ signals: of });
/** A chart that asks for a sequence as long as the value of an expression. */
const long = (text: string, more: Fields = {}): Fields => ({
  ...more,
  title: { text: { signal: `sequence(${text})` } },
});

describe('a compiled chart', () => {
  it('may not change what Vega listens to', () => {
    const chart: Fields = { config: { events: { defaults: {} }, signals: [{ name: 'a' }], axis: { grid: true } } };
    checkChart(chart);
    assert.deepEqual(chart, { config: { axis: { grid: true } } });
  });

  it('may take exactly as long as the limit', () => {
    const chart = (count: number): Fields => ({
      marks: Array.from({ length: 833 }, () => ({ type: 'group' })),
      signals: Array.from({ length: count }, (_, at) => ({ name: `s${at}` })),
    });
    assert.equal(checkChart(chart(20)).time, 500_000);
    tooLarge(chart(21), /too long to draw/);
  });

  it('may have only known members of data and signals', () => {
    const known = { name: 'b', source: 'rows', transform: [], format: {} };
    accepts({ data: [rows, known] });
    for (const key of ['url', 'async', 'on']) refuses({ data: [{ ...rows, [key]: 1 }] }, RegExp(`“${key}”`));
    const signal = { name: 'a', description: '', value: 1, update: '1', init: '1', on: [], react: true, push: 'outer' };
    accepts(signals(signal));
    for (const key of ['bind', '']) refuses(signals({ ...signal, [key]: 1 }), RegExp(`“${key}”`));
  });

  it('may have no signal of the cursor, and none that the guard rejects, even if nothing reads it', () => {
    accepts(signals({ name: 'cursors' }));
    refuses(signals({ name: 'cursor' }), /“cursor”/);
    refuses(signals({ name: 'a', update: 'fetch()' }), /“fetch”/);
    refuses({ marks: [{ type: 'group', ...signals({ name: 'a', init: 'fetch()' }) }] }, /“fetch”/);
  });

  it('may listen only to a plain type of event, of one source', () => {
    const on = (events: unknown) => signals({ name: 'a', on: [{ events, update: '1' }] });
    for (const events of ['click', 'window:mouseup', 'mousemove{10}', 'view:mousemove{100}', { type: 'click' }])
      accepts(on(events));
    for (const events of ['click[1]', '@a:click', 'a:b:click', 'click{}', 'click{a}', ' click', 'click ', 'a, b', '*'])
      refuses(on(events), /is.?n.t supported/);
  });

  it('may filter events only by safe properties', () => {
    const filtered = (filter: unknown) =>
      signals({ name: 'a', on: [{ events: [{ type: 'click', between: [{ type: 'down', filter }] }], update: '1' }] });
    for (const filter of ['event.shiftKey', ['event.shiftKey', 'event.key'], '[event]']) accepts(filtered(filter));
    for (const filter of ['event.view', ['event.shiftKey', 'event.view'], 'datum.view'])
      refuses(filtered(filter), /“event.view”/);
  });

  it('may have only data that is not text, from one source, of a limited number of rows', () => {
    accepts({ data: [{ name: 'a', values: Array.from({ length: 10_000 }, () => 0) }] });
    tooLarge({ data: [{ name: 'a', values: Array.from({ length: 10_001 }, () => 0) }] }, /“values: 10,001”/);
    refuses({ data: [{ name: 'a', values: 'a,b' }] }, /“values”/);
    refuses({ data: [rows, { name: 'a', source: ['rows', 'rows'] }] }, /“values”/);
    refuses({ data: [{ ...rows, format: { parse: { signal: 'fetch()' } } }] }, /“fetch”/);
    refuses({ data: [{ ...rows, transform: [{ type: 'force' }] }] }, /“force”/);
  });

  it('may look up the rows of its data as a list', () => {
    const title = (signal: string): Fields => ({ title: { text: { signal } } });
    const chart = (count: number, text: string) => ({
      data: [{ name: 'rows', values: rowsOf(count) }],
      ...title(text),
    });
    accepts(chart(10, 'sequence(500, 500 + length(data("rows")))'));
    accepts(chart(10, "[pad('', 999), join(data('rows'), '')]"));
    for (const name of ['rows', 'unknown']) accepts(chart(6_000, `sequence(length(data("${name}")))`));
    for (const text of ['[item]', 'item()', 'modify("x_store")']) refuses(title(text), /“(event|item|modify)”/);
  });

  it('may calculate with its fields only what is short enough', () => {
    const fields = (expr: string) => ({ data: [{ ...rows, transform: [{ type: 'formula', expr, as: 'm' }] }] });
    accepts(fields('sequence(datum.n)'));
    for (const expr of ['sequence(datum.t)', 'sequence(datum)', 'sequence(datum[datum.t])'])
      tooLarge(fields(expr), /“sequence: ∞”/);
    const column = { name: 'a', values: [{ undefined: 1, t: 'four' }] };
    tooLarge({ data: [{ ...column, transform: [{ type: 'formula', expr: 'sequence(datum)' }] }] }, /“sequence: ∞”/);
  });

  it('may read a scene item only by its safe properties', () => {
    const marks = (data: string | undefined) => ({
      data: [rows],
      marks: [
        { type: 'rect', name: 'a', from: { data: 'rows' } },
        { type: 'rect', from: { data }, encode: { update: { x: { signal: 'datum.context' } } } },
      ],
    });
    for (const data of ['rows', undefined]) accepts(marks(data));
    refuses(marks('a'), /“event.context”/);
  });

  it('may have only dashes that are long enough', () => {
    const dashed = (signal: string, key = 'strokeDash') => ({
      marks: [{ type: 'rule', encode: { update: { [key]: { signal } } } }],
    });
    for (const signal of ['[1, 2]', '[0, 0]', '[0.5, 0]']) accepts(dashed(signal));
    for (const signal of ['[0.4, 0]', '[-1, -1]', '[now()]']) refuses(dashed(signal), /“strokeDash”/);
    refuses(dashed('[0.4]', 'gridDash'), /“gridDash”/);
    accepts(dashed('[0.4]', 'strokeDashOffset'));
    accepts({ marks: [{ type: 'rule', encode: { update: { strokeDash: { value: [0.4] } } } }] });
  });

  it('may have a limited number of ticks per calendar unit', () => {
    const axis = (tickCount: unknown, stop: number, start = 0) => ({
      ...{ scales: [{ name: 'x', type: 'time', domain: [start, stop] }], axes: [{ scale: 'x', tickCount }] },
    });
    const day = 864e5;
    const units: [unit: unknown, milliseconds: number][] = [
      ['millisecond', 1],
      ['second', 1e3],
      ['minute', 6e4],
      ['hour', 36e5],
      ['day', day],
      ['week', 6e8],
      ['month', 25e8],
      ['year', 3e10],
      ['utcday', day],
      ['days', day],
      [{ interval: 'day' }, day],
      [{ interval: 'day', step: 3 }, 3 * day],
    ];
    for (const [unit, milliseconds] of units) {
      accepts(axis(unit, 1_000 * milliseconds));
      tooLarge(axis(unit, 1_001 * milliseconds), /“tickCount: 1,001”/);
      accepts(axis(unit, 9_000 * milliseconds, 8_000 * milliseconds));
    }
  });

  it('may use labels only within the domain of their scale', () => {
    const axis = (stop: number) => ({
      scales: [{ name: 'x', type: 'linear', domain: [0, stop] }],
      axes: [{ scale: 'x', encode: { labels: { update: { x: { signal: 'sequence(datum.value)' } } } } }],
    });
    accepts(axis(5_000));
    tooLarge(axis(5_001), /“sequence: 5,001”/);
  });
});

describe('the signal of a compiled chart', () => {
  it('is as large as the largest of its values', () => {
    for (const key of ['value', 'update', 'init']) {
      const value = (size: number) => (key === 'value' ? size : String(size));
      const parts = { update: '1', init: '2', value: 3 };
      accepts(long('a', signals({ name: 'a', ...parts, [key]: value(5_000) })));
      tooLarge(long('a', signals({ name: 'a', ...parts, [key]: value(5_001) })), /“sequence: 5,001”/);
    }
    accepts(long('a', signals({ name: 'a', update: '5000' })));
    tooLarge(long('a', signals({ name: 'a', update: 'a + 1' })), /“sequence: ∞”/);
    const inner = { marks: [{ type: 'group', signals: [{ name: 'a', value: 5_001 }] }] };
    tooLarge(long('a', { ...signals({ name: 'a', value: 1 }), ...inner }), /“sequence: 5,001”/);
  });

  it('may be anything once an event changes it, unless it is a size', () => {
    const changed = (name: string, update: unknown) =>
      long(name, signals({ name, value: 1, on: [{ events: 'click', update }] }));
    for (const name of ['width', 'height']) {
      accepts(changed(name, '5000'));
      for (const update of ['5001', { signal: '5001' }, { expr: '5001' }, { value: 5_001 }])
        tooLarge(changed(name, update), /“sequence: 5,001”/);
      accepts(changed(name, { value: 5_000 }));
    }
    for (const name of ['a', 'width2', 'my_height']) tooLarge(changed(name, '1'), /“sequence: ∞”/);
    const title = { text: { signal: "pad('', -a)" } };
    tooLarge({ ...changed('a', '1'), title }, /“pad: ∞”/);
    const chart = (text: string) => signals({ name: 'a', on: [{ events: 'click', update: text }] });
    for (const text of ['item()', 'event.key', 'datum.n', 'modify("x_store")']) accepts(chart(text));
    refuses(chart('fetch()'), /“fetch”/);
  });

  it('is up to 9,000 for a size, and anything otherwise, if the chart doesn’t define it', () => {
    for (const name of ['width', 'height']) {
      accepts(long(`${name} / 2`));
      tooLarge(long(name), /“sequence: 9,000”/);
    }
    for (const name of ['a', 'width2', 'my_height']) tooLarge(long(`${name} / 2`), /“sequence: ∞”/);
  });

  it('is within the values of a field or its bins, if a transform creates it', () => {
    const data = (transform: Fields) => ({ data: [{ ...rows, transform: [transform] }] });
    const bin = data({ type: 'bin', field: 'n', signal: 'bins', as: ['a', 'b'] });
    const sequence = 'sequence(bins.start, bins.stop + bins.step, bins.step)';
    const title = (signal: string): Fields => ({ title: { text: { signal } } });
    accepts(long('ends[1]', data({ type: 'extent', field: 'n', signal: 'ends' })));
    tooLarge(long('bins', bin), /“sequence: ∞”/);
    accepts({ ...bin, ...title(sequence) });
    for (const text of [`${sequence} || 1`, `1 && ${sequence}`, sequence.replaceAll('bins', 'b')])
      tooLarge({ ...bin, ...title(text) }, /“sequence: ∞”/);
    const nameless = data({ type: 'bin', field: 'n', signal: '', as: ['a', 'b'] });
    refuses({ ...nameless, ...title('fetch()') }, /“fetch”/);
  });
});

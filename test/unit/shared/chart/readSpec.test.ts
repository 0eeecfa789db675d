import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { attachData, tableName } from '../../../../src/shared/chart/attachData.ts';
import { ChartProblem } from '../../../../src/shared/chart/limits.ts';
import { readSpec } from '../../../../src/shared/chart/readSpec.ts';
import { hostileSpecs } from '../../../fixtures/chart/hostile.ts';
import { runs } from '../../../support/runs.ts';

const bar = { mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } } };
const read = (spec: object) => readSpec(JSON.stringify(spec));
const problem = (kind: string, words: RegExp) => (error: unknown) =>
  error instanceof ChartProblem && error.kind === kind && words.test(error.message);

describe('reading a chart specification', () => {
  it('keeps the drawing and drops everything that loads or links', () => {
    const { spec, notices } = read({
      ...bar,
      usermeta: { embedOptions: { ast: false } },
      background: 'white',
      params: [{ name: 'p', value: 3, bind: { input: 'range' } }],
      encoding: { ...bar.encoding, href: { value: 'https://evil.invalid' } },
    });
    assert.deepEqual(spec, { ...bar, config: {}, params: [{ name: 'p', value: 3 }] });
    assert.equal(notices.length, 2);
  });

  it('keeps no property that leads to a prototype', () => {
    const nested =
      '{"mark":"bar","__proto__":{"x":1},"encoding":{"x":{"__proto__":{"x":1}}},"layer":[{"__proto__":{}}]}';
    const { spec } = readSpec(nested);
    assert.deepEqual(spec, { mark: 'bar', encoding: { x: {} }, layer: [{}], config: {} });
    assert.doesNotMatch(JSON.stringify(spec), /__proto__/);
  });

  it('keeps bindings without a widget', () => {
    const params = [{ name: 'p', select: 'interval', bind: 'scales' }];
    assert.deepEqual(read({ ...bar, params }).spec.params, params);
  });

  it('keeps sizes and formats of the configuration, but not the colors of axes and titles', () => {
    const { spec } = read({
      ...bar,
      config: {
        background: 'white',
        font: 'x',
        axis: { labelColor: 'black', labelFontSize: 9 },
        bar: { color: 'red' },
        events: {},
      },
    });
    assert.deepEqual(spec.config, { axis: { labelFontSize: 9 }, bar: { color: 'red' } });
  });

  it('removes references to paint servers, but not from texts and titles', () => {
    const text = 'see url(#help)';
    const mark = { type: 'text', text, fill: 'url(#paint)', stroke: 'red' };
    const { spec } = read({ ...bar, title: text, mark });
    assert.deepEqual([spec.title, spec.mark], [text, { type: 'text', text, stroke: 'red' }]);
  });

  it('keeps a cursor with a name, but none that loads an image or is computed', () => {
    const cursors = ['pointer', 'url(https://evil.invalid/), auto', { expr: "'pointer'" }];
    const kept = cursors.map((cursor) => read({ ...bar, mark: { type: 'bar', cursor } }).spec.mark);
    assert.deepEqual(kept, [{ type: 'bar', cursor: 'pointer' }, { type: 'bar' }, { type: 'bar' }]);
  });

  it('keeps a number of ticks, but no calendar unit or expression, which could mean millions', () => {
    const counts = [5, 'second', { interval: 'second', step: 2 }, { expr: '9' }, { signal: 's' }];
    const axes = counts.map((tickCount) => ({ tickCount, grid: true }));
    const kept = axes.map((axis) => read({ ...bar, encoding: { x: { axis } } }).spec.encoding);
    const expected = [{ tickCount: 5, grid: true }, ...Array.from({ length: 4 }, () => ({ grid: true }))];
    assert.deepEqual(
      kept,
      expected.map((axis) => ({ x: { axis } })),
    );
  });

  it('drops handlers of parameters and the area of a projection, but not other properties of these names', () => {
    const params = [{ name: 'p', value: 1, on: [{ events: 'click', update: 'x' }] }];
    const projection = { type: 'mercator', fit: { type: 'Sphere' } };
    const select = { type: 'point', on: 'click' };
    const { spec, notices } = read({
      ...bar,
      params: [...params, { name: 'q', select }],
      projection,
      autosize: { fit: 1 },
    });
    assert.deepEqual(spec.params, [
      { name: 'p', value: 1 },
      { name: 'q', select },
    ]);
    assert.deepEqual([spec.projection, spec.autosize, notices], [{ type: 'mercator' }, { fit: 1 }, []]);
  });

  it('drops widgets, links and images with a notice, but no bindings, columns and values', () => {
    for (const [part, notice] of [
      [{ params: [{ name: 'p', bind: { input: 'range' } }] }, /^Input controls/],
      [{ encoding: { href: { field: 'a' } } }, /^Links/],
      [{ mark: { type: 'image', url: 'x.png' } }, /^Images/],
      [{ data: { url: 'x.csv' } }, /^The chart refers to data at a URL/],
    ] as const) {
      const { spec, notices } = read({ ...bar, ...part });
      assert.match(notices.join(), notice);
      assert.doesNotMatch(JSON.stringify(spec), /range|href|x\./);
    }
    const kept = {
      params: [
        { name: 'p', bind: 'legend' },
        { name: 'q', bind: { legend: 'click' } },
      ],
      data: { format: { parse: { url: 'date' } } },
      encoding: { ...bar.encoding, url: { datum: 1 }, color: { datum: { url: 'x' } }, text: { value: { url: 'x' } } },
    };
    const { spec, notices } = read({ ...bar, ...kept });
    assert.deepEqual([spec.params, spec.data, notices.length], [kept.params, kept.data, 1]);
    assert.deepEqual(spec.encoding, { ...bar.encoding, color: { datum: { url: 'x' } }, text: { value: { url: 'x' } } });
  });

  it('keeps what is within the limits, and rejects the rest', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
    const list = (count: number, entry: unknown = 1) => Array.from({ length: count }, () => entry);
    const bins = (start: number, stop: number, step?: number) => ({
      encoding: { x: { scale: { bins: { start, stop, step } } } },
    });
    const axis = (fields: object) => ({ encoding: { x: { axis: fields } } });
    const locale = (fields: object) => ({ config: { locale: fields } });
    const select = { select: 'point' };
    const selecting = (views: number) => list(views, { ...bar, params: [select] });
    const scale = (fields: object) => ({ encoding: { y: { scale: fields } } });
    const pairs: [what: string, within: object, beyond: object][] = [
      ['texts', { title: 'x'.repeat(10_000) }, { title: 'x'.repeat(10_001) }],
      [
        'texts outside the data',
        { data: { values: [{ a: 'x'.repeat(10_001), b: null }] } },
        scale({ values: ['x'.repeat(10_001)] }),
      ],
      ['texts of a format', { data: { format: { type: 'csv' } } }, { data: { format: { type: 'x'.repeat(10_001) } } }],
      ['depth', { usage: deep(39) }, { usage: deep(40) }],
      ['depth of data', { data: { values: deep(40) } }, { data: { values: deep(41) } }],
      ['depth of data sets', { datasets: { d: deep(40) } }, { datasets: { d: deep(41) } }],
      ['transforms', { transform: list(100, { filter: 'true' }) }, { transform: list(101, { filter: 'true' }) }],
      ['nodes', { data: { values: list(30_000, { a: 1 }) } }, { usage: list(10_001, { a: 1, b: 2 }) }],
      ['bins', bins(500, 1500), bins(-500, 501)],
      ['bins with a step', bins(0, 500, 0.5), bins(0, 500, 0.25)],
      ['ticks', { encoding: { x: { axis: { tickCount: 1000 } } } }, { encoding: { x: { axis: { tickCount: 1001 } } } }],
      ['logarithms', scale({ type: 'log', base: 10 }), scale({ type: 'log', base: 1.005 })],
      ['ticks of logarithms', scale({ type: 'log', base: 100 }), scale({ type: 'log', base: 101 })],
      ['formats', axis({ format: '%c'.repeat(50) }), axis({ format: { year: '%c'.repeat(51) } })],
      ['digit groups', locale({ number: { grouping: [1] } }), locale({ number: { grouping: [0.5] } })],
      ['local texts', locale({ number: { minus: 'x'.repeat(40) } }), locale({ number: { minus: 'x'.repeat(41) } })],
      ['local dates', locale({ time: { dateTime: '%x, %-X' } }), locale({ time: { dateTime: '%x%X%_x' } })],
      ['selections', { params: list(200, select) }, { params: list(201, select) }],
      ['selections of views', { layer: selecting(14) }, { layer: selecting(15) }],
      ['parameters', { params: list(201, { value: 1 }) }, { config: { params: list(201, select) } }],
      ['sizes', { width: 10_000 }, { width: 10_001 }],
      [
        'lengths',
        { config: { legend: { gradientLength: 10_000 } } },
        { config: { legend: { gradientLength: 10_001 } } },
      ],
      ['sizes in an object', { padding: { left: 5000 } }, { padding: { left: 5001 } }],
      ['steps', { width: { step: 500 } }, { width: { step: 501 } }],
      ['views', { layer: list(60, bar) }, { layer: list(61, bar) }],
    ];
    for (const [what, within, beyond] of pairs) {
      assert.doesNotThrow(() => read({ ...bar, ...within }), what);
      assert.throws(() => read({ ...bar, ...beyond }), problem('tooLarge', /./), what);
    }
    for (const refused of [
      { axis: { format: 1000 } },
      { axis: { format: '1000d' } },
      { bin: { maxbins: { signal: 's' }, base: { expr: '1' } } },
    ])
      assert.throws(() => read({ ...bar, encoding: { x: refused } }), problem('refused', /isn’t supported/));
  });

  it('keeps formats with a short width, and computed titles', () => {
    const axis = { format: '999.2f', title: { expr: "'a'" } };
    assert.deepEqual(read({ ...bar, encoding: { x: { axis } } }).spec.encoding, { x: { axis } });
  });

  it('keeps the gestures of selections with their keys, and rejects other expressions in them', () => {
    const on = (gesture: object) => ({ ...bar, params: [{ name: 'p', select: { type: 'interval', ...gesture } }] });
    for (const [key, gesture] of [
      ['on', '[pointerdown[!event.shiftKey && event.altKey], window:pointerup] > window:pointermove!'],
      ['zoom', 'wheel![event.ctrlKey || event.metaKey]'],
      ['toggle', '!event.altKey && event.shiftKey'],
      ['toggle', 'true'],
      ['on', { type: 'pointerdown', filter: ['event.shiftKey', 'event.button'] }],
      ['fields', ['a.b("c")']],
    ] as const)
      assert.deepEqual(read(on({ [key]: gesture })).spec.params, on({ [key]: gesture }).params);
    for (const gesture of [
      { toggle: 'event.view' },
      { toggle: 'event[name]' },
      { toggle: 'unit' },
      { toggle: { expr: 'unit' } },
      { clear: 'click[replace("a", "a", event.view.open)]' },
      { translate: 'pointermove[event["view"]]' },
      { on: { type: 'click', between: [{ type: 'down', filter: 'event.item.context' }] } },
    ])
      assert.throws(() => read(on(gesture)), { kind: 'refused' }, JSON.stringify(gesture));
    const rest = { ...bar, params: [{ name: 'p', select: 'point', bind: { legend: 'click[event.view.open]' } }] };
    assert.throws(() => read(rest), { kind: 'refused' });
    assert.throws(() => read({ ...bar, config: { selection: { point: { toggle: 'event.view' } } } }), {
      kind: 'refused',
    });
  });

  it('leaves out the schema, and parameters that are not objects', () => {
    const $schema = 'https://vega.github.io/schema/vega-lite/v6.json';
    assert.deepEqual(read({ ...bar, $schema, params: [1] }).spec, { ...bar, config: {} });
  });

  it('keeps the known parts of the configuration, and a missing frame', () => {
    const config = {
      axisX: { labelColor: 'red', grid: false },
      view: { stroke: null, fill: 'red' },
      taxis: {},
      header: 1,
    };
    assert.deepEqual(read({ ...bar, config }).spec.config, {
      axisX: { grid: false },
      view: { stroke: null },
      header: 1,
    });
    for (const none of [null, 1, []]) assert.deepEqual(read({ ...bar, config: none }).spec.config, {});
  });

  it('moves the parameters of the configuration to the chart', () => {
    const params = [
      { name: 'size', value: 80, bind: { input: 'range' } },
      { name: 'own', value: 1 },
    ];
    const { spec } = read({ ...bar, params: [{ name: 'own', value: 2 }], config: { params } });
    assert.deepEqual(spec.params, [
      { name: 'size', value: 80 },
      { name: 'own', value: 2 },
    ]);
  });

  it('reports errors', () => {
    assert.throws(() => readSpec('{"mark":'), problem('invalid', /not valid JSON/));
    assert.throws(() => readSpec('[]'), problem('invalid', /not a JSON object/));
    assert.throws(() => readSpec(' '.repeat(2_000_000)), problem('invalid', /not valid JSON/));
    assert.throws(() => readSpec(' '.repeat(2_000_001)), problem('tooLarge', /is too large/));
    assert.throws(() => readSpec('{"data":{}}'), problem('invalid', /has no mark/));
    assert.throws(
      () => read({ $schema: 'https://vega.github.io/schema/vega/v5.json', marks: [] }),
      problem('invalid', /not Vega-Lite/),
    );
    assert.throws(() => read({ layer: [{ ...bar, data: { url: 'x.csv' } }] }), problem('refused', /data from a URL/));
    for (const huge of [
      { spacing: 1e9 },
      { padding: { left: 1e9 } },
      { width: { step: 4900 } },
      { title: { offset: 1e8 } },
    ])
      assert.throws(() => read({ ...bar, ...huge }), problem('tooLarge', /the limit is/), JSON.stringify(huge));
    assert.doesNotThrow(() =>
      read({ ...bar, transform: [{ bin: { step: 1e6 }, field: 'b', as: 'c' }], width: { step: 60 } }),
    );
  });

  it('throws only chart problems, and is fast, whatever the input', () => {
    const texts = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.string(),
      fc.constantFrom(...hostileSpecs.map(({ spec }) => spec)),
      fc
        .dictionary(
          fc.constantFrom('mark', 'data', 'layer', 'repeat', 'spec', 'facet', 'encoding', 'config'),
          fc.jsonValue(),
        )
        .map((spec) => JSON.stringify(spec)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const { spec } = readSpec(text);
          attachData(spec);
        } catch (error) {
          assert.ok(error instanceof ChartProblem, String(error));
          assert.notEqual(error.message, '');
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('the data of a chart', () => {
  it('are the result unless the specification has inline data', () => {
    const own = { values: [{ a: 1 }] };
    const spec = attachData({
      data: { url: 'rows.csv', format: { type: 'csv', parse: { d: 'date' } } },
      layer: [{ data: { name: 'elsewhere' } }, { data: own }, { data: { values: [] } }, {}],
    });
    assert.deepEqual(spec.data, { name: tableName, format: { parse: { d: 'date' } } });
    assert.deepEqual(spec.layer, [{ data: { name: tableName } }, { data: own }, { data: { name: tableName } }, {}]);
  });

  it('are the result for empty inline data, and not for generated data', () => {
    for (const values of ['', [], {}])
      assert.deepEqual(attachData({ data: { values }, mark: 'bar' }).data, { name: tableName });
    for (const key of ['sequence', 'graticule', 'sphere'])
      assert.deepEqual(attachData({ data: { [key]: true }, mark: 'bar' }).data, { [key]: true });
    for (const data of [null, undefined, 'x'])
      assert.deepEqual(attachData({ data, mark: 'bar' }).data, { name: tableName });
    assert.deepEqual(attachData({ layer: [{ data: null }] }).layer, [{ data: null }]);
  });

  it('are drawn as an outline for unfilled maps, and without a stack on logarithmic scales', () => {
    const marked = (mark: object): unknown => attachData({ mark }).mark;
    const outline = { type: 'geoshape', filled: false };
    assert.deepEqual(marked(outline), { fill: 'transparent', ...outline, style: 'outline' });
    for (const mark of [
      { ...outline, filled: true },
      { ...outline, style: 'mine' },
      { type: 'line', filled: false },
    ])
      assert.deepEqual(marked(mark), mark);
    const log = { field: 'a', scale: { type: 'log' } };
    const linear = { field: 'a', scale: { type: 'linear' } };
    const { encoding } = attachData({ mark: 'bar', encoding: { x: log, y: linear, color: log } });
    assert.deepEqual(encoding, { x: { ...log, stack: null }, y: linear, color: log });
  });

  it('stay those of the specification if it names its own data sets', () => {
    const spec = attachData({ datasets: { small: [1] }, data: { name: 'small' }, mark: 'bar' });
    assert.deepEqual(spec.data, { name: 'small' });
    for (const small of [[], {}, ''])
      assert.deepEqual(attachData({ datasets: { small }, data: { name: 'small' }, mark: 'bar' }).data, {
        name: tableName,
      });
  });
});

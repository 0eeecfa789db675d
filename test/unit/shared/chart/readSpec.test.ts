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
      { numRuns: runs(300) },
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

  it('stay those of the specification if it names its own data sets', () => {
    const spec = attachData({ datasets: { small: [1] }, data: { name: 'small' }, mark: 'bar' });
    assert.deepEqual(spec.data, { name: 'small' });
  });
});

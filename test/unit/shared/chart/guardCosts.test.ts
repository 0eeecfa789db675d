/** The number of drawn items and the time that the guard estimates for a compiled chart. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import type { Fields } from '../../../../src/shared/chart/json.ts';

/** Microseconds of each part. */
const [mark, item, group, guide, label, signal, row, one, font] = [150, 18, 450, 1_500, 60, 10, 1.5, 0.15, 300];

const rowsOf = (count: number, more: Fields = {}) =>
  Array.from({ length: count }, (_, n) => ({ n, g: n % 2, t: 'four', l: [1, 2, 3], ...more }));
/** Ten rows in two groups, with a text of four characters and a list of three values. */
const rows = { name: 'rows', values: rowsOf(10) };
const rect = { type: 'rect' };
const rectOf = (data: string): Fields => ({ ...rect, from: { data } });
const from = { data: 'rows' };
const encode = (update: Fields): Fields => ({ encode: { update } });
const facet = (more: Fields): Fields => ({ type: 'group', from: { facet: { name: 'part', data: 'rows', ...more } } });
const inGroups = (more: Fields): Fields => ({ data: [rows], marks: [{ type: 'group', from, ...more }] });
const groups = 10 * row + mark + 10 * group;
const band = { name: 'x', type: 'band', domain: { data: 'rows', field: 'n' } };
const axis = (scale: Fields, more: Fields = {}): Fields => ({
  ...{ data: [rows], scales: [{ name: 'x', ...scale }], axes: [{ scale: 'x', ...more }] },
});
const drawn = (update: Fields, more: Fields = {}): Fields => ({
  ...{ data: [rows], marks: [{ ...rect, from, ...encode(update) }], ...more },
});
const ten = 10 * row + mark + 10 * item;
const transform = (rows: number, copies = 1) => 20 * copies + rows * (0.4 + 0.02 * Math.log2(rows + 1));

type Costs = [what: string, chart: Fields, items: number, time: number][];

function compare(costs: Costs): void {
  for (const [what, chart, items, time] of costs) {
    const estimate = checkChart({ ...chart });
    assert.deepEqual([what, estimate.items, estimate.time.toFixed(3)], [what, items, time.toFixed(3)]);
  }
}

describe('the estimate for a compiled chart', () => {
  it('counts each mark for each row and each copy of its group', () => {
    const byG = { groupby: 'g' };
    const own = { name: 'own', values: rowsOf(3) };
    const [crossed, shared] = [{ groupby: ['n', 'g'], aggregate: { cross: true } }, { groupby: ['n', 'g'] }];
    const facets = 10 * row + mark + 2 * group;
    compare([
      ['nothing', {}, 0, 0],
      ['one mark', { marks: [rect] }, 1, mark + item],
      ['a trail', { marks: [{ type: 'trail' }] }, 1, mark + 6 * item],
      ['a group', { marks: [{ type: 'group' }] }, 0, mark + group],
      ['rows', { data: [rows] }, 0, 10 * row],
      ['derived rows', { data: [rows, { name: 'b', source: 'rows' }] }, 0, 10 * row],
      ['a mark of rows', { data: [rows], marks: [rectOf('rows')] }, 10, ten],
      ['a mark of no rows', { data: [{ name: 'rows', values: [] }], marks: [rectOf('rows')] }, 1, mark + item],
      [
        'a mark of marks',
        {
          data: [rows],
          marks: [{ ...rect, name: 'a', from }, rectOf('a')],
        },
        20,
        ten + mark + 10 * item,
      ],
      ['a mark in groups', inGroups({ marks: [rect] }), 10, groups + 10 * (mark + item)],
      ['outer rows in groups', inGroups({ marks: [rectOf('rows')] }), 100, groups + 10 * mark + 100 * item],
      [
        'own rows in groups',
        inGroups({ data: [own], marks: [rectOf('own')] }),
        30,
        groups + 30 * row + 10 * mark + 30 * item,
      ],
      [
        'rows derived in groups',
        inGroups({ data: [{ name: 'b', source: 'rows' }], marks: [rectOf('b')] }),
        100,
        groups + 10 * mark + 100 * item,
      ],
      [
        'facets',
        { data: [rows], marks: [{ ...facet(byG), marks: [rectOf('part')] }] },
        10,
        facets + 2 * mark + 10 * item,
      ],
      [
        'rows derived in facets',
        { data: [rows], marks: [{ ...facet(byG), data: [{ name: 'b', source: 'part' }], marks: [rectOf('b')] }] },
        10,
        facets + 2 * mark + 10 * item,
      ],
      ['facets by two fields', { data: [rows], marks: [facet(shared)] }, 0, 10 * row + mark + 10 * group],
      ['crossed facets', { data: [rows], marks: [facet(crossed)] }, 0, 10 * row + mark + 20 * group],
      ['facets of no rows', { data: [{ name: 'rows', values: [] }], marks: [facet(byG)] }, 0, mark + group],
      [
        'the larger of two data sets of the same name',
        { data: [rows, { name: 'rows', values: rowsOf(4) }], marks: [rectOf('rows')] },
        10,
        4 * row + ten,
      ],
    ]);
  });

  it('counts an expression for each of its evaluations', () => {
    const text = { signal: '1' };
    const formula = { type: 'formula', expr: '1', as: 'm' };
    const bin = { type: 'bin', field: 'n', signal: 'bins', as: ['a', 'b'] };
    compare([
      ['a signal', { signals: [{ name: 'a', value: 1 }] }, 0, signal],
      ['its expressions', { signals: [{ name: 'a', update: '1', init: '2' }] }, 0, signal + 2 * one],
      [
        'a signal that another one reads',
        {
          signals: [
            { name: 'b', update: 'a' },
            { name: 'a', update: '1' },
          ],
        },
        0,
        2 * signal + 2 * one,
      ],
      [
        'handlers and filters, which run later',
        { signals: [{ name: 'a', on: [{ events: { type: 'click', filter: '1' }, update: '1' }] }] },
        0,
        signal,
      ],
      ['signals in groups', inGroups({ signals: [{ name: 'a' }] }), 0, groups + 10 * signal],
      ['a title', { title: { text } }, 0, one],
      ['the format of data', { data: [{ ...rows, format: { parse: text } }] }, 0, 10 * row + one],
      ['a title in groups', inGroups({ title: { text } }), 0, groups + 10 * one],
      ['encodings', drawn({ x: text }), 10, ten + 10 * one],
      ['other parts of a mark', { marks: [{ ...rect, clip: text }] }, 1, mark + item + one],
      ['encodings of a group', inGroups(encode({ x: text })), 0, groups + 10 * one],
      ['a formula', { data: [{ ...rows, transform: [formula] }] }, 0, 10 * row + transform(10) + 10 * one],
      [
        'a parameter of a transform',
        { data: [{ ...rows, transform: [{ type: 'collect', sort: text }] }] },
        0,
        10 * row + transform(10) + 10 * one,
      ],
      ['bins, whose signal is a name', { data: [{ ...rows, transform: [bin] }] }, 0, 10 * row + transform(10)],
      [
        'the transform of a mark',
        { data: [rows], marks: [{ ...rect, from, transform: [{ type: 'collect', sort: text }] }] },
        10,
        ten + transform(10) + 10 * one,
      ],
      [
        'a formula in groups',
        inGroups({ data: [{ name: 'b', source: 'rows', transform: [formula] }] }),
        0,
        groups + transform(100, 10) + 100 * one,
      ],
    ]);
  });

  it('counts the labels of axes and legends', () => {
    const labels = (count: number) => 10 * row + guide + count * label;
    const list = Array.from({ length: 20 }, (_, at) => at);
    const legend = (key: string): Fields => ({ data: [rows], scales: [band], legends: [{ [key]: 'x' }] });
    const text = { encode: { labels: { update: { text: { signal: '1' } } } } };
    const costs: Costs = [
      ['a continuous axis', axis({ type: 'linear' }), 0, labels(12)],
      ['an axis of bins', axis({ type: 'bin-ordinal' }), 0, labels(12)],
      ['ticks', axis({ type: 'linear' }, { tickCount: 5 }), 0, labels(5)],
      ['ticks by a signal', axis({ type: 'linear' }, { tickCount: { signal: '9' } }), 0, labels(12) + 12 * one],
      ['values', axis({ type: 'linear' }, { values: list }), 0, labels(20)],
      [
        'values of an expression',
        axis({ type: 'linear' }, { values: { signal: '1' } }),
        0,
        labels(12) + one + 12 * one,
      ],
      ['fewer values than ticks', axis({ type: 'linear' }, { values: [1] }), 0, labels(12)],
      ['a list', axis({ type: 'band', domain: ['a', 'b', 'c'] }), 0, labels(3)],
      ['no domain', axis({ type: 'band' }), 0, labels(1)],
      ['a number of ticks on a discrete axis', axis(band, { tickCount: 5 }), 0, labels(10)],
      ['a signal', axis({ type: 'band', domain: { signal: '1' } }), 0, labels(1) + 2 * one],
      ['fields', axis({ type: 'band', domain: { data: 'rows', fields: ['n', 'g'] } }), 0, labels(12)],
      [
        'fields of several data sets',
        axis({ type: 'band', domain: { fields: [{ data: 'rows', field: 'n' }, ['a', 'b', 'c']] } }),
        0,
        labels(13),
      ],
      [
        'a field by a signal',
        axis({ type: 'band', domain: { data: 'rows', field: { signal: '1' } } }),
        0,
        labels(10) + one,
      ],
      ['labels', axis({ type: 'linear' }, text), 0, labels(12) + 12 * one],
      [
        'an axis in groups',
        inGroups({ scales: [{ ...band, domain: ['a', 'b'] }], axes: [{ scale: 'x', ...text }] }),
        0,
        groups + 10 * (guide + 2 * label) + 20 * one,
      ],
      [
        'no more entries than rows',
        {
          data: [rows, { name: 'two', source: 'rows', transform: [{ type: 'aggregate', groupby: ['g'] }] }],
          ...{ scales: [{ ...band, domain: { data: 'two', field: 'n' } }], axes: [{ scale: 'x' }] },
        },
        0,
        labels(2) + 20 + 10 * (0.6 + 0.02 * Math.log2(11)),
      ],
    ];
    const bin = { ...rows, transform: [{ type: 'bin', field: 'n', signal: 'bins', as: ['a'] }] };
    const bins = { signal: 'sequence(bins.start, bins.stop + bins.step, bins.step)' };
    for (const chart of [{ axes: [{ values: bins }] }, { ...axis({ type: 'band', domain: bins }) }])
      costs.push(['bins', { ...chart, data: [bin] }, 0, transform(10) + labels(22)]);
    for (const type of ['band', 'point', 'ordinal']) costs.push([type, axis({ ...band, type }), 0, labels(10)]);
    for (const key of ['scale', 'fill', 'stroke', 'size', 'shape', 'opacity', 'strokeDash', 'strokeWidth'])
      costs.push([`a legend of ${key}`, legend(key), 0, labels(10)]);
    compare(costs);
  });

  it('counts the texts, fonts and shapes that are drawn, and nothing for other texts', () => {
    const range = { scales: [{ name: 's', range: ['M0,0L8,8', 'M0'] }] };
    compare([
      ['a color', drawn({ fill: { value: 'four' } }), 10, ten],
      ['a text', drawn({ text: { value: 'four' } }), 10, ten + 10 * 0.04],
      ['a text of a field', drawn({ text: { field: 't' } }), 10, ten + 10 * 0.04],
      ['a list', drawn({ text: { field: 'l' } }), 10, ten + 10 * (0.07 + 3 * item)],
      ['a text of an expression', drawn({ text: { signal: '"four"' } }), 10, ten + 10 * (one + 0.004 + 0.04)],
      ['a text by a test', drawn({ text: [{ test: '1', value: 'four' }] }), 10, ten + 10 * (one + 0.04)],
      ['a title', { title: { text: { value: 'four' } } }, 0, 0.04],
      ['a shape', drawn({ shape: { value: 'four' } }), 10, ten + 10 * 0.5],
      ['the longest shape of a scale', drawn({ shape: { scale: 's', field: 'n' } }, range), 10, ten + 10 * 1],
      [
        'the longest text or list, for a text of another mark',
        {
          data: [rows],
          marks: [
            { ...rectOf('rows'), name: 'a' },
            { ...rectOf('a'), ...encode({ text: { field: 'datum.t' } }) },
          ],
        },
        20,
        ten + mark + 10 * (item + 0.07 + 3 * item),
      ],
      ['shapes of no scale', drawn({ shape: { scale: 'none' } }), 10, ten],
      ['a font', drawn({ font: { value: 'four' } }), 10, ten + 10 * 0.04],
      ['a font by row', drawn({ font: { field: 't' } }), 10, ten + 10 * (0.04 + font)],
      ['a size of text', drawn({ fontSize: { signal: '1' } }), 10, ten + 10 * (one + font)],
      ['a label', axis({}, encode({ text: { signal: 'datum.label' } })), 0, 10 * row + guide + 12 * (label + 2.35)],
    ]);
  });
});

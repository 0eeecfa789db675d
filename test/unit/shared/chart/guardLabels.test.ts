/** The time that the guard estimates for the labels, texts and shapes of a compiled chart. */
import { describe, it } from 'mocha';
import type { Fields } from '../../../../src/shared/text/checks.ts';
import {
  mark,
  item,
  guide,
  label,
  row,
  one,
  font,
  rows,
  encode,
  inGroups,
  groups,
  band,
  axis,
  drawn,
  rectOf,
  ten,
  transform,
  type Costs,
  compare,
} from '../support/charts.ts';

describe('the estimate for the labels of a compiled chart', () => {
  it('counts the labels of axes and legends', () => {
    const labels = (count: number) => 10 * row + guide + count * label;
    const list = Array.from({ length: 20 }, (_, at) => at);
    const legend = (key: string): Fields => ({ data: [rows], scales: [band], legends: [{ [key]: 'x' }] });
    const text = { encode: { labels: { update: { text: { signal: '1' } } } } };
    const costs: Costs = [
      ['a continuous axis', axis({ type: 'linear' }), 0, labels(12)],
      ['an axis of bins', axis({ type: 'bin-ordinal' }), 0, labels(12)],
      ['an axis of no scale', { axes: [{ scale: 'x' }] }, 0, guide + 12 * label],
      ['an unknown kind of axis', axis({ type: 'bands' }), 0, labels(12)],
      ['ticks', axis({ type: 'linear' }, { tickCount: 5 }), 0, labels(5)],
      ['ticks of a logarithm', axis({ type: 'log' }, { tickCount: 5 }), 0, labels(50)],
      ['ticks of a logarithm with a base', axis({ type: 'log', base: 100 }, { tickCount: 5 }), 0, labels(500)],
      ['a base of another scale', axis({ type: 'pow', base: 100 }, { tickCount: 5 }), 0, labels(5)],
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
      ['an object', axis({ type: 'band', domain: [{}] }), 0, labels(1)],
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
          ...{ scales: [{ ...band, domain: { fields: [{ data: 'two', field: 'n' }] } }], axes: [{ scale: 'x' }] },
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
    const title = (text: string, data: Fields): Fields => ({ data: [data], title: { text: { signal: text } } });
    const range = { scales: [{ name: 's', range: ['M0,0L8,8', 'M0'] }] };
    compare([
      ...['fill', 'texture', 'context', 'reshape', 'shapes', 'infont'].map((key): Costs[number] => [
        ...([key, drawn({ [key]: { value: 'four' } }), 10, ten] as const),
      ]),
      ['a text', drawn({ text: { value: 'four' } }), 10, ten + 10 * 0.04],
      ['a text of a field', drawn({ text: { field: 't' } }), 10, ten + 10 * 0.04],
      ['a list', drawn({ text: { field: 'l' } }), 10, ten + 10 * (0.07 + 3 * item)],
      ['a text of an expression', drawn({ text: { signal: '"four"' } }), 10, ten + 10 * (one + 0.004 + 0.04)],
      ['a text by a test', drawn({ text: [{ test: '1', value: 'four' }] }), 10, ten + 10 * (one + 0.04)],
      ['the rows of a data set', title('data("rows")', rows), 0, 10 * row + 0.7 + 10 * item + 2 * one + 0.094],
      [
        'a list of numbers',
        title('data("a")', { name: 'a', values: [1, 2] }),
        0,
        2 * row + 0.64 + 2 * item + 2 * one + 0.069,
      ],
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

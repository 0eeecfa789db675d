/** The number of drawn items and the time that the guard estimates for a compiled chart. */
import { describe, it } from 'mocha';
import {
  mark,
  item,
  group,
  guide,
  label,
  signal,
  row,
  one,
  rowsOf,
  rows,
  rect,
  rectOf,
  from,
  encode,
  facet,
  inGroups,
  groups,
  drawn,
  ten,
  transform,
  compare,
} from '../support/charts.ts';

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
      [
        'facets that are not crossed',
        { data: [rows], marks: [facet({ ...crossed, aggregate: { cross: false } })] },
        0,
        10 * row + mark + 10 * group,
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
      [
        'updates, which run later',
        { signals: [{ name: 'a', on: [{ events: 'click', update: { expr: '1' } }] }] },
        0,
        signal,
      ],
      ['signals in groups', inGroups({ signals: [{ name: 'a' }] }), 0, groups + 10 * signal],
      ['a title', { title: { text } }, 0, one],
      ['other names or values', { title: { assignal: '1', signals: '1', signal: 1 } }, 0, 0],
      ['a scale by an expression', drawn({ x: { scale: text } }), 10, ten + 10 * one],
      ['a legend', { legends: [{ title: text }] }, 0, guide + 12 * label + 12 * one],
      ['the format of data', { data: [{ ...rows, format: { parse: text } }] }, 0, 10 * row + one],
      ['a title in groups', inGroups({ title: { text } }), 0, groups + 10 * one],
      ['encodings', drawn({ x: text }), 10, ten + 10 * one],
      ['other parts of a mark', { marks: [{ ...rect, clip: text }] }, 1, mark + item + one],
      [
        'the transform of a group',
        inGroups({ transform: [{ type: 'collect', sort: text }] }),
        0,
        groups + transform(10) + 10 * one,
      ],
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
});

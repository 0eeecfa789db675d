import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exactNumbers, zeroFormat } from '../../../../webview/chart/exactNumbers.ts';

const column = (name: string, type = 'number') => ({ name, type });
const table = {
  columns: ['n', 'price', 'ratio', 'a.b"c', 'year', 'rate']
    .map((name) => column(name))
    .concat(column('city', 'string')),
  rows: [
    [1200, '1.50', 0.1234567, 2.5, 2023, 0.123456, 'Bern'],
    [3, '2.25', 1, 1, 2024, 1, 'Rome'],
  ],
  totalRows: 2,
};

describe('the numbers of tooltips', () => {
  it('have the decimal places and the grouping of their column, whatever the format of the axis', () => {
    const exact = exactNumbers(table);
    const formatted = (field: string, format: string): string => {
      const call = `a + format(datum["${field}"], "${format}")`;
      const found = exact(call);
      return found === call ? 'unchanged' : (/, "(.*)"\)$/.exec(found)?.[1] ?? found);
    };
    for (const [field, format, expected] of [
      ['n', '', ',.0f'],
      ['n', '.2s', ',.0f'],
      ['n', '+$,.1f', '+$,.0f'],
      ['n', '(~g', '(,.0f'],
      ['n', '012,.3~r', ',.0f'],
      ['price', 's', ',.2f'],
      ['sum_price', '', ',.2f'],
      ['min_price', '', ',.2f'],
      ['max_price', '', ',.2f'],
      ['median_price', '', ',.2f'],
      ['mean_price', '', ',.12~r'],
      ['rate', '', ',.6f'],
      ['ratio', '', ',.12~r'],
      ['ratio', '.1%', ',.12~%'],
      ['ratio', 'p', ',.12~%'],
      ['year', '', '.0f'],
      ['lost', '$', '$,.12~r'],
      ['n', 'x', 'unchanged'],
      ['n', 'B', 'unchanged'],
      ['n', 'c', 'unchanged'],
      ['n', '%Y', 'unchanged'],
    ] as const)
      assert.equal(formatted(field, format), expected, `${field} ${format}`);
    const call = (field: string, format: string): string => `format(datum["${field}"], "${format}")`;
    // Names are escaped in expressions.
    const quoted = `a.b${String.fromCharCode(0x2036)}c`;
    assert.equal(
      exact(`${call('n', 's')} + ${call(quoted, 's')} + ${call('a\\\\.b', 's')}`),
      `${call('n', ',.0f')} + ${call(quoted, ',.1f')} + ${call('a\\\\.b', ',.12~r')}`,
    );
  });

  it('are zero without decimal places on an axis', () => {
    for (const [format, expected] of [
      ['', 'd'],
      ['$,.2f', '$d'],
      ['.1%', '.0%'],
      ['p', '.0%'],
      ['s', 'd'],
      ['x', undefined],
      ['O', undefined],
      ['%Y', undefined],
      [{ year: '%Y' }, undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(zeroFormat(format), expected, String(format));
  });
});

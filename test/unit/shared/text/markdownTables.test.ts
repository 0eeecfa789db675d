import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { markdownTables } from '../../../../src/shared/text/markdownTables.ts';

const rowsOf = (...lines: string[]): unknown[] =>
  markdownTables(lines.join('\n')).map(({ columns, rows }) => [columns.map(({ name }) => name), ...rows]);

describe('the tables in a text', () => {
  it('have the visible text of their cells, one for each column', () => {
    const table = rowsOf(
      'Sales:',
      '',
      '| **Region** | `n` |',
      '|:--|--:|',
      '| Eu\\|rope | 1,200 |',
      '| Asia |',
      'a | b | c',
    );
    assert.deepEqual(table, [
      [
        ['Region', 'n'],
        ['Eu|rope', '1,200'],
        ['Asia', ''],
        ['a', 'b'],
      ],
    ]);
    assert.deepEqual(
      rowsOf('a|b', '-|-', '~~x~~ _y_ snake_case_name|[z](https://a.example) 2 * 3 \\*', '`a\\|b*c*`|1<br>2'),
      [
        [
          ['a', 'b'],
          ['x y snake_case_name', 'z 2 * 3 *'],
          ['a|b*c*', '1 2'],
        ],
      ],
    );
  });

  it('are found in order, and end at a line without cells', () => {
    const table = ['| a | b |', '| - | - |', '| 1 | 2 |'];
    assert.equal(rowsOf(...table, '', 'text', ...table, 'text').length, 2);
    assert.deepEqual(rowsOf(...table, '', '| 3 | 4 |'), [
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ]);
  });

  it('are not read from code, or without a delimiter for each column', () => {
    const table = ['| a | b |', '| - | - |', '| 1 | 2 |'];
    for (const lines of [
      ['```', ...table, '```'],
      ['~~~~', '```', ...table, '~~~~'],
      table.map((line) => `    ${line}`),
      ['| a | b |', '| - |', '| 1 | 2 |'],
      ['| a | b |', '| x | - |'],
      ['a', '-', '1'],
    ])
      assert.deepEqual(rowsOf(...lines), []);
    assert.equal(rowsOf('```', '| x |', '```', ...table).length, 1);
  });

  it('are read from any text without an exception', () => {
    const sign = fc.constantFrom('|', '-', ':', '\\', '`', '*', '_', '[', ']', '(', ')', '~', '<br>', ' ', '\n', 'a');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        for (const { columns, rows } of markdownTables(signs.join('')))
          for (const row of rows) assert.equal(row.length, columns.length);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import { cellText, typeColumns, type Rows, type TypedColumn } from '../../../../src/shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../../../../src/shared/results/encode.ts';
import type { EncodeOptions } from '../../../../src/shared/results/rowEncoder.ts';
import { isNumeric, parseDecimal } from '../../../../src/shared/results/decimal.ts';
import { cases, table } from './tables.ts';

function encode(
  format: ResultFormat,
  columns: readonly TypedColumn[],
  rows: Rows,
  options: EncodeOptions = { headers: true, guardFormulas: true },
): string {
  const encoder = createEncoder(format, columns, options, rows);
  return encoder.encodeHeader() + rows.map((row) => encoder.encodeRow(row)).join('') + encoder.encodeEnd();
}

const columns = typeColumns(
  [
    { name: 'city', type: 'string' },
    { name: 'amount', type: 'number' },
  ],
  [],
);

const dangerous = (text: string): boolean => /^[=+\-@＝＋－＠\t\n\r\0]/.test(text);

describe('CSV', () => {
  it('is parsed into the same rows, whatever the cells', () => {
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const text = encode('csv', columns, rows, { headers: true, guardFormulas: false });
        const expected = [columns.map(({ name }) => name), ...rows.map((row) => row.map(cellText))];
        assert.deepEqual(parse(text, { skip_empty_lines: false }), expected);
      }),
      { numRuns: cases },
    );
  });

  it('guards every cell that a spreadsheet would run, and no other', () => {
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const records = parse(encode('csv', columns, rows)) as string[][];
        [columns.map(({ name }) => name), ...rows].forEach((row, at) =>
          row.forEach((cell, index) => {
            const bare =
              at > 0 && (typeof cell === 'number' || (columns[index]?.kind === 'number' && isNumeric(cellText(cell))));
            const text = cellText(cell);
            assert.equal(records[at]?.[index], !bare && dangerous(text) ? `'${text}` : text);
          }),
        );
      }),
      { numRuns: cases },
    );
  });

  it('never starts like another spreadsheet format, with or without headers', () => {
    const ids = typeColumns([{ name: 'ID', type: 'string' }], []);
    const rows = [['ID1'], ['ID2']];
    assert.equal(encode('csv', ids, rows), '"ID"\r\nID1\r\nID2\r\n');
    assert.equal(encode('csv', ids, rows, { headers: false, guardFormulas: true }), '"ID1"\r\nID2\r\n');
    assert.equal(encode('csv', columns, [['ID', 1]]), 'city,amount\r\nID,1\r\n');
  });

  it('writes the midnights of a column as days, unless another time is no midnight', () => {
    const times = [{ name: 'day', type: 'timestamp' }];
    const midnights = [['2024-01-01T00:00:00.000'], [null], ['2024-01-02 00:00:00']];
    assert.equal(encode('csv', typeColumns(times, midnights), midnights), 'day\r\n2024-01-01\r\n""\r\n2024-01-02\r\n');
    const mixed = [...midnights, ['2024-01-03T10:00:00']];
    assert.ok(encode('csv', typeColumns(times, mixed), mixed).includes('2024-01-01T00:00:00.000'));
    // Rows that arrive later keep every digit of a time.
    assert.ok(encode('csv', typeColumns(times, midnights), mixed).endsWith('2024-01-03T10:00:00\r\n'));
  });

  it('starts with a byte order mark only on request', () => {
    const marked = encode('csv', columns, [['Zürich', 1]], { headers: true, guardFormulas: true, byteOrderMark: true });
    assert.equal(marked, '\ufeffcity,amount\r\nZürich,1\r\n');
    assert.deepEqual(parse(marked, { bom: true }), [
      ['city', 'amount'],
      ['Zürich', '1'],
    ]);
    assert.ok(encode('csv', columns, [['Zürich', 1]]).startsWith('city'));
  });

  it('keeps numbers unquoted and guards text', () => {
    const rows = [
      ['=HYPERLINK("http://x")', '-12.50'],
      ['-1', -3],
      ['@x', '-1+1'],
    ];
    assert.equal(
      encode('csv', columns, rows, { headers: false, guardFormulas: true }),
      `"'=HYPERLINK(""http://x"")",-12.50\r\n'-1,-3\r\n'@x,'-1+1\r\n`,
    );
  });

  it('keeps infinite numbers and times unquoted, and guards other text of their columns', () => {
    for (const format of ['csv', 'tsv'] as const) {
      const both = typeColumns(
        [
          { name: 'n', type: 'double' },
          { name: 't', type: 'timestamp' },
        ],
        [],
      );
      const [separator, end] = format === 'csv' ? [',', '\r\n'] : ['\t', '\n'];
      const rows = [
        ['-Infinity', '-infinity'],
        ['+inf', 'infinity'],
        ['-Infinity+1', '-5'],
      ];
      assert.equal(
        encode(format, both, rows, { headers: false, guardFormulas: true }),
        [
          ['-Infinity', '-infinity'],
          ['+inf', 'infinity'],
          ["'-Infinity+1", "'-5"],
        ]
          .map((row) => row.join(separator) + end)
          .join(''),
      );
      assert.equal(encode(format, columns.slice(0, 1), [['-Infinity']]), `city${end}'-Infinity${end}`);
    }
  });

  it('has objects as JSON, and truth values as they are', () => {
    assert.equal(encode('csv', columns, [[{ a: 1 }, true]]), 'city,amount\r\n"{""a"":1}",true\r\n');
  });

  it('distinguishes null from the empty string, and has no empty lines', () => {
    const unnamed = typeColumns([{ name: '', type: 'string' }], []);
    assert.equal(encode('csv', unnamed, [['x']]), '""\r\nx\r\n');
    assert.equal(encode('csv', columns, [['', null]]), 'city,amount\r\n"",\r\n');
    assert.equal(encode('csv', columns.slice(0, 1), [[null], ['x']]), 'city\r\n""\r\nx\r\n');
  });
});

describe('TSV', () => {
  it('is parsed into the same rows', () => {
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const text = encode('tsv', columns, rows, { headers: false, guardFormulas: false });
        const read = parse(text, { delimiter: '\t', record_delimiter: '\n' });
        assert.deepEqual(
          read,
          rows.map((row) => row.map(cellText)),
        );
      }),
      { numRuns: cases },
    );
  });

  it('quotes only what needs it, and has empty cells for null and the empty string', () => {
    const ids = typeColumns(
      [
        { name: 'ID', type: 'string' },
        { name: 'amount', type: 'number' },
      ],
      [],
    );
    const rows = [
      ['ID, "x"', 1],
      ['a\tb', 2],
      ['', null],
      ['a, b', 3],
    ];
    assert.equal(encode('tsv', ids, rows), 'ID\tamount\n"ID, ""x"""\t1\n"a\tb"\t2\n\t\na, b\t3\n');
    assert.equal(encode('tsv', ids.slice(0, 1), [[null]]), 'ID\n\n');
  });
});

describe('JSON', () => {
  /** Reads numbers as their digits. */
  const digits = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? context?.source : value;

  it('is valid and keeps every digit, whatever the cells', () => {
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const text = encode('json', columns, rows, { headers: false, guardFormulas: true });
        const read = JSON.parse(text, digits) as unknown[][];
        assert.equal(read.length, rows.length);
        rows.forEach((row, at) =>
          row.forEach((cell, index) => {
            const back = read[at]?.[index];
            const isNumber = columns[index]?.kind === 'number' || typeof back === 'number';
            // JSON has no infinity, so it is null in a column of numbers.
            const isInfinite = columns[index]?.kind === 'number' && /^-?infinity$/i.test(cellText(cell));
            if (cell === null || (isInfinite && back === null)) assert.equal(back, null);
            else if (isNumber && isNumeric(cellText(cell)))
              assert.deepEqual(parseDecimal(String(back)), parseDecimal(cellText(cell)));
            else assert.equal(String(back), cellText(cell));
          }),
        );
      }),
      { numRuns: cases },
    );
  });

  it('has every value, even under duplicate names', () => {
    const twice = typeColumns(
      [
        { name: '__proto__', type: 'string' },
        { name: '__proto__', type: 'number' },
      ],
      [],
    );
    assert.equal(encode('json', twice, [['a', '2']]), '[\n  {"__proto__": "a", "__proto___2": 2}\n]\n');
    assert.equal(encode('json', twice, []), '[\n]\n');
    const thrice = typeColumns(Array(3).fill({ name: 'a', type: 'string' }), []);
    assert.equal(encode('json', thrice, [['x', 'y', 'z']]), '[\n  {"a": "x", "a_2": "y", "a_3": "z"}\n]\n');
  });

  const typesOf = (kind: string, ...cells: unknown[]): string[] => {
    const text = encode(
      'json',
      typeColumns(
        [{ name: 'a', type: kind }],
        cells.map((cell) => [cell]),
      ),
      cells.map((cell) => [cell]),
    );
    return (JSON.parse(text) as { a: unknown }[]).map(({ a }) => (a === null ? 'null' : typeof a));
  };

  it('has one type in each column, and null for what JSON has no number for', () => {
    assert.deepEqual(typesOf('decimal(10,2)', '12.50', 12.25, '10.00', null), ['number', 'number', 'number', 'null']);
    assert.deepEqual(typesOf('bigint', '9007199254740991', 7, '-0'), ['number', 'number', 'number']);
    // A double does not preserve the first number.
    assert.deepEqual(typesOf('bigint', '9007199254740993', 7, '-0'), ['string', 'string', 'string']);
    assert.deepEqual(typesOf('decimal(38,20)', 1, '0.12345678901234567890'), ['string', 'string']);
    assert.deepEqual(typesOf('double', 'NaN', '-Infinity', 'inf', 1e21), ['null', 'null', 'null', 'number']);
    assert.deepEqual(typesOf('boolean', true, 'false', 'TRUE'), ['boolean', 'boolean', 'boolean']);
    assert.deepEqual(typesOf('string', '12.50', 12.25, true), ['string', 'string', 'string']);
    assert.deepEqual(typesOf('unknown', 'a', 1, false), ['string', 'string', 'string']);
    assert.deepEqual(typesOf('timestamp', '2024-01-01', 1704067200), ['string', 'string']);
    assert.deepEqual(typesOf('json', { a: 1 }, [1]), ['object', 'object']);
  });

  it('writes numbers with all their digits, as its grammar permits them', () => {
    const written = (...cells: unknown[]): string =>
      encode(
        'json',
        columns.slice(1),
        cells.map((cell) => [cell]),
        { headers: false, guardFormulas: false },
      );
    assert.equal(
      written('12.50', '1234567890123456', '+5', '007', '-00.5', '.5', '-.50', '5.', '5.e3', '1e+3', 0.1, '-0'),
      `[\n${['12.50', '1234567890123456', '5', '7', '-0.5', '0.5', '-0.50', '5', '5e3', '1e+3', '0.1', '-0'].map((text) => `  [${text}]`).join(',\n')}\n]\n`,
    );
    assert.equal(written('n/a'), '[\n  ["n/a"]\n]\n');
  });
});

describe('Markdown', () => {
  /** The cells as displayed, row by row. */
  function rendered(text: string): string[][] {
    const tokens = new MarkdownIt({ html: false }).parse(text, {});
    const rows: string[][] = [];
    tokens.forEach((token, at) => {
      if (token.type === 'tr_open') rows.push([]);
      const inner = tokens[at + 1]?.children ?? [];
      if (/^t[hd]_open$/.test(token.type)) {
        assert.deepEqual(
          inner.map(({ type }) => type).filter((type) => !/^text/.test(type)),
          [],
        );
        rows.at(-1)?.push(inner.map(({ content }) => content).join(''));
      }
    });
    return rows;
  }

  it('shows each cell as plain text', () => {
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        const shown = (text: string): string =>
          text.replace(/\r\n|[\r\n\u2028\u2029]/g, '<br>').replace(/[\t\0]/g, ' ');
        const plain = (text: string): string => text.replace(/[\s\0\uFFFD]+/g, ' ').trim();
        const expected = [
          columns.map(({ name }) => name),
          ...rows.map((row) => row.map((c) => (c === null ? 'NULL' : cellText(c)))),
        ];
        assert.deepEqual(
          rendered(encode('markdown', columns, rows)).map((row) => row.map(plain)),
          expected.map((row) => row.map((text) => plain(shown(text)))),
        );
      }),
      { numRuns: cases },
    );
  });

  it('is a table to its end, also for readers that end it at a line separator', () => {
    const text = encode('markdown', columns, [
      ['Köln\u2028Ehrenfeld', 1],
      ['Bonn\u2029Beuel', 2],
    ]);
    const html = marked.parse(text, { async: false });
    assert.equal(html.match(/<tr>/g)?.length, 3, html);
  });

  it('keeps addresses with parameters, and shows entities as text', () => {
    const address = 'https://shop.example/?utm_source=a&utm_medium=b';
    assert.ok(encode('markdown', columns, [[address, 1]]).endsWith(`| ${address} | 1 |\n`));
    assert.deepEqual(rendered(encode('markdown', columns, [['R&amp;D &#38; &', 1]])).at(-1), ['R&amp;D &#38; &', '1']);
  });

  it('aligns numbers to the right', () => {
    assert.equal(
      encode('markdown', columns, [
        ['Köln', '12'],
        [null, ''],
      ]),
      '| city | amount |\n| --- | ---: |\n| Köln | 12 |\n| NULL |  |\n',
    );
    const bare = encode('markdown', columns, [['a<b', 1]], { headers: false, guardFormulas: false });
    assert.equal(bare, '|  |  |\n| --- | ---: |\n| a&lt;b | 1 |\n');
  });
});

describe('SQL IN list', () => {
  it('quotes text, keeps numbers unquoted, omits nulls and duplicates', () => {
    assert.equal(encode('sqlIn', columns.slice(0, 1), [["O'Hara"], [null], ['007'], ["O'Hara"]]), "('O''Hara', '007')");
    assert.equal(
      encode('sqlIn', columns.slice(1), [['9007199254740993'], [1.5], ['x']]),
      "(9007199254740993, 1.5, 'x')",
    );
    assert.equal(
      encode('sqlIn', columns, [
        ['a', '1'],
        ['b', null],
      ]),
      "(('a', 1), ('b', NULL))",
    );
    assert.equal(encode('sqlIn', columns.slice(1), [[null]]), '(NULL)');
    assert.equal(encode('sqlIn', columns.slice(1), [['+5'], ['1e+3']]), '(5, 1e+3)');
    const flags = typeColumns([{ name: 'a', type: 'boolean' }], []);
    assert.equal(
      encode('sqlIn', flags, [[true], ['false'], ['untrue'], ['falsely']]),
      "(TRUE, FALSE, 'untrue', 'falsely')",
    );
    assert.equal(encode('sqlIn', columns.slice(0, 1), [['true']]), "('true')");
    // MySQL and BigQuery would parse `\'` as an escaped quote.
    assert.equal(encode('sqlIn', columns.slice(0, 1), [["\\' OR 1=1 --"]]), "(E'\\\\'' OR 1=1 --')");
  });
});

it('every format accepts no rows and rows that are too short', () => {
  for (const format of ['tsv', 'csv', 'json', 'markdown', 'sqlIn'] as const) {
    assert.doesNotThrow(() => encode(format, columns, []));
    assert.doesNotThrow(() => encode(format, columns, [[], ['x']]));
  }
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { kindOfType, numberText, typeColumns } from '../../../../src/shared/results/cells.ts';
import { displayOf, formatNumber } from '../../../../src/shared/results/display.ts';
import { Summarizer } from '../../../../src/shared/results/summary.ts';
import { cases, decimalText } from './tables.ts';

const kindOf = (...cells: unknown[]): string =>
  typeColumns(
    [{ name: 'x', type: '' }],
    cells.map((cell) => [cell]),
  )[0]!.kind;

function shown(type: string, cells: readonly unknown[], name = 'x'): string[] {
  const rows = cells.map((cell) => [cell]);
  const column = typeColumns([{ name, type }], rows)[0]!;
  const display = displayOf(column, 0, rows, 'en');
  return cells.map((cell) => display(cell));
}

describe('the number in a cell', () => {
  it('has its exact digits, in any form', () => {
    assert.deepEqual([1.5, '1.50', '-7'].map(numberText), ['1.5', '1.50', '-7']);
    for (const cell of [NaN, Infinity, 'x', '', true, null, undefined, {}]) assert.equal(numberText(cell), undefined);
  });
});

describe('the kind of a column', () => {
  it('is inferred from all its values but null, and is text if they differ', () => {
    assert.deepEqual([kindOf(null, 1, undefined, 2), kindOf(1, 'x'), kindOf('x', 1)], ['number', 'string', 'string']);
    assert.deepEqual([kindOf(true, null), kindOf(true, 1), kindOf(null)], ['boolean', 'string', 'string']);
  });

  it('is inferred from the first two thousand rows', () => {
    const numbers = Array.from({ length: 1999 }, () => 1);
    assert.deepEqual([kindOf(...numbers, 'x'), kindOf(...numbers, 1, 'x')], ['string', 'number']);
  });

  it('is read from the types of warehouses', () => {
    const types = {
      number: 'DECIMAL(18,2)',
      time: 'timestamp with time zone',
      boolean: 'bool',
      json: 'jsonb',
      string: 'varchar(20)',
    };
    for (const [kind, type] of Object.entries(types)) assert.equal(kindOfType(type), kind);
    assert.equal(kindOfType('timestamp(6) with time zone'), 'time');
    assert.equal(kindOfType('VARCHAR (20)'), 'string');
    for (const type of ['geometry', 'int(', 'int)', 'nullable(int(4))', '']) assert.equal(kindOfType(type), undefined);
  });

  it('is read from a type with a million parentheses', () => {
    assert.equal(kindOfType('('.repeat(1_000_000)), undefined);
  });

  it('is inferred from long text that starts with a number', () => {
    const cell = `${'1'.repeat(1_000_000)}x`;
    assert.equal(typeColumns([{ name: 'a', type: '' }], [[cell]])[0]?.kind, 'string');
  });

  it('is inferred from the cells if it is not declared', () => {
    assert.equal(kindOf(null, '1.50', 2), 'number');
    assert.equal(kindOf('007', '008'), 'string');
    assert.equal(kindOf('-007'), 'string');
    assert.equal(kindOf('+7'), 'string');
    assert.equal(kindOf('100', '1e+05'), 'number');
    assert.equal(kindOf('-0.7', '0'), 'number');
    assert.equal(kindOf('2024-01-01', '2024-01-02T10:00:00Z'), 'time');
    assert.equal(kindOf(true, null), 'boolean');
    assert.equal(kindOf({ a: 1 }), 'json');
    assert.equal(kindOf(1, 'x'), 'string');
    assert.equal(kindOf(null), 'string');
  });
});

describe('a displayed cell', () => {
  it('keeps every digit', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const plain = text.replace(/^(-?)0+(?=\d)/, '$1');
        assert.equal(formatNumber(text, 'en').replaceAll(',', ''), plain);
      }),
      { numRuns: cases },
    );
    assert.deepEqual(shown('number', ['12345678901234567890.10', 1234.5, '1e300', 'n/a', null]), [
      '12,345,678,901,234,567,890.10',
      '1,234.50',
      '1e300',
      'n/a',
      '',
    ]);
    assert.equal(formatNumber('1234567.25', 'de'), '1.234.567,25');
  });

  it('has as many decimals as all numbers of its column, also when rows arrive later', () => {
    assert.deepEqual(shown('number', ['12', '3.5', 7.25, '-0.5', '1e3', null]), [
      '12.00',
      '3.50',
      '7.25',
      '-0.50',
      '1e3',
      '',
    ]);
    assert.deepEqual(shown('number', ['12', 3]), ['12', '3']);
    const rows: unknown[][] = [['1']];
    const display = displayOf({ name: 'x', type: 'number', kind: 'number' }, 0, rows, 'en');
    assert.equal(display('1'), '1');
    rows.push(['0.125']);
    assert.equal(display('1'), '1.000');
  });

  it('does not group years and ids', () => {
    for (const name of ['orderId', 'customerID', 'fiscalYear', 'sku'])
      assert.deepEqual(shown('number', [20241], name), ['20241']);
    assert.deepEqual(shown('number', [20241], 'paid'), ['20,241']);
    assert.deepEqual(shown('number', [2024], 'orders.year'), ['2024']);
    assert.deepEqual(shown('number', [2024], 'paid'), ['2,024']);
  });

  it('omits redundant parts of times', () => {
    assert.deepEqual(shown('time', ['2024-01-01T00:00:00.000', '2024-02-01']), ['2024-01-01', '2024-02-01']);
    assert.deepEqual(shown('time', ['2024-01-01T00:00:00.000Z', '2024-01-01T10:30:00.000Z']), [
      '2024-01-01 00:00:00Z',
      '2024-01-01 10:30:00Z',
    ]);
    assert.deepEqual(shown('time', ['2024-01-01T00:00', '2024-02-01 00:00:00']), ['2024-01-01', '2024-02-01']);
    assert.deepEqual(shown('time', ['2024-01-01T10:30:00.123']), ['2024-01-01 10:30:00.123']);
  });

  it('shows objects as JSON and truncates long text', () => {
    assert.deepEqual(shown('json', [{ a: [1] }]), ['{"a":[1]}']);
    assert.ok(shown('string', ['x'.repeat(100_000)])[0]!.length < 500);
  });
});

describe('the summary of a selection', () => {
  const summary = (...cells: unknown[]) => {
    const summarizer = new Summarizer();
    for (const cell of cells) summarizer.add(cell, 'number');
    return summarizer.result();
  };

  it('adds decimals exactly', () => {
    assert.deepEqual(summary(0.1, '0.2', null, 'n/a'), { count: 3, sum: '0.3', average: '0.15' });
    assert.deepEqual(summary('9007199254740993', 1), {
      count: 2,
      sum: '9007199254740994',
      average: '4503599627370497',
    });
    assert.deepEqual(summary(-1, '-0.005'), { count: 2, sum: '-1.005', average: '-0.5025' });
    assert.deepEqual(summary(1, 1, 0).average, '0.6666666667');
    assert.deepEqual(summary('1e3', '2.5e-1').sum, '1000.25');
    assert.deepEqual(summary('-12345678901234567.25', '+12345678901234567.5').sum, '0.25');
    assert.deepEqual(summary('1.10', '-1.1'), { count: 2, sum: '0.00', average: '0' });
    assert.deepEqual(summary(-1, 0, -1).average, '-0.6666666667');
    assert.deepEqual(summary('1e100').sum, `1${'0'.repeat(100)}`);
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (numbers) => {
        const sum = numbers.reduce((total, number) => total + BigInt(number), 0n);
        assert.equal(summary(...numbers).sum, String(sum));
      }),
      { numRuns: cases },
    );
  });

  it('has no sum without numbers, or if it would not be exact, and counts no text in the average', () => {
    assert.deepEqual(summary(null), { count: 0 });
    for (const huge of ['1e999999999', '1e101', '1e-101']) assert.deepEqual(summary(huge, 1), { count: 2 });
    const summarizer = new Summarizer();
    summarizer.add('5', 'string');
    assert.deepEqual(summarizer.result(), { count: 1 });
    summarizer.add('3', 'number');
    assert.deepEqual(summarizer.result(), { count: 2, sum: '3', average: '3' });
  });
});

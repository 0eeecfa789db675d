import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { CellKind } from '../../../../src/shared/results/cells.ts';
import { compareNumeric } from '../../../../src/shared/results/decimal.ts';
import {
  conditionsFor,
  filterRows,
  matcherFor,
  withTypedOperator,
  type FilterCondition,
} from '../../../../src/shared/results/filter.ts';
import type { Sliced } from '../../../../src/shared/results/slices.ts';
import { cases, decimalText } from './tables.ts';

/** Runs a sliced computation synchronously. @returns its result */
function runNow<T>(work: Sliced<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

function passing(
  cells: readonly unknown[],
  kind: CellKind,
  condition: FilterCondition,
  value = '',
  to = '',
): unknown[] {
  const matcher = matcherFor(kind, { condition, value, to }, 'en');
  assert.ok(matcher, `${condition} ${value} ${to} is no condition`);
  const order = runNow(
    filterRows(
      cells.map((cell) => [cell]),
      new Map([[0, matcher]]),
    ),
  );
  return [...order].map((row) => cells[row]);
}

describe('filtering results', () => {
  it('compares numbers exactly', () => {
    fc.assert(
      fc.property(fc.array(decimalText), decimalText, (cells, value) => {
        const expect = (condition: FilterCondition, test: (sign: number) => boolean): void =>
          assert.deepEqual(
            passing(cells, 'number', condition, value),
            cells.filter((cell) => test(compareNumeric(cell, value))),
          );
        expect('greater', (sign) => sign > 0);
        expect('atMost', (sign) => sign <= 0);
        expect('equals', (sign) => sign === 0);
      }),
      { numRuns: cases },
    );
    const big = ['9007199254740992', '9007199254740993'];
    assert.deepEqual(passing(big, 'number', 'equals', '9007199254740993'), [big[1]]);
    const near = ['0.1', 0.1, '0.10000000000000000001'];
    assert.deepEqual(passing(near, 'number', 'less', '0.10000000000000000001'), near.slice(0, 2));
    assert.deepEqual(passing(near, 'number', 'greater', '0.1'), near.slice(2));
  });

  it('accepts numbers as people type them, and open ranges', () => {
    assert.deepEqual(passing([999, '1000', '1000.5', null, ''], 'number', 'atLeast', '1,000.5'), ['1000.5']);
    assert.deepEqual(passing([1, 2, 3, 4], 'number', 'between', '2', '3'), [2, 3]);
    assert.deepEqual(passing([1, 2, 3], 'number', 'between', '', '2'), [1, 2]);
    assert.deepEqual(passing([1, 2, 3], 'number', 'between', '2', ''), [2, 3]);
    assert.deepEqual(passing([1, 2, 3], 'number', 'differs', '2'), [1, 3]);
    assert.deepEqual(passing([1234, 5], 'number', 'contains', '1,23'), [1234]);
  });

  it('reads typed numbers with the separators of the language', () => {
    const typed: [text: string, locale: string, number: string | undefined][] = [
      ['1,234', 'en', '1234'],
      ['1,234,567.5', 'en', '1234567.5'],
      [' -1,234 ', 'en', '-1234'],
      ['\u22121,234', 'en', '-1234'],
      ['+1,234', 'en', '1234'],
      ['1_000', 'en', '1000'],
      ['1.234', 'en', '1.234'],
      ['1.5e3', 'en', '1500'],
      ['1.234', 'de', '1234'],
      ['1.234.567,25', 'de', '1234567.25'],
      ['-1.234', 'de', '-1234'],
      ['1.2', 'de', '1.2'],
      ['12.34', 'de', '12.34'],
      ['12.345', 'de', '12345'],
      ['+123.456', 'de', '123456'],
      ['1.2345', 'de', '1.2345'],
      ['1.234e5', 'de', '123400'],
      ['11.111', 'es', '11111'],
      ['1234.567', 'de', '1234.567'],
      ['1,5', 'de', '1.5'],
      ['12 345,5', 'fr', '12345.5'],
      ['12,34,567', 'hi', '1234567'],
      ['١٬٢٣٤٫٥', 'ar-EG', '1234.5'],
      ['1,234x', 'en', undefined],
      ['x1,234', 'en', undefined],
      ['1.5.2', 'en', undefined],
    ];
    for (const [value, locale, number] of typed) {
      const matches = matcherFor('number', { condition: 'equals', value, to: '' }, locale);
      if (number === undefined) assert.equal(matches, undefined, value);
      else assert.deepEqual([matches?.(number), matches?.(Number(number) + 1)], [true, false], `${value} in ${locale}`);
    }
  });

  it('compares any cell with a number, sent in any form', () => {
    const cells = [1, '1', '1.0', '1000000000000000000000', 1e21, 2, 'x', null, NaN, Infinity, true];
    assert.deepEqual(passing(cells, 'number', 'equals', '1'), [1, '1', '1.0']);
    assert.deepEqual(passing(cells, 'number', 'equals', '1000000000000000000000'), ['1000000000000000000000', 1e21]);
    assert.deepEqual(passing(cells, 'number', 'atLeast', '2'), ['1000000000000000000000', 1e21, 2, Infinity]);
    assert.deepEqual(passing([...cells, '-inf'], 'number', 'less', '2'), [1, '1', '1.0', '-inf']);
    const times = ['-infinity', '0044-03-15 BC', '2024-01-01', 'infinity', 'n/a'];
    assert.deepEqual(passing(times, 'time', 'less', '2024'), times.slice(0, 2));
    assert.deepEqual(passing(times, 'time', 'atLeast', '2024'), times.slice(2, 4));
  });

  it('is no condition while its values are incomplete', () => {
    const matcher = (kind: CellKind, condition: FilterCondition, value: string, to = ''): unknown =>
      matcherFor(kind, { condition, value, to }, 'en');
    for (const kind of ['number', 'time', 'string'] as const)
      for (const condition of ['contains', 'equals', 'differs', 'between'] as const)
        assert.equal(matcher(kind, condition, ' ', ' '), undefined, `${kind} ${condition}`);
    for (const [kind, condition, value] of [
      ['number', 'greater', 'x'],
      ['time', 'less', 'soon'],
      ['string', 'greater', 'x'],
      ['string', 'between', 'x'],
    ] as const)
      assert.equal(matcher(kind, condition, value), undefined);
    assert.equal(matcher('number', 'equals', '', '3'), undefined);
    assert.equal(matcher('number', 'between', 'x', 'y'), undefined);
    assert.equal(matcher('number', 'between', 'x', '1'), undefined);
    assert.equal(matcher('number', 'between', '1', 'y'), undefined);
  });

  it('treats a typed date as its whole period', () => {
    const cells = ['2024-02-29T23:59:59.999', '2024-03-01', '2024-03-31 23:59:59', '2024-04-01T00:00:00Z', null];
    assert.deepEqual(passing(cells, 'time', 'equals', '2024-03'), cells.slice(1, 3));
    assert.deepEqual(passing(cells, 'time', 'greater', '2024-03'), [cells[3]]);
    assert.deepEqual(passing(cells, 'time', 'less', '2024-03-01'), [cells[0]]);
    assert.deepEqual(passing(cells, 'time', 'between', '2024-03', '2024-04'), cells.slice(1, 4));
    assert.deepEqual(passing(cells, 'time', 'between', ' 2024-03 ', ' '), cells.slice(1, 4));
    assert.deepEqual(passing(cells, 'time', 'atMost', '2024'), cells.slice(0, 4));
    assert.deepEqual(passing(cells, 'time', 'contains', '2024-04-01 00'), [cells[3]]);
  });

  it('finds the day in the text of a time, and compares times with a zone by their instant', () => {
    const cells = ['2024-01-01T20:00:00-05:00', '2024-01-01T20:00:00Z', '2024-01-02T05:00:00+0530'];
    assert.deepEqual(passing(cells, 'time', 'equals', '2024-01-02'), [cells[2]]);
    const zoned = ['2024-01-01 00:00:00.000 Europe/Berlin', '2024-02-01 00:00:00.000 Asia/Kolkata'];
    assert.deepEqual(passing(zoned, 'time', 'equals', '2024-01-01'), [zoned[0]]);
    assert.deepEqual(passing(zoned, 'time', 'atLeast', '2024-02-01'), [zoned[1]]);
    assert.deepEqual(passing(zoned, 'time', 'equals', '2023-12-31 23:00Z'), [zoned[0]]);
    assert.deepEqual(passing(cells, 'time', 'equals', '2024-01-01 23:30Z'), [cells[2]]);
  });

  it('compares fractions of a second to the precision that was typed', () => {
    const cells = ['2024-01-01 10:00:00.120', '2024-01-01 10:00:00.125', '2024-01-01 10:00:00.130', '10:00:00'];
    assert.deepEqual(passing(cells, 'time', 'equals', '2024-01-01 10:00:00.12'), cells.slice(0, 2));
    assert.deepEqual(passing(cells, 'time', 'greater', '2024-01-01 10:00:00.125'), [cells[2]]);
    assert.deepEqual(passing(cells, 'time', 'equals', '2024-01-01 10:00:00'), cells.slice(0, 3));
    assert.deepEqual(passing(['10:00:00.25', '10:00:00.5'], 'time', 'greater', '10:00:00.3'), ['10:00:00.5']);
  });

  it('finds text regardless of case, and nulls only on request', () => {
    const cells = ['Berlin', 'BERN', '', null, 'Rome'];
    assert.deepEqual(passing(cells, 'string', 'contains', 'ber'), ['Berlin', 'BERN']);
    const cafes = ['Caf\u00e9', 'Cafe\u0301', 'CAFE\u0301', 'Cafe'];
    for (const typed of ['f\u00e9', 'fe\u0301']) {
      assert.deepEqual(passing(cafes, 'string', 'contains', typed), cafes.slice(0, 3));
      assert.deepEqual(passing(cafes, 'string', 'equals', `ca${typed}`), cafes.slice(0, 3));
    }
    assert.deepEqual(passing(cafes, 'string', 'contains', '\u00e9'), cafes.slice(0, 3));
    assert.deepEqual(passing(cells, 'string', 'equals', 'bern'), ['BERN']);
    assert.deepEqual(passing([' Bern\n', 'Berne'], 'string', 'equals', 'bern '), [' Bern\n']);
    assert.deepEqual(passing(['1234', '1,234'], 'string', 'contains', '1,23'), ['1,234']);
    assert.deepEqual(passing(['atb', 'a b'], 'string', 'contains', 'a b'), ['a b']);
    assert.deepEqual(passing(cells, 'string', 'differs', 'bern'), ['Berlin', '', null, 'Rome']);
    assert.deepEqual(passing(cells, 'string', 'empty'), ['', null]);
    assert.deepEqual(passing(cells, 'string', 'notEmpty'), ['Berlin', 'BERN', 'Rome']);
  });

  it('treats texts as equal regardless of case and surrounding white space', () => {
    const letters = fc.constantFrom(
      'k',
      'K',
      '\u212a',
      'é',
      'e\u0301',
      'İ',
      'ß',
      ' ',
      '\u00a0',
      '\n',
      '\u0001',
      ';',
      '\u037e',
      '9',
    );
    const text = fc.string({ unit: letters, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(text),
        text.filter((typed) => typed.trim() !== ''),
        (cells, typed) => {
          const isAscii = /^[\x00-\x7f]*$/.test(typed.trim());
          const folded = (of: string): string => (isAscii ? of.trim() : of.trim().normalize()).toLowerCase();
          assert.deepEqual(
            passing(cells, 'string', 'equals', typed),
            cells.filter((cell) => folded(cell) === folded(typed)),
          );
        },
      ),
      { numRuns: cases },
    );
  });

  it('compares parsed numbers by their digits', () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(fc.array(number), fc.integer({ min: -9, max: 9 }), (cells, value) => {
        assert.deepEqual(
          passing(cells, 'number', 'less', String(value)),
          cells.filter((cell) => compareNumeric(String(cell), String(value)) < 0),
        );
      }),
      { numRuns: cases },
    );
  });

  it('is inactive while the value is invalid', () => {
    assert.equal(matcherFor('number', { condition: 'greater', value: 'abc', to: '' }, 'en'), undefined);
    assert.equal(matcherFor('time', { condition: 'equals', value: 'soon', to: '' }, 'en'), undefined);
    assert.equal(matcherFor('string', { condition: 'contains', value: ' ', to: '' }, 'en'), undefined);
  });

  it('offers every condition for numbers and times, and those of equality for other kinds', () => {
    const equality = ['contains', 'equals', 'differs', 'empty', 'notEmpty'];
    const order = ['greater', 'atLeast', 'less', 'atMost', 'between'];
    for (const kind of ['string', 'boolean', 'json'] as const) assert.deepEqual(conditionsFor(kind), equality);
    for (const kind of ['number', 'time'] as const)
      assert.deepEqual(conditionsFor(kind), [...equality.slice(0, 3), ...order, ...equality.slice(3)]);
  });

  it('takes the condition from an operator before a number or time', () => {
    const typed = (kind: CellKind, value: string): string => {
      const filter = withTypedOperator(kind, { condition: 'equals', value, to: '' });
      return `${filter.condition} ${filter.value.trim()}`;
    };
    for (const [value, read] of [
      ['>400000', 'greater 400000'],
      [' >= 1,5', 'atLeast 1,5'],
      ['<-3', 'less -3'],
      ['<=2024-01', 'atMost 2024-01'],
      ['=5', 'equals 5'],
      ['<>5', 'differs 5'],
      ['!=5', 'differs 5'],
      ['5', 'equals 5'],
    ] as const)
      assert.equal(typed('number', value), read);
    assert.equal(typed('time', '>2024'), 'greater 2024');
    assert.equal(typed('string', '>b'), 'equals >b');
  });

  it('requires every filtered column to match', () => {
    const matchers = new Map([
      [0, matcherFor('number', { condition: 'greater', value: '1', to: '' }, 'en')!],
      [1, matcherFor('string', { condition: 'contains', value: 'x', to: '' }, 'en')!],
    ]);
    assert.deepEqual(
      [
        ...runNow(
          filterRows(
            [
              [1, 'x'],
              [2, 'y'],
              [3, 'ax'],
            ],
            matchers,
          ),
        ),
      ],
      [2],
    );
  });

  it('pauses after every 2048 rows', () => {
    const rows = Array.from({ length: 2 * 2048 + 1 }, (_, at) => [at]);
    const matches = matcherFor('number', { condition: 'atLeast', value: '0', to: '' }, 'en')!;
    const pauses = (count: number): number => [...filterRows(rows.slice(0, count), new Map([[0, matches]]))].length;
    assert.deepEqual([2048, 2049, 4096, 4097].map(pauses), [0, 1, 1, 2]);
  });

  it("parses numbers in the user's locale", () => {
    const matches = (locale: string, cell: unknown, value: string): boolean | undefined =>
      matcherFor('number', { condition: 'equals', value, to: '' }, locale)?.(cell);
    assert.equal(matches('de', 1234, '1.234'), true);
    assert.equal(matches('de', '1.234', '1.234'), false);
    assert.equal(matches('de', '1.234', '1,234'), true);
    assert.equal(matches('de', '1.5', '1.5'), true);
    assert.equal(matches('en', '1.234', '1.234'), true);
    assert.equal(matches('en-IN', 1234567, '12,34,567'), true);
    for (const locale of ['ar-EG', 'fa', 'mr', 'bn', 'fr', 'de-CH', 'sv']) {
      const shown = new Intl.NumberFormat(locale).format(-1234567.5);
      assert.equal(matches(locale, '-1234567.5', shown), true, `${locale}: ${shown}`);
    }
  });
});

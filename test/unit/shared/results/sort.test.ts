import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { CellKind } from '../../../../src/shared/results/cells.ts';
import { sortRows, type Direction } from '../../../../src/shared/results/sort.ts';
import { cases, decimalText } from './tables.ts';

function sorted(cells: readonly unknown[], kind: CellKind, direction: Direction = 'ascending'): unknown[] {
  const order = Uint32Array.from(cells.keys());
  const rows = cells.map((cell) => [cell]);
  return [...sortRows(rows, order, { index: 0, kind }, direction, 'en')].map((row) => cells[row]);
}

/** A decimal as a multiple of 10^-20, for comparison. */
const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(20, '0'));
};

describe('sorting results', () => {
  it('orders times in named zones by their instant', () => {
    const times = ['Asia/Kolkata', 'Europe/Berlin', 'UTC', 'America/New_York'].map(
      (zone) => `2024-07-01 00:00:00.000 ${zone}`,
    );
    assert.deepEqual(sorted(times.toReversed(), 'time'), times);
  });

  it('orders numbers by value, sent as numbers or text', () => {
    assert.deepEqual(sorted(['10', 9, '-2', '1e1', 9.5, null, ''], 'number'), ['-2', 9, 9.5, '10', '1e1', '', null]);
    assert.deepEqual(sorted(['NaN', 'Infinity', '-Infinity', 1, 'n/a'], 'number'), [
      '-Infinity',
      1,
      'Infinity',
      'NaN',
      'n/a',
    ]);
  });

  it('orders cells of any kind in a column of another, with unknown ones last', () => {
    const numbers = [
      ...['-Infinity', '-1e400', -2, '-1.5', 0, '2', 3, '10.5', '9007199254740992', '9007199254740993', 1e308, '1e400'],
      ...['Infinity', 'NaN', 'a', 'b', 'c', null, undefined],
    ];
    assert.deepEqual(sorted(numbers.toReversed(), 'number').slice(0, -2), numbers.slice(0, -2));
    const down = [...numbers.slice(0, -2).toReversed(), null, undefined];
    assert.deepEqual(sorted([null, undefined, ...numbers.slice(0, -2)], 'number', 'descending'), down);
    const times = ['2024-01-01', '2024-01-01 10:00:00.0000001', '2024-01-01 10:00:00.0000002', '2024-02', 'a', 'b'];
    assert.deepEqual(sorted(times.toReversed(), 'time'), times);
    const flags = [false, 'F', 'f', 'FALSE', '0', 0, true, 't', 'T', 'True', '1', 1];
    const mixed = flags.flatMap((_, at) => [flags[at % 2 === 0 ? at / 2 : 6 + (at - 1) / 2]]);
    assert.deepEqual(sorted(mixed, 'boolean'), flags, 'the sort is stable');
    assert.deepEqual(sorted(['maybe', true, null, 'b', 'no', false], 'boolean'), [
      false,
      true,
      'b',
      'maybe',
      'no',
      null,
    ]);
    assert.deepEqual(sorted(['b', 'B', 'a', 'b', 'ä', { a: 1 }], 'string'), [{ a: 1 }, 'a', 'ä', 'b', 'b', 'B']);
  });

  it('puts infinities and dates before Christ where they belong', () => {
    const times = [
      ...['-infinity', '-0099-01-01', '0044-03-15 BC', '0044-03-15 10:00:00+00 BC', '0043-01-01 (BC)'],
      ...['0001-01-01', '2024-01-01', 'infinity', 'a', 'z', null],
    ];
    assert.deepEqual(sorted(times.toReversed(), 'time'), times);
    const down = [...times.slice(0, -1).toReversed(), null];
    assert.deepEqual(sorted(times, 'time', 'descending'), down);
    const numbers = ['-inf', -1, 5, '+Infinity', 'nan', 'a'];
    assert.deepEqual(sorted(numbers.toReversed(), 'number'), numbers);
  });

  it('distinguishes numbers that round to the same double', () => {
    fc.assert(
      fc.property(fc.array(decimalText, { maxLength: 40 }), (cells) => {
        const expected = cells.map(units).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        assert.deepEqual(
          sorted(cells, 'number').map((cell) => units(cell as string)),
          expected,
        );
      }),
      { numRuns: cases },
    );
    const near = ['9007199254740993', '9007199254740992', '9007199254740994'];
    assert.deepEqual(sorted(near, 'number', 'descending'), [near[2], near[0], near[1]]);
  });

  it('orders numbers of any size and sign, whether they are few or many', () => {
    for (const count of [100, 5000]) {
      const numbers = Array.from({ length: count }, (_, at) => Math.sin(at) * 10 ** ((at % 40) - 20));
      const expected = numbers.toSorted((a, b) => a - b);
      assert.deepEqual(sorted(numbers, 'number'), expected);
      assert.deepEqual(sorted(numbers, 'number', 'descending'), expected.toReversed());
    }
  });

  it('orders times by instant, to the nanosecond and across zones', () => {
    const cells = [
      '2024-01-01T12:00:00+02:00',
      '2024-01-01T11:00:00Z',
      '2024-01-01T09:59:59.999999Z',
      '2023-12-31',
      null,
    ];
    assert.deepEqual(sorted(cells, 'time'), [cells[3], cells[2], cells[0], cells[1], null]);
    const near = ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123456788Z'];
    assert.deepEqual(sorted(near, 'time'), near.toReversed());
  });

  it('orders text by locale, with nulls last in both directions and the empty string first', () => {
    const cells = ['b', 'É', null, 'a', '', 'B', 'e', 'f'];
    assert.deepEqual(sorted(cells, 'string'), ['', 'a', 'b', 'B', 'e', 'É', 'f', null]);
    assert.deepEqual(sorted(cells, 'string', 'descending').at(-1), null);
    assert.deepEqual(sorted(['true', false, 't', null], 'boolean'), [false, 'true', 't', null]);
  });

  it('is stable and keeps every row once', () => {
    const cells = Array.from({ length: 20_000 }, (_, at) => String((at * 7919) % 100));
    const rows = cells.map((cell) => [cell]);
    const all = Uint32Array.from(cells.keys());
    for (const kind of ['number', 'string'] as const) {
      for (const direction of ['ascending', 'descending'] as const) {
        const order = sortRows(rows, all.slice(), { index: 0, kind }, direction, 'en');
        const sign = direction === 'ascending' ? 1 : -1;
        const compare =
          kind === 'number'
            ? (a: number, b: number) => Number(cells[a]) - Number(cells[b])
            : (a: number, b: number) => cells[a]!.localeCompare(cells[b]!, 'en');
        assert.deepEqual(
          [...order],
          [...all].sort((a, b) => sign * compare(a, b) || a - b),
        );
      }
    }
  });

  it('puts the first century first', () => {
    const cells = ['1900-05-05', '0001-01-01', '1950-01-01', '0099-12-31'];
    const rows = cells.map((cell) => [cell]);
    const order = sortRows(rows, Uint32Array.from(cells.keys()), { index: 0, kind: 'time' }, 'ascending', 'en');
    assert.deepEqual(
      [...order].map((row) => cells[row]),
      ['0001-01-01', '0099-12-31', '1900-05-05', '1950-01-01'],
    );
  });
});

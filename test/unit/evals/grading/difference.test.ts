import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { gradeTable, type Grade } from '../../../../src/evals/grading/grade.ts';
import { useBundle } from '../../../../src/shared/text/l10n.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { table } from '../tables.ts';

function failureOf(expected: ResultTable, actual: ResultTable): Extract<Grade, { status: 'failed' }> {
  const grade = gradeTable(expected, actual);
  return grade.status === 'failed' ? grade : assert.fail(grade.status);
}

describe('difference of two results', () => {
  const expected = table('month:time revenue:number', ['2024-01-01', 100], ['2024-02-01', 200], ['2024-03-01', 300]);

  it('has lines that differ exactly where rows differ', () => {
    const actual = table('sales:number m:time', ['300.001', '2024-03-01'], [250, '2024-02-01'], [100, '2024-01-01']);
    const grade = gradeTable(expected, actual);
    assert.ok(grade.status === 'failed');
    assert.equal(grade.message, '1 of 3 rows differs');
    assert.deepEqual(grade.difference.counts, { same: 2, changed: 1, missing: 0, unexpected: 0 });
    assert.deepEqual(grade.difference.text.expected.split('\n'), [
      'month       revenue',
      '2024-01-01      100',
      '2024-02-01      200',
      '2024-03-01      300',
    ]);
    assert.deepEqual(grade.difference.text.actual.split('\n'), [
      'month       revenue',
      '2024-01-01      100',
      '2024-02-01      250',
      '2024-03-01      300',
    ]);
  });

  it('lists missing and unexpected rows with their number', () => {
    const grade = gradeTable(expected, table('month:time revenue:number', ['2024-01-01', 100], ['2024-04-01', 400]));
    assert.ok(grade.status === 'failed');
    assert.equal(grade.message, 'Expected 3 rows, got 2');
    assert.deepEqual(grade.difference.counts, { same: 1, changed: 0, missing: 2, unexpected: 1 });
    assert.match(grade.difference.text.actual, /2024-04-01 +400$/);
  });

  it('names columns in the quotation marks of the display language', () => {
    useBundle({ '“{0}”': '„{0}“' }, 'de');
    const { message } = failureOf(table('a:number', [1]), table('b:string', ['x']));
    useBundle({}, 'en');
    assert.equal(message, 'The answer has no column that matches „a“');
  });

  it('names an expected column without a match', () => {
    const grade = gradeTable(
      expected,
      table('month:time region:string', ['2024-01-01', 'EU'], ['2024-02-01', 'EU'], ['2024-03-01', 'US']),
    );
    assert.ok(grade.status === 'failed');
    assert.equal(grade.message, 'The answer has no column that matches “revenue”');
    assert.deepEqual(grade.difference.missingColumns, ['revenue']);
  });

  it('folds many equal rows and distinguishes null, empty and control characters', () => {
    const rows = Array.from({ length: 50 }, (_, index): unknown[] => [`k${index}`, index]);
    const odd = [
      ['x', null],
      ['', 1],
      ['a\nb', 2],
    ];
    const grade = gradeTable(
      table('k:string v:number', ...rows, ...odd),
      table('k:string v:number', ...rows, ['x', 7], ['', 1], ['a\nb', 3]),
    );
    assert.ok(grade.status === 'failed');
    assert.match(grade.difference.text.expected, /\nk0 +0\nk1 +1\n… 47 equal rows\nk49 +49\n/);
    assert.match(grade.difference.text.expected, /x +NULL\n'' +1\na\\nb +2$/);
    assert.ok(grade.difference.text.expected.split('\n').length < 12);
  });

  const sides = (left: ResultTable, right: ResultTable): { expected: string[]; actual: string[] } => {
    const { expected: before, actual: after } = failureOf(left, right).difference.text;
    return { expected: before.split('\n'), actual: after.split('\n') };
  };

  it('pairs columns with equal cells first, then by name, then by type in order', () => {
    const of = (columns: string, ...cells: number[]) => table(columns, cells);
    assert.deepEqual(sides(of('x:number y:number', 1, 2), of('y:number x:number', 1, 7)), {
      expected: ['x  y', '1  2'],
      actual: ['x  y', '1  7'],
    });
    assert.deepEqual(sides(of('x:number y:number', 1, 2), of('y:number x:number', 5, 9)), {
      expected: ['x  y', '1  2'],
      actual: ['x  y', '9  5'],
    });
    assert.deepEqual(sides(of('x:number y:number', 1, 2), of('p:number q:number', 5, 9)), {
      expected: ['x  y', '1  2'],
      actual: ['x  y', '5  9'],
    });
  });

  it('pairs columns of other names and in another order by most equal cells, so that one row is not all', () => {
    const rows = [...Array(12).keys()].map((month) => [`${month}`, `r${month % 3}`, 1000 + month, 7 * month]);
    const other = rows.map(([month, region, revenue, count]) => [
      count,
      revenue === 1003 ? 900 : revenue,
      region,
      month,
    ]);
    const { difference } = failureOf(
      table('month:string region:string revenue:number orders:number', ...rows),
      table('n:number total:number area:string period:string', ...other.slice(1)),
    );
    assert.deepEqual(difference.counts, { same: 10, changed: 1, missing: 1, unexpected: 0 });
  });

  it('does not pair a column by its first cells, if it has others', () => {
    const actual = table('m:number n:number', [1, 3], [2, 4]);
    assert.deepEqual(sides(table('n:number', [1]), actual).actual, ['n', '3', '4']);
  });

  it('pairs a column of nulls with any other', () => {
    const [nulls, times] = [table('n:number', [null]), table('t:time', ['2024-01-01'])];
    assert.deepEqual(sides(nulls, times), { expected: ['n', 'NULL'], actual: ['n', '2024-01-01'] });
    assert.deepEqual(sides(times, nulls), { expected: ['t', '2024-01-01'], actual: ['t', 'NULL'] });
  });

  it('shows midnights as days where both results have only midnights', () => {
    const midnight = (day: string): string => `${day}T00:00:00.000`;
    const [march, may] = [midnight('2024-03-01'), midnight('2024-05-01')];
    const expected = table('month:time n:number', [march, 1], [may, 2]);
    assert.deepEqual(sides(expected, table('month:time n:number', [march, 1], ['2024-05-01', 3])), {
      expected: ['month       n', '2024-03-01  1', '2024-05-01  2'],
      actual: ['month       n', '2024-03-01  1', '2024-05-01  3'],
    });
    const noon = '2024-05-01T12:00:00.000';
    assert.ok(sides(expected, table('month:time n:number', [march, 1], [noon, 2])).expected[2]?.startsWith(may));
  });

  it('prefers the column with the same name among columns with equal cells', () => {
    const actual = table('m:number n:number region:string', [1, 1, 'EU']);
    assert.deepEqual(sides(table('n:number day:time', [1, '2024-01-01']), actual), {
      expected: ['n  day', '1  2024-01-01'],
      actual: ['n  m  region', '1  1  EU'],
    });
  });

  it('has the extra columns of the answer only if an expected one is missing', () => {
    const [one, other] = [table('n:number', [1]), table('n:number region:string', [2, 'EU'])];
    assert.deepEqual(sides(one, other).actual, ['n', '2']);
    assert.deepEqual(sides(table('n:number day:time', [1, '2024-01-01']), other).actual, ['n  region', '2  EU']);
  });

  it('names all expected columns without a match', () => {
    const wide = table('n:number day:time done:boolean', [1, '2024-01-01', true]);
    const { message, difference } = failureOf(wide, table('n:number', [1]));
    assert.equal(message, 'The answer has no column that matches “day”, “done”');
    assert.deepEqual(difference.counts, { same: 0, changed: 1, missing: 0, unexpected: 0 });
  });

  it('pairs each row once, and equal rows before rows that differ in numbers', () => {
    const rows = (...numbers: number[]) => table('k:string n:number', ...numbers.map((n) => ['a', n]));
    assert.deepEqual(failureOf(rows(1, 2), rows(1, 3)).difference.counts, {
      ...{ same: 1, changed: 1, missing: 0, unexpected: 0 },
    });
    assert.deepEqual(sides(rows(1, 2), rows(3, 2)).actual, ['k  n', 'a  3', 'a  2']);
    assert.deepEqual(sides(rows(1), rows(1, 1)).actual, ['k  n', 'a  1', 'a  1']);
    assert.deepEqual(failureOf(rows(1, 1, 2), rows(1)).difference.counts, {
      ...{ same: 1, changed: 0, missing: 2, unexpected: 0 },
    });
  });

  it('pairs rows by numbers that both results have, such as years', () => {
    const expected = table('year:number n:number', [2022, 5], [2023, 6]);
    const actual = table('year:number n:number', [2023, 7], [2022, 6]);
    assert.deepEqual(sides(expected, actual).actual, ['year  n', '2022  6', '2023  7']);
    assert.equal(failureOf(expected, actual).difference.totalChange, '18.18');
  });

  it('pairs rows with the same text in linear time', () => {
    const count = 100_000;
    const rows = (first: number) =>
      table('k:string n:number', ...Array.from({ length: count }, (_, at) => ['a', first + at]));
    const { same, changed } = failureOf(rows(0), rows(count)).difference.counts;
    assert.equal(same + changed, count);
  });

  it('counts rows with another text as missing and unexpected', () => {
    const { message, difference } = failureOf(table('k:string', ['a'], ['b']), table('k:string', ['a'], ['c']));
    assert.equal(message, '1 of 2 rows differs');
    assert.deepEqual(difference.counts, { same: 1, changed: 0, missing: 1, unexpected: 1 });
  });

  it('folds more than six equal rows in sequence', () => {
    const rows = (equal: number, last: number) =>
      table('k:string n:number', ...Array.from({ length: equal }, (_, at) => [`k${at}`, 1]), ['end', last]);
    assert.equal(sides(rows(6, 1), rows(6, 2)).expected.length, 8);
    assert.deepEqual(sides(rows(7, 1), rows(7, 2)).expected, [
      ...['k    n', 'k0   1', 'k1   1', '… 4 equal rows', 'k6   1', 'end  1'],
    ]);
  });

  it('shows up to 200 rows, and tells how many more there are', () => {
    const rows = (count: number, n: number) =>
      table('k:string n:number', ...Array.from({ length: count }, (_, at) => [`k${at}`, n]));
    assert.equal(sides(rows(200, 1), rows(200, 2)).expected.length, 201);
    const lines = sides(rows(202, 1), rows(202, 2)).expected;
    assert.deepEqual([lines.length, lines.at(-1)], [202, '… 2 more rows']);
    // Folded rows count as the three that are shown.
    const folded = (n: number) => table('k:string n:number', ...rows(50, 1).rows, ...rows(198, n).rows);
    assert.equal(sides(folded(3), folded(4)).expected.at(-1), '… 1 more row');
  });

  it('has the change of the total of the first number column that differs, without nulls', () => {
    const of = (...cells: unknown[]) => table('a:number b:number', ...cells.map((cell) => [1, cell]));
    const changeOf = (left: ResultTable, right: ResultTable) => failureOf(left, right).difference.totalChange;
    assert.equal(changeOf(of(10, null), of(15, null)), '50.00');
    assert.equal(changeOf(of(10, 'n/a'), of(15, 'n/a')), undefined);
    assert.equal(changeOf(of(0), of(5)), undefined);
    assert.equal(changeOf(of(10), of(10, 5)), '100.00');
    assert.equal(changeOf(table('k:string', ['a']), table('k:string', ['b'])), undefined);
  });
});

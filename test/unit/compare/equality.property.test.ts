import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isNear } from '../../../src/compare/cellEquality.ts';
import { gradeTable } from '../../../src/evals/grading/grade.ts';
import { runs } from '../../support/runs.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';

/** Numbers that are not residues next to the largest of them. */
const numbers = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, min: 1e-3, max: 1e9 }),
  fc.double({ noNaN: true, min: -1e9, max: -1e-3 }),
);
/** Numbers of which each is near the next one at four digits, but not the one after the next. */
const chained = fc.integer({ min: 0, max: 12 }).map((step) => 1001 + step * 0.4);

const kinds = {
  number: numbers,
  double: chained,
  bigint: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  string: fc.oneof(fc.constantFrom('', 'a', 'b', 'null', '1', '__proto__'), fc.string({ maxLength: 4 })),
  time: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  boolean: fc.boolean(),
} as const;
type Type = keyof typeof kinds;

const tablesOf = (types: readonly Type[], most: number): fc.Arbitrary<ResultTable> =>
  fc
    .array(fc.tuple(...types.map((type) => fc.option(kinds[type] as fc.Arbitrary<unknown>, { freq: 6 }))), {
      maxLength: most,
    })
    .map((rows) => ({
      columns: types.map((type, index) => ({ name: `c${index}`, type })),
      rows,
      totalRows: rows.length,
    }));
const someTypes = fc.array(fc.constantFrom(...(Object.keys(kinds) as Type[])), { minLength: 1, maxLength: 5 });
const tables = someTypes.chain((types) => tablesOf(types, 12));

/** The same table with shuffled rows and columns, and other names. */
const shuffled = (table: ResultTable): fc.Arbitrary<ResultTable> =>
  fc
    .tuple(
      fc.shuffledSubarray([...table.rows.keys()], { minLength: table.rows.length }),
      fc.shuffledSubarray([...table.columns.keys()], { minLength: table.columns.length }),
    )
    .map(([rows, columns]) => ({
      columns: columns.map((index) => ({ ...table.columns[index]!, name: `renamed${index}` })),
      rows: rows.map((row) => columns.map((index) => table.rows[row]![index])),
      totalRows: table.totalRows,
    }));

/** A cell that differs from the given one by more than the precision. */
function changed(cell: unknown, type: string): unknown {
  if (cell === null)
    return ['string', 'time', 'boolean'].includes(type)
      ? { string: 'x', time: '2024-01-01T00:00:00Z', boolean: true }[type]
      : 1;
  if (type === 'bigint') return `${String(cell)}7`;
  if (type === 'number' || type === 'double') return cell === 0 ? 7 : Number(cell) * 1.01;
  if (type === 'time') return new Date(Date.parse(String(cell)) + 86_400_000).toISOString();
  return type === 'boolean' ? !cell : `${String(cell)}x`;
}

const withCell = (
  table: ResultTable,
  row: number,
  column: number,
  change: (cell: unknown) => unknown,
): ResultTable => ({
  ...table,
  rows: table.rows.with(row, table.rows[row]!.with(column, change(table.rows[row]![column]))),
});

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

/** Tries all orders of rows and columns. */
const haveEqualOrder = (left: ResultTable, right: ResultTable): boolean =>
  left.rows.length === right.rows.length &&
  permutations([...left.columns.keys()]).some((columns) =>
    permutations(right.rows).some((rows) =>
      rows.every((row, at) =>
        columns.every((column, index) => {
          const [before, after] = [left.rows[at]![index], row[column]];
          return before === after || (before !== null && after !== null && isNear(Number(before), Number(after), 4));
        }),
      ),
    ),
  );

const statusOf = (expected: ResultTable, actual: ResultTable): string => gradeTable(expected, actual).status;

describe('equality of tables', () => {
  it('is reflexive, symmetric, and not affected by the order of rows and columns', () => {
    fc.assert(
      fc.property(
        someTypes.chain((types) =>
          tablesOf(types, 12).chain((table) => fc.tuple(fc.constant(table), shuffled(table), tablesOf(types, 12))),
        ),
        ([table, permuted, other]) => {
          assert.equal(statusOf(table, permuted), 'passed');
          assert.equal(statusOf(table, other), statusOf(permuted, other));
          assert.equal(statusOf(other, table), statusOf(permuted, other));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('finds an order of rows and columns in which measures are near each other, if there is one', () => {
    const small = fc.constantFrom<Type[]>(['double'], ['double', 'double'], ['double', 'double', 'double']);
    fc.assert(
      fc.property(
        small.chain((types) => fc.tuple(tablesOf(types, 4), tablesOf(types, 4))),
        ([left, right]) => {
          assert.equal(statusOf(left, right), haveEqualOrder(left, right) ? 'passed' : 'failed');
        },
      ),
      { numRuns: runs(800) },
    );
  });

  it('finds nearby measures again after they were changed by less than the precision', () => {
    const doubles = fc.array(fc.constant<Type>('double'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        doubles.chain((types) => tablesOf(types, 10)).chain((table) => fc.tuple(fc.constant(table), shuffled(table))),
        fc.func(fc.integer({ min: -1, max: 1 })),
        ([table, permuted], step) => {
          const near = (cell: unknown, at: number): unknown => (cell === null ? null : Number(cell) + step(at) * 0.4);
          const rows = permuted.rows.map((row, y) => row.map((cell, x) => near(cell, y * 10 + x)));
          assert.equal(statusOf(table, { ...permuted, rows }), 'passed');
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('ends if one cell changes beyond the precision', () => {
    fc.assert(
      fc.property(
        tables
          .filter(({ rows }) => rows.length > 0)
          .chain((table) => fc.tuple(fc.constant(table), shuffled(table), fc.nat(), fc.nat())),
        ([table, permuted, row, column]) => {
          const [y, x] = [row % permuted.rows.length, column % permuted.columns.length];
          const other = withCell(permuted, y, x, (cell) => changed(cell, permuted.columns[x]!.type));
          assert.equal(statusOf(table, other), 'failed');
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('accepts numbers that were rounded to the digits of the precision', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1 }), fc.integer({ min: 1, max: 15 }), (cells, precision) => {
        const of = (values: readonly unknown[]): ResultTable => ({
          columns: [{ name: 'n', type: 'double' }],
          rows: values.map((value) => [value]),
          totalRows: values.length,
        });
        const rounded = cells.map((cell) => cell.toPrecision(precision));
        assert.equal(gradeTable(of(cells), of(rounded), precision).status, 'passed');
      }),
      { numRuns: runs(400) },
    );
  });
});

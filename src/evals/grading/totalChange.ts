/** The change of a column's total, which shows how far apart two results are. */
import { changeOf, sumOf } from '../../compare/change.ts';
import { isNull, numberText } from '../../shared/results/cells.ts';
import type { Alignment } from './align.ts';
import type { GradedColumn } from './columns.ts';
import type { ColumnMatch } from './matchTables.ts';

/** @returns the change of the total of the first differing number column, in percent, such as `-8.25` */
export function totalChange({ columns, rows }: Alignment): string | undefined {
  const isDifferent = ({ expected, actual, mode }: ColumnMatch): boolean =>
    mode === 'number' &&
    rows.some(({ status, ...at }) =>
      at.expected === undefined || at.actual === undefined
        ? true
        : status === 'changed' && expected.keys(mode)[at.expected] !== actual.keys(mode)[at.actual],
    );
  const column = columns.find(isDifferent);
  const [before, after] = [column?.expected, column?.actual].map(totalOf);
  return before === undefined || after === undefined ? undefined : changeOf(before, after)?.percent;
}

function totalOf(column: GradedColumn | undefined): string | undefined {
  const numbers = column?.cells.filter((cell) => !isNull(cell)).map(numberText);
  return numbers?.every((number) => number !== undefined) ? sumOf(numbers) : undefined;
}

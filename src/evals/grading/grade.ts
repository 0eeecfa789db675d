/** Grades whether an answer has the expected rows, without a language model. */
import { DEFAULT_PRECISION } from '../../compare/cellEquality.ts';
import { changeOf, sumOf } from '../../compare/change.ts';
import type { ComparedColumn } from '../../compare/comparedColumns.ts';
import { compareTables, type TableComparison } from '../../compare/compareTables.ts';
import { cellText, isNull } from '../../shared/results/cells.ts';
import { plural, quotedNames, t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { diffTexts, type DiffText } from './diffTexts.ts';

export type Grade =
  | { status: 'passed' }
  | { status: 'failed'; message: string; difference: Difference }
  /** Rows are missing, or too many columns are interchangeable. */
  | { status: 'notComparable'; message: string; hasOtherCount?: boolean };

/** The differences of two results. */
export interface Difference {
  counts: { same: number; changed: number; missing: number; unexpected: number };
  /** Names of expected columns that the answer doesn't have. */
  missingColumns: readonly string[];
  /** Change of the total of the first differing number column, in percent with two decimals, such as `-8.25`. */
  totalChange?: string;
  text: DiffText;
}

/**
 * Rows are a multiset; columns are matched by values and types, names are a hint, extra columns are allowed.
 * @param precision significant digits at which measures are equal
 */
export function gradeTable(expected: ResultTable, actual: ResultTable, precision = DEFAULT_PRECISION): Grade {
  for (const { rows, totalRows } of [actual, expected])
    if (rows.length < totalRows)
      return {
        status: 'notComparable',
        message: t('Not comparable: {0} of {1} rows', rows.length.toLocaleString(), totalRows.toLocaleString()),
        hasOtherCount: expected.totalRows !== actual.totalRows,
      };
  if (expected.rows.length === 0 && actual.rows.length === 0) {
    // A service that sends rows as objects sends no columns of an empty result.
    const isMatch = actual.columns.length === 0 || expected.columns.length <= actual.columns.length;
    if (isMatch) return { status: 'passed' };
  }
  const comparison = compareTables([expected, actual], precision);
  const { same, changed, added, removed } = comparison.counts;
  const missing = missingColumns(comparison, expected);
  if (same > 0 && changed + added + removed + missing.length === 0) return { status: 'passed' };
  if (comparison.isUndecided)
    return { status: 'notComparable', message: t('Not comparable: too many interchangeable columns') };
  const difference = differenceOf(comparison, expected, actual);
  return { status: 'failed', message: messageFor(difference, expected, actual), difference };
}

/** @returns the differences of two results, whose measures are compared with the default precision */
export const differenceBetween = (expected: ResultTable, actual: ResultTable): Difference =>
  differenceOf(compareTables([expected, actual], DEFAULT_PRECISION), expected, actual);

const missingColumns = ({ dimensions, measures }: TableComparison, expected: ResultTable): string[] =>
  [...dimensions, ...measures].flatMap(({ at: [own = -1, other] }) =>
    other === -1 ? (expected.columns[own]?.name ?? []) : [],
  );

function differenceOf(comparison: TableComparison, expected: ResultTable, actual: ResultTable): Difference {
  const { same, changed, added, removed } = comparison.counts;
  const missing = missingColumns(comparison, expected);
  // Rows without an expected column are not the expected ones.
  const alike = missing.length > 0 ? { same: 0, changed: same + changed } : { same, changed };
  return {
    counts: { ...alike, missing: removed, unexpected: added },
    missingColumns: missing,
    totalChange: totalChange(comparison, expected, actual),
    text: diffTexts(comparison, expected, actual),
  };
}

function messageFor(
  { missingColumns: missing, counts }: Difference,
  expected: ResultTable,
  actual: ResultTable,
): string {
  if (missing.length > 0) return t('The answer has no column that matches {0}', quotedNames(missing));
  const [before, after] = [expected.rows.length, actual.rows.length];
  if (before !== after) return plural(before, 'Expected {0} row, got {1}|Expected {0} rows, got {1}', before, after);
  const different = counts.changed + counts.missing;
  return plural(different, '{0} of {1} rows differs|{0} of {1} rows differ', different, before);
}

/** @returns the change of the total of the first differing number column, in percent, such as `-8.25` */
function totalChange(
  { measures, rows, cellOf }: TableComparison,
  ...tables: [ResultTable, ResultTable]
): string | undefined {
  const isDifferent = (column: ComparedColumn): boolean =>
    column.kind === 'number' &&
    !column.at.includes(-1) &&
    rows.some((row) => (row.status === 'same' ? false : row.status !== 'changed' || cellOf(row, column).isChanged));
  const column = measures.find(isDifferent);
  const [before, after] = tables.map((table, side) => column && totalOf(table, column.at[side]!));
  return before === undefined || after === undefined ? undefined : changeOf(before, after)?.percent;
}

const totalOf = ({ rows }: ResultTable, index: number): string | undefined =>
  sumOf(rows.flatMap((row) => (isNull(row[index]) ? [] : cellText(row[index]))));

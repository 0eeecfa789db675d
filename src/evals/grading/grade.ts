/** Grades whether an answer has the expected rows, without a language model. */
import { changeOf, sumOf } from '../../compare/change.ts';
import { cellText, isNull } from '../../shared/results/cells.ts';
import { plural, quotedNames, t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { alignResults, alignedTexts, type Alignment, type DiffText } from './align.ts';
import { gradedColumns, type GradedColumn } from './columns.ts';
import { hasSameRows, type ColumnMatch } from './matchTables.ts';

export const DEFAULT_PRECISION = 4;

export type Grade =
  | { status: 'passed' }
  | { status: 'failed'; message: string; difference: Difference }
  /** Rows are missing, so the results can't be compared. */
  | { status: 'notComparable'; message: string };

/** The differences of two results. */
export interface Difference {
  counts: Alignment['counts'];
  /** Names of expected columns that the answer doesn't have. */
  missingColumns: readonly string[];
  /** Change of the total of the first differing number column, in percent with two decimals, such as `-8.25`. */
  totalChange?: string;
  text: DiffText;
}

/**
 * Rows are a multiset; columns are matched by values and types, names are ignored, extra columns are allowed.
 * @param precision significant digits at which numbers are equal
 */
export function gradeTable(expected: ResultTable, actual: ResultTable, precision = DEFAULT_PRECISION): Grade {
  for (const { rows, totalRows } of [actual, expected])
    if (rows.length < totalRows)
      return {
        status: 'notComparable',
        message: t('Not comparable: {0} of {1} rows', rows.length.toLocaleString(), totalRows.toLocaleString()),
      };
  const isMatch =
    expected.rows.length === actual.rows.length &&
    (expected.rows.length === 0
      ? // A service that sends rows as objects sends no columns of an empty result.
        actual.columns.length === 0 || expected.columns.length <= actual.columns.length
      : hasSameRows(gradedColumns(expected, precision), gradedColumns(actual, precision), actual.rows.length));
  if (isMatch) return { status: 'passed' };
  const alignment = alignResults(expected, actual, precision);
  return { status: 'failed', message: messageFor(alignment, expected, actual), difference: differenceOf(alignment) };
}

/** @returns the differences of two results, whose numbers are compared with the default precision */
export const differenceBetween = (expected: ResultTable, actual: ResultTable): Difference =>
  differenceOf(alignResults(expected, actual, DEFAULT_PRECISION));

function differenceOf(alignment: Alignment): Difference {
  return {
    counts: alignment.counts,
    missingColumns: alignment.missing.map(({ name }) => name),
    totalChange: totalChange(alignment),
    text: alignedTexts(alignment),
  };
}

function messageFor({ missing, counts }: Alignment, expected: ResultTable, actual: ResultTable): string {
  if (missing.length > 0)
    return t('The answer has no column that matches {0}', quotedNames(missing.map(({ name }) => name)));
  const [before, after] = [expected.rows.length, actual.rows.length];
  if (before !== after) return plural(before, 'Expected {0} row, got {1}|Expected {0} rows, got {1}', before, after);
  const different = counts.changed + counts.missing;
  return plural(different, '{0} of {1} rows differs|{0} of {1} rows differ', different, before);
}

/** @returns the change of the total of the first differing number column, in percent, such as `-8.25` */
function totalChange({ columns, rows }: Alignment): string | undefined {
  const isDifferent = ({ expected, actual, mode }: ColumnMatch): boolean =>
    mode === 'number' &&
    rows.some((row) => expected.keys(mode)[row.expected ?? -1] !== actual.keys(mode)[row.actual ?? -1]);
  const column = columns.find(isDifferent);
  const [before, after] = [column?.expected, column?.actual].map(totalOf);
  return before === undefined || after === undefined ? undefined : changeOf(before, after)?.percent;
}

const totalOf = (column: GradedColumn | undefined): string | undefined =>
  column && sumOf(column.cells.filter((cell) => !isNull(cell)).map(cellText));

/** Aligns two differing results row by row, and formats them for a diff that shows only the differences. */
import { plural } from '../../shared/text/l10n.ts';
import { alignedLine, shownCell, widthsOf } from '../../shared/results/textTable.ts';
import { gradedColumns, modeOf, type GradedColumn } from './columns.ts';
import { candidatesOf, hasSameCells, sameName, tuplesOf, type ColumnMatch } from './matchTables.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';

interface AlignedRow {
  status: 'same' | 'changed' | 'missing' | 'unexpected';
  /** Index of the row in each result; absent if the result lacks it. */
  expected?: number;
  actual?: number;
}

export interface Alignment {
  columns: readonly ColumnMatch[];
  /** Expected columns without a match, and extra columns of the answer. */
  missing: readonly GradedColumn[];
  extra: readonly GradedColumn[];
  /** In the order of the expected rows, unexpected ones last. */
  rows: readonly AlignedRow[];
  counts: Readonly<Record<AlignedRow['status'], number>>;
}

/**
 * Pairs rows with equal cells, then those with the same text and the same numbers in columns that are equal as a whole,
 * then those with the same text.
 * @param precision significant digits at which numbers are equal
 */
export function alignResults(expected: ResultTable, actual: ResultTable, precision: number): Alignment {
  const left = gradedColumns(expected, precision);
  const right = gradedColumns(actual, precision);
  const columns = bestMatches(left, right);
  const sizes = { expected: expected.rows.length, actual: actual.rows.length };
  const partners = new Map<number, { row: number; isSame: boolean }>();
  const taken = new Set<number>();
  const pair = (matches: readonly ColumnMatch[], isSame: boolean): void => {
    const tuples = tuplesOf(matches, sizes);
    // Last rows first: an element is removed from the end of a long array in constant time.
    const waiting = new Map<number, number[]>();
    for (let row = sizes.actual - 1; row >= 0; row -= 1) {
      if (taken.has(row)) continue;
      const rows = waiting.get(tuples.actual[row]!);
      if (rows) rows.push(row);
      else waiting.set(tuples.actual[row]!, [row]);
    }
    tuples.expected.forEach((tuple, row) => {
      const partner = partners.has(row) ? undefined : waiting.get(tuple)?.pop();
      if (partner === undefined) return;
      taken.add(partner);
      partners.set(row, { row: partner, isSame });
    });
  };
  pair(columns, columns.length === left.length);
  const isNumber = ({ mode }: ColumnMatch): boolean => mode === 'number';
  // Numbers that are the same on both sides, such as years, identify rows like text.
  pair(
    columns.filter((match) => !isNumber(match) || hasSameCells(match)),
    false,
  );
  pair(
    columns.filter((match) => !isNumber(match)),
    false,
  );
  const rows = expected.rows.map((_, row): AlignedRow => {
    const partner = partners.get(row);
    if (partner === undefined) return { status: 'missing', expected: row };
    return { status: partner.isSame ? 'same' : 'changed', expected: row, actual: partner.row };
  });
  for (const row of actual.rows.keys()) if (!taken.has(row)) rows.push({ status: 'unexpected', actual: row });
  const counts = { same: 0, changed: 0, missing: 0, unexpected: 0 };
  for (const { status } of rows) counts[status] += 1;
  const isMatched = (column: GradedColumn): boolean =>
    columns.some((match) => match.expected === column || match.actual === column);
  return {
    columns,
    missing: left.filter((column) => !isMatched(column)),
    extra: right.filter((column) => !isMatched(column)),
    rows,
    counts,
  };
}

/** Matches columns with equal cells, then those with the same name, then those with the same type in order. */
function bestMatches(expected: readonly GradedColumn[], actual: readonly GradedColumn[]): ColumnMatch[] {
  const matches = new Map<GradedColumn, ColumnMatch>();
  const used = new Set<GradedColumn>();
  const rules: ((column: GradedColumn) => ColumnMatch[])[] = [
    (column) => candidatesOf(column, actual),
    (column) => comparable(column, actual).filter((match) => sameName(column.name, match.actual.name)),
    (column) => comparable(column, actual),
  ];
  for (const rule of rules)
    for (const column of expected) {
      const match = matches.has(column) ? undefined : rule(column).find((one) => !used.has(one.actual));
      if (match === undefined) continue;
      matches.set(column, match);
      used.add(match.actual);
    }
  return expected.flatMap((column) => matches.get(column) ?? []);
}

const comparable = (expected: GradedColumn, columns: readonly GradedColumn[]): ColumnMatch[] =>
  columns.flatMap((actual) => {
    const mode = modeOf(expected, actual);
    return mode === undefined ? [] : [{ expected, actual, mode }];
  });

export interface DiffText {
  expected: string;
  actual: string;
}

/** Number of consecutive equal rows to show; more are folded into one line. */
const MOST_EQUAL = 6;
/** Maximum number of rows to show. */
const MOST_ROWS = 200;

interface Line {
  expected?: readonly string[];
  actual?: readonly string[];
}

/** @returns both results as aligned text tables whose lines differ exactly where the results do */
export function alignedTexts(alignment: Alignment): DiffText {
  const { columns, missing, extra } = alignment;
  const shared = columns.map(({ expected }) => expected.name);
  const lines: (Line | string)[] = foldEqual(alignment.rows).map((row) =>
    typeof row === 'string' ? row : lineOf(row, alignment),
  );
  // Extra columns are allowed; they matter only if an expected one is missing.
  const added = missing.length > 0 ? extra : [];
  const header: Line = { expected: [...shared, ...names(missing)], actual: [...shared, ...names(added)] };
  const all = [header, ...lines].flatMap((line) => (typeof line === 'string' ? [] : [line.expected, line.actual]));
  // Both sides share the column widths, so that equal rows are equal lines.
  const widths = widthsOf(all.flatMap((cells) => (cells ? [cells.slice(0, shared.length)] : [])));
  const isRight = columns.map(({ mode }) => mode === 'number');
  const render = (side: keyof Line): string =>
    [header, ...lines]
      .flatMap((line) =>
        typeof line === 'string' ? [line] : line[side] ? [alignedLine(line[side], widths, isRight)] : [],
      )
      .join('\n');
  return { expected: render('expected'), actual: render('actual') };
}

const names = (columns: readonly GradedColumn[]): string[] => columns.map(({ name }) => name);

function lineOf({ expected, actual }: AlignedRow, { columns, missing, extra }: Alignment): Line {
  const cells = (side: 'expected' | 'actual', row: number, others: readonly GradedColumn[]): string[] => [
    ...columns.map((match) => {
      const key = match.expected.keys(match.mode)[expected ?? -1];
      const isEqual = key === match.actual.keys(match.mode)[actual ?? -1];
      return shownCell(isEqual ? match.expected.cells[expected!] : match[side].cells[row]);
    }),
    ...others.map((column) => shownCell(column.cells[row])),
  ];
  return {
    ...(expected === undefined ? {} : { expected: cells('expected', expected, missing) }),
    ...(actual === undefined ? {} : { actual: cells('actual', actual, missing.length > 0 ? extra : []) }),
  };
}

function foldEqual(rows: readonly AlignedRow[]): (AlignedRow | string)[] {
  const folded: (AlignedRow | string)[] = [];
  let shownRows = 0;
  for (let at = 0; at < rows.length; at += 1) {
    let end = at;
    while (rows[end]?.status === 'same') end += 1;
    const equal = end - at;
    if (shownRows >= MOST_ROWS) return [...folded, plural(rows.length - at, '… {0} more row|… {0} more rows')];
    if (equal > MOST_EQUAL) {
      folded.push(
        ...rows.slice(at, at + 2),
        plural(equal - 3, '… {0} equal row|… {0} equal rows'),
        ...rows.slice(end - 1, end),
      );
      shownRows += 3;
      at = end - 1;
    } else {
      folded.push(rows[at]!);
      shownRows += 1;
    }
  }
  return folded;
}

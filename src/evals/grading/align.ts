/** Aligns two differing results row by row, for a diff that shows only the differences. */
import { gradedColumns, modeOf, type GradedColumn } from './columns.ts';
import { candidatesOf, sameName, tuplesOf, type ColumnMatch } from './matchTables.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';

export interface AlignedRow {
  status: 'same' | 'changed' | 'missing' | 'unexpected';
  /** Row numbers. */
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

export function alignTables(expected: ResultTable, actual: ResultTable, precision: number): Alignment {
  const left = gradedColumns(expected, precision);
  const right = gradedColumns(actual, precision);
  const columns = bestMatches(left, right);
  const sizes = { expected: expected.rows.length, actual: actual.rows.length };
  const partners = new Map<number, { row: number; isSame: boolean }>();
  const taken = new Set<number>();
  const pair = (matches: readonly ColumnMatch[], isSame: boolean): void => {
    const tuples = tuplesOf(matches, sizes);
    const waiting = new Map<number, number[]>();
    tuples.actual.forEach((tuple, row) => {
      if (!taken.has(row)) waiting.set(tuple, [...(waiting.get(tuple) ?? []), row]);
    });
    tuples.expected.forEach((tuple, row) => {
      const partner = partners.has(row) ? undefined : waiting.get(tuple)?.shift();
      if (partner === undefined) return;
      taken.add(partner);
      partners.set(row, { row: partner, isSame });
    });
  };
  pair(columns, columns.length === left.length);
  pair(
    columns.filter(({ mode }) => mode !== 'number'),
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

/** Columns with equal cells first, then those with the same name, then those with the same type in order. */
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

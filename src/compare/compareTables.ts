/** The one equality of tables: matches columns, aligns rows, and says what differs. */
import { cellText, type Row } from '../shared/results/cells.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { Precision } from './cellEquality.ts';
import type { RowStatus } from '../shared/protocol/runs.ts';
import { changeOf, type Change } from './change.ts';
import { isSameCell, TableColumn, tableColumns, type ColumnPair, type Numbering } from './columns.ts';
import { comparedColumns, keyColumns, type ComparedColumn } from './comparedColumns.ts';
import { equalRows, matchTables } from './matchColumns.ts';
import { pairByKeys, type Partners } from './matchRows.ts';

/** A cell of the first table, and of another. */
export interface ComparedCell {
  /** Absent if the first table lacks the row or the column. */
  left?: unknown;
  right?: unknown;
  isChanged: boolean;
  /** Set if both values are numbers and differ. */
  change?: Change;
}

export interface ComparedRow {
  /** `added` if the first table lacks it, `removed` if another does, `changed` if any differs from the first. */
  status: RowStatus;
  /** Values of the dimensions. */
  key: readonly unknown[];
  /** The row of each table. */
  rows: readonly (Row | undefined)[];
}

export interface TableComparison {
  /** Number of significant digits at which measures were compared; undefined for all digits. */
  precision: Precision;
  /** Columns by which rows are aligned. */
  dimensions: readonly ComparedColumn[];
  /** All other columns: those of the first table, then those that only others have. */
  measures: readonly ComparedColumn[];
  /** The rows of the first table; rows that it lacks stand between those that they stand between in their own. */
  rows: readonly ComparedRow[];
  counts: Readonly<Record<RowStatus, number>>;
  /** Whether a table has more rows than its answer contains, so that added and removed rows may be wrong. */
  isPartial: boolean;
  /** Whether the search for equal columns was given up, so that rows may be equal in other columns. */
  isUndecided: boolean;
  /** @param table index of the table to compare with the first */
  cellOf: (row: ComparedRow, measure: ComparedColumn, table?: number) => ComparedCell;
}

/** A row of any table with its cells in the columns of the first one. */
interface AlignedRow {
  cells: Row;
  rows: (Row | undefined)[];
  isChanged: boolean;
}

/**
 * Compares tables with the first. Rows are a multiset, and columns are matched by types and values, with names as a
 * hint. Columns that name things are compared exactly, measures by a relative tolerance.
 * @param tables undefined for an answer without a result
 * @param precision number of significant digits at which measures are equal; undefined for all digits
 */
export function compareTables(tables: readonly (ResultTable | undefined)[], precision: Precision): TableComparison {
  const known: Numbering = new Map();
  const columns = tables.map((table) => (table ? tableColumns(table) : []));
  const rows = tables.map((table) => table?.rows ?? []);
  const first = Math.max(
    0,
    rows.some(({ length }) => length > 0)
      ? rows.findIndex(({ length }) => length > 0)
      : columns.findIndex(({ length }) => length > 0),
  );
  const base = columns[first] ?? [];
  const origin = Math.max(
    0,
    tables.findIndex((table) => table !== undefined),
  );
  const sidesOf = (left: readonly TableColumn[], leftRows: readonly Row[], at: number) =>
    ({ columns: [left, columns[at]!], rows: [leftRows, rows[at]!], known, precision }) as const;
  const matches = tables.map((table, at) =>
    table && at !== first ? matchTables(sidesOf(base, rows[first]!, at)) : undefined,
  );
  const pairs = matches.map((match) => new Map(match?.pairs.map((pair) => [pair.left.index, pair])));
  const filled = matches.flatMap((match, at) =>
    match && rows[at]!.length > 0 ? [{ pairs: pairs[at]!, rows: rows[at]! }] : [],
  );
  const keys = keyColumns(base, rows[first] ?? [], filled, known);

  let aligned = (rows[first] ?? []).map((row): AlignedRow => {
    const own = tables.map((_, at) => (at === first ? row : undefined));
    return { cells: row, rows: own, isChanged: false };
  });
  for (const [at, match] of matches.entries()) {
    if (!match) continue;
    const cells = aligned.map((row) => row.cells);
    const isBase = cells.length === rows[first]!.length;
    const left = isBase ? base : base.map(({ column, index }) => new TableColumn(column, index, cells));
    const own = match.pairs.map((pair): ColumnPair => ({ ...pair, left: left[pair.left.index]! }));
    const sides = sidesOf(left, cells, at);
    const equal = isBase ? match.partners : equalRows(own, sides);
    const partners = equal.slice();
    pairByKeys(
      own.filter((pair) => keys.includes(pair.left.index)),
      sides,
      partners,
    );
    aligned = merged(aligned, { at, of: tables.length, rows: rows[at]!, pairs: pairs[at]!, partners, equal }, base);
  }

  const allColumns = comparedColumns(columns, first, pairs);
  const dimensions = allColumns.filter(({ at }) => keys.includes(at[first]!));
  const measures = allColumns.filter((column) => !dimensions.includes(column));
  const cellOf = (row: ComparedRow, { at }: ComparedColumn, table = 1): ComparedCell => {
    const [has, hasOther] = [origin, table].map((each) => row.rows[each] !== undefined && at[each]! >= 0);
    const left = row.rows[origin]?.[at[origin]!] ?? null;
    const right = row.rows[table]?.[at[table]!] ?? null;
    // If the origin has no rows, there is nothing to compare.
    const pair = pairs[table]?.get(at[first]!);
    const isChanged =
      pair !== undefined && has === true && hasOther === true && !isSameCell(pair, left, right, precision);
    const change = isChanged ? changeOf(cellText(left), cellText(right)) : undefined;
    return { ...(has ? { left } : {}), ...(hasOther ? { right } : {}), isChanged, ...(change ? { change } : {}) };
  };
  const compared = aligned.map(({ cells, rows: own, isChanged }): ComparedRow => {
    const isRemoved = tables.some((table, at) => table && !own[at]);
    const status = !own[origin] ? 'added' : isRemoved ? 'removed' : isChanged ? 'changed' : 'same';
    return { status, key: keys.map((index) => cells[index] ?? null), rows: own };
  });
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (const { status } of compared) counts[status]++;
  return {
    precision,
    dimensions,
    measures,
    rows: compared,
    counts,
    isPartial: tables.some((table) => table !== undefined && table.totalRows > table.rows.length),
    isUndecided: matches.some((match) => match?.isUndecided),
    cellOf,
  };
}

interface AddedTable {
  /** Index of the table, and number of tables. */
  at: number;
  of: number;
  rows: readonly Row[];
  /** Its pairs of columns by the index in the first table. */
  pairs: ReadonlyMap<number, ColumnPair>;
  /** For each row, the index of the aligned row that it belongs to, or -1. */
  partners: Partners;
  /** The same, only where both are equal. */
  equal: Partners;
}

/** Enters the rows of a table; those without a partner stand between the rows that they stand between in the table. */
function merged(
  before: readonly AlignedRow[],
  { at, of, rows, pairs, partners, equal }: AddedTable,
  base: readonly TableColumn[],
): AlignedRow[] {
  const added = new Map<number, AlignedRow[]>();
  const isMatched = new Uint8Array(before.length);
  for (const partner of partners) if (partner >= 0) isMatched[partner] = 1;
  // Rows that only the others have come first.
  const afterOthers = (row: number): number => {
    const next = isMatched.indexOf(1, row + 1);
    return (next === -1 ? before.length : next) - 1;
  };
  let last = -1;
  rows.forEach((row, index) => {
    const partner = before[partners[index]!];
    if (partner) {
      partner.rows[at] = row;
      partner.isChanged ||= equal[index] === -1;
      last = partners[index]!;
      return;
    }
    const cells = base.map((column) => {
      const pair = pairs.get(column.index);
      return pair ? row[pair.right.index] : null;
    });
    const place = afterOthers(last);
    const list = added.get(place) ?? [];
    const own = Array.from({ length: of }, (_, table) => (table === at ? row : undefined));
    list.push({ cells, rows: own, isChanged: false });
    added.set(place, list);
  });
  if (added.size === 0) return [...before];
  return [...(added.get(-1) ?? []), ...before.flatMap((row, index) => [row, ...(added.get(index) ?? [])])];
}

/** Aligns the results of several answers by their dimensions. */
import { typeColumns, type Row, type TypedColumn } from '../shared/results/cells.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import { columnAt, dimensionsOf, indexOf, type Side } from './rowIndex.ts';

export interface AlignedRow {
  /** Values of the dimensions. */
  key: readonly unknown[];
  /** The row of each table; undefined if a table lacks it. */
  rows: readonly (Row | undefined)[];
}

interface AlignedTables {
  /** Columns by which rows are matched. */
  dimensions: readonly TypedColumn[];
  /** All other columns of any table. */
  measures: readonly TypedColumn[];
  /** For each table, the index of each measure; -1 if the table lacks it. */
  measureAt: readonly (readonly number[])[];
  /** The rows of the first table, then those that only later tables have. */
  rows: readonly AlignedRow[];
}

/** @param tables undefined for an answer without a result */
export function alignTables(tables: readonly (ResultTable | undefined)[]): AlignedTables {
  const known = new Map<string, number>();
  const sides = tables.map((table): Side => ({
    columns: table ? typeColumns(table.columns, table.rows) : [],
    rows: table?.rows ?? [],
    indexes: new Map(),
    known,
  }));
  const filled = sides.filter(({ rows }) => rows.length > 0);
  const compared = filled.length > 0 ? filled : sides.filter(({ columns }) => columns.length > 0);
  const names = dimensionsOf(compared);
  const measures = new Map<string, TypedColumn>();
  for (const { columns } of [...filled, ...sides])
    for (const column of columns)
      if (!names.includes(column.name) && !measures.has(column.name)) measures.set(column.name, column);
  return {
    dimensions: names.flatMap((name) => compared[0]?.columns[columnAt(compared[0], name)] ?? []),
    measures: [...measures.values()],
    measureAt: sides.map((side) => [...measures.keys()].map((name) => columnAt(side, name))),
    rows: alignRows(sides, compared, names),
  };
}

function alignRows(sides: readonly Side[], compared: readonly Side[], names: readonly string[]): AlignedRow[] {
  const found = new Map<number, { key: readonly unknown[]; rows: (Row | undefined)[] }>();
  sides.forEach((side, at) => {
    const { numbers } = indexOf(side, compared, names);
    side.rows.forEach((row, index) => {
      const number = numbers[index]!;
      const key = names.map((name) => row[columnAt(side, name)] ?? null);
      const aligned = found.get(number) ?? { key, rows: sides.map(() => undefined) };
      aligned.rows[at] = row;
      found.set(number, aligned);
    });
  });
  return [...found.values()];
}

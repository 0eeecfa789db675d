/** Decides which cells are equal, and aligns the results of several answers by their dimensions. */
import {
  cellText,
  isDateTime,
  isNull,
  numberText,
  timeSpan,
  typeColumns,
  type Row,
  type TypedColumn,
} from '../shared/results/cells.ts';
import { parseDecimal } from '../shared/results/decimal.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';

/**
 * Maps equal values, and only those, to the same text: `1`, `1.0` and `"1"` are equal, and so are a date and its
 * midnight; null and `""` are not.
 * @param isText whether the column is text, so that codes such as `1.1` and `1.10` differ
 */
export function cellKey(cell: unknown, isText = false): string {
  if (isNull(cell)) return 'null';
  if (isText && typeof cell === 'string') return `text:${cell}`;
  const number = numberText(cell);
  if (number !== undefined) {
    const { negative, digits, exponent } = parseDecimal(number);
    return `number:${negative ? '-' : ''}${digits}e${exponent}`;
  }
  const text = cellText(cell);
  if (typeof cell === 'object') return `json:${text}`;
  return isDateTime(text) ? `time:${timeSpan(text)?.[0]}` : `text:${text}`;
}

export interface AlignedRow {
  /** Values of the dimensions. */
  key: readonly unknown[];
  /** The row of each table; undefined if a table lacks it. */
  rows: readonly (Row | undefined)[];
}

export interface AlignedTables {
  /** Columns by which rows are matched. */
  dimensions: readonly TypedColumn[];
  /** All other columns of any table. */
  measures: readonly TypedColumn[];
  /** For each table, the index of each measure; -1 if the table lacks it. */
  measureAt: readonly (readonly number[])[];
  /** The rows of the first table, then those that only later tables have. */
  rows: readonly AlignedRow[];
}

interface Side {
  columns: readonly TypedColumn[];
  rows: readonly Row[];
}

const indexOf = ({ columns }: Side, name: string): number => columns.findIndex((column) => column.name === name);

/** @param tables undefined for an answer without a result */
export function alignTables(tables: readonly (ResultTable | undefined)[]): AlignedTables {
  const sides = tables.map((table): Side => ({
    columns: table ? typeColumns(table.columns, table.rows) : [],
    rows: table?.rows ?? [],
  }));
  const filled = sides.filter(({ rows }) => rows.length > 0);
  const dimensions = dimensionsOf(filled.length > 0 ? filled : sides.filter(({ columns }) => columns.length > 0));
  const names = new Set(dimensions.map(({ name }) => name));
  const measures = new Map<string, TypedColumn>();
  for (const { columns } of [...filled, ...sides])
    for (const column of columns)
      if (!names.has(column.name) && !measures.has(column.name)) measures.set(column.name, column);
  return {
    dimensions,
    measures: [...measures.values()],
    measureAt: sides.map((side) => [...measures.keys()].map((name) => indexOf(side, name))),
    rows: alignRows(sides, dimensions),
  };
}

/** Columns of all tables that are not numbers; if these do not identify rows, numbers are added from the left. */
function dimensionsOf(sides: readonly Side[]): TypedColumn[] {
  const [first] = sides;
  const shared = (first?.columns ?? []).filter(({ name }) => sides.every((side) => indexOf(side, name) >= 0));
  const isNumber = ({ name }: TypedColumn): boolean =>
    sides.every((side) => side.columns[indexOf(side, name)]?.kind === 'number');
  const chosen = new Set(shared.filter((column) => !isNumber(column)));
  const isUnique = (): boolean =>
    sides.every((side) => new Set(side.rows.map((row) => keyOf(side, row, [...chosen]))).size === side.rows.length);
  // Keep at least one number as a measure, or no difference could be shown.
  for (const column of shared.filter(isNumber).slice(0, -1)) {
    if (isUnique()) break;
    chosen.add(column);
  }
  return shared.filter((column) => chosen.has(column));
}

const keyOf = (side: Side, row: Row, dimensions: readonly TypedColumn[]): string =>
  JSON.stringify(dimensions.map(({ name, kind }) => cellKey(row[indexOf(side, name)], kind === 'string')));

function alignRows(sides: readonly Side[], dimensions: readonly TypedColumn[]): AlignedRow[] {
  const found = new Map<string, { key: readonly unknown[]; rows: (Row | undefined)[] }>();
  sides.forEach((side, at) => {
    const seen = new Map<string, number>();
    for (const row of side.rows) {
      const text = keyOf(side, row, dimensions);
      const number = (seen.get(text) ?? 0) + 1;
      seen.set(text, number);
      // Rows with equal keys are matched in order.
      const id = `${number} ${text}`;
      const key = dimensions.map(({ name }) => row[indexOf(side, name)] ?? null);
      const aligned = found.get(id) ?? { key, rows: sides.map(() => undefined) };
      aligned.rows[at] = row;
      found.set(id, aligned);
    }
  });
  return [...found.values()];
}

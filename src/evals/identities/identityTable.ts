/** The results of several identities in one table, with the cells that differ from the first result. */
import { alignTables, cellKey } from '../../compare/alignTables.ts';
import type { IdentityCell, IdentityTable } from '../../shared/protocol/everyone.ts';
import { isNull, type Row, type TypedColumn } from '../../shared/results/cells.ts';
import { displayOf } from '../../shared/results/display.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';

/** Maximum number of rows to show. */
const MOST_ROWS = 500;

/** The result of one identity. */
export interface IdentityResult {
  /** Absent while the identity has no result. */
  table?: ResultTable | undefined;
  /** Rows that the identity must not see. */
  forbidden: ReadonlySet<Row>;
}

/** @param locale BCP 47 tag for numbers and dates */
export function identityTable(results: readonly IdentityResult[], locale: string): IdentityTable {
  const { dimensions, measures, measureAt, rows } = alignTables(results.map(({ table }) => table));
  const first = results.findIndex(({ table }) => table !== undefined);
  const keys = rows.map(({ key }) => key);
  const showKey = dimensions.map((column, at) => displayOf(column, at, keys, locale));
  const valueOf = (row: Row | undefined, table: number, measure: number): unknown =>
    row?.[measureAt[table]?.[measure] ?? -1] ?? null;
  const showCell = measures.map((column, measure) => {
    const all = rows.flatMap((row) => row.rows.map((each, table) => [valueOf(each, table, measure)]));
    return displayOf(column, 0, all, locale);
  });
  const isSame = (column: TypedColumn, left: unknown, right: unknown): boolean =>
    cellKey(left, column.kind === 'string') === cellKey(right, column.kind === 'string');
  return {
    dimensions: dimensions.map(({ name }) => name),
    measures: measures.map(({ name, kind }) => ({ name, isNumber: kind === 'number' })),
    rows: rows.slice(0, MOST_ROWS).map(({ key, rows: own }) => ({
      key: key.map((value, at) => showKey[at]?.(value) ?? ''),
      cells: own.map((row, table) =>
        row === undefined
          ? null
          : measures.map((column, measure): IdentityCell => {
              const value = valueOf(row, table, measure);
              const differs = !own[first] || !isSame(column, value, valueOf(own[first], first, measure));
              return {
                text: isNull(value) ? '' : (showCell[measure]?.(value) ?? ''),
                ...(differs ? { differs } : {}),
                ...(results[table]?.forbidden.has(row) ? { isForbidden: true } : {}),
              };
            }),
      ),
    })),
    totalRows: rows.length,
  };
}

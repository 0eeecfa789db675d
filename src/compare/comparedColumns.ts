/** The columns of a comparison of several tables. */
import type { Row, TypedColumn } from '../shared/results/cells.ts';
import { sameName, type ColumnPair, type Numbering, type TableColumn } from './columns.ts';
import { groupRows } from './matchRows.ts';

/** A column with its index in each table; -1 if a table lacks it. */
export interface ComparedColumn extends TypedColumn {
  at: readonly number[];
}

/** Number of measures that may help to identify rows. */
const MOST_NUMBERS = 5;

/**
 * @param others the other tables with rows, with their pairs of columns by the index in the first
 * @returns indexes of the columns that are compared exactly in all tables; if these do not identify rows, with numbers
 *   from the left until they do
 */
export function keyColumns(
  base: readonly TableColumn[],
  baseRows: readonly Row[],
  others: readonly { pairs: ReadonlyMap<number, ColumnPair>; rows: readonly Row[] }[],
  known: Numbering,
): number[] {
  const shared = base.filter(({ index }) => others.every(({ pairs }) => pairs.has(index)));
  const isMeasure = ({ index, column, isIdentifier }: TableColumn): boolean =>
    others.length === 0
      ? column.kind === 'number' && !isIdentifier
      : others.some(({ pairs }) => pairs.get(index)!.mode === 'measure');
  const identify = (columns: readonly TableColumn[]): boolean =>
    others.every(({ pairs, rows }) => {
      const found = columns.map(({ index }) => pairs.get(index)!);
      return groupRows(found, { rows: [baseRows, rows], known }).areUnique;
    });
  const exact = shared.filter((column) => !isMeasure(column));
  // Keep at least one number as a measure, or no change could be detected.
  const numbers = shared.filter(isMeasure).slice(0, -1).slice(0, MOST_NUMBERS);
  const wider = numbers.map((_, at) => [...exact, ...numbers.slice(0, at + 1)]);
  const keys = [exact, ...wider].find(identify) ?? exact;
  return keys.map(({ index }) => index).sort((a, b) => a - b);
}

/** The columns of the first table, then those that only others have. A column has all its different names. */
export function comparedColumns(
  columns: readonly (readonly TableColumn[])[],
  first: number,
  pairs: readonly ReadonlyMap<number, ColumnPair>[],
): ComparedColumn[] {
  const found = (columns[first] ?? []).map((column) => ({
    of: [column],
    at: columns.map((_, table) =>
      table === first ? column.index : (pairs[table]!.get(column.index)?.right.index ?? -1),
    ),
  }));
  columns.forEach((own, table) => {
    if (table === first) return;
    for (const column of own) {
      const { index } = column;
      const known = found.find(({ at }) => at[table] === index);
      const namesake = found.find(({ of, at }) => at[first] === -1 && at[table] === -1 && of[0]!.name === column.name);
      const entry = known ?? namesake;
      if (entry) {
        entry.of.push(column);
        entry.at[table] = index;
      } else found.push({ of: [column], at: columns.map((_, each) => (each === table ? index : -1)) });
    }
  });
  const times = new Map<string, number>();
  return found.map(({ of, at }) => {
    const names = of.map(({ column }) => column.name);
    const name = names.filter((each, index) => names.findIndex((other) => sameName(other, each)) === index).join(' → ');
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    const kinds = new Set(of.flatMap(({ column, rows }) => (rows.length > 0 ? column.kind : [])));
    const [kind = of[0]!.column.kind, ...others] = kinds;
    const unique = count === 1 ? name : `${name} (${count})`;
    return { name: unique, type: of[0]!.column.type, kind: others.length > 0 ? 'string' : kind, at };
  });
}

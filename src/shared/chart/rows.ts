/** Converts the rows of a result to those of a chart. */
import { t } from '../text/l10n.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { areZonedMidnights, typeColumns } from '../results/cells.ts';
import { timeForm } from '../results/display.ts';
import { cellReader, type ColumnUse } from './cellReader.ts';
import { fieldsOf, isFields, type Fields } from '../text/checks.ts';
import { objectsIn } from './json.ts';
import { limits, tooLarge } from './limits.ts';
import { memberOf, plainName } from './names.ts';
import { fieldUses } from './units.ts';

export type ChartRow = Record<string, unknown>;

/**
 * @returns the table's rows as objects, with numbers sent as strings converted and dates made unambiguous, as the
 * specification needs them
 */
export function chartRows(spec: Fields, table: ResultTable): ChartRow[] {
  const [count, most] = [table.rows.length, limits.tableRows];
  if (count > most)
    throw tooLarge(
      t('The result has {0} rows; the limit for charts is {1}.', count.toLocaleString(), most.toLocaleString()),
    );
  const rows = table.rows.map((cells) => cells.map(shortened));
  const utc = objectsIn(spec).some(isUtc);
  const usages = usagesOf(spec);
  const patterned = parsePatterns(spec);
  // Keep the format of values that the specification compares with.
  const comparesTimes = /\d{4}-\d\d-\d\d[T ]\d\d:/.test(JSON.stringify(spec));
  const columns = typeColumns(table.columns, rows).map((column, index) => {
    const { name } = column;
    const cells = rows.map((row) => row[index]);
    const use = usages.get(name) ?? { quantitative: false, temporal: false };
    const isName = column.kind === 'time' && !use.temporal && !comparesTimes;
    const read = patterned.has(name)
      ? (cell: unknown) => cell
      : isName
        ? nameReader(areZonedMidnights(cells) ? (text) => text.trim().slice(0, 10) : timeForm(rows, index))
        : cellReader(column, cells, { ...use, utc });
    return { index, read, names: [...new Set([name, memberOf(name)])], path: name.split('.') };
  });
  // If several columns have the same name, the first is drawn, so it is set last.
  const backwards = columns.toReversed();
  return rows.map((cells) => {
    const row: ChartRow = Object.fromEntries(
      backwards.flatMap(({ index, read, names }) => {
        const value = read(cells[index] ?? null);
        return names.map((name) => [name, value]);
      }),
    );
    for (const { path } of columns) putAtPath(row, path, row[path.join('.')]);
    return row;
  });
}

/** Truncates long texts, but not JSON, which is parsed. */
const shortened = (cell: unknown): unknown =>
  typeof cell === 'string' && cell.length > limits.cell && !/^\s*[[{]/.test(cell)
    ? `${cell.slice(0, limits.cell)}…`
    : cell;

/** Times used as names are formatted like in the grid. */
const nameReader =
  (form: (text: string) => string) =>
  (cell: unknown): unknown =>
    typeof cell === 'string' ? form(cell) : cell;

const isUtc = ({ timeUnit, type, utc }: Fields): boolean =>
  (typeof timeUnit === 'string' && timeUnit.startsWith('utc')) || type === 'utc' || utc === true;

/** How each column is used; a name with escaped dots is the column's plain name. */
export function usagesOf(spec: Fields): Map<string, Omit<ColumnUse, 'utc'>> {
  const usages = new Map<string, Omit<ColumnUse, 'utc'>>();
  for (const use of fieldUses(spec)) {
    const name = plainName(String(use.field));
    const usage = usages.get(name) ?? { quantitative: false, temporal: false };
    usage.temporal ||= use.type === 'temporal' || (use.timeUnit !== undefined && use.type !== 'quantitative');
    usage.quantitative ||= use.type === 'quantitative' || (use.aggregate !== undefined && use.aggregate !== 'count');
    usages.set(name, usage);
  }
  return usages;
}

/** Columns that the specification parses itself, with its own pattern, from the original text. */
function parsePatterns(spec: Fields): Set<string> {
  const format = fieldsOf(fieldsOf(spec.data).format);
  const parse = fieldsOf(format.parse);
  return new Set(Object.keys(parse).filter((name) => /:/.test(String(parse[name]))));
}

/**
 * Also makes `orders.count` available as property `count` of `orders`, because Vega reads a dotted field name as a
 * path.
 */
function putAtPath(row: ChartRow, path: readonly string[], value: unknown): void {
  let node: ChartRow = row;
  for (const [index, key] of path.entries()) {
    if (key === '__proto__') return;
    if (index === path.length - 1) {
      if (!Object.hasOwn(node, key)) node[key] = value;
      return;
    }
    if (!Object.hasOwn(node, key)) node[key] = {};
    const next = node[key];
    if (!isFields(next)) return;
    node = next;
  }
}

import type { ResultTable } from '../payloads.ts';
import { cellReader, type Usage } from './cells.ts';
import { isFields, type Fields } from './json.ts';
import { fieldUses, mentions } from './units.ts';

/** A row as charts read it, by column name. */
export type ChartRow = Record<string, unknown>;

/**
 * @returns the table's rows as objects, numbers sent as strings turned into numbers and dates made unambiguous,
 * as the specification needs them
 */
export function chartRows(spec: Fields, table: ResultTable): ChartRow[] {
  const utc = mentions(spec, isUtc);
  const usages = usagesOf(spec);
  const patterned = parsePatterns(spec);
  const readers = table.columns.map(({ name, type }, index) => {
    const cells = table.rows.map((row) => row[index]);
    const use = usages.get(name) ?? { quantitative: false, temporal: false };
    return patterned.has(name) ? (cell: unknown) => cell : cellReader(type, cells, { ...use, utc });
  });
  const nested = table.columns.map(({ name }) => (name.includes('.') ? name.split('.') : []));
  return table.rows.map((cells) => {
    const row: ChartRow = Object.fromEntries(
      table.columns.map(({ name }, index) => [name, readers[index]?.(cells[index] ?? null)]),
    );
    nested.forEach((path, index) => putAtPath(row, path, row[table.columns[index]?.name ?? '']));
    return row;
  });
}

function isUtc(key: string, value: unknown): boolean {
  if (key === 'timeUnit' && typeof value === 'string') return value.startsWith('utc');
  return (key === 'type' && value === 'utc') || (key === 'utc' && value === true);
}

/** How each column is drawn; a name with escaped dots is the column's plain name. */
function usagesOf(spec: Fields): Map<string, Omit<Usage, 'utc'>> {
  const usages = new Map<string, Omit<Usage, 'utc'>>();
  for (const use of fieldUses(spec)) {
    const name = plainName(String(use.field));
    const usage = usages.get(name) ?? { quantitative: false, temporal: false };
    usage.temporal ||= use.type === 'temporal' || (use.timeUnit !== undefined && use.type !== 'quantitative');
    usage.quantitative ||= use.type === 'quantitative' || (use.aggregate !== undefined && use.aggregate !== 'count');
    usages.set(name, usage);
  }
  return usages;
}

/** @returns a field reference as the column's name: without escapes */
export function plainName(field: string): string {
  // A bracket inside brackets begins anew, or every one of many open brackets would be read to the end.
  return field.replace(/\\(.)/g, '$1').replace(/\[['"]?([^[\]'"]+)['"]?\]/g, '.$1');
}

/** Columns that the specification parses itself, by a pattern of its own, from the text as sent. */
function parsePatterns(spec: Fields): Set<string> {
  const format = isFields(spec.data) && isFields(spec.data.format) ? spec.data.format : {};
  const parse = isFields(format.parse) ? format.parse : {};
  return new Set(Object.keys(parse).filter((name) => /:/.test(String(parse[name]))));
}

/** Lets `orders.count` be found as a member of `orders` too, for that is how a field name with a dot is read. */
function putAtPath(row: ChartRow, path: readonly string[], value: unknown): void {
  let node: ChartRow = row;
  for (const [index, key] of path.entries()) {
    if (key === '__proto__' || key === 'constructor') return;
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

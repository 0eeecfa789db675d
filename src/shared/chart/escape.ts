import type { ResultTable } from '../payloads.ts';
import { isFields, type Fields } from './json.ts';

/** Members that hold text or a name of the author's own, not a reference to a column. */
const notReferences = new Set([
  'title',
  'text',
  'name',
  'as',
  'description',
  'type',
  'param',
  'value',
  'datum',
  'equal',
]);

const special = /[.[\]]/g;

/**
 * In a field reference, `orders.count` means the member `count` of a member `orders`; where the result has a column of
 * just that name, that column is meant.
 * @returns the specification with such references escaped
 */
export function escapeColumns(spec: Fields, table: ResultTable): Fields {
  const names = table.columns.map(({ name }) => name).filter((name) => name.search(special) >= 0);
  if (names.length === 0) return spec;
  const escapes = new Map(names.map((name) => [name, name.replace(special, '\\$&')]));

  function escape(node: unknown, key: string): unknown {
    if (typeof node === 'string') return notReferences.has(key) ? node : (escapes.get(node) ?? node);
    if (Array.isArray(node)) return node.map((entry) => escape(entry, key));
    if (!isFields(node) || key === 'data' || key === 'datasets' || key === 'scale') return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, escape(member, name)]));
  }
  return escape(spec, '') as Fields;
}

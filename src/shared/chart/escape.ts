import type { ResultTable } from '../wire/toolPayloads.ts';
import { isFields, type Fields } from './json.ts';
import { fieldOf } from './names.ts';

/** Members whose texts refer to columns; all others are values, or names of the author's own. */
const references = new Set(
  (
    'field fields groupby fold flatten pivot stack lookup key on impute density quantile regression loess extent ' +
    'argmin argmax repeat row column layer'
  ).split(' '),
);
/** Members that hold values, whatever is in them. */
const values = new Set(['data', 'datasets', 'value', 'values', 'datum', 'scale']);

/**
 * In a field reference, `orders.count` means the member `count` of a member `orders`; where the result has a column of
 * just that name, that column is meant.
 * @returns the specification with such references escaped
 */
export function escapeColumns(spec: Fields, table: ResultTable): Fields {
  const escapes = new Map(
    table.columns.map(({ name }) => [name, fieldOf(name)] as const).filter(([name, field]) => name !== field),
  );
  if (escapes.size === 0) return spec;

  function escape(node: unknown, key: string): unknown {
    if (typeof node === 'string') return references.has(key) ? (escapes.get(node) ?? node) : node;
    if (Array.isArray(node)) return node.map((entry) => escape(entry, key));
    if (!isFields(node) || values.has(key)) return node;
    const pivots = typeof node.pivot === 'string';
    return Object.fromEntries(
      Object.entries(node).map(([name, member]) => [
        name,
        // What a pivot spreads out is called its value.
        escape(member, pivots && name === 'value' ? 'field' : name),
      ]),
    );
  }
  return escape(spec, '') as Fields;
}

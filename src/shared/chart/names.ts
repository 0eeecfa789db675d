/** Names of columns, and how a specification refers to them. */
import type { ResultTable } from '../wire/toolPayloads.ts';
import { rewrite, type Fields } from './json.ts';

/** Stands for a backslash, which Vega-Lite does not escape in expressions. */
const backslash = '\u29f5';
/** Appended to names of inherited members, which Vega-Lite would find instead of the column. */
const own = '\u2060';

/** @returns the name under which a chart finds a column */
export function memberOf(name: string): string {
  return name in Object.prototype ? name + own : name.replaceAll('\\', backslash);
}

/** @returns a text with names of members, as people read it; the mark of inherited names is invisible */
export const readable = (text: string): string => text.replaceAll(backslash, '\\');

/** @returns a reference to a column: in one, dots, brackets and quotes would mean something else than themselves */
export const fieldOf = (name: string): string => memberOf(name).replace(/[.[\]'"]/g, '\\$&');

/** @returns a reference as the column's name: without escapes, and with dots for brackets */
export function plainName(field: string): string {
  // A bracket inside brackets begins anew, or every one of many open brackets would be read to the end.
  return readable(
    field.replace(/\\(.)|\[['"]?([^[\]'"]+)['"]?\]/gs, (_, escaped?: string, path?: string) => escaped ?? `.${path}`),
  ).replaceAll(own, '');
}

/** Members whose texts refer to columns; all others are values, or names of the author's own. */
const references = new Set(
  (
    'field fields groupby fold flatten pivot stack lookup key on impute density quantile regression loess extent ' +
    'argmin argmax repeat row column layer'
  ).split(' '),
);

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
  const escaped = (name: unknown): unknown => (typeof name === 'string' ? (escapes.get(name) ?? name) : name);
  return rewrite(spec, (key, member, parent) => {
    // The value of a pivot is the column that it spreads out.
    const isReference = references.has(key) || (key === 'value' && typeof parent.pivot === 'string');
    if (!isReference) return member;
    return Array.isArray(member) ? member.map(escaped) : escaped(member);
  }) as Fields;
}

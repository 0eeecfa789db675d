/** Names of columns in specifications, where dots, brackets and quotes have a meaning. */
import type { ResultTable } from '../wire/toolPayloads.ts';
import type { Fields } from '../text/checks.ts';
import { rewrite } from './json.ts';

/** Characters that Vega-Lite does not escape in all expressions, and their replacements. */
const unescaped = [
  ['\\', '\u29f5'],
  ["'", '\ua78c'],
  ['"', '\u2036'],
  ['\n', '\u2424'],
  ['\r', '\u240d'],
  ['\u2028', '\u21b5'],
  ['\u2029', '\u204b'],
] as const;
/** Appended to names that Vega-Lite would find instead of the column: inherited properties, and a field it creates. */
const own = '\u2060';
const isTaken = (name: string): boolean => name in Object.prototype || name === 'count';

/** @returns the name of a column as a member of a row; it is the same for most names */
export function memberOf(name: string): string {
  if (isTaken(name)) return name + own;
  return unescaped.reduce((text, [character, replacement]) => text.replaceAll(character, replacement), name);
}

/** @returns a text with readable field names; the mark of inherited names is invisible */
export const readable = (text: string): string =>
  unescaped.reduce((before, [character, replacement]) => before.replaceAll(replacement, character), text);

/** @returns the column name of a member of a row */
export const literalName = (member: string): string => readable(member).replaceAll(own, '');

/** @returns an escaped reference to a column, so that dots and brackets are literal */
export const fieldOf = (name: string): string => memberOf(name).replace(/[.[\]]/g, '\\$&');

/** @returns a reference to a column whose name becomes a value, in a fold */
const foldedField = (name: string): string => name.replace(/[.[\]'"\\]/g, '\\$&');

/** @returns the column name in a reference: unescaped, with dots for brackets */
export function plainName(field: string): string {
  // Restart at each nested bracket; otherwise each of many open brackets would be scanned to the end.
  return literalName(
    field.replace(
      /\\(.)|\[['"]?([^[\]'"]+)['"]?\]/gs,
      (_, escaped: string | undefined, path: string, at: number) => escaped ?? (at === 0 ? path : `.${path}`),
    ),
  );
}

/** Properties whose texts refer to columns; others contain values or the author's own names. */
const references = new Set(
  (
    'field fields groupby fold flatten pivot stack lookup key on impute density quantile regression loess extent ' +
    'argmin argmax repeat row column layer'
  ).split(' '),
);

/**
 * In a field reference, `orders.count` means the property `count` of `orders`. If the result has a column with exactly
 * that name, the column is meant.
 * @returns the specification with such references escaped
 */
export function escapeColumns(spec: Fields, table: ResultTable): Fields {
  const escapes = new Map(
    table.columns.map(({ name }) => [name, fieldOf(name)] as const).filter(([name, field]) => name !== field),
  );
  if (escapes.size === 0) return spec;
  const escaped = (name: unknown): unknown => escapes.get(name as string) ?? name;
  const folded = (name: unknown): unknown => (escapes.has(name as string) ? foldedField(name as string) : name);
  return rewrite(spec, (key, member, parent) => {
    // The value of a pivot is the column to spread.
    const isReference = references.has(key) || (key === 'value' && typeof parent.pivot === 'string');
    if (!isReference) return member;
    return Array.isArray(member) ? member.map(key === 'fold' ? folded : escaped) : escaped(member);
  }) as Fields;
}

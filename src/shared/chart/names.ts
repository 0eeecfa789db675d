/** Names of columns, and how a specification refers to them. */

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

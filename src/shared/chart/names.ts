/** Names of columns, and how a specification refers to them. */

/** Stands for a backslash, which the charting library loses on its way. */
const backslash = '\u29f5';
/** Ends a name that every object has, by which the library would find something else. */
const own = '\u2060';

/** @returns the name under which a chart finds a column */
export function memberOf(name: string): string {
  return name in Object.prototype ? name + own : name.replaceAll('\\', backslash);
}

/** @returns a reference to a column: in one, dots, brackets and quotes would mean something else than themselves */
export const fieldOf = (name: string): string => memberOf(name).replace(/[.[\]'"]/g, '\\$&');

/** @returns a reference as the column's name: without escapes, and with dots for brackets */
export function plainName(field: string): string {
  // A bracket inside brackets begins anew, or every one of many open brackets would be read to the end.
  return field
    .replace(/\\(.)|\[['"]?([^[\]'"]+)['"]?\]/gs, (_, escaped?: string, path?: string) => escaped ?? `.${path}`)
    .replaceAll(backslash, '\\')
    .replaceAll(own, '');
}

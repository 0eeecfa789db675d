/** Objects and lists of a specification. */
import { isFields, type Fields } from '../text/checks.ts';

export { isFields, type Fields };

/** The objects in a list; nothing for what is not a list. */
export function fieldsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** A list as it is, one value as a list of one, nothing as an empty list. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** A copy of an object without some of its members. */
export function without(fields: Fields, ...keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

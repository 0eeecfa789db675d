/** Reads and rewrites specifications of charts, which are plain JSON. */
import { isFields, type Fields } from '../text/checks.ts';

/** @returns the objects of a list; empty for any other value */
export function fieldsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** @returns a list unchanged, one value as a list of one, and undefined as an empty list */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** @returns a copy without some members */
export function without(fields: Fields, ...keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

/** Whether a property contains inline data or a parameter value, which only look like parts of a specification. */
const isData = (key: string, member: unknown): boolean =>
  /^(values?|datasets)$/.test(key) && typeof member === 'object';

/** @returns every object in a specification, outside its inline data */
export function objectsIn(node: unknown): Fields[] {
  if (Array.isArray(node)) return node.flatMap(objectsIn);
  if (!isFields(node)) return [];
  return [node, ...Object.entries(node).flatMap(([key, member]) => (isData(key, member) ? [] : objectsIn(member)))];
}

/** @returns a copy of a specification with each property replaced by the result of `change`; inline data is kept */
export function rewrite(node: unknown, change: (key: string, member: unknown, parent: Fields) => unknown): unknown {
  if (Array.isArray(node)) return node.map((one) => rewrite(one, change));
  if (!isFields(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      isData(key, member) ? member : rewrite(change(key, member, node), change),
    ]),
  );
}

/**
 * @param spec JSON text of a specification
 * @returns the formatted specification; invalid JSON unchanged. `$schema` is removed, because editors would download it
 */
export function specDocument(spec: string): string {
  try {
    const parsed: unknown = JSON.parse(spec);
    return `${JSON.stringify(isFields(parsed) ? without(parsed, '$schema') : parsed, null, 2)}\n`;
  } catch {
    return spec;
  }
}

/** Parts of a compiled specification, as the guard reads them. */
import { isFields, listOf, type Fields } from '../json.ts';
import { refuse } from '../limits.ts';
import type { Bounds } from './bounds.ts';

/** Characters of the longest path that draws a symbol. */
export function longestShape(channel: unknown, datum: Bounds, scale: Fields | undefined): number {
  return Math.max(
    0,
    ...listOf(channel).flatMap((one) => {
      if (!isFields(one)) return [];
      const field =
        one.field === undefined || one.scale !== undefined ? 0 : (datum.member?.(String(one.field)).text ?? 0);
      return [field, String(one.value ?? '').length, ...listOf(scale?.range).map((shape) => String(shape).length)];
    }),
  );
}

export function dropAddresses(set: Fields): void {
  delete set.href;
  delete set.url;
}

/** @throws ChartProblem when a node has any other member */
export function only(node: Fields, known: ReadonlySet<string>): void {
  for (const key of Object.keys(node)) if (!known.has(key)) refuse(key);
}

/** The rows of a data set that brings its own. */
export function rowsIn({ values, format }: Fields): readonly unknown[] {
  // Vega parses text by code that it makes.
  if (typeof values === 'string') return refuse('values');
  const { property, feature, mesh } = isFields(format) ? format : {};
  if (property === undefined && feature === undefined && mesh === undefined) return listOf(values);
  const name = String(property ?? feature ?? mesh);
  const found = find(values, name, 0);
  return Array.isArray(found) ? found : isFields(found) && Array.isArray(found.geometries) ? found.geometries : [found];
}

function find(node: unknown, name: string, depth: number): unknown {
  if (!isFields(node) || depth > 3) return undefined;
  if (Object.hasOwn(node, name)) return node[name];
  return Object.values(node)
    .map((one) => find(one, name, depth + 1))
    .find((one) => one !== undefined);
}

/** Filters of event streams are expressions that the author writes. */
export function filtersIn(events: unknown): string[] {
  return listOf(events)
    .filter(isFields)
    .flatMap((stream) => [
      ...listOf(stream.filter).map(String),
      ...[stream.between, stream.stream, stream.merge].flatMap(filtersIn),
    ]);
}

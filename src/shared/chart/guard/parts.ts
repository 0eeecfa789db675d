/** Parts of a compiled specification, as the guard reads them. */
import { isFields, listOf, type Fields } from '../json.ts';
import { refuse } from '../limits.ts';
import { boundsOf, either, scalar, type Bounds } from './bounds.ts';

/** Bounds of a text or a symbol's path: of a literal, a field, or what a scale makes of it. */
export function channelBounds(channel: unknown, datum: Bounds, scaleOf: (name: unknown) => Fields | undefined): Bounds {
  const all = listOf(channel).flatMap((one) => {
    if (!isFields(one)) return [];
    if (one.scale !== undefined) return [boundsOf(listOf(scaleOf(one.scale)?.range))];
    return one.field === undefined ? [boundsOf([one.value])] : [datum.member?.(String(one.field)) ?? datum];
  });
  return either(scalar, ...all);
}

/** Takes links, images and pointers at an address out of an encoding. */
export function dropAddresses(set: Fields): void {
  delete set.href;
  delete set.url;
  const { cursor } = set;
  if (isFields(cursor) && !/^[\w-]+$/.test(String(cursor.value))) delete set.cursor;
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

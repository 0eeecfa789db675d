import { isFields, listOf } from '../json.ts';
import { plainName } from '../names.ts';
import { boundsOf, either, unbounded, type Bounds } from './bounds.ts';

/** A data set of the compiled chart. */
export interface Data {
  rows: number;
  /** How many small charts have one of their own; `rows` is what they have together. */
  copies: number;
  /** The rows that it is made from. */
  source: readonly unknown[];
}

/** Bounds of fields by name, the widest of all data sets, computed as they are asked for. */
export class FieldBounds {
  readonly #sources: readonly unknown[];
  readonly #known = new Map<string, Bounds>();
  readonly #columns = new Set<string>();
  #any: Bounds | undefined;

  /** @param sources all rows that the chart brings */
  constructor(sources: readonly unknown[]) {
    this.#sources = sources;
    for (const row of sources.filter(isFields)) for (const name in row) this.#columns.add(name);
  }

  /** A field that a transform makes; the column of the same name stays possible. */
  set(name: unknown, bounds: Bounds): void {
    this.#any = undefined;
    const before = this.#member(String(name));
    const distinct = Math.max(before?.distinct ?? 0, bounds.distinct);
    this.#known.set(String(name), before ? { ...either(before, bounds), distinct } : bounds);
  }

  /** @param reference a field as Vega writes it, with escapes or a path */
  of(reference: unknown): Bounds {
    const name = plainName(String(isFields(reference) ? (reference.field ?? '') : reference));
    return this.#member(name) ?? this.#member(name.split('.')[0] ?? '') ?? this.any;
  }

  /** How many combinations of these fields there are, at most. */
  groups(references: unknown, { rows, copies }: Data): number {
    return listOf(references).reduce<number>((all, one) => all * Math.min(this.of(one).distinct, rows), copies);
  }

  /** Bounds of a field of which nothing else is known, and of whole rows. */
  get any(): Bounds {
    if (this.#any) return this.#any;
    for (const name of this.#columns) this.#member(name);
    // Rows that are no objects are the values of a member of Vega's own.
    const bare = boundsOf(this.#sources.filter((one) => !isFields(one)));
    return (this.#any = { ...either(bare, ...this.#known.values()), ...unbounded, row: true });
  }

  #member(name: string): Bounds | undefined {
    const known = this.#known.get(name);
    if (known) return known;
    if (!this.#columns.has(name)) return undefined;
    const bounds = boundsOf(this.#sources.map((row) => (isFields(row) ? row[name] : undefined)));
    this.#known.set(name, bounds);
    return bounds;
  }
}

/** The rows of a data set that brings its own, or the shapes of a map in them. */
export function rowsIn(values: unknown, format: unknown): readonly unknown[] {
  const { property, feature, mesh } = isFields(format) ? format : {};
  const name = property ?? feature ?? mesh;
  const found = name === undefined ? values : find(values, String(name), 0);
  return isFields(found) && Array.isArray(found.geometries) ? found.geometries : listOf(found);
}

function find(node: unknown, name: string, depth: number): unknown {
  if (!isFields(node) || depth > 3) return undefined;
  if (Object.hasOwn(node, name)) return node[name];
  const below = Object.values(node).map((one) => find(one, name, depth + 1));
  return below.find((one) => one !== undefined);
}

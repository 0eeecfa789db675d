/** Bounds of values: how large a number, text or list can be. The guard limits the cost of a chart by them. */
import { fieldsOf, isFields } from '../../text/checks.ts';
import { asList } from '../json.ts';
import { literalName, plainName } from '../names.ts';

export interface Bounds {
  /** Numeric range; infinite if unknown. */
  low: number;
  high: number;
  /** Maximum number of characters as text; 0 for numbers and dates, which are short. */
  text: number;
  items: number;
  distinct: number;
  /** Whether it is an event or a scene item, which gives access to the page: only safe properties may be read. */
  opaque?: boolean;
  /** Whether it is a row of data, whose fields have bounds by name. */
  row?: boolean;
}

export const scalar: Bounds = { low: -Infinity, high: Infinity, text: 0, items: 0, distinct: 1 };
export const row: Bounds = { ...scalar, row: true };
export const opaque: Bounds = { ...scalar, opaque: true };
/** Bounds of no value: the neutral element of `either`. */
export const none: Bounds = { ...scalar, low: Infinity, high: -Infinity, distinct: 0 };

/** @returns bounds of a value that is one of several */
export const either = (...all: readonly Bounds[]): Bounds => ({
  low: Math.min(...all.map(({ low }) => low)),
  high: Math.max(...all.map(({ high }) => high)),
  text: Math.max(0, ...all.map(({ text }) => text)),
  items: Math.max(0, ...all.map(({ items }) => items)),
  distinct: all.reduce((sum, { distinct }) => sum + distinct, 0),
  opaque: all.some(({ opaque }) => opaque),
});

/** @returns bounds of a value that is one of the given ones, which are known */
export function boundsOf(values: readonly unknown[]): Bounds {
  const bounds = { ...none };
  const seen = new Set<unknown>();
  for (const value of values) {
    const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    if (seen.has(plain)) continue;
    seen.add(plain);
    if (typeof plain === 'string') bounds.text = Math.max(bounds.text, plain.length);
    if (typeof value === 'object') bounds.items = Math.max(bounds.items, longestList(value));
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const number = typeof one === 'string' && Number.isNaN(Number(one)) ? Date.parse(one) : Number(one);
      bounds.low = Math.min(bounds.low, Number.isFinite(number) ? number : -Infinity);
      bounds.high = Math.max(bounds.high, Number.isFinite(number) ? number : Infinity);
    }
  }
  return { ...bounds, distinct: seen.size };
}

function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce<number>((most, one) => Math.max(most, longestList(one)), own);
}

export interface Data {
  rows: number;
  /** Number of facets, each with its own copy of the data; `rows` is the total of all copies. */
  copies: number;
  /** The source data that it is derived from. */
  source: readonly unknown[];
  /** Whether its rows can contain parts of other data. */
  joined?: boolean;
}

/** Bounds of fields by name, the widest of all data sources, computed on demand. */
export class FieldBounds {
  readonly #sources: readonly unknown[];
  readonly #known = new Map<string, Bounds>();
  /** Members of the rows by column name. */
  readonly #columns: ReadonlyMap<string, readonly string[]>;
  /** Bounds of rows that are not objects: Vega puts such a value into a property of its own. */
  readonly #bare: Bounds;

  constructor(sources: readonly unknown[]) {
    this.#sources = sources;
    const members = new Set<string>();
    for (const source of sources) if (isFields(source)) for (const member in source) members.add(member);
    this.#columns = Map.groupBy(members, literalName);
    this.#bare = boundsOf(sources.filter((one) => !isFields(one)));
  }

  /** Adds a field that a transform creates, or widens the bounds of a column of the same name. */
  set(name: unknown, bounds: Bounds): void {
    const column = literalName(String(name));
    const before = this.#column(column);
    const distinct = Math.max(before?.distinct ?? 0, bounds.distinct);
    this.#known.set(column, before ? { ...either(before, bounds), distinct } : bounds);
  }

  /** @param reference a field reference in Vega's syntax, with escapes or a path */
  of(reference: unknown): Bounds {
    const name = plainName(String(isFields(reference) ? (reference.field ?? '') : reference));
    return this.#column(name) ?? this.#column(name.split('.')[0] ?? '') ?? this.any;
  }

  /** @param name a name in an expression, in which dots, brackets and quotes are literal */
  named(name: string): Bounds {
    return this.#column(literalName(name)) ?? this.any;
  }

  groups(references: unknown, { rows, copies }: Data): number {
    return asList(references).reduce<number>((all, one) => all * Math.min(this.of(one).distinct, rows), copies);
  }

  get any(): Bounds {
    for (const name of this.#columns.keys()) this.#column(name);
    const { text, items } = either(this.#bare, ...this.#known.values());
    return { ...row, text, items, distinct: Infinity };
  }

  #column(name: string): Bounds | undefined {
    const known = this.#known.get(name);
    const members = this.#columns.get(name);
    if (known || !members) return known;
    const bounds = boundsOf(members.flatMap((member) => this.#sources.map((source) => fieldsOf(source)[member])));
    this.#known.set(name, bounds);
    return bounds;
  }
}

/** The inline rows of a data source, or the map features in them. */
export function rowsIn(values: unknown, format: unknown): readonly unknown[] {
  const { property, feature, mesh } = fieldsOf(format);
  const name = property ?? feature ?? mesh;
  const found = name === undefined ? values : find(values, String(name), 0);
  return isFields(found) && Array.isArray(found.geometries) ? found.geometries : asList(found);
}

function find(node: unknown, name: string, depth: number): unknown {
  if (!isFields(node) || depth > 3) return undefined;
  if (Object.hasOwn(node, name)) return node[name];
  const below = Object.values(node).map((one) => find(one, name, depth + 1));
  return below.find((one) => one !== undefined);
}

import { isFields } from '../json.ts';
import { plainName } from '../names.ts';
import { boundsOf, either, scalar, type Bounds } from './bounds.ts';

/** Rows that a chart will have, and what is known of their fields; computed field by field, as they are asked for. */
export class Dataset {
  readonly rows: number;
  /** How many small charts have such a data set of their own; `rows` is what they have together. */
  readonly copies: number;
  readonly #made: Map<string, Bounds>;
  #any: Bounds | undefined;
  readonly #source: Dataset | readonly unknown[];

  /** @param source the rows themselves, or the data set that these come from */
  constructor(
    source: Dataset | readonly unknown[],
    rows?: number,
    made: Iterable<[string, Bounds]> = [],
    copies?: number,
  ) {
    this.copies = copies ?? (source instanceof Dataset ? source.copies : 1);
    this.#source = source;
    this.rows = rows ?? (source instanceof Dataset ? source.rows : source.length);
    this.#made = new Map(made);
  }

  /** @param reference a field as Vega writes it, with escapes or a path */
  field(reference: unknown): Bounds {
    const name = plainName(String(isFields(reference) ? (reference.field ?? '') : reference));
    return this.member(name) ?? this.member(name.split('.')[0] ?? '') ?? this.any;
  }

  /** How many combinations of these fields there are, at most. */
  groups(references: unknown): number {
    if (references !== undefined && !Array.isArray(references)) return this.rows;
    const all: readonly unknown[] = references ?? [];
    return all.reduce<number>((product, one) => Math.min(this.field(one).distinct, this.rows) * product, this.copies);
  }

  member(name: string): Bounds | undefined {
    const known = this.#made.get(name);
    if (known) return known;
    if (this.#source instanceof Dataset) return this.#source.member(name);
    if (!this.#source.some((row) => isFields(row) && Object.hasOwn(row, name))) return undefined;
    const bounds = boundsOf(this.#source.map((row) => (isFields(row) ? row[name] : undefined)));
    this.#made.set(name, bounds);
    return bounds;
  }

  /** Characters of the rows as JSON, about what map shapes take to project. */
  get size(): number {
    return this.#source instanceof Dataset ? this.#source.size : JSON.stringify(this.#source).length;
  }

  /** Of a field of which nothing else is known. */
  get any(): Bounds {
    const source = this.#source instanceof Dataset ? this.#source.any : (this.#any ??= boundsOf(this.#source));
    return { ...either(source, ...this.#made.values()), low: -Infinity, high: Infinity, distinct: Infinity };
  }

  /** One of the rows, for expressions. */
  get row(): Bounds {
    return { ...scalar, distinct: Infinity, member: (name) => (name === '' ? this.any : this.field(name)) };
  }

  /** The data set after a transform. */
  after(rows: number, made: Iterable<[string, Bounds]> = []): Dataset {
    return new Dataset(this, rows, made);
  }
}

/** Compiles a view to a subquery, and a measure to its aggregate. */
import type { Cube, Measure, Member, Model, View, ViewMember } from './model.ts';
import { quoteName } from './tokens.ts';

/** A row-level security condition, applied to every view that includes or joins `cube`. */
export interface RowFilter {
  cube: string;
  /** SQL over `{CUBE}`, such as `{CUBE}.region IN ('Europe')`. */
  sql: string;
}

/** Thrown if a query refers to something that is not in the model; the message names it. */
export class SemanticError extends Error {
  override readonly name = 'SemanticError';
}

/** Makes a cube queryable, as a view of all its members. */
export function viewOfCube(cube: Cube): View {
  const members = new Map(
    [...cube.members].map(([name, member]): [string, ViewMember] => [name, { name, cube, member }]),
  );
  return { name: cube.name, title: cube.title, description: cube.description, root: cube, members };
}

/** One use of a view in a query, under an alias. Collects the columns that the query needs. */
export class Relation {
  readonly view: View;
  readonly alias: string;
  readonly #model: Model;
  readonly #cubes: ReadonlyMap<string, Cube>;
  readonly #columns = new Map<string, string>();

  constructor(model: Model, view: View, alias: string) {
    this.#model = model;
    this.view = view;
    this.alias = alias;
    this.#cubes = reachable(model, view.root);
  }

  /** Adds a dimension to the columns of the subquery. */
  addDimension({ name, cube, member }: ViewMember): void {
    this.#columns.set(name, this.#expand(cube, member.sql, false));
  }

  /** Adds the columns of a measure to the subquery. @returns the aggregate over them */
  measure({ cube, member }: ViewMember): string {
    if (member.kind !== 'measure') throw new SemanticError(`'${member.name}' is a dimension, not a measure`);
    return this.#aggregate(cube, member);
  }

  /** @returns the subquery with its alias; call it after all columns were added */
  subquery(filters: readonly RowFilter[]): string {
    const columns = [...this.#columns].map(([name, sql]) => `${sql} AS ${quoteName(name)}`);
    const joins = [...this.#cubes.values()].flatMap((cube) =>
      cube.joins.map(({ name, sql }) => {
        const target = this.#cube(name);
        return `LEFT JOIN ${target.source} AS ${quoteName(name)} ON ${this.#expand(cube, sql, false)}`;
      }),
    );
    const conditions = filters
      .filter(({ cube }) => this.#cubes.has(cube))
      .map(({ cube, sql }) => `(${this.#expand(this.#cube(cube), sql, false)})`);
    const { root } = this.view;
    return [
      `(SELECT ${columns.length > 0 ? columns.join(', ') : '1'}`,
      `FROM ${root.source} AS ${quoteName(root.name)}`,
      ...joins,
      ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ]
      .join(' ')
      .concat(`) AS ${quoteName(this.alias)}`);
  }

  #cube(name: string): Cube {
    const cube = this.#cubes.get(name);
    if (cube === undefined) throw new SemanticError(`'${name}' cannot be reached from '${this.view.name}'`);
    return cube;
  }

  /** Expands references in braces. References to measures are allowed only in aggregates. */
  #expand(cube: Cube, sql: string, measures: boolean): string {
    return sql.replace(/\{([\w.]+)\}/g, (_, reference: string) => {
      if (reference === 'CUBE') return quoteName(cube.name);
      const [first = '', second] = reference.split('.');
      const owner = second === undefined ? cube : this.#cube(first);
      const member = owner.members.get(second ?? first);
      if (member === undefined && this.#model.cubes.has(first)) return quoteName(this.#cube(first).name);
      if (member === undefined) throw new SemanticError(`'${reference}' is not in the data model`);
      return `(${this.#memberSql(owner, member, measures)})`;
    });
  }

  #memberSql(cube: Cube, member: Member, measures: boolean): string {
    if (member.kind === 'dimension') return this.#expand(cube, member.sql, measures);
    if (!measures) throw new SemanticError(`The measure '${member.name}' is used outside an aggregate`);
    return this.#aggregate(cube, member);
  }

  #aggregate(cube: Cube, measure: Measure): string {
    const { type } = measure;
    if (type === 'number') return `(${this.#expand(cube, measure.sql, true)})`;
    const input = this.#input(cube, measure);
    const isRoot = cube === this.view.root;
    if (type === 'count') return isRoot ? `COUNT(${input})` : `COUNT(DISTINCT ${input})`;
    if (type === 'count_distinct') return `COUNT(DISTINCT ${input})`;
    if (!isRoot && type !== 'min' && type !== 'max')
      throw new SemanticError(`'${measure.name}' would count rows twice in '${this.view.name}'`);
    if (type === 'avg') return `ROUND(AVG(${input})::numeric, 2)`;
    return `${type.toUpperCase()}(${input})`;
  }

  /** Adds the column that the measure aggregates. */
  #input(cube: Cube, measure: Measure): string {
    const key = [...cube.members.values()].find((member) => member.kind === 'dimension' && member.primaryKey);
    const sql = this.#expand(cube, measure.sql === '' ? (key?.sql ?? '1') : measure.sql, false);
    const filters = measure.filters.map((filter) => `(${this.#expand(cube, filter, false)})`);
    const name = `__${cube.name}__${measure.name}`;
    this.#columns.set(name, filters.length === 0 ? sql : `CASE WHEN ${filters.join(' AND ')} THEN ${sql} END`);
    return `${quoteName(this.alias)}.${quoteName(name)}`;
  }
}

/** @returns the cube and all cubes reachable by joins, nearest first */
function reachable(model: Model, root: Cube): Map<string, Cube> {
  const found = new Map([[root.name, root]]);
  for (const cube of found.values())
    for (const { name } of cube.joins) {
      const target = model.cubes.get(name);
      if (target === undefined) throw new SemanticError(`'${cube.name}' joins an unknown cube: ${name}`);
      found.set(name, target);
    }
  return found;
}

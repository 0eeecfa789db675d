/** Turns a view into the subquery that stands for it in real SQL, and a measure into its aggregate. */
import type { Cube, Measure, Member, Model, View, ViewMember } from './model.ts';
import { quoteName } from './tokens.ts';

/** A condition that row-level security puts on every view that reaches `cube`. */
export interface RowFilter {
  cube: string;
  /** SQL over `{CUBE}`, such as `{CUBE}.region IN ('Europe')`. */
  sql: string;
}

/** What was asked is not in the model; the message says what. */
export class SemanticError extends Error {
  override readonly name = 'SemanticError';
}

/** A cube can be queried as it is: a view of all its members. */
export function viewOfCube(cube: Cube): View {
  const members = new Map(
    [...cube.members].map(([name, member]): [string, ViewMember] => [name, { name, cube, member }]),
  );
  return { name: cube.name, title: cube.title, description: cube.description, root: cube, members };
}

/** One view as it is used in one query, under an alias. It remembers which columns the query needs of it. */
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

  /** Makes a dimension a column of the subquery. */
  addDimension({ name, cube, member }: ViewMember): void {
    this.#columns.set(name, this.#expand(cube, member.sql, false));
  }

  /** @returns the aggregate for a measure, over columns that are added to the subquery */
  measure({ cube, member }: ViewMember): string {
    if (member.kind !== 'measure') throw new SemanticError(`'${member.name}' is a dimension, not a measure`);
    return this.#aggregate(cube, member);
  }

  /** @returns the subquery with its alias, once every column has been asked for */
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

  /** Replaces the references in braces. Only inside an aggregate may a measure be referred to. */
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

/** @returns the cube and all that its joins lead to, nearest first */
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

/** Compiles semantic SQL over views, with `MEASURE(…)`, to PostgreSQL over tables. */
import type { Model, View, ViewMember } from './model.ts';
import { Relation, SemanticError, viewOfCube, type RowFilter } from './relation.ts';
import { tokenize, type Token } from './tokens.ts';

export { SemanticError } from './relation.ts';

/** Aggregates allowed instead of `MEASURE`, with the measure types that they match. */
const matching: Readonly<Record<string, readonly string[]>> = {
  sum: ['sum'],
  avg: ['avg'],
  min: ['min'],
  max: ['max'],
  count: ['count', 'count_distinct'],
};
/** Functions whose arguments contain a `FROM` that is not a clause. */
const fromInside = new Set(['extract', 'substring', 'trim', 'overlay']);
const afterRelation = new Set(
  'where group order having limit offset union intersect except on using join inner left right full cross natural window fetch as lateral tablesample'.split(
    ' ',
  ),
);

interface Use {
  relation: Relation;
  /** Range of the tokens to replace with the subquery, both included. */
  first: number;
  last: number;
}

class Compiler {
  readonly #model: Model;
  readonly #tokens: readonly Token[];
  /** Indexes of the tokens that are not white space. */
  readonly #solid: readonly number[];
  readonly #uses: Use[] = [];

  constructor(sql: string, model: Model) {
    this.#model = model;
    this.#tokens = tokenize(sql.trim().replace(/;\s*$/, ''));
    this.#solid = this.#tokens.flatMap((token, index) => (token.kind === 'space' ? [] : [index]));
  }

  compile(filters: readonly RowFilter[]): string {
    this.#check();
    this.#findRelations();
    this.#addDimensions();
    const replaced = new Map<number, { text: string; last: number }>();
    this.#solid.forEach((_, at) => {
      const aggregate = this.#aggregateAt(at);
      if (aggregate) replaced.set(this.#solid[at] ?? 0, aggregate);
    });
    // Generate subqueries last, after every measure has added its columns.
    for (const { relation, first, last } of this.#uses) replaced.set(first, { text: relation.subquery(filters), last });
    let sql = '';
    for (let index = 0; index < this.#tokens.length; index += 1) {
      const replacement = replaced.get(index);
      sql += replacement?.text ?? this.#tokens[index]?.text ?? '';
      index = replacement?.last ?? index;
    }
    return sql;
  }

  #at(position: number): Token | undefined {
    return this.#tokens[this.#solid[position] ?? -1];
  }

  /** Rejects anything but queries over the data model. */
  #check(): void {
    const first = this.#at(0)?.name;
    if (first !== 'select' && first !== 'with') throw new SemanticError('Only SELECT queries can be run');
    for (const [position, index] of this.#solid.entries()) {
      const token = this.#tokens[index];
      if (token?.text === ';') throw new SemanticError('Only one query can be run at a time');
      const isName = token?.kind === 'name' || token?.kind === 'quoted';
      if (isName && (token.name.startsWith('pg_') || token.name === 'information_schema'))
        throw new SemanticError(`'${token.name}' is not in the data model`);
      if (isName && token.name === 'raw' && this.#at(position + 1)?.text === '.')
        throw new SemanticError(`Table or CTE with name 'raw.${this.#at(position + 2)?.name ?? ''}' not found`);
    }
  }

  #viewNamed(name: string): View | undefined {
    const cube = this.#model.cubes.get(name);
    return this.#model.views.get(name) ?? (cube && viewOfCube(cube));
  }

  #findRelations(): void {
    const calls: string[] = [];
    for (let at = 0; at < this.#solid.length; at += 1) {
      const token = this.#at(at);
      if (token?.text === '(') calls.push(this.#at(at - 1)?.name ?? '');
      if (token?.text === ')') calls.pop();
      if (token?.name !== 'from' && token?.name !== 'join') continue;
      if (token.name === 'from' && fromInside.has(calls.at(-1) ?? '')) continue;
      const view = this.#viewNamed(this.#at(at + 1)?.name ?? '');
      if (view === undefined || this.#at(at + 2)?.text === '.' || this.#at(at + 2)?.text === '(') continue;
      const { alias, last } = this.#aliasAfter(at + 1, view.name);
      const relation = new Relation(this.#model, view, alias);
      this.#uses.push({ relation, first: this.#solid[at + 1] ?? 0, last: this.#solid[last] ?? 0 });
    }
  }

  #aliasAfter(at: number, name: string): { alias: string; last: number } {
    const next = this.#at(at + 1);
    const named = (token: Token | undefined): boolean => token?.kind === 'name' || token?.kind === 'quoted';
    if (next?.name === 'as' && named(this.#at(at + 2))) return { alias: this.#at(at + 2)?.name ?? name, last: at + 2 };
    if (next && named(next) && !(next.kind === 'name' && afterRelation.has(next.name)))
      return { alias: next.name, last: at + 1 };
    return { alias: name, last: at };
  }

  /** Adds every dimension that the query mentions, or all dimensions for `*`. */
  #addDimensions(): void {
    const mentioned = new Set(this.#tokens.map(({ name }) => name));
    const everything = this.#solid.some((_, at) => {
      const before = this.#at(at - 1);
      return this.#at(at)?.text === '*' && (before?.text === '.' || before?.text === ',' || before?.name === 'select');
    });
    for (const { relation } of this.#uses)
      for (const member of relation.view.members.values())
        if (member.member.kind === 'dimension' && (everything || mentioned.has(member.name)))
          relation.addDimension(member);
  }

  /** Compiles `MEASURE(member)`, `MEASURE(view.member)` or a matching aggregate that starts at this token. */
  #aggregateAt(at: number): { text: string; last: number } | undefined {
    const call = this.#at(at);
    if (call?.kind !== 'name' || this.#at(at + 1)?.text !== '(') return undefined;
    const isMeasure = call.name === 'measure';
    if (!isMeasure && matching[call.name] === undefined) return undefined;
    let position = at + 2;
    if (!isMeasure && this.#at(position)?.name === 'distinct') position += 1;
    const qualified = this.#at(position + 1)?.text === '.';
    const qualifier = qualified ? this.#at(position)?.name : undefined;
    if (qualified) position += 2;
    const name = this.#at(position)?.name ?? '';
    if (this.#at(position + 1)?.text !== ')')
      if (isMeasure) throw new SemanticError('MEASURE takes one member');
      else return undefined;
    const found = this.#resolve(name, qualifier);
    if (found === undefined)
      if (isMeasure)
        throw new SemanticError(`The measure '${qualified ? `${qualifier}.` : ''}${name}' is not in the data model`);
      else return undefined;
    const { relation, member } = found;
    if (!isMeasure && member.member.kind === 'dimension') return undefined;
    if (!isMeasure && !matching[call.name]?.includes(member.member.type))
      throw new SemanticError(
        `Measure aggregation type doesn't match. The aggregation type for '${name}' is '${member.member.type}' but '${call.name}' was provided`,
      );
    return { text: relation.measure(member), last: this.#solid[position + 1] ?? 0 };
  }

  #resolve(name: string, qualifier: string | undefined): { relation: Relation; member: ViewMember } | undefined {
    const found = this.#uses.flatMap(({ relation }) => {
      const member =
        qualifier === undefined || relation.alias === qualifier ? relation.view.members.get(name) : undefined;
      return member ? [{ relation, member }] : [];
    });
    // A view may be used several times in a statement; all its uses need the column.
    for (const { relation, member } of found) if (member.member.kind === 'measure') relation.measure(member);
    const aliases = new Set(found.map(({ relation }) => relation.alias));
    if (aliases.size > 1) throw new SemanticError(`'${name}' is in several views; say which`);
    return found[0];
  }
}

/**
 * @param sql one `SELECT` over views and cubes
 * @param filters row-level security conditions, added to every view
 * @returns the SQL to run over the tables
 * @throws SemanticError if the query refers to something that is not in the model
 */
export function compileSql(sql: string, model: Model, filters: readonly RowFilter[] = []): string {
  return new Compiler(sql, model).compile(filters);
}

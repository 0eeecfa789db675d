/** A SELECT of a query, and what its columns refer to. */
import type { NamePart, Reference } from './reference.ts';

/** A column without a table in front. */
interface Column extends NamePart {
  clause: Clause;
  /** Index of the expression in the list after SELECT. */
  item: number;
}

type Clause = 'select' | 'from' | 'on' | 'where' | 'order';

/** A SELECT with its tables. */
export class Scope {
  readonly parent: Scope | undefined;
  /** Names of cubes and views by their aliases, and by their own names, in lower case. */
  readonly tables = new Map<string, string>();
  readonly columns: Column[] = [];
  /** Columns behind a table, such as `orders.count` and `orders.*`. */
  readonly qualified: NamePart[][] = [];
  /** Aliases of the expressions after SELECT, with their indices. */
  readonly aliases = new Map<string, number>();
  /** Whether it has columns that are not known, such as those of a subquery. */
  isOpen = false;
  /** Whether it selects all columns. */
  hasStar = false;
  clause: Clause = 'select';
  item = 0;
  isTableNext = false;

  constructor(parent: Scope | undefined) {
    this.parent = parent;
  }

  /**
   * @param defined names that the statement itself defines, in lower case
   * @returns the references of its columns, once all tables are known
   */
  references(defined: ReadonlySet<string>): Reference[] {
    const visible = scopesFrom(this);
    const qualified = this.qualified.flatMap((parts) => qualifiedReferences(parts, visible));
    if (!isKnown(visible)) return qualified;
    const owners = ownersIn(visible);
    const columns = this.#inputColumns(defined).map(({ name, start }): Reference => ({
      parts: [{ name, start }],
      owners,
      isPath: false,
    }));
    return [...qualified, ...columns];
  }

  /**
   * @param defined names that the statement itself defines, in lower case
   * @returns the members that its columns may be; the name `*` means all members of a cube or view, and an empty one
   * the cube or view itself
   */
  members(defined: ReadonlySet<string>): { owner: string; name: string; isCertain: boolean }[] {
    const visible = scopesFrom(this);
    const owners = ownersIn(visible);
    // The only table of a subquery comes before those around it.
    const [own, ...others] = isKnown([this]) ? ownersIn([this]) : [];
    const names = this.#inputColumns(defined).map(({ name }) => name);
    const columns = names.flatMap((name) =>
      owners.map((owner) => ({ owner, name, isCertain: owner === own && others.length === 0 })),
    );
    const all = ownersIn([this]).flatMap((owner) =>
      (this.hasStar ? ['', '*'] : ['']).map((name) => ({ owner, name, isCertain: true })),
    );
    const qualified = this.qualified.flatMap(([table, column]) => {
      const key = table!.name.toLowerCase();
      const owner = visible.find(({ tables }) => tables.has(key))?.tables.get(key);
      return owner === undefined ? [] : [{ owner, name: column!.name, isCertain: true }];
    });
    return [...columns, ...all, ...qualified];
  }

  /** @returns the columns that are no output columns of the query itself */
  #inputColumns(defined: ReadonlySet<string>): Column[] {
    return this.columns.filter(({ name, clause, item }) => {
      const alias = this.aliases.get(name.toLowerCase());
      const isOwnItem = clause === 'select' && alias === item;
      // Elsewhere, the name may be that of an output column.
      const isOutput = alias !== undefined && (clause === 'select' || clause === 'order') && !isOwnItem;
      return !isOutput && !defined.has(name.toLowerCase());
    });
  }
}

/** @returns a scope and those around it */
function scopesFrom(inner: Scope): Scope[] {
  const scopes: Scope[] = [];
  for (let scope: Scope | undefined = inner; scope; scope = scope.parent) scopes.push(scope);
  return scopes;
}

/** Whether all columns of the scopes are known. */
const isKnown = (scopes: readonly Scope[]): boolean => scopes.every(({ isOpen, tables }) => !isOpen && tables.size > 0);

const ownersIn = (scopes: readonly Scope[]): string[] => [
  ...new Set(scopes.flatMap(({ tables }) => [...tables.values()])),
];

function qualifiedReferences([first, second, ...more]: readonly NamePart[], scopes: readonly Scope[]): Reference[] {
  const key = first!.name.toLowerCase();
  const table = scopes.find(({ tables }) => tables.has(key))?.tables.get(key);
  if (table === undefined || more.length > 1) return [];
  // An alias is no name of the data model.
  const own: Reference = { parts: [first!], owners: [], isPath: true, isOwner: true };
  const isColumn = second !== undefined && second.name !== '*';
  return [
    ...(table.toLowerCase() === key ? [own] : []),
    ...(isColumn ? [{ parts: [second], owners: [table], isPath: false }] : []),
  ];
}

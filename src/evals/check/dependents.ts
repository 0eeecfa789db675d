/** Finds which members depend on others: by references, by views that include them, and by inheritance. */
import { namedIncludes, qualified, viewCubes, type MemberDefinition, type ViewCube } from './members.ts';
import { entryOf, textAt } from './modelNode.ts';

/** Matches references to members: `{revenue}`, `{CUBE.revenue}`, `${orders.revenue}`. */
const REFERENCE = /\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}/g;
/** Matches a cube whose rows another one selects: `{orders.sql()}`. */
const TABLE = /\{\s*([A-Za-z_]\w*)\.sql\(\)\s*\}/g;
const SELF = /^(?:cube|table)$/i;

/** For each name, in lower case, the names that depend on it. */
export type Dependents = ReadonlyMap<string, ReadonlySet<string>>;

/** @param members all members of the data model */
export function dependentsIn(members: readonly MemberDefinition[]): Dependents {
  const dependents = new Map<string, Set<string>>();
  const add = (on: string, dependent: string): void => {
    const key = on.toLowerCase();
    dependents.set(key, (dependents.get(key) ?? new Set()).add(dependent.toLowerCase()));
  };
  const known = new Set(members.map((member) => qualified(member).toLowerCase()));
  const byOwner = new Map<string, string[]>();
  for (const { owner, name } of members)
    if (name !== undefined) byOwner.set(owner.toLowerCase(), [...(byOwner.get(owner.toLowerCase()) ?? []), name]);
  const namesOf = (owner: string): string[] => byOwner.get(owner.toLowerCase()) ?? [];
  for (const member of members) {
    const { owner, name, kind, body, node } = member;
    if (name === undefined) {
      if (kind === 'view') addView(member, namesOf, add);
      const base = textAt(node, 'extends');
      for (const inherited of base === undefined ? [] : namesOf(base))
        add(`${base}.${inherited}`, `${owner}.${inherited}`);
      if (base !== undefined) add(base, owner);
      for (const [, table = ''] of body.matchAll(TABLE)) add(table, owner);
      continue;
    }
    // A changed join affects the results of both cubes.
    if (kind === 'join') for (const side of [owner, name]) add(`${owner}.${name}`, side);
    else add(owner, `${owner}.${name}`);
    for (const [, path = ''] of body.matchAll(REFERENCE)) {
      const parts = path.split('.').map((part) => (SELF.test(part) ? owner : part));
      const target = parts.slice(-2).join('.');
      const own = `${owner}.${parts.at(-1)}`;
      const referred = parts.length > 1 ? target : known.has(own.toLowerCase()) ? own : target;
      if (kind !== 'join') add(referred, `${owner}.${name}`);
    }
  }
  return dependents;
}

function addView(
  { owner, node }: MemberDefinition,
  namesOf: (owner: string) => string[],
  add: (on: string, dependent: string) => void,
): void {
  for (const viewCube of viewCubes(node)) {
    const { path } = viewCube;
    const included = includedMembers(viewCube, namesOf);
    for (const { name, member } of included) {
      add(member, `${owner}.${name}`);
      add(owner, `${owner}.${name}`);
      // Cubes on a join path are joined.
      for (const part of path.split('.').slice(0, -1)) add(part, `${owner}.${name}`);
    }
  }
}

/**
 * @param namesOf returns the names of a cube's members
 * @returns the members that a view includes from a cube: their names in the view, and their qualified names
 */
export function includedMembers(
  viewCube: ViewCube,
  namesOf: (owner: string) => readonly string[],
): { name: string; member: string }[] {
  const { cube, prefix, node } = viewCube;
  if (entryOf(node, 'includes')?.value.text !== '*') return namedIncludes(viewCube);
  const excluded = new Set(entryOf(node, 'excludes')?.value.items?.map(({ text }) => text));
  return namesOf(cube).flatMap((name) =>
    excluded.has(name) ? [] : [{ name: `${prefix}${name}`, member: `${cube}.${name}` }],
  );
}

/** @returns the lowercase names that a change of this name may affect: itself and all its dependents */
export function affectedBy(name: string, dependents: Dependents): Set<string> {
  const found = new Set([name.toLowerCase()]);
  // Iterating a set includes elements that are added during the iteration.
  for (const next of found) for (const dependent of dependents.get(next) ?? []) found.add(dependent);
  return found;
}

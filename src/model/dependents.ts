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
  const namesOf = memberNames(members);
  const owners = new Set(members.map(({ owner }) => owner));
  const known = new Set(
    [...owners].flatMap((owner) => namesOf(owner).map((name) => qualified({ owner, name }).toLowerCase())),
  );
  for (const member of members) {
    const { owner, name, kind, body, node } = member;
    if (name === undefined) {
      if (kind === 'view') addView(member, namesOf, add);
      const base = textAt(node, 'extends');
      for (const inherited of base === undefined ? [] : namesOf(base)) {
        add(`${base}.${inherited}`, `${owner}.${inherited}`);
        add(owner, `${owner}.${inherited}`);
      }
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

/** @returns a function from a cube or view to the names of its members, with inherited and included ones */
function memberNames(members: readonly MemberDefinition[]): (owner: string) => readonly string[] {
  const byOwner = new Map<string, MemberDefinition[]>();
  for (const member of members) {
    const key = member.owner.toLowerCase();
    const own = byOwner.get(key);
    if (own) own.push(member);
    else byOwner.set(key, [member]);
  }
  const found = new Map<string, readonly string[]>();
  const namesOf = (owner: string): readonly string[] => {
    const key = owner.toLowerCase();
    const known = found.get(key);
    if (known) return known;
    // Cubes may extend each other.
    found.set(key, []);
    const names = (byOwner.get(key) ?? []).flatMap(({ name, node }): readonly string[] => {
      if (name !== undefined) return [name];
      const base = textAt(node, 'extends');
      const included = viewCubes(node).flatMap((viewCube) => includedMembers(viewCube, namesOf));
      return [...(base === undefined ? [] : namesOf(base)), ...included.map((each) => each.name)];
    });
    const unique = [...new Set(names)];
    found.set(key, unique);
    return unique;
  };
  return namesOf;
}

function addView(
  { owner, node }: MemberDefinition,
  namesOf: (owner: string) => readonly string[],
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

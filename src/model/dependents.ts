/** Finds which members depend on others: by references, by views that include them, and by inheritance. */
import { hasJinja } from '../shared/text/jinja.ts';
import type { MemberDefinition } from './members.ts';
import { entryOf, textAt, type ModelNode } from './modelNode.ts';
import { Resolver } from './resolve.ts';

/** Matches references to members: `{revenue}`, `{CUBE.revenue}`, `${orders.revenue}`. */
const REFERENCE = /\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}/g;
/** Matches a cube whose rows another one selects: `{orders.sql()}`. */
const TABLE = /\{\s*([A-Za-z_]\w*)\.sql\(\)\s*\}/g;
const SELF = /^(?:cube|table)$/i;
/** Keys of a multi-stage measure or dimension with members that its values depend on, without braces. */
const STAGE = /^(?:(?:reduce|group|add_?group)_?by|time_?shift|filter|grain)$/i;
/** Keys below these with members. */
const IN_STAGE = /^(?:include|exclude|keep_?only|member|and|or|time_?dimension)$/i;

/** For each name, in lower case, the names that depend on it. */
export type Dependents = ReadonlyMap<string, ReadonlySet<string>>;

/** @param members all members of the data model */
export function dependentsIn(members: readonly MemberDefinition[]): Dependents {
  const dependents = new Map<string, Set<string>>();
  const add = (on: string, dependent: string): void => {
    const key = on.toLowerCase();
    const known = dependents.get(key);
    if (known) known.add(dependent.toLowerCase());
    else dependents.set(key, new Set([dependent.toLowerCase()]));
  };
  const resolver = new Resolver(members);
  const known = new Set<string>();
  for (const owner of new Set(members.map((each) => each.owner)))
    for (const { name, source, joined = [] } of resolver.membersOf(owner)) {
      const own = `${owner}.${name}`;
      known.add(own.toLowerCase());
      if (source === undefined) continue;
      for (const on of [source, owner, ...joined]) add(on, own);
      // The cube may generate the member.
      add(source.slice(0, source.lastIndexOf('.')), source);
    }
  for (const member of members) {
    const { owner, name, kind, body, node } = member;
    if (name === undefined) {
      const base = textAt(node, 'extends');
      if (base !== undefined) add(base, owner);
      for (const [, table = ''] of body.matchAll(TABLE)) add(table, owner);
      for (const filter of entryOf(node, 'default_filters', 'defaultFilters')?.value.items ?? [])
        add(`${owner}.${textAt(filter, 'member') ?? ''}`, owner);
      continue;
    }
    const own = `${owner}.${name}`;
    // A changed join affects the results of both cubes, and an access policy those of all members.
    if (kind === 'join') for (const side of [owner, name]) add(own, side);
    // A name that a template generates can be that of any member.
    else if (kind === 'access_policy' || hasJinja(name)) add(own, owner);
    else add(owner, own);
    if (kind === 'join' || kind === 'access_policy') continue;
    const referenced = [...body.matchAll(REFERENCE)].map(([, path = '']) => path);
    for (const path of [...referenced, ...stagePaths(node)]) {
      const parts = path.split('.').map((part) => (SELF.test(part) ? owner : part));
      const target = parts.slice(-2).join('.');
      const inOwner = `${owner}.${parts.at(-1)}`;
      add(parts.length > 1 || !known.has(inOwner.toLowerCase()) ? target : inOwner, own);
    }
  }
  return dependents;
}

/** @returns the paths of the members that a multi-stage measure is grouped by, filtered by or shifted along */
const stagePaths = ({ entries = [] }: ModelNode): string[] =>
  entries.flatMap(({ key, value }) => (STAGE.test(key) ? pathsIn(value) : []));

const pathsIn = ({ text = '', items = [], entries = [] }: ModelNode): string[] => [
  ...(text === '' ? [] : [text.replace(/[\s{}$]/g, '')]),
  ...items.flatMap(pathsIn),
  ...entries.flatMap(({ key, value }) => (IN_STAGE.test(key) ? pathsIn(value) : [])),
];

/** @returns the lowercase names that a change of these names may affect: themselves and all their dependents */
export function affectedBy(names: string | readonly string[], dependents: Dependents): Set<string> {
  const found = new Set([names].flat().map((name) => name.toLowerCase()));
  // Iterating a set includes elements that are added during the iteration.
  for (const next of found) for (const dependent of dependents.get(next) ?? []) found.add(dependent);
  return found;
}

/** @returns the inverse: for each name, the names that it depends on */
export function dependenciesIn(dependents: Dependents): Dependents {
  const inverse = new Map<string, Set<string>>();
  for (const [name, all] of dependents)
    for (const dependent of all) {
      const known = inverse.get(dependent);
      if (known) known.add(name);
      else inverse.set(dependent, new Set([name]));
    }
  return inverse;
}

/** The members of cubes and views, with those that they inherit or include. */
import { groupBy } from '../shared/text/groupBy.ts';
import { qualified, type MemberDefinition } from './members.ts';
import { bodyOf, entryOf, textAt } from './modelNode.ts';
import { includedMembers, viewCubes } from './views.ts';

/** A member of a cube or view. */
export interface ResolvedMember {
  name: string;
  /** In the cube or view itself, or where it is inherited or included from. */
  definition: MemberDefinition;
  /** Qualified name of the member that it is inherited or included from; absent if it is the cube's own. */
  source?: string;
  /** For a member of a view: the cubes that are joined to reach its cube. */
  joined?: readonly string[];
}

/** Maximum number of cubes that extend or include each other. */
const MOST_BASES = 50;

export class Resolver {
  readonly #owners: ReadonlyMap<string, readonly MemberDefinition[]>;
  readonly #resolved = new Map<string, readonly ResolvedMember[]>();

  /** @param members all members of the data model */
  constructor(members: readonly MemberDefinition[]) {
    this.#owners = groupBy(members, ({ owner }) => owner.toLowerCase());
  }

  /** @returns the definitions in a cube or view, with that of the cube or view itself */
  definitionsIn(owner: string): readonly MemberDefinition[] {
    return this.#owners.get(owner.toLowerCase()) ?? [];
  }

  /** @returns the members in the order of their definitions; a name has several members if it is defined repeatedly */
  membersOf(owner: string, depth = 0): readonly ResolvedMember[] {
    const key = owner.toLowerCase();
    const known = this.#resolved.get(key);
    if (known) return known;
    const definitions = this.definitionsIn(owner);
    const own = definitions.flatMap((definition): ResolvedMember[] =>
      definition.name === undefined || definition.kind === 'include' ? [] : [{ name: definition.name, definition }],
    );
    // Cubes may extend or include each other, and themselves.
    this.#resolved.set(key, own);
    if (depth > MOST_BASES) return own;
    const taken = new Set(own.map(({ name }) => name));
    const found = new Map<string, ResolvedMember>();
    for (const member of [...this.#inherited(definitions, depth + 1), ...this.#included(definitions, depth + 1)]) {
      const { name, definition } = member;
      const id = `${name} ${member.source} ${definition.path} ${definition.offset}`;
      if (!taken.has(name)) found.set(id, member);
    }
    const all = [...own, ...found.values()];
    this.#resolved.set(key, all);
    return all;
  }

  #inherited(definitions: readonly MemberDefinition[], depth: number): ResolvedMember[] {
    const bases = definitions.flatMap(({ name, node }) => (name === undefined ? (textAt(node, 'extends') ?? []) : []));
    return [...new Set(bases)].flatMap((base) =>
      this.membersOf(base, depth).map(({ name, definition }) => ({
        name,
        definition,
        source: qualified({ owner: base, name }),
      })),
    );
  }

  #included(definitions: readonly MemberDefinition[], depth: number): ResolvedMember[] {
    const views = definitions.filter(({ kind, name }) => kind === 'view' && name === undefined);
    const cubes = new Map(views.flatMap(({ node }) => viewCubes(node)).map((cube) => [bodyOf(cube.node), cube]));
    const includes = new Map(definitions.map((definition) => [definition.name, definition]));
    return [...cubes.values()].flatMap((viewCube) => {
      const { cube, path, prefix } = viewCube;
      const members = groupBy(
        this.membersOf(cube, depth).filter(({ definition }) => INCLUDED.has(definition.kind)),
        ({ name }) => name,
      );
      const names = new Map(includedMembers(viewCube, members.keys()).map((each) => [each.member, each.name]));
      // A hierarchy includes its levels.
      for (const member of names.keys())
        for (const { definition } of members.get(member) ?? [])
          for (const level of levelsOf(definition)) if (!names.has(level)) names.set(level, prefix + level);
      return [...names].flatMap(([member, name]): ResolvedMember[] => {
        const include = includes.get(name);
        // The cube may generate the member.
        const found = members.get(member)?.map(({ definition }) => definition) ?? (include ? [include] : []);
        const source = qualified({ owner: cube, name: member });
        return found.map((definition) => ({ name, definition, source, joined: path.split('.').slice(0, -1) }));
      });
    });
  }
}

/** The kinds of members that a view can include; a member of a view is itself an `include`. */
const INCLUDED = new Set(['measure', 'dimension', 'segment', 'hierarchy', 'include']);

/** @returns the names of the dimensions of a hierarchy that are in its own cube */
function levelsOf({ kind, owner, node }: MemberDefinition): string[] {
  if (kind !== 'hierarchy') return [];
  return (entryOf(node, 'levels')?.value.items ?? []).flatMap(({ text = '' }) => {
    const [name = '', cube = owner] = text
      .replace(/[${}\s]/g, '')
      .split('.')
      .reverse();
    return cube === owner || /^(?:CUBE|TABLE)$/.test(cube) ? [name] : [];
  });
}

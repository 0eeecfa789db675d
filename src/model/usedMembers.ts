/** Finds the definitions of members by name, and of those that a query uses. */
import { includedMembers } from './dependents.ts';
import { membersIn, viewCubes, type MemberDefinition } from './members.ts';
import { textAt } from './modelNode.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';

/** A member of a query, with its definition in a cube, or a cube or view itself. */
export interface UsedMember {
  /** Name in the query, such as `sales.revenue`. */
  name: string;
  definition: MemberDefinition;
}

/** String literals and comments, which contain no member names. */
const NOT_NAMES = /'[^']*'|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

/** @returns the lowercase names in a query */
export const namesIn = (sql: string): Set<string> =>
  new Set(
    sql
      .replace(NOT_NAMES, ' ')
      .toLowerCase()
      .match(/[\p{L}_][\p{L}\p{N}_]*/gu),
  );

/** The kinds of members that a query can name. */
const QUERYABLE = new Set(['measure', 'dimension', 'segment']);
/** Cubes may extend each other, so limit the depth. */
const MOST_BASES = 20;

/**
 * @param files the model files
 * @returns the members in the order of the files, then the cubes and views; a member with several definitions repeatedly
 */
export function usedMembers(files: readonly SourceFile[], queries: readonly string[]): UsedMember[] {
  const model = modelOf(files.flatMap(membersIn));
  const used: UsedMember[] = [];
  for (const names of queries.map(namesIn))
    for (const [key, members] of model) {
      if (!names.has(key)) continue;
      const [owner] = members;
      used.push(
        ...membersOf(owner!.owner, model).filter(({ name }) => names.has(name.slice(key.length + 1).toLowerCase())),
        ...members.flatMap((definition) => (definition.name === undefined ? [{ name: key, definition }] : [])),
      );
    }
  const isFirst = ({ name, definition }: UsedMember, index: number): boolean =>
    used.findIndex((each) => each.name === name && each.definition === definition) === index;
  return used.filter(isFirst).sort((left, right) => Number(isOwner(left)) - Number(isOwner(right)));
}

/** @returns the members by their cube or view, in lower case */
const modelOf = (members: readonly MemberDefinition[]): Map<string, MemberDefinition[]> =>
  Map.groupBy(members, ({ owner }) => owner.toLowerCase());

/**
 * @param members all members of the data model
 * @param name `orders` or `orders.count`, in any case
 * @returns its definitions; a member that a view includes is defined in its cube, unless the view gives it an alias
 */
export function findDefinition(members: readonly MemberDefinition[], name: string): MemberDefinition[] {
  const model = modelOf(members);
  const wanted = name.toLowerCase();
  const [owner = '', member] = wanted.split('.');
  const direct = (model.get(owner) ?? []).filter(
    (each) =>
      each.name?.toLowerCase() === member && (each.kind !== 'include' || textAt(each.node, 'alias') !== undefined),
  );
  if (direct.length > 0) return direct;
  return membersOf(owner, model).flatMap((each) => (each.name.toLowerCase() === wanted ? [each.definition] : []));
}

const isOwner = ({ definition }: UsedMember): boolean => definition.name === undefined;

/** @returns the members of a cube with those it inherits, or those that a view includes */
function membersOf(owner: string, model: ReadonlyMap<string, readonly MemberDefinition[]>, depth = 0): UsedMember[] {
  const members = model.get(owner.toLowerCase()) ?? [];
  const found = members.flatMap((definition): UsedMember[] =>
    QUERYABLE.has(definition.kind) ? [{ name: `${owner}.${definition.name}`, definition }] : [],
  );
  if (depth >= MOST_BASES) return found;
  for (const { name, kind, node } of members) {
    if (name !== undefined) continue;
    const base = textAt(node, 'extends');
    const inherited = base === undefined ? [] : membersOf(base, model, depth + 1);
    const own = new Set(found.map((each) => each.name));
    for (const { name: inBase, definition } of inherited) {
      const here = `${owner}${inBase.slice(inBase.indexOf('.'))}`;
      if (!own.has(here)) found.push({ name: here, definition });
    }
    if (kind === 'view') found.push(...includedIn(owner, node, (cube) => membersOf(cube, model, depth + 1)));
  }
  return found;
}

function includedIn(
  view: string,
  node: MemberDefinition['node'],
  membersOfCube: (cube: string) => UsedMember[],
): UsedMember[] {
  return viewCubes(node).flatMap((viewCube) => {
    const all = membersOfCube(viewCube.cube);
    const names = all.map(({ name }) => name.slice(name.indexOf('.') + 1));
    return includedMembers(viewCube, () => names).flatMap(({ name, member }) =>
      all.flatMap(({ name: inCube, definition }) =>
        inCube.toLowerCase() === member.toLowerCase() ? [{ name: `${view}.${name}`, definition }] : [],
      ),
    );
  });
}

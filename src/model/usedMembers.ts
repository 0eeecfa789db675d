/** Finds the definitions of members by name, and of those that a query uses. */
import { membersIn, type MemberDefinition } from './members.ts';
import { textAt } from './modelNode.ts';
import { Resolver } from './resolve.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { viewCubes } from './views.ts';

/** A member of a query, with its definition in a cube, or a cube or view itself. */
export interface UsedMember {
  /** Name in the query, such as `sales.revenue`. */
  name: string;
  definition: MemberDefinition;
}

/** String literals and comments, which contain no member names, and quoted names, which may contain an apostrophe. */
const QUOTED = /"[^"]*"|'[^']*'|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

/** @returns the lowercase names in a query */
export const namesIn = (sql: string): Set<string> =>
  new Set(
    sql
      .replace(QUOTED, (text) => (text.startsWith('"') ? text : ' '))
      .toLowerCase()
      .match(/[\p{L}_][\p{L}\p{N}_]*/gu),
  );

/** The kinds of members that a query can name. */
const QUERYABLE = new Set(['measure', 'dimension', 'segment']);

/**
 * @param files the model files
 * @returns the members in the order of the files, then the cubes and views; a member with several definitions repeatedly
 */
export function usedMembers(files: readonly SourceFile[], queries: readonly string[]): UsedMember[] {
  const members = files.flatMap(membersIn);
  const resolver = new Resolver(members);
  const owners = new Map(members.map(({ owner }) => [owner.toLowerCase(), owner]));
  const used = new Map<string, UsedMember>();
  const add = (name: string, definition: MemberDefinition): void =>
    void used.set(JSON.stringify([name, definition.path, definition.offset]), { name, definition });
  for (const names of queries.map(namesIn))
    for (const [key, owner] of owners) {
      if (!names.has(key)) continue;
      for (const { name, definition } of resolver.membersOf(owner))
        if (QUERYABLE.has(definition.kind) && names.has(name.toLowerCase())) add(`${owner}.${name}`, definition);
      for (const definition of resolver.definitionsIn(owner)) if (definition.name === undefined) add(key, definition);
    }
  return [...used.values()].sort((left, right) => Number(isOwner(left)) - Number(isOwner(right)));
}

const isOwner = ({ definition }: UsedMember): boolean => definition.name === undefined;

/**
 * @param members all members of the data model
 * @param name `orders` or `orders.count`, in any case
 * @returns its definitions; a member that a view includes is defined in its cube, unless the view gives it an alias; a
 * member that is not written out, in the cube or view that generates it
 */
export function findDefinition(members: readonly MemberDefinition[], name: string): MemberDefinition[] {
  const resolver = new Resolver(members);
  const [owner = '', member] = name.toLowerCase().split('.');
  const definitions = resolver.definitionsIn(owner);
  const direct = definitions.filter(
    (each) =>
      each.name?.toLowerCase() === member && (each.kind !== 'include' || textAt(each.node, 'alias') !== undefined),
  );
  if (direct.length > 0) return direct;
  const resolved = resolver.membersOf(owner).filter((each) => each.name.toLowerCase() === member);
  if (resolved.length > 0) return resolved.map(({ definition }) => definition);
  const included = definitions
    .flatMap(({ kind, node }) => (kind === 'view' ? viewCubes(node) : []))
    .filter(({ prefix, node }) => textAt(node, 'includes') === '*' && member?.startsWith(prefix.toLowerCase()))
    .flatMap(({ cube }) => resolver.definitionsIn(cube));
  return [...definitions, ...included].filter(({ isPartial }) => isPartial);
}

/** The members of a data model: what each file defines, with positions and bodies to compare. */
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { parseJsModel } from './modelJs.ts';
import {
  bodyOf,
  entryOf,
  textAt,
  type LooseText,
  type ModelNode,
  type ModelOwner,
  type ModelTree,
} from './modelNode.ts';
import { parseYamlModel } from './modelYaml.ts';

type MemberKind =
  | 'cube'
  | 'view'
  | 'measure'
  | 'dimension'
  | 'segment'
  | 'join'
  | 'pre_aggregation'
  | 'hierarchy'
  /** A member of a cube that a view includes by name. */
  | 'include';

/** The definition of a member in a model file, or of a cube or view itself. */
export interface MemberDefinition {
  kind: MemberKind;
  /** Name of the cube or view. */
  owner: string;
  /** Absent for the cube or view itself, whose body is everything outside its members. */
  name?: string;
  path: string;
  /** Offset of the name in the file. */
  offset: number;
  /** Equal for two members with the same meaning, whatever their names. */
  body: string;
  node: ModelNode;
}

/** Keys of the member lists in YAML and in JavaScript. */
const LISTS = new Map<string, MemberKind>([
  ['measures', 'measure'],
  ['dimensions', 'dimension'],
  ['segments', 'segment'],
  ['joins', 'join'],
  ['pre_aggregations', 'pre_aggregation'],
  ['preAggregations', 'pre_aggregation'],
  ['hierarchies', 'hierarchy'],
]);

/** @returns `orders.revenue`, or `orders` for the cube itself */
export const qualified = ({ owner, name }: Pick<MemberDefinition, 'owner' | 'name'>): string =>
  name === undefined ? owner : `${owner}.${name}`;

export const isModelFile = (path: string): boolean => /\.(?:ya?ml(?:\.jinja2?|\.j2)?|[cm]?js|ts)$/i.test(path);

/** @returns the members in a file; empty if it is not a model file */
export function membersIn({ path, text }: SourceFile): MemberDefinition[] {
  if (!isModelFile(path) || !/\b(?:cubes?|views?)\b/.test(text)) return [];
  const isCode = /[jt]s$/i.test(path);
  const tree = isCode ? parseJsModel(text) : parseYamlModel(text);
  return tree.owners.flatMap((owner) => membersOf(owner, tree, path));
}

function membersOf(owner: ModelOwner, { owners, loose }: ModelTree, path: string): MemberDefinition[] {
  const { kind, name, start, node } = owner;
  const lists = (node.entries ?? []).flatMap(({ key, value }) => {
    const memberKind = LISTS.get(key);
    return memberKind && (value.items || value.entries) ? [{ key, value, memberKind }] : [];
  });
  const members = lists.flatMap(({ value, memberKind }) => namedIn(value, memberKind, owner, loose, path));
  if (kind === 'view') members.push(...includesOf(owner, loose, path));
  // Jinja tags that affect the owner: those in it but outside its members, and those outside of all owners.
  const own = loose.filter((tag) => {
    if (members.some((member) => isIn(tag, member.node))) return false;
    return isIn(tag, node) || !owners.some((other) => isIn(tag, other.node));
  });
  const except = ['name', ...lists.map(({ key }) => key), ...(kind === 'view' ? ['cubes'] : [])];
  const joinPaths = kind === 'view' ? pathsOf(node) : '';
  const unnamed = lists.flatMap(({ value }) =>
    (value.items ?? []).filter((item) => textAt(item, 'name') === undefined),
  );
  const parts = [
    bodyOf(node, except),
    joinPaths,
    ...unnamed.map((item) => bodyOf(item)),
    ...own.map(({ text }) => text),
  ];
  return [{ kind, owner: name, path, offset: start, body: `${kind} ${parts.join('\n')}`, node }, ...members];
}

const isIn = (tag: LooseText, { start, end }: ModelNode): boolean => tag.start >= start && tag.end <= end;

/** @returns the Jinja tags in a node, as part of its body */
const tagsIn = (node: ModelNode, loose: readonly LooseText[]): string =>
  loose
    .filter((tag) => isIn(tag, node))
    .map(({ text }) => text)
    .join('\n');

/** Members of a list by their `name`, or of a map by their keys. A list item without a name belongs to the owner. */
function namedIn(
  { items, entries = [] }: ModelNode,
  kind: MemberKind,
  { name: owner }: ModelOwner,
  loose: readonly LooseText[],
  path: string,
): MemberDefinition[] {
  const member = (name: string, offset: number, node: ModelNode, except: readonly string[]): MemberDefinition => {
    const body = `${kind} ${bodyOf(node, except)}${tagsIn(node, loose)}`;
    return { kind, owner, name, path, offset, body, node };
  };
  if (items === undefined) return entries.map(({ key, start, value }) => member(key, start, value, []));
  return items.flatMap((item) => {
    const name = entryOf(item, 'name')?.value;
    return name?.text === undefined ? [] : [member(name.text, name.start, item, ['name'])];
  });
}

/** A cube that a view includes members of. */
export interface ViewCube {
  cube: string;
  path: string;
  /** Prefix of the members' names; empty without one. */
  prefix: string;
  node: ModelNode;
}

/** @returns the cubes that the definition of a view includes, in order */
export const viewCubes = (node: ModelNode): ViewCube[] =>
  (entryOf(node, 'cubes')?.value.items ?? []).flatMap((item) => {
    const joinPath = textAt(item, 'join_path', 'joinPath')
      ?.replace(/\s/g, '')
      .replace(/^\(\)=>/, '');
    if (joinPath === undefined) return [];
    const cube = joinPath.slice(joinPath.lastIndexOf('.') + 1);
    const prefix = textAt(item, 'prefix') === 'true' ? `${textAt(item, 'alias') ?? cube}_` : '';
    return [{ cube, path: joinPath, prefix, node: item }];
  });

/** A member that a view includes individually. */
interface NamedInclude {
  name: string;
  /** Qualified name of the member in its cube. */
  member: string;
  /** Offset of the name. */
  offset: number;
  at: ModelNode;
}

/** @returns the members that a view includes from a cube by name; none for `includes: "*"` */
export function namedIncludes({ cube, prefix, node }: ViewCube): NamedInclude[] {
  return (entryOf(node, 'includes')?.value.items ?? []).flatMap((item) => {
    const own = item.text === undefined ? entryOf(item, 'name')?.value : item;
    if (own?.text === undefined) return [];
    const alias = entryOf(item, 'alias')?.value;
    const name = alias?.text ?? `${prefix}${own.text}`;
    return [{ name, member: `${cube}.${own.text}`, offset: (alias ?? own).start, at: item }];
  });
}

const includesOf = ({ name: owner, node }: ModelOwner, loose: readonly LooseText[], path: string): MemberDefinition[] =>
  viewCubes(node).flatMap((cube) =>
    namedIncludes(cube).map(({ name, member, offset, at }) => {
      // A plain name means the same as an item with only a name.
      const options = at.entries ? bodyOf(at, ['name', 'alias']) : '{}';
      const body = `include ${member} ${options}${tagsIn(at, loose)}`;
      return { kind: 'include', owner, name, path, offset, body, node: at };
    }),
  );

/** The definitions of a view's cubes as text, without lists of included members. */
const pathsOf = (node: ModelNode): string =>
  (entryOf(node, 'cubes')?.value.items ?? [])
    .map((item) => bodyOf(item, entryOf(item, 'includes')?.value.items ? ['includes'] : []))
    .join('\n');

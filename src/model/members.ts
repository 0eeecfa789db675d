/** The members of a data model: what each file defines, with positions and bodies to compare. */
import { hasJinja } from '../shared/text/jinja.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { isOutput } from './jinjaCode.ts';
import { parseJsModel } from './modelJs.ts';
import {
  bodyOf,
  entryOf,
  partsIn,
  textAt,
  type CodePart,
  type ModelNode,
  type ModelOwner,
  type ModelTree,
} from './modelNode.ts';
import { parseYamlModel } from './modelYaml.ts';
import { namedIncludes, splitViews, viewCubes } from './views.ts';

type MemberKind =
  | 'cube'
  | 'view'
  | 'measure'
  | 'dimension'
  | 'segment'
  | 'join'
  | 'pre_aggregation'
  | 'hierarchy'
  /** The rules that decide who sees which rows and members. */
  | 'access_policy'
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
  /** Names of macros, variables and functions that the definition uses. */
  uses: readonly string[];
  /** For a cube or view that has members which can't be read from the file, for example those of a macro. */
  isPartial?: true;
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
const POLICIES = ['access_policy', 'accessPolicy'];

/** @returns `orders.revenue`, or `orders` for the cube itself */
export const qualified = ({ owner, name }: Pick<MemberDefinition, 'owner' | 'name'>): string =>
  name === undefined ? owner : `${owner}.${name}`;

export const isModelFile = (path: string): boolean => /\.(?:ya?ml(?:\.jinja2?|\.j2)?|jinja|[cm]?js|ts)$/i.test(path);

/** @returns the end of the name at the offset of a member; a template has none */
export const endOfName = (text: string, offset: number): number =>
  offset + /^[\p{L}\p{N}_]*/u.exec(text.slice(offset, offset + 300))![0].length;

export const isCode = (path: string): boolean => /[jt]s$/i.test(path);

const trees = new WeakMap<SourceFile, ModelTree>();

/** @param file is parsed once, so it must not change */
export function treeOf(file: SourceFile): ModelTree {
  const known = trees.get(file);
  if (known) return known;
  const { path, text } = file;
  const tree = isCode(path) ? parseJsModel(text, /ts$/i.test(path)) : parseYamlModel(text);
  trees.set(file, tree);
  return tree;
}

/** Whether a file may define cubes or views; a quick test, because most files of a repository don't. */
export const mayDefineMembers = ({ path, text }: SourceFile): boolean =>
  isModelFile(path) && (isCode(path) ? /\b(?:cube|view)\s*\(/ : /\b(?:cubes|views)\b/).test(text);

/** @returns the members in a file; empty if it is not a model file */
export function membersIn(file: SourceFile): MemberDefinition[] {
  if (!mayDefineMembers(file)) return [];
  const tree = treeOf(file);
  const { owners } = tree;
  const isOutside = ({ start, end }: CodePart): boolean =>
    !owners.some(({ node }) => start < node.end && end > node.start);
  const around = tree.loose.filter(isOutside);
  return owners.flatMap((owner) =>
    owner.kind === 'view'
      ? splitViews(owner).flatMap((view) => membersOf(view, tree, around, file.path))
      : membersOf(owner, tree, around, file.path),
  );
}

/** @param around code outside of all cubes and views, which may affect each of them */
function membersOf(owner: ModelOwner, tree: ModelTree, around: readonly CodePart[], path: string): MemberDefinition[] {
  const { kind, name, start, node } = owner;
  const lists = (node.entries ?? []).flatMap(({ key, value, isComputed }) => {
    const memberKind = isComputed || value.text === '' ? undefined : LISTS.get(key);
    return memberKind ? [{ key, value, memberKind }] : [];
  });
  const readable = lists.filter(({ value }) => value.items || value.entries);
  const found = [
    ...readable.flatMap(({ value, memberKind }) => namedIn(value, memberKind)),
    ...policyOf(node),
    ...(kind === 'view' ? includesOf(node) : []),
  ];
  const members = found.map(({ body, ...member }): MemberDefinition => {
    const tags = partsIn(tree.loose, member.node).map(({ text }) => text);
    const uses = partsIn(tree.names, member.node).map((each) => each.name);
    return { ...member, owner: name, path, body: `${member.kind} ${body}${tags.join('\n')}`, uses };
  });
  const inMembers = new Set<object>(
    members.flatMap((member) => [...partsIn(tree.loose, member.node), ...partsIn(tree.names, member.node)]),
  );
  const own = partsIn(tree.loose, node).filter((part) => !inMembers.has(part));
  const unnamed = readable.flatMap(({ value }) => unnamedIn(value));
  const except = ['name', ...POLICIES, ...readable.map(({ key }) => key), ...(kind === 'view' ? ['cubes'] : [])];
  const parts = [
    bodyOf(node, except),
    kind === 'view' ? pathsOf(node) : '',
    ...unnamed.map((each) => bodyOf(each)),
    ...[...own, ...around].map(({ text }) => text),
  ];
  const used = [node, ...around].flatMap((range) => partsIn(tree.names, range)).filter((each) => !inMembers.has(each));
  const isPartial =
    lists.length > readable.length ||
    unnamed.length > 0 ||
    (node.entries === undefined ? node.text !== '' : node.entries.some(({ isComputed }) => isComputed)) ||
    own.some((part) => isOutput(part) && !isInText(node, part)) ||
    members.some((member) => hasJinja(member.name ?? ''));
  return [
    {
      kind,
      owner: name,
      path,
      offset: start,
      body: `${kind} ${parts.join('\n')}`,
      uses: used.map((each) => each.name),
      ...(isPartial ? { isPartial } : {}),
      node,
    },
    ...members,
  ];
}

/** Whether a template is in a text value, where it generates no members; one in a list may generate several items. */
const isInText = ({ entries = [], items = [] }: ModelNode, part: CodePart): boolean =>
  entries.some(({ value }) => holds(value, part) && (value.text !== undefined || isInText(value, part))) ||
  items.some((item) => holds(item, part) && isInText(item, part));

const holds = ({ start, end }: ModelNode, part: CodePart): boolean => start <= part.start && part.start < end;

type FoundMember = Pick<MemberDefinition, 'kind' | 'offset' | 'body' | 'node'> & { name: string };

/** @returns the members of a list by their `name`, or of a map by their keys */
function namedIn({ items, entries = [] }: ModelNode, kind: MemberKind): FoundMember[] {
  if (items === undefined)
    return entries
      .filter(({ isComputed }) => !isComputed)
      .map(({ key, start, value }) => ({ kind, name: key, offset: start, body: bodyOf(value), node: value }));
  return items.flatMap((item) => {
    const name = entryOf(item, 'name')?.value;
    if (name?.text === undefined) return [];
    return { kind, name: name.text, offset: name.start, body: bodyOf(item, ['name']), node: item };
  });
}

/** @returns the parts of a list of members that have no name, which belong to the cube or view */
const unnamedIn = ({ items = [], entries = [] }: ModelNode): ModelNode[] => [
  ...items.filter((item) => textAt(item, 'name') === undefined),
  ...entries.flatMap(({ isComputed, value }) => (isComputed ? [value] : [])),
];

function policyOf(node: ModelNode): FoundMember[] {
  const policy = entryOf(node, ...POLICIES);
  if (policy === undefined) return [];
  const { start, value } = policy;
  return [{ kind: 'access_policy', name: 'access_policy', offset: start, body: bodyOf(value), node: value }];
}

const includesOf = (node: ModelNode): FoundMember[] =>
  viewCubes(node).flatMap((viewCube) =>
    namedIncludes(viewCube).map(({ name, member, offset, at }) => {
      // A plain name means the same as an item with only a name.
      const options = at.entries ? bodyOf(at, ['name', 'alias']) : '{}';
      return { kind: 'include', name, offset, body: `${viewCube.cube}.${member} ${options}`, node: at };
    }),
  );

/** The definitions of a view's cubes as text, without lists of included members. */
const pathsOf = (node: ModelNode): string =>
  (entryOf(node, 'cubes')?.value.items ?? [])
    .map((item) => bodyOf(item, entryOf(item, 'includes')?.value.items ? ['includes'] : []))
    .join('\n');

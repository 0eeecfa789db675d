/** The members that views include, named as the compiler of the data model names them. */
import { hasJinja } from '../shared/text/jinja.ts';
import { entryOf, textAt, type ModelNode, type ModelOwner } from './modelNode.ts';

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
    const path = pathOf(item);
    if (path === undefined) return [];
    const cube = cubeOf(path);
    const prefix = textAt(item, 'prefix') === 'true' ? `${textAt(item, 'alias') ?? cube}_` : '';
    return [{ cube, path, prefix, node: item }];
  });

const pathOf = (item: ModelNode): string | undefined =>
  textAt(item, 'join_path', 'joinPath')
    ?.replace(/\s/g, '')
    .replace(/^\(\)=>/, '');

const cubeOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * A cube with `split: true` gets a view of its own.
 * @returns the view without these cubes, and one view for each of them
 */
export function splitViews(view: ModelOwner): ModelOwner[] {
  const cubes = entryOf(view.node, 'cubes');
  const items = cubes?.value.items ?? [];
  const split = items.filter((item) => textAt(item, 'split') === 'true' && pathOf(item) !== undefined);
  if (cubes === undefined || split.length === 0) return [view];
  const withCubes = (node: ModelNode, kept: readonly ModelNode[]): ModelNode => ({
    ...node,
    entries: [
      ...(node.entries ?? []).filter((entry) => entry !== cubes),
      { ...cubes, value: { ...cubes.value, items: kept } },
    ],
  });
  const rest = items.filter((item) => !split.includes(item));
  const own = split.map((item) => ({
    ...view,
    name: `${view.name}_${textAt(item, 'alias') ?? cubeOf(pathOf(item)!)}`,
    start: item.start,
    node: withCubes({ start: item.start, end: item.end }, [item]),
  }));
  return [{ ...view, node: withCubes(view.node, rest) }, ...own];
}

/** A member that a view includes individually. */
interface NamedInclude {
  name: string;
  /** Name of the member in its cube. */
  member: string;
  /** Offset of the name. */
  offset: number;
  at: ModelNode;
}

/** @returns the members that a view includes from a cube by name; none for `includes: "*"` */
export function namedIncludes({ prefix, node }: ViewCube): NamedInclude[] {
  const excluded = excludedIn(node);
  return (entryOf(node, 'includes')?.value.items ?? []).flatMap((item) => {
    const own = item.text === undefined ? entryOf(item, 'name')?.value : item;
    if (own?.text === undefined || hasJinja(own.text) || excluded.has(own.text)) return [];
    const alias = entryOf(item, 'alias')?.value;
    const name = `${prefix}${alias?.text ?? own.text}`;
    return [{ name, member: own.text, offset: (alias ?? own).start, at: item }];
  });
}

export const excludedIn = (node: ModelNode): ReadonlySet<string | undefined> =>
  new Set(entryOf(node, 'excludes')?.value.items?.map(({ text }) => text));

/**
 * @param names the names of the cube's members
 * @returns the members that a view includes from a cube: their names in the view, and those in the cube
 */
export function includedMembers(viewCube: ViewCube, names: Iterable<string>): { name: string; member: string }[] {
  const { prefix, node } = viewCube;
  if (entryOf(node, 'includes')?.value.text !== '*') return namedIncludes(viewCube);
  const excluded = excludedIn(node);
  return [...names].flatMap((name) => (excluded.has(name) ? [] : [{ name: `${prefix}${name}`, member: name }]));
}

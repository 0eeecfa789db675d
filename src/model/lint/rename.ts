/** Renames a member wherever the project refers to it, also under the names that it has in other cubes and in views. */
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { entryOf, textAt } from '../modelNode.ts';
import { excludedIn, namedIncludes, viewCubes } from '../views.ts';
import { namesOfFile, type ModelNames } from './names.ts';
import type { Reference } from './reference.ts';
import { trace } from './trace.ts';

export interface RenamedMember {
  /** Name of the cube or view. */
  owner: string;
  name: string;
}

/** Replaces the text from `start` to `end` of a file. */
export interface NameEdit {
  path: string;
  start: number;
  end: number;
  text: string;
}

const keyOf = (owner: string, name: string): string => `${owner}.${name}`.toLowerCase();

/** The new names of members by their qualified names in lower case. */
class NewNames {
  readonly #byKey = new Map<string, string>();

  /** @param files all files of the data model */
  constructor(files: readonly SourceFile[], { owner, name }: RenamedMember, newName: string) {
    const definitions = files.flatMap((file) => namesOfFile(file).members.filter((each) => each.name === undefined));
    const own = new Set(
      files.flatMap((file) =>
        namesOfFile(file).members.flatMap((each) =>
          each.name !== undefined && each.kind !== 'include' ? [keyOf(each.owner, each.name)] : [],
        ),
      ),
    );
    const pending = [{ owner, name, newName }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (this.#byKey.has(keyOf(next.owner, next.name))) continue;
      this.#byKey.set(keyOf(next.owner, next.name), next.newName);
      for (const definition of definitions) {
        const isBase = textAt(definition.node, 'extends')?.toLowerCase() === next.owner.toLowerCase();
        // A cube may define an inherited member itself.
        if (isBase && !own.has(keyOf(definition.owner, next.name))) pending.push({ ...next, owner: definition.owner });
        if (definition.kind !== 'view') continue;
        for (const viewCube of viewCubes(definition.node)) {
          if (viewCube.cube.toLowerCase() !== next.owner.toLowerCase()) continue;
          const { prefix, node } = viewCube;
          const isWhole = entryOf(node, 'includes')?.value.text === '*' && !excludedIn(node).has(next.name);
          // An alias stays.
          const isNamed = namedIncludes(viewCube).some((each) => each.name === prefix + next.name);
          if (!isWhole && !isNamed) continue;
          pending.push({ owner: definition.owner, name: prefix + next.name, newName: prefix + next.newName });
        }
      }
    }
  }

  of(owner: string, name: string): string | undefined {
    return this.#byKey.get(keyOf(owner, name));
  }

  /** @returns the new name if all members with a name get the same one */
  ofAny(name: string, names: ModelNames): string | undefined {
    const key = name.toLowerCase();
    const found = new Set([...this.#byKey].flatMap(([each, newName]) => (each.endsWith(`.${key}`) ? [newName] : [])));
    const isElsewhere = names.owners.some((owner) => names.membersOf(owner).has(key) && !this.of(owner, name));
    return found.size === 1 && !isElsewhere ? [...found][0] : undefined;
  }
}

/**
 * @param model all files of the data model
 * @param references all references of the project, by the paths of their files
 * @param names those of the data model
 * @param member an existing member, or one that references still name
 */
export function renameEdits(
  model: readonly SourceFile[],
  references: Iterable<readonly [string, readonly Reference[]]>,
  names: ModelNames,
  member: RenamedMember,
  newName: string,
): NameEdit[] {
  const newNames = new NewNames(model, member, newName);
  const edits = new Map<string, NameEdit>();
  const add = (path: string, start: number, old: string, text: string): void =>
    void edits.set(`${path} ${start}`, { path, start, end: start + old.length, text });
  for (const file of model)
    for (const { owner, name, kind, offset, node } of namesOfFile(file).members) {
      const text = name === undefined ? undefined : newNames.of(owner, name);
      if (name === undefined || text === undefined) continue;
      const alias = kind === 'include' ? textAt(node, 'alias') : name;
      // The name of an included member without an alias is a reference.
      if (alias !== undefined) add(file.path, offset, alias, text.slice(name.length - alias.length));
    }
  for (const [path, all] of references)
    for (const reference of all)
      for (const { part, kind, owners } of trace(reference, names)) {
        if (kind === 'owner') continue;
        const text =
          owners === undefined
            ? newNames.ofAny(part.name, names)
            : owners.flatMap((owner) => newNames.of(owner, part.name) ?? [])[0];
        if (text !== undefined) add(path, part.start, part.name, text);
      }
  return [...edits.values()];
}

/**
 * Finds the renamed member behind an unknown name: a view may only lack it because its cube does.
 * @param replacement another name in the same cube or view
 * @returns the member that must be renamed, and its new name
 */
export function renamedMember(
  names: ModelNames,
  { owner, name }: RenamedMember,
  replacement: string,
): RenamedMember & { newName: string } {
  const missing = names.missingSource(owner, name);
  if (missing) {
    const prefix = name.length - missing.name.length;
    return renamedMember(names, missing, replacement.slice(prefix));
  }
  for (const { source } of names.membersOf(owner).get(replacement.toLowerCase()) ?? []) {
    const [cube = '', newName = ''] = source?.split('.') ?? [];
    const prefix = replacement.endsWith(newName)
      ? replacement.slice(0, replacement.length - newName.length)
      : undefined;
    if (source === undefined || prefix === undefined || !name.startsWith(prefix)) continue;
    const former = { owner: cube, name: name.slice(prefix.length) };
    if (names.isUnknown(cube, former.name)) return renamedMember(names, former, newName);
  }
  return { owner, name, newName: replacement };
}

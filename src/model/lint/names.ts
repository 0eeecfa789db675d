/**
 * The names of a data model. A name is only called unknown if all files that might define it can be followed: what
 * templates, functions and broken files define is not known, but not absent either.
 */
import { hasJinja } from '../../shared/text/jinja.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { mayDefineMembers, membersIn, treeOf, type MemberDefinition } from '../members.ts';
import { entryOf, textAt, type ModelNode } from '../modelNode.ts';
import { Resolver, type ResolvedMember } from '../resolve.ts';
import { rootOf } from '../versions.ts';
import { viewCubes } from '../views.ts';
import { isConfigPath } from './modelPaths.ts';

/** What a file of the data model defines. */
export interface FileNames {
  members: readonly MemberDefinition[];
  /** Whether it may define cubes or views that can't be read. */
  isOpen: boolean;
}

const known = new WeakMap<SourceFile, FileNames>();

export const isRead = (file: SourceFile): boolean => known.has(file);

/** @param file is read once, so it must not change */
export function namesOfFile(file: SourceFile): FileNames {
  let names = known.get(file);
  if (names === undefined) known.set(file, (names = readNames(file)));
  return names;
}

/** A call outside of cubes and views, which may define some. */
const CALL = /(?<!\b(?:cube|view) )\(/;

/** Maximum number of characters of a file: a larger one would block the extension host. */
const MOST_CHARACTERS = 1_000_000;

/** Whether a file is parsed. */
export const isReadable = ({ text, error }: SourceFile): boolean =>
  error === undefined && text.length <= MOST_CHARACTERS;

function readNames(file: SourceFile): FileNames {
  const { path, text } = file;
  const isCode = /[jt]s$/i.test(path);
  if (!isReadable(file)) return { members: [], isOpen: true };
  if (isConfigPath(path)) return { members: [], isOpen: /repository_?factory/i.test(text) };
  if (!isCode && !mayDefineMembers(file)) return { members: [], isOpen: false };
  const { loose, generated, error: syntaxError } = treeOf(file);
  const members = membersIn(file);
  const owners = members.filter(({ name }) => name === undefined);
  const isOpen =
    syntaxError !== undefined ||
    generated.length > 0 ||
    owners.some(({ owner, offset }) => hasJinja(owner) || text.startsWith('{{', offset)) ||
    // Outside of its folder, the data model may be larger than what was read.
    (owners.length > 0 && !/(?:^|\/)(?:models?|schema)$/.test(rootOf(path))) ||
    (isCode && loose.some((code) => CALL.test(code.text) && !/^(?:module \. )?exports\b/.test(code.text)));
  return { members: syntaxError === undefined ? members : members.map(asPartial), isOpen };
}

const asPartial = (member: MemberDefinition): MemberDefinition =>
  member.name === undefined ? { ...member, isPartial: true } : member;

/** Members of these kinds can't be referred to by name. */
const UNNAMED: ReadonlySet<string> = new Set(['join', 'access_policy']);

export class ModelNames {
  /** Whether there may be more cubes and views than those with a name here. */
  readonly isOpen: boolean;
  readonly #resolver: Resolver;
  readonly #owners: ReadonlyMap<string, string>;
  readonly #members = new Map<string, ReadonlyMap<string, readonly ResolvedMember[]>>();
  readonly #open = new Map<string, boolean>();
  #all: ReadonlySet<string> | undefined;

  /**
   * @param files all files of the data model, or all that define some cubes and views
   * @param isPartial whether other files may define other cubes and views
   */
  constructor(files: readonly SourceFile[], isPartial = false) {
    const all = files.map(namesOfFile);
    const members = all.flatMap((each) => each.members);
    this.#resolver = new Resolver(members);
    this.#owners = new Map(members.map(({ owner }) => [owner.toLowerCase(), owner]));
    this.isOpen = isPartial || all.some((each) => each.isOpen);
  }

  /** Names of all cubes and views. */
  get owners(): readonly string[] {
    return [...this.#owners.values()];
  }

  hasOwner(name: string): boolean {
    return this.#owners.has(name.toLowerCase());
  }

  /** @returns the definitions in a cube or view, with that of the cube or view itself */
  definitionsIn(owner: string): readonly MemberDefinition[] {
    return this.#resolver.definitionsIn(owner);
  }

  /** @returns the members of a cube or view by their names in lower case */
  membersOf(owner: string): ReadonlyMap<string, readonly ResolvedMember[]> {
    const key = owner.toLowerCase();
    let members = this.#members.get(key);
    if (members === undefined) {
      // Views may include each other.
      this.#members.set(key, new Map());
      this.#members.set(key, (members = this.#read(key)));
    }
    return members;
  }

  /** @returns the names of all members of a cube or view, as they are written */
  namesIn(owner: string): string[] {
    return [...this.membersOf(owner).values()].map(([member]) => member!.name);
  }

  #read(owner: string): Map<string, ResolvedMember[]> {
    const members = new Map<string, ResolvedMember[]>();
    for (const member of this.#resolver.membersOf(owner)) {
      if (UNNAMED.has(member.definition.kind) || this.#isPhantom(member)) continue;
      const name = member.name.toLowerCase();
      members.set(name, [...(members.get(name) ?? []), member]);
    }
    return members;
  }

  /** Whether a view includes a member under its own name that its cube certainly does not have; an alias would stay. */
  #isPhantom({ definition: { kind, node }, source }: ResolvedMember): boolean {
    if (kind !== 'include' || source === undefined || textAt(node, 'alias') !== undefined) return false;
    const [cube = '', name = ''] = source.split('.');
    return this.isUnknown(cube, name);
  }

  /** @returns the member of a cube that a view includes under a name, although the cube does not have it */
  missingSource(owner: string, name: string): { owner: string; name: string } | undefined {
    const isSame = (each: ResolvedMember): boolean => each.name.toLowerCase() === name.toLowerCase();
    const phantom = this.#resolver.membersOf(owner).find((each) => isSame(each) && this.#isPhantom(each));
    const [cube = '', member = ''] = phantom?.source?.split('.') ?? [];
    return phantom && { owner: cube, name: member };
  }

  /** Whether the cube or view is known, and certainly does not have the member. */
  isUnknown(owner: string, member: string): boolean {
    return this.hasOwner(owner) && !this.isOpenOwner(owner) && !this.membersOf(owner).has(member.toLowerCase());
  }

  /** @returns whether a cube joins another one by this name */
  hasJoin(owner: string, name: string): boolean {
    const isJoin = (each: MemberDefinition): boolean =>
      each.kind === 'join' && each.name?.toLowerCase() === name.toLowerCase();
    return this.#resolver.definitionsIn(owner).some(isJoin);
  }

  /** Whether any cube or view has a member with this name, or may have one. */
  hasAnywhere(name: string): boolean {
    if (this.isOpen) return true;
    this.#all ??= new Set(this.owners.flatMap((owner) => [...this.membersOf(owner).keys()]));
    return this.#all.has(name.toLowerCase()) || this.owners.some((owner) => this.isOpenOwner(owner));
  }

  /** Whether a cube or view may have members that can't be read, of its own, inherited or included. */
  isOpenOwner(owner: string): boolean {
    const key = owner.toLowerCase();
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    // Cubes may extend each other.
    this.#open.set(key, false);
    const definitions = this.#resolver.definitionsIn(key).filter(({ name }) => name === undefined);
    const isOpen = definitions.length === 0 || definitions.some((definition) => this.#isOpenDefinition(definition));
    this.#open.set(key, isOpen);
    return isOpen;
  }

  #isOpenDefinition({ kind, isPartial, node }: MemberDefinition): boolean {
    const base = textAt(node, 'extends');
    if (isPartial || (entryOf(node, 'extends') && (base === undefined || this.isOpenOwner(base)))) return true;
    if (kind === 'cube') return false;
    const list = entryOf(node, 'cubes')?.value;
    if (entryOf(node, 'includes') || (list !== undefined && list.items === undefined)) return true;
    const cubes = viewCubes(node);
    return (list?.items?.length ?? 0) > cubes.length || cubes.some((cube) => this.#isOpenInclude(cube.cube, cube.node));
  }

  #isOpenInclude(cube: string, item: ModelNode): boolean {
    if ([entryOf(item, 'prefix'), entryOf(item, 'alias'), entryOf(item, 'split')].some(isTemplate)) return true;
    const includes = entryOf(item, 'includes')?.value;
    if (includes?.text === '*')
      return this.isOpenOwner(cube) || this.namesIn(cube).some((name) => this.#isFar(cube, name));
    const names = includes?.items?.map((each) => each.text ?? textAt(each, 'name'));
    return names?.every((name) => name !== undefined && !hasJinja(name) && !this.#isFar(cube, name)) !== true;
  }

  /** Whether a member is a hierarchy with levels of other cubes, which are included with it. */
  #isFar(cube: string, name: string): boolean {
    const members = this.membersOf(cube).get(name.toLowerCase()) ?? [];
    return members.some(({ definition: { kind, node } }) => {
      const levels = kind === 'hierarchy' ? entryOf(node, 'levels')?.value.items : [];
      return levels?.every(({ text = '' }) => !/^(?!CUBE\b|TABLE\b).*\./.test(text)) !== true;
    });
  }
}

const isTemplate = (entry: { value: ModelNode } | undefined): boolean =>
  entry !== undefined && hasJinja(entry.value.text ?? '');

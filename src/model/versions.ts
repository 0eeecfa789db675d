/** Compares two versions of a data model: which members differ, and which changed files can't be followed. */
import { positionAt, type SourceFile } from '../shared/text/sourceFile.ts';
import { compareModels, type MemberChange } from './changes.ts';
import { isModelFile, mayDefineMembers, membersIn, treeOf, type MemberDefinition } from './members.ts';
import { partsIn, type ModelTree } from './modelNode.ts';
import { relatedFiles } from './relatedFiles.ts';
import { pathOfKey, SharedCode } from './sharedCode.ts';

/** A changed file of which it is not known what it changes. */
export interface UnfollowedFile {
  path: string;
  /** `syntax`: a version of the file doesn't parse; `code`: it defines or changes members by code. */
  reason: 'syntax' | 'code';
  /** Zero-based line of the syntax error in the current version. */
  line?: number;
}

export interface ModelComparison {
  changes: readonly MemberChange[];
  unfollowed: readonly UnfollowedFile[];
  /** The members of the previous and of the current version, without those that can't depend on a changed file. */
  before: readonly MemberDefinition[];
  after: readonly MemberDefinition[];
}

/**
 * @param before all files of the data model in their previous version, and changed files beside them
 * @param after the same in their current version
 */
export function compareVersions(before: readonly SourceFile[], after: readonly SourceFile[]): ModelComparison {
  const related = relatedFiles(before, after);
  const [old, now] = [new Version(before, related[0]), new Version(after, related[1])];
  const changed = new Set(
    [...old.files.keys(), ...now.files.keys()].filter((path) => old.textOf(path) !== now.textOf(path)),
  );
  // A file that doesn't parse keeps the members of its other version.
  const isBroken = (path: string): boolean => changed.has(path) && [old, now].some((each) => each.errorIn(path));
  const unbroken = [old, now].map(({ members }) => members.filter(({ path }) => !isBroken(path)));
  const code = changedCode(old, now);
  const changes = compareModels(unbroken[0]!, unbroken[1]!, code.usesChange);
  const unfollowed = [...changed].flatMap((path) => unfollowedFile(path, old, now, code.unfollowed));
  const last = [...changed].filter(isBroken).flatMap((path) => {
    const isOld = now.errorIn(path) && !old.errorIn(path);
    return (isOld ? old : now).members.filter((member) => member.path === path);
  });
  return { changes, unfollowed, before: [...unbroken[0]!, ...last], after: [...unbroken[1]!, ...last] };
}

class Version {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly members: readonly MemberDefinition[];
  readonly code: SharedCode;
  /** Folders that contain the data model. */
  readonly roots: ReadonlySet<string>;

  /** @param related those of the files that are read */
  constructor(files: readonly SourceFile[], related: readonly SourceFile[]) {
    this.files = new Map(related.map((file) => [file.path, file]));
    this.members = related.flatMap(membersIn);
    this.code = new SharedCode(related);
    const generating = related.filter((file) => mayDefineMembers(file) && defines(file));
    const others = files.filter((file) => !this.files.has(file.path) && HAS_MODEL.test(file.text));
    this.roots = new Set([...this.members, ...generating, ...others].map(({ path }) => rootOf(path)));
  }

  textOf(path: string): string | undefined {
    return this.files.get(path)?.text.replaceAll('\r\n', '\n');
  }

  treeOf(path: string): ModelTree | undefined {
    const file = this.files.get(path);
    return file && isModelFile(path) ? treeOf(file) : undefined;
  }

  /** @returns whether a file in the folder of the data model doesn't parse */
  errorIn(path: string): boolean {
    const file = this.files.get(path);
    if (file === undefined || !mayDefineMembers(file)) return false;
    return treeOf(file).error !== undefined && this.roots.has(rootOf(path));
  }
}

/** The beginning of a list of cubes or views in YAML. */
const HAS_MODEL = /^(?:cubes|views):/m;

/** Whether a file without readable members defines cubes or views: by code, or next to a syntax error. */
function defines(file: SourceFile): boolean {
  const { generated, error } = treeOf(file);
  return generated.length > 0 || (error !== undefined && /^(?:cubes|views):|\b(?:cube|view)\(/m.test(file.text));
}

/** @returns the folder of the data model, or else the folder of the file */
export function rootOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const model = folders.findLastIndex((folder) => /^(?:models?|schema)$/.test(folder));
  return (model < 0 ? folders : folders.slice(0, model + 1)).join('/');
}

/** The configuration beside the folder of the data model, which can rewrite its queries. */
const CONFIG = /^(?:.*\/)?cube\.(?:js|ts|py)$/;

interface ChangedCode {
  usesChange: (member: MemberDefinition) => boolean;
  /** Files with changed code that defines cubes or views, or that they use. */
  unfollowed: ReadonlySet<string>;
}

function changedCode(old: Version, now: Version): ChangedCode {
  const users = [old, now].map((version) => ({
    version,
    keysOf: new Map(version.members.map((member) => [member, version.code.keysOf(member.path, member.uses)])),
    generated: new Map([...version.files.keys()].flatMap((path) => generatedIn(version, path))),
  }));
  const texts = [old.code.texts, now.code.texts];
  const changed = new Set(
    texts.flatMap((each) => [...each.keys()]).filter((key) => texts[0]!.get(key) !== texts[1]!.get(key)),
  );
  const affected = users.map(({ version }) => version.code.usersOf(changed));
  const affects = (member: MemberDefinition): boolean =>
    users.some(({ keysOf }, index) => keysOf.get(member)?.some((key) => affected[index]!.has(key)));
  const unfollowed = users.flatMap(({ version, generated }, index) => {
    const other = users[1 - index]!.generated;
    return [...generated].flatMap(([path, { text, keys }]) => [
      ...(other.get(path)?.text === text ? [] : [path]),
      ...[...version.code.closureOf(keys)].filter((key) => changed.has(key)).map(pathOfKey),
    ]);
  });
  return { usesChange: affects, unfollowed: new Set(unfollowed) };
}

/** @returns the code of a file that defines cubes or views which can't be read, with the definitions that it uses */
function generatedIn(version: Version, path: string): [string, { text: string; keys: readonly string[] }][] {
  const file = version.files.get(path)!;
  if (!mayDefineMembers(file)) return [];
  const { generated, loose, names, definitions } = treeOf(file);
  if (generated.length === 0) return [];
  const parts = [...generated, ...(/[jt]s$/i.test(path) ? [...loose, ...definitions] : [])];
  const used = parts.flatMap((part) => partsIn(names, part).map(({ name }) => name));
  return [[path, { text: parts.map(({ text }) => text).join('\n'), keys: version.code.keysOf(path, used) }]];
}

function unfollowedFile(path: string, old: Version, now: Version, code: ReadonlySet<string>): UnfollowedFile[] {
  if (now.errorIn(path)) {
    const { text } = now.files.get(path)!;
    return [{ path, reason: 'syntax', line: positionAt(text, now.treeOf(path)!.error!).line }];
  }
  if (old.errorIn(path)) return [{ path, reason: 'syntax' }];
  if (code.has(path)) return [{ path, reason: 'code' }];
  const roots = [...old.roots, ...now.roots];
  const isInModel = roots.some((root) => (root === '' ? !path.includes('/') : path.startsWith(`${root}/`)));
  const isConfig = CONFIG.test(path) && roots.some((root) => parentOf(root) === parentOf(path));
  if (isConfig || (isInModel && !isModelFile(path))) return [{ path, reason: 'code' }];
  if (!isInModel || [old, now].some(({ members }) => members.some((member) => member.path === path))) return [];
  // A file without members: are its changes used by name?
  const trees = [old, now].map((version) => version.treeOf(path));
  const texts = (parts: readonly { text: string }[] = []): string => parts.map(({ text }) => text).join('\n');
  const [looseBefore, looseAfter] = trees.map((tree) => texts(tree?.loose));
  const [before, after] = trees.map((tree) => texts(tree?.definitions));
  const used = [old, now].flatMap(({ code: { texts } }) => [...texts.keys()].filter((key) => pathOfKey(key) === path));
  const isWhole = used.some((key) => key === `${path}\0`);
  const isMissed = (looseBefore !== looseAfter && !isWhole) || (before !== after && used.length === 0);
  return isMissed ? [{ path, reason: 'code' }] : [];
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

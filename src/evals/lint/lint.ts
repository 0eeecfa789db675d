/** Finds names in a project that the data model does not have, without asking the service. */
import { quotedNames, t } from '../../shared/text/l10n.ts';
import { positionAt, type SourceFile } from '../../shared/text/sourceFile.ts';
import { modelReferences } from '../../model/lint/modelReferences.ts';
import { definersOf, filesByName } from '../../model/lint/definers.ts';
import { isRead, isReadable, ModelNames, namesOfFile } from '../../model/lint/names.ts';
import { nearestNames } from '../../model/lint/nearest.ts';
import { mayDefineMembers } from '../../model/members.ts';
import type { Reference } from '../../model/lint/reference.ts';
import { trace, type Step } from '../../model/lint/trace.ts';
import type { Problem } from '../question.ts';
import { projectReferences } from './projectReferences.ts';

/** A name that does not exist. */
export interface UnknownName extends Problem {
  /** Offset of the name in the file. */
  offset: number;
  /** The name as it is written. */
  name: string;
  /** The cube or view that lacks the member; absent for cubes and views, and where several may have it. */
  owner?: string;
  /** Similar names that exist, the most similar first. */
  nearest: readonly string[];
  /** Whether a view only lacks the member because its cube does, so that the names must be changed in both. */
  isIndirect?: true;
}

const references = new WeakMap<SourceFile, readonly Reference[]>();

/**
 * @param file is read once, so it must not change
 * @param agentsPath the folder of the platform's files, relative to the project
 */
export function referencesIn(file: SourceFile, agentsPath?: string): readonly Reference[] {
  let found = references.get(file);
  if (found === undefined) {
    found = isReadable(file) ? [...modelReferences(file), ...projectReferences(file, agentsPath)] : [];
    references.set(file, found);
  }
  return found;
}

/** The files of a project. */
export interface Project {
  /** The files that may define the data model. */
  model: readonly SourceFile[];
  /** Whether there are more of them, which were not read. */
  isPartial?: boolean;
  /** The files that steer and test the agent. */
  agent: readonly SourceFile[];
  /** The folder of the platform's files, relative to the project; default: `agents`. */
  agentsPath?: string;
  /** New names of members that were renamed, by their old ones; they are suggested first. */
  renames?: ReadonlyMap<string, string>;
}

/** The unknown names in a file. */
export interface FileProblems {
  file: SourceFile;
  problems: readonly UnknownName[];
}

/**
 * Pauses after each file, so that the caller can do other work between them.
 * @param urgent files of the project whose problems are wanted before all files are read
 * @returns an iterator over the files, with nothing for those of which the names were read; its result are the names
 */
export function* findUnknownNames(
  { model, isPartial, agent, agentsPath, renames }: Project,
  urgent: readonly SourceFile[] = [],
): Generator<FileProblems | undefined, ModelNames> {
  const problemsIn = (file: SourceFile, names: ModelNames, suggestions: Suggestions): FileProblems => ({
    file,
    problems: unknownIn(file, referencesIn(file, agentsPath), names, suggestions),
  });
  // Without a data model, every name would be unknown, and other code in such folders is not worth parsing.
  if (!model.some(mayDefineMembers)) return new ModelNames([]);
  const unread = model.filter((file) => !isRead(file));
  if (urgent.length > 0 && unread.length > MANY) {
    const owners = new Set(urgent.flatMap((file) => referencesIn(file, agentsPath).flatMap(ownersIn)));
    yield;
    const names = new ModelNames(definersOf(owners, filesByName(model)), true);
    const suggestions = new Suggestions(names, renames);
    for (const file of urgent) yield problemsIn(file, names, suggestions);
  }
  for (const file of unread) {
    namesOfFile(file);
    yield;
  }
  const names = new ModelNames(model, isPartial);
  const suggestions = new Suggestions(names, renames);
  if (names.owners.length > 0)
    for (const file of new Set([...urgent, ...agent, ...model])) yield problemsIn(file, names, suggestions);
  return names;
}

/** Number of files that are not read while others wait. */
const MANY = 100;

/** @returns the names of a reference that may be those of cubes and views */
const ownersIn = ({ parts, owners = [], isOwner }: Reference): string[] => [
  ...owners,
  ...(isOwner ? parts : parts.slice(0, -1)).map(({ name }) => name),
];

function unknownIn(
  file: SourceFile,
  references: readonly Reference[],
  names: ModelNames,
  suggestions: Suggestions,
): UnknownName[] {
  const found = new Map<number, UnknownName>();
  for (const reference of references) {
    const step = trace(reference, names).at(-1);
    if (step?.status !== 'unknown' || found.has(step.part.start)) continue;
    const { name, start } = step.part;
    const nearest = suggestions.of(step);
    found.set(start, {
      path: file.path,
      range: { start: positionAt(file.text, start), end: positionAt(file.text, start + name.length) },
      message: messageOf(step, nearest),
      offset: start,
      name,
      ...(step.kind === 'member' && step.owners?.length === 1 ? { owner: step.owners[0]! } : {}),
      nearest,
      ...(step.owners?.length === 1 && names.missingSource(step.owners[0]!, name) ? { isIndirect: true } : {}),
    });
  }
  return [...found.values()].sort((left, right) => left.offset - right.offset);
}

function messageOf({ part: { name }, kind, owners }: Step, nearest: readonly string[]): string {
  const problem =
    kind === 'owner'
      ? t('There is no cube or view “{0}”.', name)
      : owners === undefined
        ? t('No cube or view has a member “{0}”.', name)
        : t('There is no member “{0}” in {1}.', name, quotedNames(owners));
  return nearest.length > 0 ? `${problem} ${t('Did you mean {0}?', quotedNames(nearest))}` : problem;
}

/** Number of comparisons of names, which take a second. */
const MOST_COMPARED = 100_000;

/** Finds similar names, once for each unknown one, until there were too many to compare. */
class Suggestions {
  #room = MOST_COMPARED;
  readonly #names: ModelNames;
  readonly #renames: ReadonlyMap<string, string>;
  readonly #known = new Map<string, readonly string[]>();

  constructor(names: ModelNames, renames: ReadonlyMap<string, string> = new Map()) {
    this.#names = names;
    this.#renames = renames;
  }

  of({ part: { name }, kind, owners }: Step): readonly string[] {
    const key = JSON.stringify([kind, owners, name]);
    let nearest = this.#known.get(key);
    if (nearest === undefined) {
      const candidates = kind === 'owner' ? this.#names.owners : this.#membersLike(name, owners ?? this.#names.owners);
      const renamed = this.#renamed(name, new Set(candidates));
      this.#room -= candidates.length;
      nearest = [...new Set([...renamed, ...(this.#room < 0 ? [] : nearestNames(name, candidates))])];
      this.#known.set(key, nearest);
    }
    return nearest;
  }

  #membersLike(name: string, owners: readonly string[]): string[] {
    return owners.flatMap((owner) => {
      const missing = this.#names.missingSource(owner, name);
      if (missing === undefined) return this.#names.namesIn(owner);
      // The view will have the member of its cube, with the same prefix.
      const prefix = name.slice(0, name.length - missing.name.length);
      return this.#names.namesIn(missing.owner).map((each) => prefix + each);
    });
  }

  /** @returns the current name of a member that was renamed, with the prefix that a view gives it */
  #renamed(name: string, candidates: ReadonlySet<string>): string[] {
    for (const old of this.#renames.keys()) {
      if (!name.endsWith(old)) continue;
      const tried = new Set<string>();
      // While the user types, a member has one name after the other.
      for (let next: string | undefined = old; next !== undefined && !tried.has(next); next = this.#renames.get(next)) {
        tried.add(next);
        const candidate = name.slice(0, name.length - old.length) + next;
        if (candidates.has(candidate)) return [candidate];
      }
    }
    return [];
  }
}

/** Finds names in a project that the data model does not have, without asking the service. */
import { quotedNames, t } from '../../shared/text/l10n.ts';
import { positionAt, type SourceFile } from '../../shared/text/sourceFile.ts';
import { modelReferences } from '../../model/lint/modelReferences.ts';
import { ModelNames, namesOfFile } from '../../model/lint/names.ts';
import { nearestNames } from '../../model/lint/nearest.ts';
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
}

const references = new WeakMap<SourceFile, readonly Reference[]>();

/**
 * @param file is read once, so it must not change
 * @param agentsPath the folder of the platform's files, relative to the project
 */
export function referencesIn(file: SourceFile, agentsPath?: string): readonly Reference[] {
  let found = references.get(file);
  if (found === undefined) {
    found = file.error === undefined ? [...modelReferences(file), ...projectReferences(file, agentsPath)] : [];
    references.set(file, found);
  }
  return found;
}

/** The files of a project: those of its data model, and those that steer and test the agent. */
export interface Project {
  model: readonly SourceFile[];
  agent: readonly SourceFile[];
  /** The folder of the platform's files, relative to the project; default: `agents`. */
  agentsPath?: string;
}

/** The names of a project's data model, and its unknown names. */
export interface Linted {
  names: ModelNames;
  /** By the paths of the files; a file without problems has no entry. */
  problems: ReadonlyMap<string, readonly UnknownName[]>;
}

/**
 * Pauses after each file, so that the caller can do other work between them.
 * @returns an iterator of pauses, whose result are the unknown names
 */
export function* findUnknownNames({ model, agent, agentsPath }: Project): Generator<undefined, Linted> {
  for (const file of model) {
    namesOfFile(file);
    yield;
  }
  const names = new ModelNames(model);
  const problems = new Map<string, UnknownName[]>();
  // Without a data model, every name would be unknown.
  if (names.owners.length === 0) return { names, problems };
  const suggestions = new Suggestions(names);
  for (const file of [...agent, ...model]) {
    const found = unknownIn(file, referencesIn(file, agentsPath), names, suggestions);
    if (found.length > 0) problems.set(file.path, found);
    yield;
  }
  return { names, problems };
}

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

/** Finds similar names, once for each unknown one. */
class Suggestions {
  readonly #names: ModelNames;
  readonly #known = new Map<string, readonly string[]>();

  constructor(names: ModelNames) {
    this.#names = names;
  }

  of({ part: { name }, kind, owners }: Step): readonly string[] {
    const key = JSON.stringify([kind, owners, name]);
    let nearest = this.#known.get(key);
    if (nearest === undefined) {
      const { owners: all } = this.#names;
      const candidates = kind === 'owner' ? all : (owners ?? all).flatMap((owner) => this.#names.namesIn(owner));
      this.#known.set(key, (nearest = nearestNames(name, candidates)));
    }
    return nearest;
  }
}

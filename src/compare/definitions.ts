/** Finds where the data model's own files define a cube, a view or a member. */
import { findInJs } from './definitionsJs.ts';
import { findInYaml } from './definitionsYaml.ts';

export interface ModelFile {
  fileName: string;
  text: string;
}

/** The name itself in its definition. */
export interface DefinitionSpan {
  start: number;
  end: number;
}

/** A definition of a file, before anyone asks for it. */
export interface FoundDefinition extends DefinitionSpan {
  /** The cube or view. */
  owner: string;
  /** Absent for the cube or view itself. */
  member?: string;
  /** Cubes that a view includes, by the last part of their join path; `prefix` says whether names get it. */
  includes?: readonly { cube: string; prefix: boolean }[];
}

export interface DefinitionLocation extends DefinitionSpan {
  fileName: string;
}

/** @returns every cube, view and member that the file defines; none for files that are no model */
export function definitionsIn({ fileName, text }: ModelFile): FoundDefinition[] {
  if (/\.ya?ml(\.jinja2?|\.j2)?$/i.test(fileName)) return findInYaml(text);
  return /\.[cm]?[jt]s$/i.test(fileName) ? findInJs(text) : [];
}

type Placed = FoundDefinition & { fileName: string };

/** What is defined under the name, which is in lower case. */
const named = (all: readonly Placed[], owner: string, member: string | undefined): Placed[] =>
  all.filter((found) => found.owner.toLowerCase() === owner && found.member?.toLowerCase() === member);

/** A view's member in the cubes that the view includes. */
function included(all: readonly Placed[], view: string, member: string): Placed[] {
  return named(all, view, undefined)
    .flatMap(({ includes = [] }) => includes)
    .flatMap(({ cube, prefix }) => {
      const own = cube.toLowerCase();
      if (prefix && !member.startsWith(`${own}_`)) return [];
      return named(all, own, prefix ? member.slice(own.length + 1) : member);
    });
}

/**
 * @param files the workspace's model files
 * @param name `orders` or `orders.count`, in any case
 * @returns where it is defined; a member of a view that the view only includes is found in its cube
 */
export function findDefinition(files: readonly ModelFile[], name: string): DefinitionLocation[] {
  const all = files.flatMap((file) => definitionsIn(file).map((found) => ({ ...found, fileName: file.fileName })));
  const [owner = '', member] = name.toLowerCase().split('.');
  const direct = named(all, owner, member);
  const found = direct.length > 0 || member === undefined ? direct : included(all, owner, member);
  return found.map(({ fileName, start, end }) => ({ fileName, start, end }));
}

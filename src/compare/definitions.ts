/** Finds the definitions of cubes, views and members in data model files. */
import type { DefinitionSpan, FoundDefinition } from './definition.ts';
import { findInJs } from './definitionsJs.ts';
import { findInYaml } from './definitionsYaml.ts';

export interface ModelFile {
  fileName: string;
  text: string;
}

export interface DefinitionLocation extends DefinitionSpan {
  fileName: string;
}

/** @returns every cube, view and member defined in the file; empty for other file types */
export function definitionsIn({ fileName, text }: ModelFile): FoundDefinition[] {
  if (/\.ya?ml(\.jinja2?|\.j2)?$/i.test(fileName)) return findInYaml(text);
  return /\.[cm]?[jt]s$/i.test(fileName) ? findInJs(text) : [];
}

type Placed = FoundDefinition & { fileName: string };

/** Finds definitions by name; `owner` and `member` are in lower case. */
const named = (all: readonly Placed[], owner: string, member: string | undefined): Placed[] =>
  all.filter((found) => found.owner.toLowerCase() === owner && found.member?.toLowerCase() === member);

/** Finds a member of a view in the cubes that the view includes. */
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
 * @param files the model files of the workspace
 * @param name `orders` or `orders.count`, in any case
 * @returns the locations of its definition; an included member of a view is located in its cube
 */
export function findDefinition(files: readonly ModelFile[], name: string): DefinitionLocation[] {
  const all = files.flatMap((file) => definitionsIn(file).map((found) => ({ ...found, fileName: file.fileName })));
  const [owner = '', member] = name.toLowerCase().split('.');
  const direct = named(all, owner, member);
  const found = direct.length > 0 || member === undefined ? direct : included(all, owner, member);
  return found.map(({ fileName, start, end }) => ({ fileName, start, end }));
}

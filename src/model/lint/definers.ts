/** Finds the files that define cubes and views by a search for their names, without parsing the others. */
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { textAt } from '../modelNode.ts';
import { viewCubes } from '../views.ts';
import { namesOfFile } from './names.ts';

/** The first key of a list item; those of cubes and views are indented least. */
const ITEM = /^([ \t]*)-[ \t]+name[ \t]*:[ \t]*["']?(\w+)/gm;
const CALL = /\b(?:cube|view)\([ \t]*["'`](\w+)/g;

/** @returns the names of the cubes and views that a file seems to define, in lower case */
function namesIn({ text }: SourceFile): Set<string> {
  const items = [...text.matchAll(ITEM)];
  const least = Math.min(...items.map(([, indent = '']) => indent.length));
  const owners = items.flatMap(([, indent = '', name = '']) => (indent.length === least ? [name] : []));
  const called = [...text.matchAll(CALL)].map(([, name = '']) => name);
  return new Set([...owners, ...called].map((name) => name.toLowerCase()));
}

/** @returns the files by the names of the cubes and views that they seem to define, in lower case */
export function filesByName(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  const byName = new Map<string, SourceFile[]>();
  for (const file of files)
    for (const name of namesIn(file)) {
      const known = byName.get(name);
      if (known) known.push(file);
      else byName.set(name, [file]);
    }
  return byName;
}

/** @returns the files that define cubes and views, and those that these inherit from and include */
export function definersOf(owners: Iterable<string>, byName: ReadonlyMap<string, readonly SourceFile[]>): SourceFile[] {
  const pending = new Set([...owners].map((owner) => owner.toLowerCase()));
  const found = new Set<SourceFile>();
  // Iterating a set includes elements that are added during the iteration.
  for (const owner of pending)
    for (const file of byName.get(owner) ?? []) {
      found.add(file);
      for (const { name, owner: own, node } of namesOfFile(file).members) {
        if (name !== undefined || own.toLowerCase() !== owner) continue;
        const base = textAt(node, 'extends');
        for (const each of [...(base === undefined ? [] : [base]), ...viewCubes(node).map(({ cube }) => cube)])
          pending.add(each.toLowerCase());
      }
    }
  return [...found];
}

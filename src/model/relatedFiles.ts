/** Selects the files that a comparison of two versions of a data model has to read. */
import { hasJinja } from '../shared/text/jinja.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { treeOf } from './members.ts';

/** Files of plain YAML refer to cubes and views only by their names; code and templates may do so in any way. */
const isPlain = ({ path, text }: SourceFile): boolean => /\.ya?ml$/i.test(path) && !hasJinja(text);

/**
 * @returns of both versions, the changed files, and those that may depend on their cubes and views, directly or through
 * others: all that are not plain YAML or contain one of these names
 */
export function relatedFiles(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): [before: SourceFile[], after: SourceFile[]] {
  const [old, now] = [before, after].map((files) => new Map(files.map(({ path, text }) => [path, text])));
  const isChanged = ({ path }: SourceFile): boolean => old!.get(path) !== now!.get(path);
  const all = [...new Set([...before, ...after])];
  const related = new Set(all.filter((file) => isChanged(file) || !isPlain(file)));
  let rest = all.filter((file) => !related.has(file)).map((file) => ({ file, text: file.text.toLowerCase() }));
  // Iterating a set includes elements that are added during the iteration.
  const names = new Set([...related].filter(isChanged).flatMap(ownersIn));
  for (const name of names) {
    for (const { file } of rest.filter(({ text }) => text.includes(name))) {
      related.add(file);
      for (const owner of ownersIn(file)) names.add(owner);
    }
    rest = rest.filter(({ file }) => !related.has(file));
  }
  const isRelated = (file: SourceFile): boolean => related.has(file);
  return [before.filter(isRelated), after.filter(isRelated)];
}

const ownersIn = (file: SourceFile): string[] => treeOf(file).owners.map(({ name }) => name.toLowerCase());

/** Compares a YAML file before and after an insertion by parsing both. */
import { maskJinja } from '../sql/jinja.ts';
import type { TextEdit } from '../types.ts';
import { applyEdits } from '../verify.ts';
import type { YamlReading } from './yamlReader.ts';
import { parseYaml, type YamlTree } from './yamlTree.ts';

/** @returns the elements that occur more often in `a` than in `b` */
function without(a: readonly string[], b: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of b) counts.set(each, (counts.get(each) ?? 0) + 1);
  return a.filter((each) => {
    const count = counts.get(each) ?? 0;
    counts.set(each, count - 1);
    return count <= 0;
  });
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');
/** Path and value of each entry with a value. */
const valuesOf = ({ entries }: YamlTree): string[] =>
  entries.flatMap(({ path, text }) => (text === undefined ? [] : [`${path} ${text}`]));
const partsOf = (value = ' \0'): { path: string; text: string } => {
  const at = value.indexOf('\0');
  return { path: value.slice(0, at).split(' ', 1)[0] ?? '', text: squeezed(value.slice(at + 1)) };
};

/** Whether the values differ in exactly one, which contains the SQL and its previous text. */
function holdsSql(before: YamlTree, after: YamlTree, sql: string, replaces: boolean): boolean {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const [added, removed] = [without(is, was), without(was, is)];
  const wanted = squeezed(sql);
  if (added.length !== 1) return added.length === 0 && wanted === '';
  const [held, old] = [partsOf(added[0]), partsOf(removed[0])];
  if (!held.text.includes(wanted)) return false;
  if (replaces) return true;
  if (removed.length > 1 || (old.text !== '' && old.path !== held.path)) return false;
  return isInserted(wanted, old.text, held.text);
}

/** Whether `result` is `text` with `inserted` at some position. */
function isInserted(inserted: string, text: string, result: string): boolean {
  if (result.length !== text.length + inserted.length) return false;
  let prefix = 0;
  while (prefix < text.length && text[prefix] === result[prefix]) prefix++;
  let suffix = 0;
  while (suffix < text.length && text.at(-1 - suffix) === result.at(-1 - suffix)) suffix++;
  const at = result.indexOf(inserted, text.length - suffix);
  return at >= 0 && at <= prefix;
}

export interface YamlInsertion {
  edits: readonly TextEdit[];
  /** The text that the edits add to a value, as parsed; undefined if they only add comments. */
  added: string | undefined;
  /** Whether the edits overwrite more than an insertion point. */
  replaces: boolean;
}

/** @returns whether the file is parsed as before, except for the SQL; undefined if it could not be parsed before */
export function verifyYaml(before: YamlReading, { edits, added, replaces }: YamlInsertion): boolean | undefined {
  if (edits.length === 0) return true;
  if (!before.isSound) return undefined;
  const inOrder = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const masked = (source: string): string => (before.isMasked ? maskJinja(source) : source);
  const after = parseYaml(masked(applyEdits(before.text, inOrder)));
  if (after.errors > 0 || after.documents > Math.max(1, before.documents) || after.documents < before.documents)
    return false;
  if (added === undefined) return valuesOf(before).join() === valuesOf(after).join();
  const keepsComments = without(before.comments, after.comments).length === 0;
  return (replaces || keepsComments) && holdsSql(before, after, masked(added), replaces);
}

/** Characters; parsing more would delay the edit. */
const LONGEST = 500_000;

/** @returns the combined problem of several cursors: an error or another document, or a second key `sql` */
export function compareYaml(before: string, after: string): { isBroken: boolean; hasNewTwoKeys: boolean } {
  if (before.length > LONGEST) return { isBroken: false, hasNewTwoKeys: false };
  const [was, is] = [parseYaml(before), parseYaml(after)];
  const isBroken = was.errors === 0 && (is.errors > 0 || (was.documents > 0 && is.documents !== was.documents));
  const hasTwoKeys = ({ entries }: YamlTree): boolean => {
    const collections = entries.filter(({ key }) => key === 'sql').map(({ siblings }) => siblings);
    return new Set(collections).size < collections.length;
  };
  return { isBroken, hasNewTwoKeys: !hasTwoKeys(was) && hasTwoKeys(is) };
}

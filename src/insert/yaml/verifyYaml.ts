/** Compares a YAML file before and after an insertion, as a parser reads both. */
import { Parser } from 'yaml';
import { maskJinja } from '../sql/jinja.ts';
import type { TextEdit } from '../types.ts';
import { applyEdits } from '../verify.ts';
import { contentsOf, type YamlContents } from './yamlContents.ts';
import type { YamlReading } from './yamlReader.ts';

/** @returns what is in `a` more often than in `b` */
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
const partsOf = (value = '\0'): { path: string; text: string } => {
  const at = value.indexOf('\0');
  return { path: value.slice(0, at).split(' ', 1)[0] ?? '', text: squeezed(value.slice(at + 1)) };
};

/** Whether the values differ in one, which has the SQL and what it had before. */
function holdsSql(before: YamlContents, after: YamlContents, sql: string, replaces: boolean): boolean {
  const added = without(after.values, before.values);
  const removed = without(before.values, after.values);
  const wanted = squeezed(sql);
  if (added.length !== 1) return added.length === 0 && wanted === '';
  const [held, old] = [partsOf(added[0]), partsOf(removed[0])];
  if (!held.text.includes(wanted)) return false;
  if (replaces) return true;
  if (removed.length > 1 || (old.text !== '' && old.path !== held.path)) return false;
  return isInserted(wanted, old.text, held.text);
}

/** Whether `result` is `text` with `inserted` somewhere in it. */
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
  /** What the edits add to a value, as a parser returns it; nothing where they only add comments. */
  added: string | undefined;
  /** Whether the edits overwrite more than the place of a cursor. */
  replaces: boolean;
}

/** @returns whether the text is read as before, but for the SQL; unknown where it could not be read before */
export function verifyYaml(
  { text, isMasked, contents: before }: YamlReading,
  { edits, added, replaces }: YamlInsertion,
): boolean | undefined {
  if (edits.length === 0) return true;
  if (before === undefined || before.errors > 0) return undefined;
  const masked = (source: string): string => (isMasked ? maskJinja(source) : source);
  const edited = applyEdits(
    text,
    edits.toSorted((a, b) => a.start - b.start || a.end - b.end),
  );
  const after = contentsOf(new Parser().parse(masked(edited)));
  if (after.errors > 0 || after.documents > Math.max(1, before.documents) || after.documents < before.documents)
    return false;
  if (added === undefined) return before.values.join() === after.values.join();
  return (
    holdsSql(before, after, masked(added), replaces) &&
    (replaces || without(before.comments, after.comments).length === 0)
  );
}

/** Characters; parsing more would delay the edit. */
const LONGEST = 500_000;

/** @returns what the edits of several cursors do together: an error, another document, or a second key `sql` */
export function compareYaml(before: string, after: string): { isBroken: boolean; hasNewTwoKeys: boolean } {
  const [was, is] = [before, after].map((text) => contentsOf(new Parser().parse(text.length > LONGEST ? '' : text)));
  const isBroken =
    was?.errors === 0 && is !== undefined && (is.errors > 0 || (was.documents > 0 && is.documents !== was.documents));
  return { isBroken, hasNewTwoKeys: was?.hasTwoKeys === false && is?.hasTwoKeys === true };
}

/** Compares a YAML file before and after an insertion by parsing both. */
import { parseAllDocuments } from 'yaml';
import { maskJinja } from '../sql/jinja.ts';
import { warn } from '../place.ts';
import type { InsertWarning, TextEdit } from '../types.ts';
import { applyEdits, inOrder } from '../verify.ts';
import type { YamlReading } from './yamlReader.ts';
import { parseYaml, type YamlTree } from './yamlTree.ts';

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
const valuesOf = ({ entries }: YamlTree): string[] =>
  entries.flatMap(({ path, text }) => (text === undefined ? [] : [`${path}\0${text}`]));
const partsOf = (value = '\0\0'): { path: string; text: string } => {
  const [path = '', , ...text] = value.split('\0');
  return { path, text: squeezed(text.join('\0')) };
};

function isInserted(inserted: string, text: string, result: string): boolean {
  if (result.length !== text.length + inserted.length) return false;
  let prefix = 0;
  while (prefix < text.length && text[prefix] === result[prefix]) prefix++;
  let suffix = 0;
  while (suffix < text.length && text.at(-1 - suffix) === result.at(-1 - suffix)) suffix++;
  const at = result.indexOf(inserted, text.length - suffix);
  return at >= 0 && at <= prefix;
}

/** Whether the values differ in exactly one, which contains the SQL and its previous text. */
function holdsSql(was: readonly string[], is: readonly string[], sql: string, replaces: boolean): boolean {
  const [added, removed] = [without(is, was), without(was, is)];
  const wanted = squeezed(sql);
  if (added.length !== 1) return added.length === 0 && wanted === '';
  const [held, old] = [partsOf(added[0]), partsOf(removed[0])];
  if (replaces) return held.text.includes(wanted);
  return removed.length <= 1 && (old.text === '' || old.path === held.path) && isInserted(wanted, old.text, held.text);
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
  const masked = (source: string): string => (before.isMasked ? maskJinja(source) : source);
  const after = parseYaml(masked(applyEdits(before.text, inOrder(edits))));
  if (after.errors > 0 || Math.max(1, after.documents) !== Math.max(1, before.documents)) return false;
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (added === undefined) return was.join() === is.join();
  return holdsSql(was, is, masked(added), replaces);
}

/** Characters; parsing more would delay the edit. */
const LONGEST = 500_000;

const errorsIn = (text: string): string[] =>
  [...parseAllDocuments(text, { logLevel: 'silent' })].flatMap(({ errors }) => errors.map(({ code }) => code));
const isTwice = (code: string): boolean => code === 'DUPLICATE_KEY';

/** @returns the combined problems of several cursors: an error, or a second key `sql` in one mapping */
export function compareYaml(before: string, after: string): InsertWarning[] {
  if (before.length > LONGEST) return [];
  const [was, is] = [errorsIn(before), errorsIn(after)];
  return [
    ...(was.every(isTwice) && !is.every(isTwice) ? [warn('unfittedPlace')] : []),
    ...(!was.some(isTwice) && is.some(isTwice) ? [warn('duplicateKey', 'sql')] : []),
  ];
}

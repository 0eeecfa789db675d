/** Compares a YAML file before and after an insertion by parsing both. */
import { warn } from '../writing.ts';
import type { InsertWarning, TextEdit } from '../types.ts';
import { applyEdits, inOrder } from '../verify.ts';
import type { YamlReading } from './yamlReader.ts';
import { parseYaml, type YamlEntry, type YamlTree } from './yamlTree.ts';

type Value = Pick<YamlEntry, 'path' | 'text'>;

const valuesOf = ({ entries }: YamlTree): Value[] => entries.filter(({ text }) => text !== undefined);
const isSame = (a: Value | undefined, b: Value | undefined): boolean => a?.path === b?.path && a?.text === b?.text;

/** The values that differ, without the same ones before and after them. */
function difference(was: readonly Value[], is: readonly Value[]): { removed: Value[]; added: Value[] } {
  const length = Math.min(was.length, is.length);
  let start = 0;
  while (start < length && isSame(was[start], is[start])) start++;
  let rest = 0;
  while (start + rest < length && isSame(was.at(-1 - rest), is.at(-1 - rest))) rest++;
  return { removed: was.slice(start, was.length - rest), added: is.slice(start, is.length - rest) };
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');
/** The parsed value, without its anchor and tag. */
const textIn = ({ text = '' }: Value): string => squeezed(text.slice(text.indexOf('\0') + 1));

export interface YamlInsertion {
  edits: readonly TextEdit[];
  /** The complete value that the edits write, in which white space is ignored; undefined if they add only comments. */
  value?: string;
  /** Whether the edits may overwrite other values. */
  replaces: boolean;
}

/** @returns whether the file is parsed as before, except for the SQL; undefined if it could not be parsed before */
export function verifyYaml(before: YamlReading, { edits, value, replaces }: YamlInsertion): boolean | undefined {
  if (!before.isSound) return undefined;
  const { mask } = before;
  const after = parseYaml(mask(applyEdits(before.text, inOrder(edits))));
  if (after.errors > 0 || Math.max(1, after.documents) !== Math.max(1, before.documents)) return false;
  const { removed, added } = difference(valuesOf(before), valuesOf(after));
  if (value === undefined) return removed.length + added.length === 0;
  const [held, old] = [added[0], removed[0]];
  if (held === undefined || added.length > 1 || textIn(held) !== squeezed(mask(value))) return false;
  return replaces || (removed.length <= 1 && (old === undefined || textIn(old) === '' || old.path === held.path));
}

/** Maximum number of characters to compare; parsing more would delay the edit. */
const LONGEST = 500_000;

const hasTwice = ({ entries }: YamlTree): boolean =>
  entries.some(({ key, siblings }) => key === 'sql' && siblings.filter((other) => other.key === key).length > 1);

/** @returns the combined problems of several cursors: an error, or a second key `sql` in one mapping */
export function compareYaml(before: string, after: string): InsertWarning[] {
  if (before.length > LONGEST) return [];
  const [was, is] = [parseYaml(before), parseYaml(after)];
  return [
    ...(was.errors === 0 && is.errors > 0 ? [warn('unfittedPlace')] : []),
    ...(!hasTwice(was) && hasTwice(is) ? [warn('duplicateKey', 'sql')] : []),
  ];
}

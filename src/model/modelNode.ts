/** The tree of a data model file, the same for YAML and JavaScript. */
import { oneLine } from '../shared/text/lines.ts';

/** A value and its range `[start, end)` in the file, in UTF-16 code units; that of a string starts after the quote. */
export interface ModelNode {
  start: number;
  end: number;
  /** Text of a scalar, without quotes. */
  text?: string;
  entries?: readonly ModelEntry[];
  items?: readonly ModelNode[];
}

export interface ModelEntry {
  key: string;
  /** Offset of the key. */
  start: number;
  value: ModelNode;
  /** Code whose key is not known, such as a spread; `key` and the value are its text. */
  isComputed?: true;
}

/** A part of a file, such as a Jinja tag or code outside of cubes and views. */
export interface CodePart {
  start: number;
  end: number;
  text: string;
}

/** A macro, variable or function, which members can use by name. */
export interface CodeDefinition extends CodePart {
  name: string;
}

/** A name of another file. */
export interface CodeImport {
  /** The name in this file; for a file that is included where the import stands, its path. */
  name: string;
  /** As it is written. */
  path: string;
  /** The name in the other file; absent if the name stands for all of it. */
  imported?: string;
}

/** A use of a definition or import, with the property that follows: `amount` or `shared.amount`. */
export interface UsedName {
  name: string;
  start: number;
}

/** A definition of a cube or view. */
export interface ModelOwner {
  kind: 'cube' | 'view';
  name: string;
  /** Offset of the name. */
  start: number;
  node: ModelNode;
}

/** All lists are in the order of the file. */
export interface ModelTree {
  owners: readonly ModelOwner[];
  /** Code that can change its context, in a cube or outside of all. */
  loose: readonly CodePart[];
  definitions: readonly CodeDefinition[];
  imports: readonly CodeImport[];
  names: readonly UsedName[];
  /** Names that JavaScript code declares anywhere, parameters included; absent for YAML. */
  declared?: ReadonlySet<string>;
  /** Code that defines cubes or views which can't be read from the file. */
  generated: readonly CodePart[];
  /** Offset of the first syntax error; the other lists are then incomplete. */
  error?: number;
}

/** @returns the first entry with one of the keys; undefined for anything but a map */
export const entryOf = ({ entries = [] }: ModelNode, ...keys: readonly string[]): ModelEntry | undefined =>
  entries.find(({ key, isComputed }) => !isComputed && keys.includes(key));

export const textAt = (node: ModelNode, ...keys: readonly string[]): string | undefined =>
  entryOf(node, ...keys)?.value.text;

/**
 * @param except keys of the outermost map to omit
 * @returns a text that is equal for values with the same meaning: formatting, comments and the order of keys don't
 * matter
 */
export function bodyOf({ text, entries, items }: ModelNode, except: readonly string[] = []): string {
  if (items) return `[${items.map((item) => bodyOf(item)).join(',')}]`;
  if (entries === undefined) return JSON.stringify(oneLine(text ?? ''));
  const parts = entries
    .filter(({ key }) => !except.includes(key))
    .map(({ key, value }) => `${JSON.stringify(key)}:${bodyOf(value)}`);
  return `{${parts.sort().join(',')}}`;
}

/** @returns the parts that begin in a range, in logarithmic time */
export const partsIn = <T extends { start: number }>(
  parts: readonly T[],
  { start, end }: Pick<ModelNode, 'start' | 'end'>,
): readonly T[] => parts.slice(firstAt(parts, start), firstAt(parts, end));

function firstAt(parts: readonly { start: number }[], offset: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

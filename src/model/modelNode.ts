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
}

/** Text that can change its context: Jinja tags, or code outside of cubes and views. */
export interface LooseText {
  start: number;
  end: number;
  text: string;
}

/** A definition of a cube or view. */
export interface ModelOwner {
  kind: 'cube' | 'view';
  name: string;
  /** Offset of the name. */
  start: number;
  node: ModelNode;
}

export interface ModelTree {
  owners: readonly ModelOwner[];
  loose: readonly LooseText[];
}

/** @returns the first entry with one of the keys; undefined for anything but a map */
export const entryOf = ({ entries = [] }: ModelNode, ...keys: readonly string[]): ModelEntry | undefined =>
  entries.find(({ key }) => keys.includes(key));

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

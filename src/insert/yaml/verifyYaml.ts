/** Compares a YAML file before and after an insertion, as a parser reads both. */
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, parseAllDocuments, type ParsedNode } from 'yaml';
import { maskJinja } from '../sql/jinja.ts';
import { linesOf } from '../../shared/text/lines.ts';
import type { TextEdit } from '../types.ts';

export interface YamlInsertion {
  text: string;
  edits: readonly TextEdit[];
  /** What the edits add to a value, as a parser returns it; nothing where they only add comments. */
  added: string | undefined;
  /** Whether the edits overwrite more than the place of a cursor. */
  replaces: boolean;
  isDataModel: boolean;
}

/** Characters; parsing more would delay the edit. */
const LONGEST = 500_000;

interface Contents {
  errors: number;
  documents: number;
  /** A line for each scalar: its path and its text. */
  values: string[];
  comments: string[];
}

const propertiesOf = (node: { anchor?: string; tag?: string }): string => `${node.anchor ?? ''} ${node.tag ?? ''}`;

function collect(node: unknown, path: string, into: Contents): void {
  if (isNode(node)) for (const comment of [node.commentBefore, node.comment]) if (comment) into.comments.push(comment);
  if (isPair(node)) {
    const key = isScalar(node.key) ? String(node.key.value) : JSON.stringify(node.key);
    if (isNode(node.key))
      for (const comment of [node.key.commentBefore, node.key.comment]) if (comment) into.comments.push(comment);
    if (node.value === null) into.values.push(`${path}/${key}\0`);
    else collect(node.value, `${path}/${key}`, into);
  } else if (isMap(node) || isSeq(node)) {
    if (node.items.length === 0) into.values.push(`${path}\0`);
    for (const item of node.items) collect(item, isSeq(node) ? `${path}/-` : path, into);
  } else if (isAlias(node)) into.values.push(`${path}\0*${node.source}`);
  else if (isScalar(node)) into.values.push(`${path} ${propertiesOf(node as never)}\0${String(node.value ?? '')}`);
}

function contentsOf(text: string): Contents {
  const contents: Contents = { errors: 0, documents: 0, values: [], comments: [] };
  const documents = parseAllDocuments<ParsedNode>(text, { uniqueKeys: false, schema: 'failsafe', logLevel: 'silent' });
  if (!Array.isArray(documents)) return contents;
  for (const document of documents) {
    contents.documents += document.contents === null ? 0 : 1;
    contents.errors += document.errors.length;
    for (const comment of [document.commentBefore, document.comment]) if (comment) contents.comments.push(comment);
    collect(document.contents, '', contents);
  }
  return contents;
}

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

const sameValues = (a: Contents, b: Contents): boolean =>
  without(a.values, b.values).length === 0 && without(b.values, a.values).length === 0;
const squeezed = (text: string): string => text.replace(/\s+/g, '');
const textOf = (value: string): string => value.slice(value.indexOf('\0') + 1);
const pathOf = (value: string): string => value.slice(0, value.indexOf('\0')).replace(/ .*$/s, '');

/** Whether the values differ in one, which has the SQL and what it had before. */
function holdsSql(before: Contents, after: Contents, sql: string, replaces: boolean): boolean {
  const added = without(after.values, before.values);
  const removed = without(before.values, after.values);
  const [value] = added;
  if (value === undefined || added.length > 1) return added.length === 0 && squeezed(sql) === '';
  const held = squeezed(textOf(value));
  const wanted = squeezed(sql);
  if (!held.includes(wanted)) return false;
  if (replaces) return true;
  const [old = ''] = removed;
  if (removed.length > 1 || (removed.length === 1 && textOf(old) !== '' && pathOf(old) !== pathOf(value))) return false;
  const rest = squeezed(textOf(old));
  return held.length === rest.length + wanted.length && withoutOne(held, wanted, rest);
}

function withoutOne(held: string, wanted: string, rest: string): boolean {
  for (let at = held.indexOf(wanted); at >= 0; at = held.indexOf(wanted, at + 1))
    if (held.slice(0, at) + held.slice(at + wanted.length) === rest) return true;
  return false;
}

const linesOfComments = (all: readonly string[]): string[] =>
  all.flatMap((each) => each.split('\n')).map((each) => each.trim());
const keepsComments = (before: Contents, after: Contents): boolean =>
  without(linesOfComments(before.comments), linesOfComments(after.comments)).length === 0;

const apply = (text: string, edits: readonly TextEdit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end), text);

const indentOf = (line: string): number => line.length - line.trimStart().length;

/**
 * The smallest block around the edits that a parser can read alone: from a line that is less deep than all that
 * is edited down to the next line that is not deeper than that one.
 */
function blockAround(text: string, edits: readonly TextEdit[]): { start: number; end: number } {
  // The lines of a document that is one value need no indentation.
  if (/^--- +\S/m.test(text)) return { start: 0, end: text.length };
  const lines = linesOf(text);
  const [from, to] = [Math.min(...edits.map(({ start }) => start)), Math.max(...edits.map(({ end }) => end))];
  const first = lines.findLastIndex(({ start }) => start <= from);
  const last = lines.findLastIndex(({ start }) => start <= to);
  const isText = (line: string): boolean => !/^\s*(?:#|$)/.test(line);
  const touched = [
    ...lines.slice(first, last + 1).map((line) => line.text),
    ...edits.flatMap((edit) => edit.text.split('\n').slice(1)),
  ];
  const least = Math.min(
    ...touched.filter(isText).map(indentOf),
    lines
      .slice(last + 1)
      .map((line) => line.text)
      .find(isText)
      ?.search(/\S/) ?? 0,
  );
  let top = first;
  while (top > 0 && !(isText(lines[top]?.text ?? '') && indentOf(lines[top]?.text ?? '') < least)) top--;
  const edge = indentOf(lines[top]?.text ?? '');
  let bottom = last + 1;
  while (bottom < lines.length && !(isText(lines[bottom]?.text ?? '') && indentOf(lines[bottom]?.text ?? '') <= edge))
    bottom++;
  return { start: lines[top]?.start ?? 0, end: lines[bottom]?.start ?? text.length };
}

/** Compares one stretch of the file; nothing where it cannot be read as it is. */
function verified({ text, edits, added, replaces, isDataModel }: YamlInsertion): boolean | undefined {
  const masked = isDataModel || contentsOf(text).errors > 0;
  const read = (source: string): Contents => contentsOf(masked ? maskJinja(source) : source);
  const before = read(text);
  if (before.errors > 0) return undefined;
  const after = read(apply(text, edits));
  if (after.errors > 0 || after.documents > Math.max(1, before.documents) || after.documents < before.documents)
    return false;
  if (added === undefined) return sameValues(before, after);
  const wanted = masked && !isDataModel ? maskJinja(added) : added;
  return holdsSql(before, after, wanted, replaces) && (replaces || keepsComments(before, after));
}

/** @returns whether the file is read as before, but for the SQL; unknown where it could not be read before */
export function verifyYaml(insertion: YamlInsertion): boolean | undefined {
  const { text, edits } = insertion;
  if (edits.length === 0) return true;
  const { start, end } = blockAround(text, edits);
  if (end - start > LONGEST) return undefined;
  const block = text.slice(start, end);
  const within = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const result = verified({ ...insertion, text: block, edits: within });
  if (result !== undefined || text.length > LONGEST || block === text) return result;
  return verified(insertion);
}

/** @returns whether a file that could be read no longer can be, or as another number of documents */
export function breaksYaml(before: string, after: string): boolean {
  if (before.length > LONGEST) return false;
  const read = contentsOf(before);
  const result = contentsOf(after);
  return read.errors === 0 && (result.errors > 0 || (read.documents > 0 && result.documents !== read.documents));
}

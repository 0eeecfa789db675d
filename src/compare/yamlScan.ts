/**
 * Scans YAML line by line for keys, their columns, and the ranges of values. Not a full parser: model files contain
 * Jinja statements between their lines, which YAML parsers reject.
 */
import { isBlank, linesOf, type Line } from '../shared/text/lines.ts';

export type ValueStyle = 'none' | 'block' | 'plain' | 'single' | 'double' | 'flow';

export interface YamlLine extends Line {
  entry?: YamlEntry;
}

/**
 * A line that starts a `key: value`, a `- value`, half of a pair of `? key` and `: value`, or a complete `--- value`.
 */
export interface YamlEntry {
  key?: string;
  /**
   * Column of the key, which its siblings share. For `- value`, the column of the dash; -1 for `--- value`, whose lines
   * need no indentation.
   */
  column: number;
  /** Columns of the dashes, or of the `?` or `:` of a pair, before the key. */
  dashes: readonly number[];
  style: ValueStyle;
  /** Range of the value with its quotes or block header, without a comment; empty for the style `none`. */
  valueStart: number;
  valueEnd: number;
}

/** A plain key of the YAML grammar: it starts with no indicator and contains no `: ` or ` #`. */
const PLAIN_KEY = String.raw`(?:[^\s?:,[\]{}#&*!|>'"%@\x60-]|[?:-](?=\S))(?:[ \t]*(?:[^\s:#]|(?<!\s)#|:(?=\S)))*`;
const KEY = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|${PLAIN_KEY}`;
const ENTRY = new RegExp(
  String.raw`^( *)((?:[-?:] +|[-?:]$)*)(?:(?:[&!]\S*[ \t]+)*(${KEY})\s*(:)(?=\s|$))?[ \t]*(?:[&!]\S*(?:[ \t]+|$))*([^\n]*)$`,
);
/** A document that consists of one value. */
const ROOT = /^---[ \t]+(?:[&!]\S*[ \t]+)*([^\s#&!*].*)$/;
const BLOCK_HEADER = /^([|>](?:[1-9][+-]?|[+-][1-9]?)?)(?:[ \t]+#[^\n]*|[ \t]*)$/;

function styleOf(value: string): ValueStyle {
  if (value === '' || value.startsWith('#')) return 'none';
  if (BLOCK_HEADER.test(value)) return 'block';
  if (value.startsWith('"')) return 'double';
  if (value.startsWith("'")) return 'single';
  return /^[{[]/.test(value) ? 'flow' : 'plain';
}

/** @returns the end of a quoted value, which may be on a later line */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return text.length;
}

/** @returns the end of `{…}` or `[…]`, skipping nested collections and quoted values */
function endOfFlow(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if ((character === '"' || character === "'") && /[\s,:{[]/.test(text[at - 1] ?? '')) at = endOfQuoted(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function readRoot(line: Line, text: string): YamlEntry | undefined {
  const value = ROOT.exec(line.text)?.[1];
  if (value === undefined) return undefined;
  const valueStart = line.end - value.length;
  const style = styleOf(value);
  const valueEnd = endOf(style, value, valueStart, text);
  return { column: -1, dashes: [], style, valueStart, valueEnd };
}

function readEntry(line: Line, text: string): YamlEntry | undefined {
  const match = ENTRY.exec(line.text);
  if (match === null) return undefined;
  const [, white = '', marks = '', key, colon, value = ''] = match;
  if (colon === undefined && marks === '') return undefined;
  const dashes = [...marks.matchAll(/\S/g)].map(({ index }) => white.length + index);
  const column = colon === undefined ? (dashes.at(-1) ?? 0) : white.length + marks.length;
  const valueStart = line.end - value.length;
  const style = styleOf(value);
  const name = key === undefined ? {} : { key: key.replace(/^(["'])(.*)\1$/, '$2') };
  return { ...name, column, dashes, style, valueStart, valueEnd: endOf(style, value, valueStart, text) };
}

function endOf(style: ValueStyle, value: string, start: number, text: string): number {
  switch (style) {
    case 'none':
      return start;
    case 'block':
      return start + (BLOCK_HEADER.exec(value)?.[1]?.length ?? 0);
    case 'single':
    case 'double':
      return endOfQuoted(text, start);
    case 'flow':
      return endOfFlow(text, start);
    case 'plain':
      return start + withoutComment(value).length;
  }
}

const withoutComment = (text: string): string => text.replace(/(?<=\s)#[^\n]*/, '').trimEnd();
const isComment = (line: Line): boolean => line.text.trimStart().startsWith('#');
const indentOf = (line: Line): number => line.text.length - line.text.trimStart().length;

/** @returns the indentation given in a block header, in columns; `undefined` if the header has none */
const namedIndent = (header: string, { column }: YamlEntry): number | undefined => {
  const digit = /[1-9]/.exec(header)?.[0];
  return digit === undefined ? undefined : Math.max(column, 0) + Number(digit);
};

/**
 * @param indent indentation of the lines of a block, if known
 * @returns whether the line continues the value of the entry above it
 */
function continues(entry: YamlEntry, line: Line, indent = 0): boolean {
  if (entry.style === 'none' || (entry.column < 0 && /^(---|\.\.\.)(\s|$)/.test(line.text))) return false;
  if (entry.style === 'block') {
    const endsBlock = isComment(line) && indentOf(line) < indent;
    return isBlank(line.text) || (indentOf(line) > entry.column && !endsBlock);
  }
  if (entry.style !== 'plain') return line.start < entry.valueEnd;
  return !isBlank(line.text) && indentOf(line) > entry.column && !isComment(line);
}

/** @returns the lines of a YAML text */
export function scanYaml(text: string): YamlLine[] {
  const scanned: YamlLine[] = [];
  let owner: { entry: YamlEntry; indent: number | undefined } | undefined;
  for (const line of linesOf(text)) {
    if (owner !== undefined && continues(owner.entry, line, owner.indent)) {
      if (!isBlank(line.text)) owner.indent ??= indentOf(line);
      if (owner.entry.style === 'plain') owner.entry.valueEnd = line.start + withoutComment(line.text).length;
      scanned.push(line);
      continue;
    }
    const entry = readRoot(line, text) ?? readEntry(line, text);
    const header = entry === undefined ? '' : text.slice(entry.valueStart, entry.valueEnd);
    owner = entry && { entry, indent: namedIndent(header, entry) };
    scanned.push({ ...line, ...(entry && { entry }) });
  }
  return scanned;
}

/**
 * Decodes literals, to check what was written into them. Independent of the functions that escape: it knows what each
 * form means to its compiler.
 */
import { lexSql } from '../sql/lex.ts';
import type { Span } from '../types.ts';

/** Source of a pattern and the text it stands for; `undefined` where that is not known, as with an interpolation. */
export type Escape = readonly [source: string, decode: (match: string) => string | undefined];
/** The escapes of a form, in the order in which they are tried; every other character stands for itself. */
export type Decoder = readonly Escape[];

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
};

function decodeBackslash(match: string): string | undefined {
  const hex = /^\\[uUx]\{?([\da-fA-F]+)\}?$/.exec(match)?.[1];
  if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
  return LETTERS[match.slice(1)] ?? (/^\\\w/.test(match) ? undefined : match.slice(1));
}

export const BACKSLASHES: Escape = [
  String.raw`\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])`,
  decodeBackslash,
];
/** Where a backslash only escapes the characters of this class. */
export const onlyBackslashes = (characters: string): Escape => [
  String.raw`\\[${characters}]`,
  (match) => match.slice(1),
];
/** Two of a character for one. */
export const pairs = (source: string): Escape => [source, (match) => match.slice(match.length / 2)];
export const meaning = (source: string, text: string): Escape => [source, () => text];
export const special = (source: string): Escape => [source, () => undefined];

/**
 * @param start where the text of the literal begins, or an interpolation before the range ends
 * @returns what a range of the literal stands for; nothing where it holds more than text, or cuts an escape
 */
export function decodeRange(text: string, start: number, range: Span, decoder: Decoder): string | undefined {
  const pattern = new RegExp([...decoder.map(([source]) => `(${source})`), String.raw`[\s\S]`].join('|'), 'gm');
  pattern.lastIndex = start;
  let decoded = '';
  let at = start;
  while (at < range.end) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const isInside = match.index >= range.start;
    at = pattern.lastIndex;
    if (!isInside && at > range.start) return undefined;
    const index = match.slice(1).findIndex((group) => group !== undefined);
    const piece = index < 0 ? match[0] : decoder[index]?.[1](match[0]);
    if (isInside && piece === undefined) return undefined;
    if (isInside) decoded += piece;
  }
  return at === range.end ? decoded : undefined;
}

/** The SQL without white space at the ends of lines, but for what is in literals and comments. */
const normalized = (sql: string): string =>
  lexSql(sql)
    .map(({ kind, start, end }) =>
      kind === 'space' ? sql.slice(start, end).replace(/[ \t]*\n[ \t]*/g, '\n') : sql.slice(start, end),
    )
    .join('')
    .trim();

/** @returns whether the decoded text is one of the texts, but for indentation and empty lines around it */
export const isDecoded = (decoded: string | undefined, texts: readonly string[]): boolean =>
  decoded !== undefined && texts.some((text) => normalized(decoded) === normalized(text));

/** Decodes literals like compilers, to verify insertions; independent of the functions that escape them. */
import { lexSql } from '../../shared/text/lexSql.ts';
import type { Span } from '../types.ts';

/** Source of a pattern and the text that it decodes to; `undefined` if unknown, for example for an interpolation. */
export type Escape = readonly [source: string, decode: (match: string) => string | undefined];
/** The escapes of a form, in matching order; every other character is literal. */
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

export const BACKSLASH_ESCAPES: Escape = [
  String.raw`\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])`,
  decodeBackslash,
];
export const pairs = (source: string): Escape => [source, (match) => match.slice(match.length / 2)];
export const special = (source: string): Escape => [source, () => undefined];

export const decoderSource = (decoder: Decoder): string =>
  [...decoder.map(([source]) => `(${source})`), String.raw`[\s\S]`].join('|');

/** @returns the decoded text of a range of the literal; undefined if it contains more than text, or splits an escape */
export function decodeRange(text: string, start: number, range: Span, decoder: Decoder): string | undefined {
  const pattern = new RegExp(decoderSource(decoder), 'gm');
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
    if (piece === undefined) return undefined;
    if (isInside) decoded += piece;
  }
  return at === range.end ? decoded : undefined;
}

/** The SQL without the white space at the ends and starts of its lines, except in literals and comments. */
const normalized = (sql: string): string =>
  lexSql(sql)
    .map(({ kind, start, end }) => {
      const token = sql.slice(start, end);
      return kind === 'space' && token.includes('\n') ? token.replace(/[^\n]/g, '') : token;
    })
    .join('')
    .trim();

/** @returns whether the decoded text equals one of the texts, ignoring indentation and empty lines around it */
export const isDecoded = (decoded: string | undefined, texts: readonly string[]): boolean =>
  decoded !== undefined && texts.some((text) => normalized(decoded) === normalized(text));

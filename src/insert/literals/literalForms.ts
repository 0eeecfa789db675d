/** The literals and comments of languages without a parser here. */
import { BACKSLASHES, meaning, pairs, special as interpolates, type Decoder } from './decode.ts';

export interface Form {
  /** Sources of the opening and closing patterns, whose first groups must match the same text. */
  open: string;
  /** Empty for a character that would begin something else elsewhere. */
  close: string;
  /** Source of a pattern for text that contains a closing delimiter without ending the literal. */
  skip?: string;
  /** Source of a pattern for the start of an interpolation. */
  hole?: string;
  /** Whether the text begins on the line below the opening delimiter. */
  isBelow?: boolean;
  /** Whether the literal ends at the end of its line at the latest. */
  isOneLine?: boolean;
  isComment?: boolean;
  /** Start of each further line of a comment. */
  prefix?: string;
  /** Whether the literal contains SQL that the warehouse runs. */
  isWarehouseSql?: boolean;
  /** Matches text that has a meaning in it and can't be escaped. */
  unescapable?: RegExp;
  /** @returns the escaped text between two characters; text that it can't contain is detected by verification */
  write(text: string, left?: string, right?: string): string;
  decoder: Decoder;
}

type Write = Form['write'];

const asIs: Write = (text) => text;
export const replacing =
  (found: RegExp, by: string): Write =>
  (text) =>
    text.replace(found, by);
export const ESCAPED = String.raw`\\(?:u\{[\da-fA-F]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])`;

/** Quoted, with a backslash as escape; optionally with other special text. */
export function quoted(
  quote: string,
  special: RegExp = /(?!)/,
  { open = quote, more = asIs, isOneLine = true, decoder = [BACKSLASHES] as Decoder } = {},
): Form {
  const marks = new RegExp(String.raw`\\|${quote}|${special.source}`, 'g');
  const write: Write = (text) => more(text.replace(marks, String.raw`\$&`).replaceAll('\n', isOneLine ? '\\n' : '\n'));
  return { open, close: quote, skip: ESCAPED, isOneLine, write, decoder: [...decoder, interpolates(special.source)] };
}

/** Triple-quoted: a single quote is text except at the end; each of several quotes is escaped. */
export function tripled(quote: string, special: RegExp = /(?!)/): Form {
  const marks = new RegExp(String.raw`\\|${quote}(?=${quote})|(?<=${quote})${quote}|${special.source}`, 'g');
  const write = (text: string, left = '', right = quote): string => {
    const end = left.length + text.length;
    const isOwn = (at: number): boolean => at >= left.length && at < end;
    const whole = (left + text + right).replace(marks, (mark, at: number) => (isOwn(at) ? `\\${mark}` : mark));
    return whole.slice(left.length, whole.length - right.length);
  };
  const decoder = [BACKSLASHES, interpolates(special.source)];
  return { open: quote.repeat(3), close: quote.repeat(3), skip: ESCAPED, write, decoder };
}

export const raw = (open: string, close = open, write: Write = asIs, decoder: Decoder = []): Form => ({
  open,
  close,
  write,
  decoder,
});
export const doubled = (open: string, more = asIs, decoder: Decoder = []): Form => ({
  open,
  close: '"(?!")',
  skip: '""',
  write: (text) => more(text.replaceAll('"', '""')),
  decoder: [pairs('""'), ...decoder],
});
export const heredoc = (open: string, write = asIs, decoder: Decoder = []): Form => ({
  open,
  close: String.raw`^[ \t]*(\w+)\b`,
  isBelow: true,
  write,
  decoder,
});

/**
 * Patterns of the start of interpolations, and of text that only looks like one. Interpolations may contain quotes; SQL
 * is never inserted into them.
 */
const HOLES = {
  dollar: { hole: String.raw`\$\{|\{(?=\$)`, skip: String.raw`\$\w+` },
  hash: { hole: '#\\{', skip: undefined },
  brace: { hole: '\\{', skip: String.raw`\{\{|\}\}` },
  backslash: { hole: String.raw`\\\(`, skip: undefined },
  template: { hole: '[$%]\\{', skip: String.raw`\$\$\{|%%\{` },
  command: { hole: String.raw`\$[{(]`, skip: String.raw`\$\w+` },
};
export const withHoles = (form: Form, kind: keyof typeof HOLES): Form => {
  const { hole, skip } = HOLES[kind];
  // A backslash can begin an interpolation instead of an escape.
  const escape = kind === 'backslash' ? String.raw`(?!\\\()${form.skip}` : form.skip;
  const skips = [skip, escape].filter((source) => source !== undefined);
  return { ...form, hole, ...(skips.length > 0 ? { skip: skips.join('|') } : {}) };
};

export const lineComment = (mark: string, open = mark): Form => ({
  open,
  close: '(?=\\n)',
  isComment: true,
  prefix: `${mark} `,
  write: asIs,
  decoder: [],
});
export const BLOCK_COMMENT: Form = {
  open: String.raw`/\*`,
  close: String.raw`\*/`,
  isComment: true,
  prefix: ' * ',
  // Escape both marks, because some languages nest comments.
  write: replacing(/\*(?=\/)|\/(?=\*)/g, '$&\\'),
  decoder: [],
};
export const SLASHES = [lineComment('//'), BLOCK_COMMENT];
export const HASH = lineComment('#');
/** @returns the mark of line comments; empty if there are none */
export const commentMark = (forms: readonly Form[]): string =>
  forms.find(({ prefix }) => prefix !== undefined)?.prefix?.trimEnd() ?? '';

/** A character literal. An apostrophe without a closing one is a lifetime or part of a word. */
export const CHARACTER = quoted("'", undefined, { open: String.raw`'(?=(?:\\.[^'\n]*|[^\\'\n])')` });
export const DOUBLE = quoted('"');
export const DOLLAR = /\$(?=[\w{])/;
export const twice = replacing(/[{}]/g, '$&$&');
export const BRACES: Decoder = [pairs('\\{\\{|\\}\\}'), interpolates('[{}]')];
export const template = replacing(/[$%](?=\{)/g, '$&$&');
export const TEMPLATE: Decoder = [
  meaning(String.raw`\$\$(?=\{)`, '$'),
  meaning('%%(?=\\{)', '%'),
  interpolates(String.raw`[$%]\{`),
];

/** The literals and comments of languages that have no reader of their own here. */
import { BACKSLASHES, meaning, pairs, special as interpolates, type Decoder } from './decode.ts';

export interface Form {
  /** Source of the pattern that begins it; `TAG` in `close` stands for what its first group found. */
  open: string;
  close: string;
  /** Source of what does not end it though it looks so. */
  skip?: string;
  /** Whether it ends with its line at the latest. */
  isOneLine?: boolean;
  isComment?: boolean;
  /** Whether it is SQL that the warehouse itself runs. */
  isWarehouseSql?: boolean;
  /** What means something in it and cannot be escaped. */
  unfit?: RegExp;
  /** What the text before the place is where the form only looks like one. */
  unfitBehind?: RegExp;
  /** @returns the text as it is written in it; what it cannot hold shows when the file is read again */
  write(text: string): string;
  /** What escapes in it stand for. */
  decoder: Decoder;
}

type Write = Form['write'];

const asIs: Write = (text) => text;
export const replacing =
  (found: RegExp, by: string): Write =>
  (text) =>
    text.replace(found, by);
export const ESCAPED = String.raw`\\(?:u\{[\da-fA-F]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])`;

/** Between quotes that a backslash escapes, and with it what else means something. */
export function quoted(
  quote: string,
  special: RegExp = /(?!)/,
  { open = quote, more = asIs, isOneLine = true, decoder = [BACKSLASHES] as Decoder } = {},
): Form {
  const marks = new RegExp(String.raw`\\|${quote}|${special.source}`, 'g');
  const write: Write = (text) => more(text.replace(marks, String.raw`\$&`).replaceAll('\n', isOneLine ? '\\n' : '\n'));
  return { open, close: quote, skip: ESCAPED, isOneLine, write, decoder: [...decoder, interpolates(special.source)] };
}

/** Between three quotes, of which one alone is text, but not at the end. Of several each is escaped: a grammar needs it. */
export const tripled = (quote: string, special: RegExp = /(?!)/): Form => ({
  open: quote.repeat(3),
  close: quote.repeat(3),
  skip: ESCAPED,
  write: replacing(
    new RegExp(String.raw`\\|${quote}(?=${quote}|$)|(?<=${quote})${quote}|${special.source}`, 'g'),
    String.raw`\$&`,
  ),
  decoder: [BACKSLASHES, interpolates(special.source)],
});

/** What holds its text as it is. */
export const raw = (open: string, close = open, write = asIs, decoder: Decoder = []): Form => ({
  open,
  close,
  write,
  decoder,
});
/** Where a quote is written twice. */
export const doubled = (open: string, more = asIs, decoder: Decoder = []): Form => ({
  open,
  close: '"(?!")',
  skip: '""',
  write: (text) => more(text.replaceAll('"', '""')),
  decoder: [pairs('""'), ...decoder],
});
export const heredoc = (open: string, write = asIs, decoder: Decoder = []): Form => ({
  open,
  close: String.raw`^[ \t]*TAG\b`,
  write,
  decoder,
});

export const lineComment = (mark: string, open = mark): Form => ({
  open,
  close: '(?=\\n)',
  isComment: true,
  write: replacing(/\n/g, `\n${mark} `),
  decoder: [],
});
const BLOCK_COMMENT: Form = {
  open: String.raw`/\*`,
  close: String.raw`\*/`,
  isComment: true,
  write: replacing(/\*\//g, '*\\/'),
  decoder: [],
};
export const SLASHES = [lineComment('//'), BLOCK_COMMENT];
export const HASH = lineComment('#');

/** One character: an apostrophe alone is a lifetime or part of a word. */
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

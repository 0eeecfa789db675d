/** Kinds of literals and comments: how they begin and end, how text is escaped in them, and how it is decoded. */
import { BACKSLASH_ESCAPES, pairs, special, type Decoder } from './decode.ts';

export interface Form {
  /** Sources of the opening and closing patterns. */
  open: string;
  close: string;
  /** Source of a pattern for text that contains a closing delimiter without ending the literal. */
  skip?: string;
  /** The closing delimiter to add if it is missing. */
  ending?: string;
  /** Matches text of the literal that can't be split, such as fields of a format and references. */
  fields?: RegExp;
  /** Whether the literal ends at the end of its line at the latest. */
  isOneLine?: boolean;
  isComment?: boolean;
  /** Start of each further line of a comment. */
  prefix?: string;
  /** Whether the literal contains SQL that the warehouse runs. */
  isWarehouseSql?: boolean;
  /** @returns the escaped text between two characters; text that it can't contain is detected by verification */
  write(text: string, left?: string, right?: string): string;
  decoder: Decoder;
}

type Write = Form['write'];
const asIs: Write = (text) => text;
const replacing =
  (found: RegExp, by: string): Write =>
  (text) =>
    text.replace(found, by);

const NEVER = /(?!)/;
const ESCAPED = String.raw`\\(?:u\{[\da-fA-F]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])`;

/** Braces are doubled, as in formatted strings of Python. */
export const BRACES: Pick<Form, 'write' | 'decoder' | 'fields'> = {
  write: replacing(/[{}]/g, '$&$&'),
  decoder: [pairs('\\{\\{|\\}\\}'), special('[{}]')],
};

/** How `str.format()` and `%` of Python mark fields. */
export const FORMATS: Readonly<Record<'format' | 'percent', typeof BRACES>> = {
  format: { ...BRACES, fields: /\{\{|\}\}|\{[^{}]*\}/g },
  percent: {
    write: replacing(/%/g, '%%'),
    decoder: [pairs('%%'), special('%')],
    fields: /%(?:\(\w*\))?[-#0 +]{0,5}\d{0,5}(?:\.\d{0,5})?[a-zA-Z%]/g,
  },
};

interface Quoting {
  /** Matches text that a backslash makes literal, beside the quote and the backslash. */
  marks?: RegExp;
  isOneLine?: boolean;
}

/** Quoted, with a backslash as escape. */
export function quotedForm(quote: string, { marks = NEVER, isOneLine = true }: Quoting = {}): Form {
  const escaped = new RegExp(String.raw`\\|${quote}|${marks.source}`, 'g');
  return {
    open: quote,
    close: quote,
    skip: ESCAPED,
    isOneLine,
    write: (text) => text.replace(escaped, String.raw`\$&`).replaceAll('\n', isOneLine ? '\\n' : '\n'),
    decoder: [BACKSLASH_ESCAPES, special(marks.source)],
  };
}

/** Triple-quoted: a single quote is text except at the end; each of several quotes is escaped. */
export function tripled(quote: string): Form {
  const escaped = new RegExp(String.raw`\\|${quote}(?=${quote})|(?<=${quote})${quote}`, 'g');
  const write = (text: string, left = '', right = quote): string => {
    const end = left.length + text.length;
    const isOwn = (at: number): boolean => at >= left.length && at < end;
    const whole = (left + text + right).replace(escaped, (mark, at: number) => (isOwn(at) ? `\\${mark}` : mark));
    return whole.slice(left.length, whole.length - right.length);
  };
  const delimiter = quote.repeat(3);
  return { open: delimiter, close: delimiter, skip: ESCAPED, write, decoder: [BACKSLASH_ESCAPES] };
}

export const raw = (open: string, close = open, write: Write = asIs, decoder: Decoder = []): Form => ({
  open,
  close,
  write,
  decoder,
});
const lineComment = (mark: string): Form => ({ ...raw(mark, '(?=\\n)'), isComment: true, prefix: `${mark} ` });
const BLOCK_COMMENT: Form = {
  ...raw(String.raw`/\*`, String.raw`\*/`, replacing(/\*(?=\/)/g, '*\\')),
  isComment: true,
  prefix: ' * ',
};
export const SLASHES = [lineComment('//'), BLOCK_COMMENT] as const;
export const HASH = lineComment('#');
export const COMMENTS: Readonly<Record<string, Form>> = { '//': SLASHES[0], '/*': BLOCK_COMMENT, '#': HASH };

export const DOUBLE = quotedForm('"');
/** Text that is never SQL, but would begin something else elsewhere. */
export const opaque = (open: string, close: string): Form => raw(open, close, asIs, [special('[^]')]);

/** The literals and comments of languages without a parser here. */
import { BACKSLASHES, meaning, pairs, special as unknown, type Decoder } from './decode.ts';

export interface Form {
  /** Sources of the opening and closing patterns, whose first groups must match the same text. */
  open: string;
  /** Empty for a character that would begin something else elsewhere. */
  close: string;
  /** Source of a pattern for text that contains a closing delimiter without ending the literal. */
  skip?: string;
  /** Source of a pattern for the start of an interpolation, which is found before `skip`. */
  hole?: string;
  /** Text that can be added beside both quotes, so that the literal may contain its closing delimiter. */
  fence?: string;
  /** Whether the text begins on the line below the opening delimiter. */
  isBelow?: boolean;
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
export const replacing =
  (found: RegExp, by: string): Write =>
  (text) =>
    text.replace(found, by);

const NEVER = /(?!)/;

/** What else is special in a form; SQL is never inserted into an interpolation, which may contain quotes. */
interface Special {
  hole?: string;
  /** Source of a pattern for text that only looks like an interpolation. */
  skip?: string;
  /** Matches text that a backslash makes literal. */
  marks?: RegExp;
  /** Escapes in another way, after the backslashes. */
  write?: Write;
  decoder?: Decoder;
}
const dollar = (marks: RegExp): Special => ({ hole: String.raw`\$\{|\{(?=\$)`, skip: String.raw`\$\w+`, marks });
const hash = (marks: RegExp): Special => ({ hole: '#\\{', marks });
export const DOLLAR = dollar(/\$(?=[\w{])/);
export const DART = dollar(/\$/);
export const RUBY = hash(/#(?=[{$@])/);
export const ELIXIR = hash(/#(?=\{)/);
export const SWIFT: Special = { hole: String.raw`\\\(` };
/** Dollars are doubled. */
export const SCALA: Special = {
  ...dollar(NEVER),
  write: replacing(/\$/g, '$$$$'),
  decoder: [pairs(String.raw`\$\$`), unknown(String.raw`\$`)],
};
/** Braces are doubled. */
export const BRACES = {
  hole: String.raw`\{(?!\{)`,
  skip: String.raw`\{\{|\}\}`,
  write: replacing(/[{}]/g, '$&$&'),
  decoder: [pairs('\\{\\{|\\}\\}'), unknown('[{}]')],
};
export const TEMPLATE: Special = {
  hole: '[$%]\\{',
  skip: String.raw`\$\$\{|%%\{`,
  write: replacing(/[$%](?=\{)/g, '$&$&'),
  decoder: [meaning(String.raw`\$\$(?=\{)`, '$'), meaning('%%(?=\\{)', '%'), unknown(String.raw`[$%]\{`)],
};

const ESCAPED = String.raw`\\(?:u\{[\da-fA-F]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])`;

/** The interpolations of a form, in which `escape` is the source of a pattern for its own escapes. */
const skipping = ({ hole, skip }: Special, escape?: string): Pick<Form, 'hole' | 'skip'> => {
  const source = [skip, escape].filter((each) => each !== undefined).join('|');
  return { ...(hole !== undefined && { hole }), ...(source !== '' && { skip: source }) };
};
const backslashed = ({ marks = NEVER, decoder = [] }: Special): Decoder => [
  BACKSLASHES,
  ...decoder,
  unknown(marks.source),
];

/** Quoted, with a backslash as escape. */
export function quoted(quote: string, special: Special = {}, { open = quote, isOneLine = true } = {}): Form {
  const { marks = NEVER, write = asIs } = special;
  const escaped = new RegExp(String.raw`\\|${quote}|${marks.source}`, 'g');
  return {
    open,
    close: quote,
    ...skipping(special, ESCAPED),
    isOneLine,
    write: (text) => write(text.replace(escaped, String.raw`\$&`).replaceAll('\n', isOneLine ? '\\n' : '\n')),
    decoder: backslashed(special),
  };
}

/** Triple-quoted: a single quote is text except at the end; each of several quotes is escaped. */
export function tripled(quote: string, special: Special = {}): Form {
  const { marks = NEVER } = special;
  const escaped = new RegExp(String.raw`\\|${quote}(?=${quote})|(?<=${quote})${quote}|${marks.source}`, 'g');
  const write = (text: string, left = '', right = quote): string => {
    const end = left.length + text.length;
    const isOwn = (at: number): boolean => at >= left.length && at < end;
    const whole = (left + text + right).replace(escaped, (mark, at: number) => (isOwn(at) ? `\\${mark}` : mark));
    return whole.slice(left.length, whole.length - right.length);
  };
  const delimiter = quote.repeat(3);
  return { open: delimiter, close: delimiter, ...skipping(special, ESCAPED), write, decoder: backslashed(special) };
}

/** For a literal whose text must be on lines between those of its delimiters. */
export const ON_OWN_LINES = { close: '^[ \\t]*"""', isBelow: true };

export const raw = (open: string, close = open, write: Write = asIs, decoder: Decoder = []): Form => ({
  open,
  close,
  write,
  decoder,
});
/** Without escapes, but with interpolations. */
export const rawWith = (special: Special, open: string, close: string): Form => ({
  ...raw(open, close, special.write, special.decoder),
  ...skipping(special),
});
/** Quoted, with doubled quotes as escape. */
export const doubled = (open: string, special: Special = {}): Form => {
  const { write = asIs, decoder = [] } = special;
  return {
    open,
    close: '"(?!")',
    ...skipping(special, '""'),
    write: (text) => write(text.replaceAll('"', '""')),
    decoder: [pairs('""'), ...decoder],
  };
};
const HEREDOC_END = String.raw`^[ \t]*(\w+)\b`;
export const heredoc = (open: string): Form => ({ ...raw(open, HEREDOC_END), isBelow: true });
/** With interpolations, and with backslashes as escapes. */
export const heredocWith = (special: Special, open: string): Form => ({
  ...quoted('(?!)', special, { open, isOneLine: false }),
  close: HEREDOC_END,
  isBelow: true,
});

export const lineComment = (mark: string, open = mark): Form => ({
  ...raw(open, '(?=\\n)'),
  isComment: true,
  prefix: `${mark} `,
});
export const BLOCK_COMMENT: Form = {
  // Escape both marks, because some languages nest comments.
  ...raw(String.raw`/\*`, String.raw`\*/`, replacing(/\*(?=\/)|\/(?=\*)/g, '$&\\')),
  isComment: true,
  prefix: ' * ',
};
export const SLASHES = [lineComment('//'), BLOCK_COMMENT];
export const HASH = lineComment('#');
/** @returns the mark of line comments; empty if there are none */
export const commentMark = (forms: readonly Form[]): string =>
  forms.find(({ prefix }) => prefix !== undefined)?.prefix?.trimEnd() ?? '';

export const DOUBLE = quoted('"');
/** Quoted, in one or several lines. */
export const LINES = quoted('"', {}, { isOneLine: false });
/** For a form whose text is never SQL. */
export const NOTHING: Decoder = [unknown('[^]')];
/** A character literal. An apostrophe without a closing one is a lifetime or part of a word. */
export const CHARACTER: Form = {
  ...quoted("'", {}, { open: String.raw`'(?=(?:\\.[^'\n]*|[^\\'\n])')` }),
  decoder: NOTHING,
};
/** The literals and comments that most languages have in common. */
export const COMMON: readonly Form[] = [DOUBLE, CHARACTER, ...SLASHES];
/** Contains no SQL, only text that would begin something else elsewhere. */
export const opaque = (open: string, close: string): Form => raw(open, close, asIs, NOTHING);

/** The literals and comments of some languages, and which literal SQL is written as. */
import { meaning, onlyBackslashes, special } from './decode.ts';
import { BRACES, CHARACTER, COMMON, DART, DOLLAR, DOUBLE, doubled, LINES, opaque, quoted } from './literalForms.ts';
import { ON_OWN_LINES, raw, rawWith, replacing, SCALA, SLASHES, SWIFT, tripled, type Form } from './literalForms.ts';

export interface Language {
  forms: readonly Form[];
  /** @returns the literal to write where the code needs a value */
  value(sql: string): string;
  /** Patterns of the code before and after a value, for languages that differ from most others. */
  around?: { before: RegExp; after: RegExp };
  /** Prefixes and suffixes of a declaration on its own line; without a semicolon, the end of a line ends a statement. */
  declare?: readonly (readonly [open: string, close: string])[];
  /** Matches code up to a bracket that opens a block rather than a list of values. */
  opens?: RegExp;
  /** Matches the code before braces that don't allow `declare`; `members` are the declarations that they allow. */
  notIn?: RegExp;
  members?: Language['declare'];
  /** The declarations that are possible outside of all brackets, if others than `declare`. */
  outside?: Language['declare'];
  /** Whether nothing can be declared above imports. */
  importsFirst?: boolean;
  /** Match code above which, and code below which, nothing can be declared. */
  first?: RegExp;
  last?: RegExp;
  /** Where the last expression of a block is its value: matches the code before the braces of blocks without a value. */
  noValue?: RegExp;
  /** Match the end of a line that the next one continues, and the start of a line that continues the one above. */
  unended?: RegExp;
  continues?: RegExp;
  /** Whether a declaration starts with its type, so that parameters look like arguments. */
  typesFirst?: boolean;
  hasTypeBrackets?: boolean;
  /** Matches the keywords of blocks that are between keywords, such as `do` and `end`. */
  blocks?: RegExp;
  /** Matches a name that arguments can follow without brackets. */
  commands?: RegExp;
}

export const inLines =
  (open: string, form: Form, close = open): Language['value'] =>
  (sql) =>
    /\n/.test(sql) ? open + form.write(sql) + close : `"${DOUBLE.write(sql)}"`;
export const inQuotes =
  (quote: string, { write }: Form): Language['value'] =>
  (sql) =>
    quote + write(sql) + quote;

export const TEXT_BLOCK = tripled('"');
/** A text block of Java, whose compiler strips white space at line ends unless the last space is an escape. */
const JAVA_BLOCK: Form = {
  ...TEXT_BLOCK,
  isBelow: true,
  write: (...text) => TEXT_BLOCK.write(...text).replace(/[ \t](?=\n)/g, (white) => (white === ' ' ? '\\s' : '\\t')),
  decoder: [meaning(String.raw`[ \t]+$`, ''), meaning(String.raw`\\s`, ' '), ...TEXT_BLOCK.decoder],
};
const KOTLIN: Form = {
  ...rawWith(DOLLAR, '"""', '"""'),
  write: replacing(/\$(?=[\w{])/g, "${'$$'}"),
  decoder: [meaning(String.raw`\$\{'\$'\}`, '$'), special(String.raw`\$(?=[\w{])`)],
};
const KOTLIN_LINE = quoted('"', DOLLAR);
export const SINGLE_LINES: Form = {
  ...quoted("'", {}, { isOneLine: false }),
  decoder: [onlyBackslashes("\\\\'")],
};

/** A text between number signs, which are also part of its escapes. */
const SWIFT_RAW: Form = {
  ...raw(String.raw`(#{1,8})"`, String.raw`"(#+)`, undefined, [special(String.raw`\\#`)]),
  hole: String.raw`\\#+\(`,
};

/** Languages by VS Code language id and file extension. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  java: {
    importsFirst: true,
    forms: [JAVA_BLOCK, ...COMMON],
    value: inLines('"""\n', JAVA_BLOCK, '"""'),
    declare: [['String sql = ', ';']],
    notIn: /\benum\b/,
  },
  'kotlin kt kts': {
    importsFirst: true,
    forms: [KOTLIN, KOTLIN_LINE, CHARACTER, ...SLASHES],
    value: (sql) =>
      /\n/.test(sql) && !/"""|"$/.test(sql) ? `"""${KOTLIN.write(sql)}"""` : `"${KOTLIN_LINE.write(sql)}"`,
    declare: [['val sql = ', '']],
    opens: /\{$/,
    notIn: /\b(?:enum|interface|annotation|when)\b/,
    noValue:
      /\b(?:fun|class|interface|object|init|constructor|get|set|if|else|for|while|do|try|catch|finally|when)\b|->$/,
  },
  'groovy gradle jenkinsfile': {
    importsFirst: true,
    forms: [tripled('"', DOLLAR), tripled("'"), KOTLIN_LINE, quoted("'"), ...SLASHES],
    value: inQuotes("'", quoted("'")),
    declare: [['def sql = ', '']],
  },
  'scala sc': {
    importsFirst: true,
    hasTypeBrackets: true,
    forms: [
      rawWith(SCALA, String.raw`\b[a-z]\w*"""`, '"""'),
      raw('"""'),
      quoted('"', SCALA, { open: String.raw`\b[a-z]\w*"` }),
      ...COMMON,
    ],
    value: inQuotes('"', DOUBLE),
    declare: [['val sql = ', '']],
    opens: /\{$/,
    notIn: /\benum\b/,
    noValue: /\b(?:class|object|trait|package|enum|extends|with|given|for|while|do|match|catch|finally)\b/,
    // A declaration above a case would be the value of the case before it.
    first: /^(?:case\b(?! (?:class|object)\b)|this\()/,
  },
  'csharp cs': {
    outside: [],
    typesFirst: true,
    forms: [
      raw('("{3,})', '("{3,})'),
      doubled(String.raw`(?:\$@|@\$)"`, BRACES),
      doubled('@"'),
      quoted('"', BRACES, { open: String.raw`\$"` }),
      ...COMMON,
    ],
    value: (sql) => `@"${sql.replaceAll('"', '""')}"`,
    declare: [['string sql = ', ';']],
    notIn: /\b(?:enum|struct|interface|namespace)\b/,
  },
  go: {
    importsFirst: true,
    forms: [
      raw('`'),
      ...COMMON,
      // In `new(…)` and `make(…)`, the first argument is a type.
      opaque(String.raw`\b(?:new|make)\(`, '(?=[,)])'),
    ],
    value: (sql) => (sql.includes('`') ? `"${DOUBLE.write(sql)}"` : `\`${sql}\``),
    // The second declaration is for groups in parentheses.
    declare: [
      ['var sql = ', ''],
      ['sql = ', ''],
    ],
    // Only a brace after a space opens a block: that of a list of values directly follows its type.
    opens: /[^\s:,{(=]\s+\{$|\b(?:var|const) \($/,
  },
  'rust rs': {
    forms: [{ ...raw('\\bb?r(#*)"', '"(#*)'), fence: '#' }, LINES, CHARACTER, ...SLASHES],
    value: inQuotes('"', LINES),
    declare: [['const SQL: &str = ', ';']],
    // A name without such keywords before a brace is that of a structure, whose fields have names.
    notIn: /\b(?:enum|struct|match)\b|\bextern ""$|^(?!.*(?:->|\b(?:impl|trait|for|if|while|where)\b)).*\b[A-Z]\w*$/,
    opens: /\{$/,
  },
  'c cpp h hpp cc': {
    typesFirst: true,
    declare: [['const char *sql = ', ';']],
    notIn: /\benum\b/,
    forms: [raw(String.raw`\bR"([^()\s"]{0,16})\(`, String.raw`\)([^()\s"]{0,16})"`), TEXT_BLOCK, ...COMMON],
    value: inQuotes('"', DOUBLE),
  },
  swift: {
    // A property may contain observers.
    notIn: /\b(?:enum|protocol|switch)\b|\bvar \w{1,80}:/,
    forms: [
      { ...SWIFT_RAW, open: String.raw`(#{1,8})"""`, close: String.raw`^[ \t]*"""(#+)`, isBelow: true },
      { ...SWIFT_RAW, decoder: [...SWIFT_RAW.decoder, special('\\n')] },
      { ...tripled('"', SWIFT), ...ON_OWN_LINES },
      quoted('"', SWIFT),
      ...SLASHES,
    ],
    value: inQuotes('"', DOUBLE),
    declare: [['let sql = ', '']],
    opens: /\{$/,
  },
  dart: {
    importsFirst: true,
    typesFirst: true,
    forms: [
      ...['"""', "'''", '"', "'"].map((quote) => raw(String.raw`\br${quote}`, quote)),
      ...['"', "'"].map((quote) => tripled(quote, DART)),
      ...['"', "'"].map((quote) => quoted(quote, DART)),
      ...SLASHES,
    ],
    value: inQuotes("'", quoted("'", DART)),
    declare: [['final sql = ', ';']],
  },
};

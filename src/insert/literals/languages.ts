/** The literals and comments of some languages, and which literal SQL is written as. */
import { BACKSLASHES, meaning, onlyBackslashes, pairs, special } from './decode.ts';
import {
  replacing,
  quoted,
  tripled,
  raw,
  doubled,
  heredoc,
  lineComment,
  SLASHES,
  HASH,
  CHARACTER,
  DOUBLE,
  DOLLAR,
  twice,
  type Form,
  BRACES,
} from './literalForms.ts';

export interface Language {
  forms: readonly Form[];
  /** Start of a line comment. */
  mark: string;
  /** @returns the literal to write where the code needs a value */
  value(sql: string): string;
  /** A single-line literal, where the compiler would change the text of the first one. */
  fallback?(sql: string): string;
  /** What can precede and follow a value, if it differs from most languages. */
  around?: { before: RegExp; after: RegExp };
  /** Prefixes and suffixes of a declaration on its own line, in order of preference. */
  declare?: readonly (readonly [open: string, close: string])[];
  /** Whether a statement may end at the end of its line. */
  endsWithLine?: boolean;
  /** Matches code that ends with the brace of a block rather than of a list of values. */
  opens?: RegExp;
  /** Matches code before a brace in whose block this declaration is not possible. */
  notIn?: RegExp;
  /** Whether parts of a file are JavaScript or TypeScript programs. */
  hasScripts?: boolean;
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
/** Whether its compiler strips trailing white space on lines. */
const JAVA_BLOCK: Form = { ...TEXT_BLOCK, decoder: [meaning(String.raw`[ \t]+$`, ''), ...TEXT_BLOCK.decoder] };
const KOTLIN = raw('"""', '"""', replacing(new RegExp(DOLLAR.source, 'g'), "${'$$'}"), [
  meaning(String.raw`\$\{'\$'\}`, '$'),
  special(DOLLAR.source),
]);
const KOTLIN_LINE = quoted('"', DOLLAR);
export const SINGLE_LINES = quoted("'", undefined, { isOneLine: false, decoder: [onlyBackslashes("\\\\'")] });
const DOLLARS = [pairs(String.raw`\$\$`), special(String.raw`\$`)];
const DART = /\$/;
const RUBY = /#(?=[{$@])/;
export const R = quoted('"', undefined, { isOneLine: false });

/** By VS Code language id and file extension. */
export const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [
    /^java$/,
    {
      mark: '//',
      forms: [JAVA_BLOCK, DOUBLE, CHARACTER, ...SLASHES],
      value: inLines('"""\n', JAVA_BLOCK, '"""'),
      fallback: inQuotes('"', DOUBLE),
      declare: [['String sql = ', ';']],
      notIn: /\benum\b[^{};\n]*$/,
    },
  ],
  [
    /^(kotlin|kts?)$/,
    {
      mark: '//',
      forms: [KOTLIN, KOTLIN_LINE, CHARACTER, ...SLASHES],
      value: (sql) =>
        /\n/.test(sql) && !/"""|"$/.test(sql) ? `"""${KOTLIN.write(sql)}"""` : `"${KOTLIN_LINE.write(sql)}"`,
      declare: [['val sql = ', '']],
      endsWithLine: true,
    },
  ],
  [
    /^(groovy|gradle|jenkinsfile)$/,
    {
      mark: '//',
      forms: [tripled('"', DOLLAR), tripled("'"), KOTLIN_LINE, quoted("'"), ...SLASHES],
      value: inQuotes("'", quoted("'")),
      declare: [['def sql = ', '']],
      endsWithLine: true,
    },
  ],
  [
    /^(scala|sc)$/,
    {
      mark: '//',
      forms: [
        raw(String.raw`\b[a-z]\w*"""`, '"""', replacing(/\$/g, '$$$$'), DOLLARS),
        raw('"""'),
        quoted('"', undefined, {
          open: String.raw`\b[a-z]\w*"`,
          more: replacing(/\$/g, '$$$$'),
          decoder: [BACKSLASHES, ...DOLLARS],
        }),
        DOUBLE,
        CHARACTER,
        ...SLASHES,
      ],
      value: inQuotes('"', DOUBLE),
      declare: [['val sql = ', '']],
      endsWithLine: true,
      opens: /\{$/,
      notIn: /\benum\b[^{};\n]*$/,
    },
  ],
  [
    /^(csharp|cs)$/,
    {
      mark: '//',
      forms: [
        raw('("{3,})', 'TAG'),
        doubled(String.raw`(?:\$@|@\$)"`, twice, BRACES),
        doubled('@"'),
        quoted('"', undefined, { open: String.raw`\$"`, more: twice, decoder: [BACKSLASHES, ...BRACES] }),
        DOUBLE,
        CHARACTER,
        ...SLASHES,
      ],
      value: (sql) => `@"${sql.replaceAll('"', '""')}"`,
      declare: [['string sql = ', ';']],
    },
  ],
  [
    /^go$/,
    {
      mark: '//',
      forms: [raw('`'), DOUBLE, CHARACTER, ...SLASHES],
      value: (sql) => (sql.includes('`') ? `"${DOUBLE.write(sql)}"` : `\`${sql}\``),
      declare: [['var sql = ', '']],
      // The brace of a list of values directly follows its type.
      opens: /\s\{$/,
      endsWithLine: true,
    },
  ],
  [
    /^(rust|rs)$/,
    {
      mark: '//',
      forms: [raw('\\bb?r(#*)"', '"TAG'), R, CHARACTER, ...SLASHES],
      value: inQuotes('"', R),
      declare: [['const SQL: &str = ', ';']],
      notIn: /\b(?:enum|struct)\b[^{};\n]*$/,
      opens: /\{$/,
    },
  ],
  [
    /^(c|cpp|h|hpp|cc)$/,
    {
      mark: '//',
      forms: [raw(String.raw`\bR"([^()\s]*)\(`, String.raw`\)TAG"`), TEXT_BLOCK, DOUBLE, CHARACTER, ...SLASHES],
      value: inQuotes('"', DOUBLE),
    },
  ],
  [
    /^swift$/,
    {
      mark: '//',
      forms: [TEXT_BLOCK, DOUBLE, ...SLASHES],
      value: inQuotes('"', DOUBLE),
      declare: [['let sql = ', '']],
      endsWithLine: true,
    },
  ],
  [
    /^dart$/,
    {
      mark: '//',
      forms: [
        ...['"""', "'''", '"', "'"].map((quote) => raw(String.raw`\br${quote}`, quote)),
        tripled('"', DART),
        tripled("'", DART),
        quoted('"', DART),
        quoted("'", DART),
        ...SLASHES,
      ],
      value: inQuotes("'", quoted("'", DART)),
      declare: [['final sql = ', ';']],
    },
  ],
  [
    /^(ruby|rb)$/,
    {
      mark: '#',
      forms: [
        heredoc(String.raw`<<[-~]?'(\w+)'.{0,200}\n`),
        heredoc(String.raw`<<[-~]?"?([A-Z_]\w*)"?.{0,200}\n`, replacing(/\\|#(?=[{$@])/g, '\\$&'), [
          BACKSLASHES,
          special(RUBY.source),
        ]),
        quoted('"', RUBY, { isOneLine: false }),
        SINGLE_LINES,
        ...['()', '[]', '{}'].map(([open = '', close = '']) => ({
          ...raw(`%[qQwWiIrx]?\\${open}`, `\\${close}`),
          unfit: /^/,
        })),
        HASH,
      ],
      value: inQuotes("'", SINGLE_LINES),
      declare: [['sql = ', '']],
      endsWithLine: true,
    },
  ],
  [
    /^php$/,
    {
      mark: '//',
      forms: [
        heredoc(String.raw`<<<[ \t]*'(\w+)'\r?\n`),
        heredoc(String.raw`<<<[ \t]*"?(\w+)"?\r?\n`, replacing(/\\|\$(?=[\w{])/g, '\\$&'), [
          BACKSLASHES,
          special(DOLLAR.source),
        ]),
        quoted('"', DOLLAR, { isOneLine: false }),
        SINGLE_LINES,
        ...SLASHES,
        lineComment('#', String.raw`#(?!\[)`),
      ],
      value: inQuotes("'", SINGLE_LINES),
      declare: [['$sql = ', ';']],
      notIn: /\b(?:class|trait|interface|enum)\b[^{};]*$/,
    },
  ],
];

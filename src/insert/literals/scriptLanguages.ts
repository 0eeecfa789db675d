/** The literals and comments of Ruby, Elixir and PHP. */
import { BACKSLASHES, onlyBackslashes, special } from './decode.ts';
import { inQuotes, SINGLE_LINES, type Language } from './languages.ts';
import {
  DOLLAR,
  ESCAPED,
  HASH,
  heredoc,
  lineComment,
  quoted,
  raw,
  replacing,
  SLASHES,
  tripled,
  withHoles,
  type Form,
} from './literalForms.ts';

const COMMENT = lineComment('#', String.raw`(?<!\S)#(?!\{)`);
/** In positions where a slash can't be a division. */
const REGEXP: Form = {
  ...raw(String.raw`(?<=[(,~=]\s?)/(?=\S)`, '/'),
  isOneLine: true,
  skip: ESCAPED,
  unescapable: /^/,
};
const INTERPOLATION = /#(?=\{)/;
const RUBY = /#(?=[{$@])/;

const escaping = (characters: string): Form['write'] => replacing(new RegExp(`[${characters}]`, 'g'), '\\$&');

/** Ruby's literals with chosen brackets: plain text, text with interpolations, and others that can't contain SQL. */
const percentLiterals = ([open = '', close = '']: string): Form[] => {
  const marks = `\\\\\\${open}\\${close}`;
  // Brackets inside the literal are balanced.
  const form = { ...raw('', `\\${close}`), skip: '\\\\[\\s\\S]', hole: `#\\{|\\${open}` };
  return [
    { ...form, open: `%q\\${open}`, write: escaping(marks), decoder: [onlyBackslashes(marks)] },
    { ...form, open: `%Q?\\${open}`, write: escaping(`${marks}#`), decoder: [BACKSLASHES, special(RUBY.source)] },
    { ...form, open: `%[wWiIrx]\\${open}`, unescapable: /^/ },
  ];
};

/** A quote or bracket as a character. */
const CHARACTER = raw(String.raw`(?<![\w)\]?])\?(?:\\.|\S)(?!\w)`, '');

/** Languages by VS Code language id and file extension. */
export const SCRIPTS: Readonly<Record<string, Language>> = {
  'ruby rb': {
    hasCommands: true,
    forms: [
      heredoc(String.raw`<<[-~]?'(\w+)'`),
      withHoles(
        heredoc(String.raw`<<[-~]?"?([A-Z_]\w*)"?`, replacing(/\\|#(?=[{$@])/g, '\\$&'), [
          BACKSLASHES,
          special(RUBY.source),
        ]),
        'hash',
      ),
      withHoles(quoted('"', RUBY, { isOneLine: false }), 'hash'),
      SINGLE_LINES,
      ...['()', '[]', '{}'].flatMap(percentLiterals),
      CHARACTER,
      REGEXP,
      COMMENT,
    ],
    value: inQuotes("'", SINGLE_LINES),
    declare: [['sql = ', '']],
  },
  'elixir ex exs': {
    forms: [
      { ...raw(String.raw`~[a-zA-Z]+("""|["/'])`, String.raw`("""|["/'])`), unescapable: /^/ },
      withHoles(tripled('"', INTERPOLATION), 'hash'),
      withHoles(quoted('"', INTERPOLATION, { isOneLine: false }), 'hash'),
      CHARACTER,
      HASH,
    ],
    value: inQuotes('"', quoted('"', INTERPOLATION)),
    declare: [['sql = ', '']],
    // Braces never open a block in Elixir.
    opens: /(?!)/,
  },
  php: {
    importsFirst: true,
    forms: [
      heredoc(String.raw`<<<[ \t]*'(\w+)'`),
      withHoles(
        heredoc(String.raw`<<<[ \t]*"?(\w+)"?`, replacing(/\\|\$(?=[\w{])/g, '\\$&'), [
          BACKSLASHES,
          special(DOLLAR.source),
        ]),
        'dollar',
      ),
      withHoles(quoted('"', DOLLAR, { isOneLine: false }), 'dollar'),
      SINGLE_LINES,
      ...SLASHES,
      lineComment('#', String.raw`#(?!\[)`),
    ],
    value: inQuotes("'", SINGLE_LINES),
    declare: [['$sql = ', ';']],
    notIn: /\b(?:class|trait|interface|enum)\b/,
    members: [
      ['const SQL = ', ';'],
      ['private $sql = ', ';'],
    ],
  },
};

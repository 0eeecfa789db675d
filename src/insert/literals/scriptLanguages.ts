/** The literals and comments of scripts, shells and configuration files. */
import { BACKSLASHES, meaning, onlyBackslashes, special } from './decode.ts';
import { inLines, inQuotes, SINGLE_LINES, TEXT_BLOCK, type Language } from './languages.ts';
import { DOLLAR, DOUBLE, doubled, ELIXIR, HASH, heredoc, heredocWith, LINES, lineComment } from './literalForms.ts';
import { NOTHING, ON_OWN_LINES, opaque, quoted, raw, rawWith, replacing, RUBY, SLASHES } from './literalForms.ts';
import { TEMPLATE, tripled, type Form } from './literalForms.ts';

const COMMENT = lineComment('#', String.raw`(?<!\S)#(?!\{)`);
/** In positions where a slash can't be a division. */
const REGEXP = { ...opaque(String.raw`(?<=[(,~=]\s?)/(?=\S)`, '/'), isOneLine: true, skip: String.raw`\\.` };

const escaping = (characters: string): Form['write'] => replacing(new RegExp(`[${characters}]`, 'g'), '\\$&');

/** Ruby's literals with chosen brackets: plain text, text with interpolations, and others that can't contain SQL. */
const percentLiterals = ([open = '', close = '']: string): Form[] => {
  const marks = `\\\\\\${open}\\${close}`;
  // Brackets inside the literal are balanced.
  const form = { ...raw('', `\\${close}`), skip: '\\\\[\\s\\S]', hole: `#\\{|\\${open}` };
  return [
    { ...form, open: `%q\\${open}`, write: escaping(marks), decoder: [onlyBackslashes(marks)] },
    { ...form, open: `%Q?\\${open}`, write: escaping(`${marks}#`), decoder: [BACKSLASHES, special('#(?=[{$@])')] },
    { ...form, open: `%[wWiIrx]\\${open}`, decoder: NOTHING },
  ];
};

/** Sigils of Elixir with chosen delimiters: text with interpolations, and others that can't contain SQL. */
const sigils = ([open = '', close = '']: string): Form[] => [
  quoted(`\\${close}`, ELIXIR, { open: `~s\\${open}`, isOneLine: false }),
  { ...opaque(`~[a-zA-Z]+\\${open}`, `\\${close}`), skip: String.raw`\\.` },
];

/** A quote or bracket as a character. */
const CHARACTER = raw(String.raw`(?<![\w)\]?])\?(?:\\.|\S)(?!\w)`, '');

/** Matches the name of a method or function, possibly with its owner, but no keyword. */
const commands = (owner: string): RegExp =>
  new RegExp(
    String.raw`^(?!(?:end|else|begin|do|def\w*|class|module|then|ensure|rescue|catch|after|receive|alias|import|use|self|nil)$)` +
      String.raw`(?:${owner})?[a-z_][\w.]*[?!]?$`,
  );

/** The words of a command in which one more argument can follow. */
const COMMAND =
  String.raw`(?:^|[;|&(]|\b(?:then|do|else|if)[ \t])[ \t]*` +
  String.raw`(?!(?:then|do|else|elif|if|fi|done|esac|in|for|case|while|until|select|function)\b)` +
  String.raw`[\w./$-]+(?:[ \t]+[^\s;|&()<>]+)*[ \t]+`;
/** Matches code before a value: an equals sign, the name of an option, or a command. */
const BEFORE_VALUE = new RegExp(
  String.raw`(?:[\w\])]\+?=|(?<!\S)-[\w-]+(?:=|[ \t]+)|=\([ \t]?|<<<[ \t]?|[ \t][!=]?=[ \t]|${COMMAND})$`,
);
const QUOTE = String.raw`'\\''`;
const SHELL_QUOTED = {
  ...raw("'", "'", replacing(/'/g, String.raw`'\''`), [meaning(QUOTE, "'")]),
  skip: QUOTE,
};
const EXPANSION = special('`|' + String.raw`\$[\w({]`);
const SHELL_COMMENT = lineComment('#', String.raw`(?<!\S)#`);
const SHELL: Language = {
  blocks: /(?!)/,
  forms: [
    raw(String.raw`\\.`, ''),
    heredoc(String.raw`(?<!<)<<-?[ \t]*\\?["']?(?<=[\\"'])(\w+)["']?`),
    {
      ...heredoc(String.raw`(?<!<)<<-?[ \t]*(\w+)`),
      write: escaping('\\\\$`'),
      decoder: [onlyBackslashes('\\\\$`'), EXPANSION],
    },
    {
      ...quoted('"', { hole: String.raw`\$[{(]`, skip: String.raw`\$\w+` }, { isOneLine: false }),
      write: escaping('\\\\"$`'),
      decoder: [onlyBackslashes('\\\\"$`'), EXPANSION],
    },
    SHELL_QUOTED,
    SHELL_COMMENT,
  ],
  value: inQuotes("'", SHELL_QUOTED),
  declare: [['sql=', '']],
  first: /^(?:then|do)\b/,
  last: /;;$/,
  unended: /(?:&&|[=|\\])$/,
  continues: /^[{)&|;]/,
  // Brackets contain parameters or commands, and a space ends a value.
  around: { before: BEFORE_VALUE, after: /^(?:[\s;)|&<>]|$)/ },
};

/** For literals that a backslash at the end of the line continues. */
const IN_COMMAND = { isOneLine: true, skip: String.raw`${QUOTE}|\\\n` };

/** The commands of a Dockerfile. A line break would end the instruction, and not all of them decode an escaped backtick. */
const DOCKERFILE: Language = {
  ...SHELL,
  forms: [
    ...SHELL.forms.filter(({ isBelow }) => isBelow),
    {
      ...quoted('"', { hole: String.raw`\$[{(]`, skip: String.raw`\$\w+` }),
      write: escaping('\\\\"$'),
      decoder: [onlyBackslashes('\\\\"$'), EXPANSION],
    },
    { ...SHELL_QUOTED, ...IN_COMMAND },
    SHELL_COMMENT,
  ],
  declare: [],
};

/** The commands of a makefile, in which dollars are doubled; a line break would end the command. */
const MAKEFILE: Language = {
  ...DOCKERFILE,
  forms: [
    {
      ...quoted('"', { hole: String.raw`\$[{(]`, skip: String.raw`\$\$|\$\w` }),
      write: (text) => escaping('\\\\"`$')(text).replaceAll('$', '$$$$'),
      decoder: [meaning(String.raw`\\\$\$`, '$'), onlyBackslashes('\\\\"`'), special('[`$]')],
    },
    {
      ...SHELL_QUOTED,
      ...IN_COMMAND,
      write: (text) => SHELL_QUOTED.write(text).replaceAll('$', '$$$$'),
      decoder: [...SHELL_QUOTED.decoder, meaning(String.raw`\$\$`, '$'), special('\\$')],
    },
    SHELL_COMMENT,
  ],
};
const CELL = doubled('"');
const CSV: Language = {
  forms: [CELL],
  value: inQuotes('"', CELL),
  around: { before: /(?:^|[,;\t])$/, after: /^(?:[,;\t]|$)/ },
};
const HCL = quoted('"', TEMPLATE);
/** Keys and table names of TOML in quotes. */
const TOML_NAMES = [
  opaque(String.raw`^[ \t]*\[(?=[^\n=,#]*(?:#|$))`, String.raw`\]+`),
  ...['"', "'"].map((quote) => opaque(String.raw`${quote}(?=[^\n${quote}]*${quote}[ \t]*[.=])`, quote)),
];
const TERRAFORM: Language = {
  forms: [{ ...rawWith(TEMPLATE, String.raw`<<-?(\w+)`, heredoc('').close), isBelow: true }, HCL, HASH, ...SLASHES],
  value: inQuotes('"', HCL),
  declare: [['sql = ', '']],
  opens: /\{$/,
};

/** Languages by VS Code language id and file extension. */
export const SCRIPTS: Readonly<Record<string, Language>> = {
  'ruby rb': {
    commands: commands(String.raw`[A-Z]\w*\.`),
    blocks: /\b(?:do|begin|def|class|module)\b/,
    forms: [
      heredoc(String.raw`<<[-~]?'(\w+)'`),
      heredocWith(RUBY, String.raw`<<[-~]?"?([A-Z_]\w*)"?`),
      quoted('"', RUBY, { isOneLine: false }),
      SINGLE_LINES,
      ...['()', '[]', '{}'].flatMap(percentLiterals),
      CHARACTER,
      REGEXP,
      COMMENT,
    ],
    value: inQuotes("'", SINGLE_LINES),
    declare: [['sql = ', '']],
    // A brace after other characters opens a hash.
    opens: /(?:[\w)?!]|->)[ \t]*\{$/,
  },
  'elixir ex exs': {
    commands: commands(String.raw`@|[A-Z]\w*\.`),
    blocks: /\bdo\b(?!:)|\bfn\b/,
    forms: [
      { ...tripled('"', ELIXIR), open: '~s"""', ...ON_OWN_LINES },
      { ...raw('~S"""'), ...ON_OWN_LINES },
      opaque(String.raw`~[a-zA-Z]("""|''')`, String.raw`^[ \t]*("""|''')`),
      ...['""', "''", '//', '||', '()', '[]', '{}', '<>'].flatMap(sigils),
      { ...tripled('"', ELIXIR), ...ON_OWN_LINES },
      ...['"', "'"].map((quote) => quoted(quote, ELIXIR, { isOneLine: false })),
      CHARACTER,
      HASH,
    ],
    value: inQuotes('"', quoted('"', ELIXIR)),
    declare: [['sql = ', '']],
    // Braces never open a block in Elixir.
    opens: /(?!)/,
    // A guard belongs to the function above it, a clause to its block, and only clauses follow these keywords.
    first: /^(?:when\b|(?!.*\bfn\b).*->)/,
    last: /(?:^[ \t]*(?:\w+ = )?case .* do|\b(?:(?:cond|receive|case) do|rescue|catch))(?![^])/m,
  },
  php: {
    importsFirst: true,
    forms: [
      heredoc(String.raw`<<<[ \t]*'(\w+)'`),
      heredocWith(DOLLAR, String.raw`<<<[ \t]*"?(\w+)"?`),
      quoted('"', DOLLAR, { isOneLine: false }),
      SINGLE_LINES,
      ...SLASHES,
      lineComment('#', String.raw`#(?!\[)`),
    ],
    value: inQuotes("'", SINGLE_LINES),
    declare: [['$sql = ', ';']],
    notIn: /\b(?:class|trait|interface|enum)\b/,
    members: [['const SQL = ', ';']],
  },
  toml: {
    forms: [TEXT_BLOCK, raw("'''"), ...TOML_NAMES, DOUBLE, { ...raw("'"), isOneLine: true }, HASH],
    value: inLines('"""\n', TEXT_BLOCK, '"""'),
    declare: [['sql = ', '']],
    opens: /\{$/,
  },
  'shellscript sh bash zsh': SHELL,
  'dockerfile containerfile': DOCKERFILE,
  'makefile mk mak': MAKEFILE,
  'csv tsv': CSV,
  lua: {
    blocks: /\b(?:function|do|if)\b/,
    forms: [
      { ...raw(String.raw`--\[(=*)\[`, String.raw`\](=*)\]`), isComment: true },
      raw(String.raw`\[(=*)\[`, String.raw`\](=*)\]`),
      DOUBLE,
      quoted("'"),
      lineComment('--'),
    ],
    value: (sql) => (/\n/.test(sql) && !/\]\]|\]$/.test(sql) ? `[[${sql}]]` : `"${DOUBLE.write(sql)}"`),
    declare: [['local sql = ', '']],
    last: /^([ \t]*)return\b.*(?:\n(?:\1[ \t].*|\1(?:[)\]}]|end\b).*|))*(?![^])/m,
  },
  r: {
    forms: [raw(String.raw`\b[rR]"\(`, String.raw`\)"`), LINES, SINGLE_LINES, HASH],
    value: inQuotes('"', LINES),
    declare: [['sql <- ', '']],
    opens: /\{$/,
  },
  'terraform tf hcl opentofu': { ...TERRAFORM, outside: [['locals {\n  sql = ', '\n}']] },
  'terraform-vars tfvars': TERRAFORM,
};

/** The literals and comments of shells, configuration files and statistics languages. */
import { BACKSLASHES, meaning, onlyBackslashes, special } from './decode.ts';
import { inLines, inQuotes, R, SINGLE_LINES, TEXT_BLOCK, type Language } from './languages.ts';
import {
  DOUBLE,
  ESCAPED,
  HASH,
  heredoc,
  lineComment,
  quoted,
  raw,
  replacing,
  SLASHES,
  template,
  TEMPLATE,
  withHoles,
} from './literalForms.ts';

/** Matches code before a value: an equals sign, or the name of an option. */
const BEFORE_VALUE = {
  test: (before: string): boolean => {
    const code = before.trimEnd();
    const word = code.slice(Math.max(code.lastIndexOf(' '), code.lastIndexOf('\t')) + 1);
    const isOption = word !== code && /^-[\w-]+$/.test(word) && code !== before;
    return isOption || /^-[\w-]+=$/.test(word) || /(?:[\w\])]\+?=|=\([ \t]?|<<<[ \t]?)$/.test(before);
  },
};
const SHELL = replacing(/[\\"$`]/g, '\\$&');
const EXPANSION = special('`|' + String.raw`\$[\w({]`);
const HCL = withHoles(quoted('"', undefined, { more: template, decoder: [BACKSLASHES, ...TEMPLATE] }), 'template');

/** Languages by VS Code language id and file extension. */
export const SHELLS: Readonly<Record<string, Language>> = {
  toml: {
    forms: [TEXT_BLOCK, raw("'''"), DOUBLE, { ...raw("'"), isOneLine: true }, HASH],
    value: inLines('"""\n', TEXT_BLOCK, '"""'),
  },
  'shellscript sh bash zsh': {
    forms: [
      raw(String.raw`\\.`, ''),
      heredoc(String.raw`(?<!<)<<-?[ \t]*\\?["']?(?<=[\\"'])(\w+)["']?`),
      heredoc(String.raw`(?<!<)<<-?[ \t]*(\w+)`, replacing(/[\\$`]/g, '\\$&'), [onlyBackslashes('\\\\$`'), EXPANSION]),
      withHoles(
        {
          open: '"',
          close: '"',
          skip: ESCAPED,
          write: SHELL,
          decoder: [onlyBackslashes('\\\\"$`'), EXPANSION],
        },
        'command',
      ),
      {
        ...raw("'", "'", replacing(/'/g, String.raw`'\''`), [meaning(String.raw`'\\''`, "'")]),
        skip: String.raw`'\\''`,
      },
      lineComment('#', String.raw`(?<!\S)#`),
    ],
    value: (sql) => `'${sql.replaceAll("'", String.raw`'\''`)}'`,
    declare: [['sql=', '']],
    opens: /\{$/,
    // Brackets contain parameters or commands, and a space ends a value.
    around: { before: BEFORE_VALUE, after: /^(?:[\s;)|&<>]|$)/ },
  },
  lua: {
    forms: [
      { ...raw(String.raw`--\[(=*)\[`, String.raw`\](=*)\]`), isComment: true },
      raw(String.raw`\[(=*)\[`, String.raw`\](=*)\]`),
      DOUBLE,
      quoted("'"),
      lineComment('--'),
    ],
    value: (sql) => (/\n/.test(sql) && !/\]\]|\]$/.test(sql) ? `[[${sql}]]` : `"${DOUBLE.write(sql)}"`),
    declare: [['local sql = ', '']],
  },
  r: {
    forms: [raw(String.raw`\b[rR]"\(`, String.raw`\)"`), R, SINGLE_LINES, HASH],
    value: inQuotes('"', R),
    declare: [['sql <- ', '']],
  },
  'terraform tf tfvars hcl opentofu': {
    forms: [withHoles(heredoc(String.raw`<<-?(\w+)`, template, TEMPLATE), 'template'), HCL, HASH, ...SLASHES],
    value: inQuotes('"', HCL),
  },
};

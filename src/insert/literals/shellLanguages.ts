/** The literals and comments of shells, configuration files and statistics languages. */
import { openBracketAt } from '../place.ts';
import { BACKSLASHES, meaning, onlyBackslashes, special } from './decode.ts';
import { inLines, inQuotes, R, SINGLE_LINES, TEXT_BLOCK, type Language } from './languages.ts';
import {
  DOUBLE,
  ESCAPED,
  HASH,
  heredoc,
  HOLES,
  lineComment,
  quoted,
  raw,
  replacing,
  SLASHES,
  template,
  TEMPLATE,
  withHoles,
} from './literalForms.ts';

/** Whether a command is open in the text of a literal. */
const COMMAND = {
  test: (before: string): boolean =>
    before.charAt(openBracketAt(before.slice(-2000), '(') + Math.max(0, before.length - 2000) - 1) === '$',
};
/** A command in a literal, which may have literals of its own. */
const SUBSTITUTION = String.raw`\$\((?:[^()"']|"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)){0,500}\)`;
const SHELL = replacing(/[\\"$`]/g, '\\$&');
const EXPANSION = special('`|' + String.raw`\$[\w({]`);
const HCL = withHoles(quoted('"', undefined, { more: template, decoder: [BACKSLASHES, ...TEMPLATE] }), 'template');

/** By VS Code language id and file extension. */
export const SHELLS: readonly (readonly [RegExp, Language])[] = [
  [
    /^toml$/,
    {
      mark: '#',
      forms: [TEXT_BLOCK, raw("'''"), DOUBLE, { ...raw("'"), isOneLine: true }, HASH],
      value: inLines('"""\n', TEXT_BLOCK, '"""'),
    },
  ],
  [
    /^(shellscript|sh|bash|zsh)$/,
    {
      mark: '#',
      forms: [
        { ...raw(String.raw`\\.`, ''), isComment: true },
        heredoc(String.raw`<<-?[ \t]*\\?["']?(?<=[\\"'])(\w+)["']?.{0,200}\n`),
        heredoc(String.raw`<<-?[ \t]*(\w+).{0,200}\n`, replacing(/[\\$`]/g, '\\$&'), [
          onlyBackslashes('\\\\$`'),
          EXPANSION,
        ]),
        {
          open: '"',
          close: '"',
          skip: `${ESCAPED}|${SUBSTITUTION}|${HOLES.dollar}`,
          write: SHELL,
          unfitBehind: COMMAND,
          decoder: [onlyBackslashes('\\\\"$`'), EXPANSION],
        },
        {
          ...raw("'", "'", replacing(/'/g, String.raw`'\''`), [meaning(String.raw`'\\''`, "'")]),
          skip: String.raw`'\\''`,
        },
        lineComment('#', String.raw`(?<!\S)#`),
      ],
      value: (sql) => `'${sql.replaceAll("'", String.raw`'\''`)}'`,
      declare: [['sql=', '']],
      endsWithLine: true,
      opens: /\{$/,
      // A bracket opens a list of parameters or commands, and a space ends a value.
      around: { before: /(?:[\w\])]\+?=(?:\([ \t]?)?|<<<[ \t]?|[ \t]-[\w-]{1,50}[= \t])$/, after: /^(?:[\s;)|&<>]|$)/ },
    },
  ],
  [
    /^r$/,
    {
      mark: '#',
      forms: [raw(String.raw`\b[rR]"\(`, String.raw`\)"`), R, SINGLE_LINES, HASH],
      value: inQuotes('"', R),
      declare: [['sql <- ', '']],
      endsWithLine: true,
    },
  ],
  [
    /^(terraform|tf|tfvars|hcl|opentofu)$/,
    {
      mark: '#',
      forms: [withHoles(heredoc(String.raw`<<-?(\w+)\r?\n`, template, TEMPLATE), 'template'), HCL, HASH, ...SLASHES],
      value: inQuotes('"', HCL),
    },
  ],
];

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
} from './literalForms.ts';

/** A bracket that is open in the text of a literal is a command. */
const COMMAND = /\$\((?:[^()]|\([^()]*\))*$/;
const SHELL = replacing(/[\\"$`]/g, '\\$&');
const EXPANSION = special('`|' + String.raw`\$[\w({]`);
const HCL = quoted('"', undefined, { more: template, decoder: [BACKSLASHES, ...TEMPLATE] });

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
          skip: ESCAPED,
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
      // A bracket starts a list of parameters or commands, and a space ends a value.
      around: { before: /(?:[\w\])]\+?=(?:\(\s*)?|<<<\s*|\s-[\w-]+(?:=|\s+))$/, after: /^(?:[\s;)|&<>]|$)/ },
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
      forms: [heredoc(String.raw`<<-?(\w+)\r?\n`, template, TEMPLATE), HCL, HASH, ...SLASHES],
      value: inQuotes('"', HCL),
    },
  ],
];

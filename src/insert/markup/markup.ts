/** Positions for text in templates and configuration languages: Go templates, LookML and others. */
import { meaning, pairs, special, type Decoder } from '../literals/decode.ts';
import { inQuotes, type Language } from '../literals/languages.ts';
import { DOUBLE, HASH, LINES, opaque, raw, rawWith, replacing, type Form } from '../literals/literalForms.ts';

/** Text outside of template actions. The opening delimiter `{{` in SQL is written as a string in an action. */
const TEMPLATE_TEXT: Form = {
  ...raw(String.raw`(?<![\s\S])|\}\}`, String.raw`(?=\{\{)|(?![\s\S])`, replacing(/\{\{/g, '{{"{{"}}'), [
    meaning(String.raw`\{\{"\{\{"\}\}`, '{{'),
    special(String.raw`\{\{`),
  ]),
  skip: String.raw`\{\{"\{\{"\}\}`,
};
const TEMPLATE: Language = {
  forms: [
    TEMPLATE_TEXT,
    { ...raw(String.raw`\{\{-?[ \n]*/\*`, String.raw`\*/(?=[ \n]*-?\}\})`), isComment: true },
    opaque(String.raw`\{\{`, String.raw`(?=\}\})`),
  ],
  value: TEMPLATE_TEXT.write,
};

/** LookML parsers treat backslashes in strings differently, and strings contain Liquid. */
const LABEL: Form = { ...LINES, decoder: [special(String.raw`\\|\{[{%]`)] };
/** References to fields, and Liquid. */
const REFERENCES = { hole: String.raw`\$\{|\{[{%]`, decoder: [special(String.raw`\$\{|\{[{%]`)] };
const LOOKML: Language = {
  forms: [{ ...rawWith(REFERENCES, String.raw`\bsql(?:_\w+)?:`, ';;'), isWarehouseSql: true }, LABEL, HASH],
  // A string is inserted only as the value of a parameter (`label: …`) or filter; the items of other lists are names.
  around: { before: /(?:^|[[,])\s*[\w.]+:\s*$/, after: /^\s*(?:[,\]]|$)/ },
  // A file consists of blocks and parameters with fixed names.
  declare: [],
  value: inQuotes('"', LINES),
};

const BACKTICKS = replacing(/[`$"]/g, '`$&');
const FROM_BACKTICKS: Decoder = [
  ['`[\\s\\S]', (match) => (/\w/.test(match) ? undefined : match.slice(1))],
  special(String.raw`\$[\w({:]`),
];
const VARIABLES = { hole: String.raw`\$[({]`, skip: String.raw`\$\w+|${'`'}[\s\S]` };
const POWERSHELL: Language = {
  forms: [
    raw(String.raw`@'\n`, "^'@"),
    { ...raw(String.raw`@"\n`, '^"@', replacing(/[`$]/g, '`$&'), FROM_BACKTICKS), ...VARIABLES },
    {
      ...raw('"', '"', BACKTICKS, [pairs('""'), ...FROM_BACKTICKS]),
      ...VARIABLES,
      skip: `""|${VARIABLES.skip}`,
    },
    { open: "'", close: "'", skip: "''", write: replacing(/'/g, "''"), decoder: [pairs("''")] },
    { ...raw('<#', '#>'), isComment: true },
    HASH,
  ],
  value: (sql) => `'${sql.replaceAll("'", "''")}'`,
  declare: [['$sql = ', '']],
  opens: /\{$/,
  notIn: /\b(?:enum|switch)\b|@$/i,
  // Parameters come first in a function, and nothing else is beside its named blocks.
  first:
    /^(?:\[[\w.]+(?:\([^()]*\))?\]\s*)*(?:param\b|(?:begin|process|end)\s*\{)|^using\s+(?:namespace|module|assembly)\b|^elseif\b/i,
  last: /^([ \t]*)(?:begin|process|end)\b(?:.*\n(?:(?:\1[ \t].*|\1\{|)\n)*\1|.*)\}(?![^])/im,
};

/** Not all parsers decode escapes other than that of a line break. */
const ENV_LINES: Form = { ...LINES, write: DOUBLE.write, decoder: [meaning('\\\\n', '\n'), special('\\\\')] };
const ENV: Language = {
  forms: [ENV_LINES, raw("'"), HASH],
  value: (sql) => (/["\\$]/.test(sql) && !sql.includes("'") ? `'${sql}'` : `"${DOUBLE.write(sql)}"`),
};

/** Languages by VS Code language id and file extension. */
export const MARKUP: Readonly<Record<string, Language>> = {
  'gotmpl go-template gohtml tmpl': TEMPLATE,
  'lookml lkml': LOOKML,
  'powershell psm1 ps1': POWERSHELL,
  'dotenv env': ENV,
};

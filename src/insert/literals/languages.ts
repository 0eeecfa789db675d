/** The literals and comments of languages in which SQL is inserted only into existing literals. */
import { special } from './decode.ts';
import { DOUBLE, HASH, opaque, quotedForm, raw, tripled, type Form } from './literalForms.ts';

export interface Language {
  forms: readonly Form[];
}

/** Keys and table names of TOML in quotes. */
const TOML_NAMES = [
  opaque(String.raw`^[ \t]*\[(?=[^\n=,#]*(?:#|$))`, String.raw`\]+`),
  ...['"', "'"].map((quote) => opaque(String.raw`${quote}(?=[^\n${quote}]*${quote}[ \t]*[.=])`, quote)),
];

/** The value of a LookML parameter; `${…}` is a reference to a field, and `{{` and `{%` are Liquid. */
const LOOKML_SQL: Form = {
  // Without its end, the value ends before the next parameter.
  ...raw(String.raw`\bsql(?:_\w+)?:`, String.raw`;;|(?=\n[ \t]*(?:\}|\w+: ))`, undefined, [
    special(String.raw`\$\{|\{[{%]`),
  ]),
  fields: /\{[^{}]*\}/g,
  ending: ';;',
  isWarehouseSql: true,
};
const LINES = quotedForm('"', { isOneLine: false });
/** LookML parsers treat backslashes in strings differently, and strings contain Liquid. */
const LABEL: Form = { ...LINES, decoder: [special(String.raw`\\|\{[{%]`)] };

/** Languages by VS Code language id and file extension. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  toml: { forms: [tripled('"'), raw("'''"), ...TOML_NAMES, DOUBLE, { ...raw("'"), isOneLine: true }, HASH] },
  'lookml lkml': { forms: [LOOKML_SQL, LABEL, HASH] },
  r: {
    forms: [raw(String.raw`\b[rR]"\(`, String.raw`\)"`), LINES, quotedForm("'", { isOneLine: false }), HASH],
  },
};

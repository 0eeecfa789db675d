/** Positions for text in markup and configuration languages: XML, LookML and others. */
import { meaning, pairs, special, type Decoder } from '../literals/decode.ts';
import type { Language } from '../literals/languages.ts';
import { DOUBLE, HASH, raw, replacing, type Form } from '../literals/literalForms.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};
const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]));

const toEntities = (text: string): string =>
  text.replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? character);

const toMarkup = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

const FROM_ENTITIES: Decoder = [
  ['&(?:amp|lt|gt|quot|apos|#10);', (entity) => CHARACTERS.get(entity)],
  special('&#?\\w+;'),
];
const ENTITY = String.raw`&#?\w+;`;
const attribute = (quote: string): Form => ({
  ...raw(`=\\s*${quote}`, quote, toEntities, FROM_ENTITIES),
  skip: ENTITY,
});

/** The part of a document before its root, which can't contain text. */
const PROLOG = /^(?:\s|<!--(?:[^-]|-(?!->))*-->|<\?(?:[^?]|\?(?!>))*\?>|<!DOCTYPE[^[\]>]*(?:\[[^\]]*\][^[\]>]*)?>)*$/i;

const XML: Language = {
  forms: [
    { ...raw('<!--', '--(?=>)'), isComment: true },
    {
      ...raw(String.raw`<!\[CDATA\[`, String.raw`\]\](?=>)`, replacing(/\]\]>/g, ']]]]><![CDATA[>'), [
        meaning(String.raw`\]\]><!\[CDATA\[`, ''),
      ]),
      skip: String.raw`\]{4}><!\[CDATA\[>`,
    },
    { ...raw(String.raw`<\?`, String.raw`\?>`), unfit: /^/ },
    attribute('"'),
    attribute("'"),
    { ...raw('>', '(?=<)', toMarkup, FROM_ENTITIES), skip: ENTITY, unfitBehind: PROLOG },
  ],
  value: toMarkup,
};

const TAGS = /<(\/?)(!--|[a-z][\w:]*(?:-[\w:]+)*)|(\/|--)>/gi;
/** Elements whose content is not markup, with the text that ends them. */
const RAW = new Map([
  ['!--', '-->'],
  ['script', '</script'],
  ['style', '</style'],
]);
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

function elementAt(text: string): string | undefined {
  const open: string[] = [];
  let hasContent = false;
  let rawEnd: string | undefined;
  for (const [token, close, name = '', empty] of text.matchAll(TAGS)) {
    if (rawEnd !== undefined) {
      if (token.toLowerCase() === rawEnd) rawEnd = undefined;
      continue;
    }
    if (empty === '--') continue;
    if (empty === '/' && hasContent) open.pop();
    else if (close === '/' && open.includes(name)) open.length = open.lastIndexOf(name);
    rawEnd = close === '' ? RAW.get(name.toLowerCase()) : undefined;
    hasContent = close === '' && rawEnd === undefined && !VOID.test(name);
    if (hasContent) open.push(name);
  }
  return open.at(-1);
}
/** Browsers move text out of these elements, and end the head of a page at it. */
const NO_TEXT = /^(?:html|head|table|thead|tbody|tfoot|tr|colgroup)$/i;
const HEAD_ELEMENT = /<(?:base|link|meta)\b[^<>]*>\s*$/i;
const isInNoText = {
  test: (before: string): boolean =>
    PROLOG.test(before) || HEAD_ELEMENT.test(before) || NO_TEXT.test(elementAt(before) ?? ''),
};

const HTML: Language = {
  ...XML,
  hasScripts: true,
  forms: [
    { ...raw(String.raw`<(script|style)\b[^<>]{0,1000}>`, '(?=</(script|style))'), unfit: /^/ },
    ...XML.forms.map((form) => (form.unfitBehind ? { ...form, unfitBehind: isInNoText } : form)),
  ],
};
/** In braces, and in attributes with such names, there is an expression. */
const EXPRESSION = /(?:\{[^{}]*|\{\{[^{}]*\}|\s(?:[:@#]|v-)[^\s=]*=\s*["'][^"']*)$/;
const component = (isUnfit: (before: string) => boolean): Language => ({
  ...HTML,
  forms: HTML.forms.map((form) => {
    if (form.isComment) return form;
    const isText = form.unfitBehind !== undefined;
    const test = (before: string): boolean => EXPRESSION.test(before) || (isText && isUnfit(before));
    return { unfit: /[{}]/, ...form, unfitBehind: { test } };
  }),
});
const COMPONENT = component((before) => isInNoText.test(before));
/** Vue ignores text outside of its blocks. */
const VUE = component((before) => elementAt(before) === undefined || isInNoText.test(before));

/** Text before a template action; an opening delimiter is written as a literal in an action. */
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
    { ...raw(String.raw`\{\{`, String.raw`(?=\}\})`), unfit: /^/ },
  ],
  value: TEMPLATE_TEXT.write,
};

/** LookML parsers treat backslashes in strings differently, and strings contain Liquid. */
const LABEL: Form = {
  ...DOUBLE,
  unfit: /["\\\n]|\{[{%]/,
  decoder: [special(String.raw`\\|\{[{%]`)],
};
const LOOKML: Language = {
  forms: [{ ...raw(String.raw`\bsql(?:_\w+)?:`, ';;'), isWarehouseSql: true, unfit: /\$\{|\{[{%]/ }, LABEL, HASH],
  // A string is inserted only as the value of a parameter (`label: …`); the items of LookML lists are names.
  around: { before: /^\s*\w+:\s*$/, after: /^\s*$/ },
  value: (sql) => `"${DOUBLE.write(sql)}"`,
};

const BACKTICKS = replacing(/[`$"]/g, '`$&');
const FROM_BACKTICKS: Decoder = [
  ['`[\\s\\S]', (match) => (/\w/.test(match) ? undefined : match.slice(1))],
  special(String.raw`\$[\w({:]`),
];
const POWERSHELL: Language = {
  forms: [
    raw(String.raw`@'\r?\n`, "^'@"),
    raw(String.raw`@"\r?\n`, '^"@', replacing(/[`$]/g, '`$&'), FROM_BACKTICKS),
    { open: '"', close: '"', skip: '""|`[\\s\\S]', write: BACKTICKS, decoder: [pairs('""'), ...FROM_BACKTICKS] },
    { open: "'", close: "'", skip: "''", write: replacing(/'/g, "''"), decoder: [pairs("''")] },
    { ...raw('<#', '#>'), isComment: true },
    HASH,
  ],
  value: (sql) => `'${sql.replaceAll("'", "''")}'`,
};

const LINES = { ...DOUBLE, isOneLine: false };
const ENV: Language = { forms: [LINES, raw("'"), HASH], value: (sql) => `"${DOUBLE.write(sql)}"` };

/** By VS Code language ids and file extensions. */
export const MARKUP: Readonly<Record<string, Language>> = {
  xml: XML,
  'html htm xhtml': HTML,
  vue: VUE,
  'svelte astro': COMPONENT,
  'gotmpl go-template gohtml tmpl': TEMPLATE,
  'lookml lkml': LOOKML,
  'powershell psm1 ps1': POWERSHELL,
  'dotenv env': ENV,
};

/** Splits SQL into tokens, so that literals and comments are never changed. PostgreSQL by default. */

export type TokenKind =
  'space' | 'lineComment' | 'blockComment' | 'string' | 'identifier' | 'dollar' | 'word' | 'number' | 'symbol';

export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
  text: string;
  /** False if the text ended inside the literal or comment. */
  closed: boolean;
}

/** Patterns in matching order; a group `end` contains the end of a literal, and is empty if the text ended inside it. */
export type Dialect = readonly (readonly [TokenKind, RegExp])[];

// Each character can match in only one way, so the time is linear. A lone backslash can only end the text.
const SHARED: Dialect = [
  ['space', /\s+/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  ['number', /\d[\w.]*/y],
];

export const POSTGRES: Dialect = [
  ['lineComment', /--[^\r\n]*/y],
  ['string', /[eE]'[^'\\]*(?:(?:''|\\[^])[^'\\]*)*\\?(?<end>'?)/y],
  ['string', /'[^']*(?:''[^']*)*(?<end>'?)/y],
  ['identifier', /"[^"]*(?:""[^"]*)*(?<end>"?)/y],
  ...SHARED,
];

/** MySQL, BigQuery, Snowflake and similar: backslash escapes in literals, names in backticks, comments with `#`. */
export const BACKSLASHES: Dialect = [
  ['lineComment', /--[^\r\n]*|(?<=^[ \t]*)#(?![\w>-])[^\r\n]*/my],
  ['string', /'[^'\\]*(?:(?:''|\\[^])[^'\\]*)*\\?(?<end>'?)/y],
  ['identifier', /"[^"\\]*(?:(?:""|\\[^])[^"\\]*)*\\?(?<end>"?)/y],
  ['identifier', /`[^`]*(?<end>`?)/y],
  ...SHARED,
];

/** The end of the block comment at an offset, which may contain others; undefined if it isn't closed. */
function endOfComment(sql: string, start: number): number | undefined {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

const DOLLAR_TAG = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

function endOfDollar(sql: string, start: number, tag: string): number | undefined {
  const close = sql.indexOf(tag, start + tag.length);
  return close < 0 ? undefined : close + tag.length;
}

function tokenAt(sql: string, start: number, dialect: Dialect): Token {
  const token = (kind: TokenKind, end?: number): Token => {
    const text = sql.slice(start, end);
    return { kind, start, end: start + text.length, text, closed: end !== undefined };
  };
  if (sql.startsWith('/*', start)) return token('blockComment', endOfComment(sql, start));
  DOLLAR_TAG.lastIndex = start;
  const tag = DOLLAR_TAG.exec(sql)?.[0];
  if (tag !== undefined) return token('dollar', endOfDollar(sql, start, tag));
  for (const [kind, pattern] of dialect) {
    pattern.lastIndex = start;
    const match = pattern.exec(sql);
    if (match) return { ...token(kind, pattern.lastIndex), closed: match.groups?.end !== '' };
  }
  return token('symbol', start + 1);
}

/** @returns the tokens of the text, without gaps; an unclosed literal or comment extends to the end */
export function lexSql(sql: string, dialect = POSTGRES): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; at = tokens.at(-1)?.end ?? sql.length) tokens.push(tokenAt(sql, at, dialect));
  return tokens;
}

/** @returns whether the token is code: neither white space nor a comment */
export const isCode = ({ kind }: Token): boolean =>
  kind !== 'space' && kind !== 'lineComment' && kind !== 'blockComment';

/** @returns whether the token is a literal or quoted name, whose text is data */
export const isLiteral = ({ kind }: Token): boolean => kind === 'string' || kind === 'identifier' || kind === 'dollar';

/**
 * @returns the same text for SQL with the same tokens, literals included: it differs only in white space, comments, the
 * case of words and a semicolon at the end
 */
export function sqlKey(sql: string): string {
  const code = lexSql(sql).filter(isCode);
  const last = code.findLastIndex(({ text }) => text !== ';');
  return JSON.stringify(code.slice(0, last + 1).map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : text)));
}

/** Splits SQL into tokens, so that literals and comments are never changed. PostgreSQL by default. */

export type TokenKind =
  'space' | 'lineComment' | 'blockComment' | 'string' | 'identifier' | 'dollar' | 'word' | 'number' | 'symbol';

export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
  /** False if the text ended inside the literal or comment. */
  closed: boolean;
}

const SPACE = /\s+/y;
const LINE_COMMENT = /--[^\r\n]*/y;
// Each character can match in only one way, so the time is linear. A lone backslash can only end the text.
const STRING = /'[^']*(?:''[^']*)*('?)/y;
const ESCAPE_STRING = /[eE]'[^'\\]*(?:(?:''|\\[^])[^'\\]*)*\\?('?)/y;
const IDENTIFIER = /"[^"]*(?:""[^"]*)*("?)/y;
const DOLLAR_OPEN = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /\d[\w.]*/y;

/** Patterns in matching order; the flag says whether group 1 marks a closed token. */
export type Dialect = readonly (readonly [TokenKind, RegExp, boolean])[];

export const POSTGRES: Dialect = [
  ['space', SPACE, false],
  ['lineComment', LINE_COMMENT, false],
  ['string', ESCAPE_STRING, true],
  ['string', STRING, true],
  ['identifier', IDENTIFIER, true],
  ['word', WORD, false],
  ['number', NUMBER, false],
];

/** MySQL, BigQuery, Snowflake and similar: backslash escapes in literals, names in backticks, comments with `#`. */
export const BACKSLASHES: Dialect = [
  ['space', SPACE, false],
  ['lineComment', /--[^\r\n]*|(?<=^[ \t]*)#(?![\w>-])[^\r\n]*/my, false],
  ['string', /'[^'\\]*(?:(?:''|\\[^])[^'\\]*)*\\?('?)/y, true],
  ['identifier', /"[^"\\]*(?:(?:""|\\[^])[^"\\]*)*\\?("?)/y, true],
  ['identifier', /`[^`]*(`?)/y, true],
  ['word', WORD, false],
  ['number', NUMBER, false],
];

function blockCommentAt(sql: string, start: number): Token {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return { kind: 'blockComment', start, end: marks.lastIndex, closed: true };
  }
  return { kind: 'blockComment', start, end: sql.length, closed: false };
}

function dollarAt(sql: string, start: number, tag: string): Token {
  const close = sql.indexOf(tag, start + tag.length);
  return { kind: 'dollar', start, end: close < 0 ? sql.length : close + tag.length, closed: close >= 0 };
}

function tokenAt(sql: string, start: number, dialect: Dialect): Token {
  if (sql.startsWith('/*', start)) return blockCommentAt(sql, start);
  if (sql[start] === '$') {
    DOLLAR_OPEN.lastIndex = start;
    const tag = DOLLAR_OPEN.exec(sql)?.[0];
    if (tag !== undefined) return dollarAt(sql, start, tag);
  }
  for (const [kind, pattern, closes] of dialect) {
    pattern.lastIndex = start;
    const match = pattern.exec(sql);
    if (match !== null) return { kind, start, end: pattern.lastIndex, closed: !closes || match[1] !== '' };
  }
  return { kind: 'symbol', start, end: start + 1, closed: true };
}

/** @returns the tokens of the text, without gaps; an unclosed literal or comment extends to the end */
export function lexSql(sql: string, dialect = POSTGRES): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length;) {
    const token = tokenAt(sql, at, dialect);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** @returns whether the token is code: neither white space nor a comment */
export const isCode = ({ kind }: Token): boolean =>
  kind !== 'space' && kind !== 'lineComment' && kind !== 'blockComment';

/** @returns whether the token is a literal or quoted name, whose text is data */
export const isLiteral = ({ kind }: Token): boolean => kind === 'string' || kind === 'identifier' || kind === 'dollar';

/** Splits SQL into tokens, in enough detail to find names outside strings and comments. */

export type TokenKind = 'space' | 'text' | 'name' | 'quoted' | 'number' | 'symbol';
export interface Token {
  kind: TokenKind;
  /** The source text. */
  text: string;
  /** The name of an identifier: in lower case unless quoted; empty for other tokens. */
  name: string;
}

const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['space', /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)+/y],
  ['text', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|(\$[A-Za-z_]*\$)[\s\S]*?\1/y],
  ['quoted', /"(?:[^"]|"")*"/y],
  ['name', /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
];

function tokenAt(sql: string, at: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (text === undefined || text === '') continue;
    const name =
      kind === 'name' ? text.toLowerCase() : kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : '';
    return { kind, text, name };
  }
  return { kind: 'symbol', text: String.fromCodePoint(sql.codePointAt(at) ?? 0), name: '' };
}

/** @returns the tokens, whose concatenated texts are the SQL */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length;) {
    const token = tokenAt(sql, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

/** @returns the SQL identifier for a name */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** @returns the SQL string literal for a text */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Optional formatting, which never changes the meaning of SQL; a lazy chunk with the formatter (70 KB). */
import { formatDialect, postgresql } from 'sql-formatter';
import type { IndentStyle } from '../indent.ts';
import { BACKSLASHES, isCode, isLiteral, lexSql, POSTGRES, type Dialect } from '../../shared/text/lexSql.ts';

/** Matches an operator that all dialects know, unless other characters of operators are beside it. */
const KNOWN = /(?<![-+*/<>=~!@#%^&|?:.$\\`])(?:->>?|[<>!]=|<>|\|\||::|[-=<>+*/])(?![-+*/<>=~!@#%^&|?:.$\\`])/g;
/** Matches what is a comment in some dialects, up to the end of its line. */
const COMMENT_MARK = /\/\/|(?<!\S)#/;

/**
 * @returns the pieces of the SQL that white space can separate without a change of meaning; everything else is one
 * piece, such as operators that only some dialects know, or a literal with its prefix
 */
function piecesOf(sql: string, dialect: Dialect): string[] {
  let spaced = '';
  const fixed: string[] = [];
  for (const token of lexSql(sql, dialect)) {
    const { kind, text } = token;
    if (kind === 'space' || (isCode(token) && !isLiteral(token))) spaced += text;
    else {
      // A private-use character stands for the literal, so that a prefix stays beside it.
      spaced += isCode(token) ? '\ue000' : ' \ue000 ';
      fixed.push(isCode(token) ? text : text.trimEnd());
    }
  }
  // Literals on two lines are one string; on one line, they are an error.
  const joined = spaced.replace(/(?<=\ue000)\s+(?=\ue000)/g, (white) => (white.includes('\n') ? ' \\n ' : ' '));
  const pieces = joined
    .replace(/([=<>+*/])-(?=\d)/g, '$1 -')
    .replace(/[(),;]/g, ' $& ')
    .replace(KNOWN, ' $& ')
    .split(/\s+/);
  return [...pieces.filter((piece) => piece !== ''), ...fixed];
}

const KEYWORDS = new Set(postgresql.tokenizerOptions.reservedKeywords);

/** Removes the space that the formatter adds to the calls of other functions: in MySQL, `DATE_ADD (` calls none. */
const withCalls = (formatted: string, sql: string): string =>
  lexSql(formatted)
    .map(({ text }, at, tokens) => {
      const [name, next] = [tokens[at - 1], tokens[at + 1]];
      const isName = name?.kind === 'word' && !KEYWORDS.has(name.text.toUpperCase()) && sql.includes(`${name.text}(`);
      return text === ' ' && next?.text === '(' && isName ? '' : text;
    })
    .join('');

/**
 * @returns the SQL formatted as PostgreSQL; undefined if it can't be parsed, or if formatting would change more than
 * white space between tokens
 */
export function formattedSql(sql: string, { tabSize, insertSpaces }: IndentStyle): string | undefined {
  const code = lexSql(sql).map((token) => (isCode(token) && !isLiteral(token) ? token.text : ' '));
  if (COMMENT_MARK.test(code.join(''))) return undefined;
  try {
    const spaced = formatDialect(sql, { dialect: postgresql, tabWidth: tabSize, useTabs: !insertSpaces });
    const formatted = withCalls(spaced, sql);
    const isSame = [POSTGRES, BACKSLASHES].every(
      (each) => piecesOf(formatted, each).join('\0') === piecesOf(sql, each).join('\0'),
    );
    return isSame ? formatted : undefined;
  } catch {
    return undefined;
  }
}

/** @returns the formatted SQL; unchanged if it can't be formatted */
export const formatSql = (sql: string, style: IndentStyle): string => formattedSql(sql, style) ?? sql;

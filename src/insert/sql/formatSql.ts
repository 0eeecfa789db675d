/** Optional formatting, which never changes the meaning of SQL; a lazy chunk with the formatter (70 KB). */
import { formatDialect, postgresql, type DialectOptions } from 'sql-formatter';
import type { IndentStyle } from '../indent.ts';
import { isCode, lexSql } from './lex.ts';

const { tokenizerOptions } = postgresql;

/** PostgreSQL with the function of semantic SQL, so that no space is added before its parenthesis. */
const dialect: DialectOptions = {
  ...postgresql,
  name: 'semantic',
  tokenizerOptions: {
    ...tokenizerOptions,
    reservedFunctionNames: [...tokenizerOptions.reservedFunctionNames, 'MEASURE'],
  },
};

/** @returns the SQL without white space between tokens and at the end of comments, to compare two texts */
const solid = (sql: string): string =>
  lexSql(sql)
    .map((token) => (isCode(token) ? token.text : token.text.trimEnd()))
    .join('');

/**
 * @returns the SQL formatted as PostgreSQL; unchanged if it can't be parsed, or if formatting would change more than
 * white space between tokens
 */
export function formatSql(sql: string, { tabSize, insertSpaces }: IndentStyle): string {
  try {
    const formatted = formatDialect(sql, { dialect, tabWidth: tabSize, useTabs: !insertSpaces });
    return solid(formatted) === solid(sql) ? formatted : sql;
  } catch {
    return sql;
  }
}

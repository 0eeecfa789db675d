/** Optional formatting, which never changes the meaning of SQL. */
import { formatPostgres } from './formatter.ts';
import type { IndentStyle } from '../indent.ts';
import { isCode, lexSql } from './lex.ts';

/** Everything but white space between tokens; comments without trailing space. */
const solid = (sql: string): string =>
  lexSql(sql)
    .filter(({ kind }) => kind !== 'space')
    .map((token) => {
      const text = sql.slice(token.start, token.end);
      return isCode(token) ? text : text.trimEnd();
    })
    .join('');

/**
 * @returns the SQL formatted as PostgreSQL; unchanged if it can't be parsed, or if formatting would change more than
 * white space between tokens
 */
export function formatSql(sql: string, style: IndentStyle): string {
  try {
    const formatted = formatPostgres(sql, style);
    return solid(formatted) === solid(sql) ? formatted : sql;
  } catch {
    return sql;
  }
}

/** Optional formatting. The formatter is large, so its caller decides when and whence it is loaded. */
import { isCode, lexSql } from './lex.ts';

export interface FormatStyle {
  tabSize: number;
  insertSpaces: boolean;
}

/** Formats PostgreSQL text; throws when it cannot read it. */
export type SqlFormatter = (sql: string, style: FormatStyle) => string;

/** Everything but white space between tokens; comments without the space at their ends. */
const solid = (sql: string): string =>
  lexSql(sql)
    .filter(({ kind }) => kind !== 'space')
    .map((token) => {
      const text = sql.slice(token.start, token.end);
      return isCode(token) ? text : text.trimEnd();
    })
    .join('');

/**
 * @param load brings the formatter, for example `async () => (await import('./formatter.ts')).formatPostgres`
 * @returns the formatted SQL; the SQL as it was when it cannot be read, or when formatting would change more than
 * white space between tokens
 */
export async function formatSql(sql: string, style: FormatStyle, load: () => Promise<SqlFormatter>): Promise<string> {
  const format = await load();
  try {
    const formatted = format(sql, style);
    return solid(formatted) === solid(sql) ? formatted : sql;
  } catch {
    return sql;
  }
}

/**
 * Finds the tables and columns that a query over cubes and views uses. What can't be decided without a database is left
 * out: columns of subqueries, names behind an alias, and words that may be keywords.
 */
import { QueryReader } from './queryReader.ts';
import type { Reference } from './reference.ts';

/**
 * @param sql the query, without templates
 * @param offset offset of the query in its file
 */
export function queryReferences(sql: string, offset: number): Reference[] {
  if (/[{}]/.test(sql)) return [];
  const reader = new QueryReader(sql);
  return reader.read().map(({ parts, ...rest }) => ({
    ...rest,
    parts: parts.map(({ name, start }) => ({ name, start: start + offset })),
  }));
}

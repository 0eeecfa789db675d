/** What writing SQL into files needs: a bundle of its own, because most windows never insert anything. */
import { formatDialect, postgresql } from 'sql-formatter';

export { applyEdits, planInsertion } from '../sql/plan.ts';

/** @returns the SQL formatted as PostgreSQL, or as it is when it cannot be read */
export function formatSql(sql: string): string {
  try {
    return formatDialect(sql, { dialect: postgresql, keywordCase: 'preserve' });
  } catch {
    return sql;
  }
}

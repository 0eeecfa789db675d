/** What reading and writing SQL in files needs: a part of its own, because most windows never insert anything. */
import { formatPostgres } from '../sql/formatter.ts';
import { formatSql, type FormatStyle } from '../sql/formatSql.ts';

export { queryPairs, shownQueries } from './compare/queries.ts';
export { findDefinition } from '../sql/definitions.ts';
export { detectTarget } from '../sql/detect.ts';
export { completionsAt, memberReference, nameAt } from '../sql/members.ts';
export { applyEdits, planInsertion } from '../sql/plan.ts';

/** @returns the SQL formatted as PostgreSQL, or as it is when that would change more than white space */
export const format = (sql: string, style: FormatStyle): Promise<string> =>
  formatSql(sql, style, () => Promise.resolve(formatPostgres));

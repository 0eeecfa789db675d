/** What reading and writing SQL in files needs: a part of its own, because most windows never insert anything. */
export { queryPairs, shownQueries } from './compare/queries.ts';
export { findDefinition } from '../sql/definitions.ts';
export { formatSql } from '../sql/formatSql.ts';
export { detectTarget } from '../sql/detect.ts';
export { completionsAt, memberReference, nameAt } from '../sql/members.ts';
export { applyEdits, planInsertion } from '../sql/plan.ts';

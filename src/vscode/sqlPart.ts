/** What reading and writing SQL in files needs: a part of its own, because most windows never insert anything. */
export { queryPairs, shownQueries } from './compare/queries.ts';
export { findDefinition } from '../compare/definitions.ts';
export { formatSql } from '../insert/formatSql.ts';
export { detectTarget } from '../insert/detect.ts';
export { completionsAt, memberReference, nameAt } from '../compare/members.ts';
export { applyEdits, planInsertion } from '../insert/plan.ts';

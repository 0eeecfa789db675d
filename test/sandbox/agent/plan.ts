/** Builds semantic SQL over one view from an intent. */
import { addDays } from '../data/calendar.ts';
import type { View } from '../semantic/model.ts';
import { quoteText } from '../semantic/tokens.ts';
import { groupColumns, inPeriod, measureColumns, ViewNames, type PlanColumn, type SqlColumn } from './columns.ts';
import type { Intent } from './question/intent.ts';
import { chooseView } from './views.ts';

export type { PlanColumn } from './columns.ts';
export { PlanError } from './views.ts';

export interface Plan {
  view: View;
  sql: string;
  columns: PlanColumn[];
  title: string;
  description: string;
}

/** Number of rows of a ranking if the question does not say. */
const DEFAULT_LIMIT = 10;

export const plural = (text: string): string =>
  text.endsWith('s') ? text : text.endsWith('y') ? `${text.slice(0, -1)}ies` : `${text}s`;

function titleOf(intent: Intent, groups: readonly SqlColumn[]): string {
  const { measures, filters, range, against, direction, limit, growth, cumulative } = intent;
  const what = measures
    .map(({ member }, index) => (index === 0 ? member.title : member.title.toLowerCase()))
    .join(' and ');
  const names = groups.filter(({ role }) => role !== 'period').map(({ title }) => title.toLowerCase());
  const values = filters.map(({ values, exclude }) => `${exclude ? 'without ' : ''}${values.join(', ')}`);
  const when = range ? [against ? `${range.label} against ${against.label}` : range.label] : [];
  const tail = [...values, ...when].map((text) => `, ${text}`).join('');
  const [first, ...rest] = names;
  if (what === '') return plural(groups.map(({ title }) => title).join(' and ')) + tail;
  if (direction && limit !== undefined && first !== undefined)
    return `${direction === 'desc' ? 'Top' : 'Bottom'} ${limit} ${plural(first)} by ${what.toLowerCase()}${rest.length > 0 ? ` in each ${rest.join(' and ')}` : ''}${tail}`;
  const made = growth ? 'Growth of ' : cumulative ? 'Cumulative ' : '';
  const by = names.length > 0 ? ` by ${names.join(' and ')}` : '';
  return `${made}${made === '' ? what : what.toLowerCase()}${by}${tail}`;
}

function descriptionOf({ measures, range, against }: Intent, groups: readonly SqlColumn[]): string {
  const what = measures.map(({ member: { title } }) => title).join(' and ') || 'Values';
  const by = groups.map(({ title }) => title.toLowerCase()).join(' and ');
  const days = [range, against].flatMap((period) => (period ? [`${period.from} to ${addDays(period.to, -1)}`] : []));
  return `${what}${by === '' ? '' : ` for each ${by}`}${days.length > 0 ? ` from ${days.join(' and from ')}` : ''}.`;
}

function conditions(
  { filters, bounds, range, against }: Intent,
  names: ViewNames,
): { where: string[]; having: string[] } {
  const where = filters.map(({ concept, values, exclude }) => {
    const list = values.map(quoteText).join(', ');
    return `${names.qualified(concept)} ${exclude ? 'NOT IN' : 'IN'} (${list})`;
  });
  if (range && against) where.push(`((${inPeriod(names.time, against)})\n    OR (${inPeriod(names.time, range)}))`);
  else if (range) where.push(inPeriod(names.time, range));
  const having: string[] = [];
  for (const { concept, operator, value } of bounds)
    if (concept.member.kind === 'measure') having.push(`MEASURE(${names.qualified(concept)}) ${operator} ${value}`);
    else where.push(`${names.qualified(concept)} ${operator} ${value}`);
  return { where, having };
}

/**
 * Orders rankings by the measure; time, calendar parts and periods chronologically; other groups by the measure,
 * descending.
 */
function orderOf({ direction }: Intent, groups: readonly SqlColumn[], measure: SqlColumn | undefined): string[] {
  const order: string[] = [];
  const position = groups.length + 1;
  const inTime = groups.some(({ role }) => role === 'time' || role === 'part' || role === 'period');
  if (measure && direction) order.push(`${position} ${direction.toUpperCase()} NULLS LAST`);
  else if (measure && !inTime) order.push(`${position} ${measure.extreme === 'min' ? 'ASC' : 'DESC'} NULLS LAST`);
  // Order ties by name, so that results are deterministic.
  for (const [index, { order: own }] of groups.entries()) order.push(own ?? String(index + 1));
  return order;
}

/** Time series are never limited, so that the best month is found among all months. */
function limitOf({ direction, limit }: Intent, groups: readonly SqlColumn[]): number | undefined {
  if (direction === undefined || groups.length === 0) return undefined;
  return limit ?? (groups.every(({ role }) => role === 'dimension') ? DEFAULT_LIMIT : undefined);
}

/**
 * @returns the SQL and its columns
 * @throws PlanError if no view has all requested members
 */
export function planQuery(intent: Intent): Plan {
  const names = new ViewNames(chooseView(intent), intent);
  const { view } = names;
  const groups = groupColumns(intent, names);
  const measures = measureColumns(intent, names);
  const columns = [...groups, ...measures];
  const { where, having } = conditions(intent, names);
  const limit = limitOf(intent, groups);
  const order = orderOf(intent, groups, measures[0]);
  const [first, ...others] = groups;
  // "The top 3 products in each region" ranks within the other groups.
  const ranks = limit !== undefined && intent.limit !== undefined && first && others.length > 0;
  const rank = `ROW_NUMBER() OVER (PARTITION BY ${others.map(({ sql }) => sql).join(', ')} ORDER BY ${measures[0]?.sql ?? '1'} ${intent.direction === 'asc' ? 'ASC' : 'DESC'})`;
  const select = [...columns.map(({ sql, name }) => `${sql} AS ${name}`), ...(ranks ? [`${rank} AS position`] : [])];
  const grouped = [
    `SELECT\n  ${select.join(',\n  ')}`,
    `FROM ${view.name}`,
    ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(groups.length > 0 ? [`GROUP BY ${groups.map((_, index) => index + 1).join(', ')}`] : []),
    ...(having.length > 0 ? [`HAVING ${having.join('\n  AND ')}`] : []),
  ].join('\n');
  const sorted = groups.length > 0 ? `\nORDER BY ${order.join(', ')}` : '';
  const sql = ranks
    ? `WITH ranked AS (\n${grouped.replace(/^/gm, '  ')}\n)\nSELECT ${columns.map(({ name }) => name).join(', ')}\nFROM ranked\nWHERE position <= ${limit}\nORDER BY ${others.map(({ name }) => name).join(', ')}, position`
    : `${grouped}${sorted}${limit === undefined ? '' : `\nLIMIT ${limit}`}`;
  return { view, sql, columns, title: titleOf(intent, groups), description: descriptionOf(intent, groups) };
}

/** From an intent to semantic SQL over one view. */
import type { View, ViewMember } from '../semantic/model.ts';
import { quoteText } from '../semantic/tokens.ts';
import { addDays } from '../data/calendar.ts';
import type { Intent } from './intent.ts';
import type { Concept } from './lexicon.ts';
import type { Period } from './period.ts';

/** A column of the result and what it stands for. */
export interface PlanColumn {
  name: string;
  title: string;
  role: 'time' | 'part' | 'period' | 'dimension' | 'measure' | 'change' | 'share' | 'total';
  format?: 'currency' | 'percent';
  /** For measures: whether the parts add up to the whole. */
  additive?: boolean;
}
export interface Plan {
  view: View;
  sql: string;
  columns: PlanColumn[];
  title: string;
  description: string;
}

/** The members cannot be asked for together; the message says which view has what. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

/** Rows of a ranking when the question gives no number. */
const DEFAULT_LIMIT = 10;

const placeIn = (concept: Concept, view: View): ViewMember | undefined =>
  concept.places.find((place) => place.view === view)?.as;

/** Every view has one time that its rows are counted on: the first of its time dimensions. */
function timeOf(view: View, intent: Intent): ViewMember | undefined {
  const asked = intent.timeMember && placeIn(intent.timeMember, view);
  const isTime = ({ member }: ViewMember): boolean => member.kind === 'dimension' && member.type === 'time';
  return asked ?? [...view.members.values()].find(isTime);
}

function conceptsIn(intent: Intent): Concept[] {
  const { measures, dimensions, filters, bounds, timeMember } = intent;
  const filtered = [...filters, ...bounds].map(({ concept }) => concept);
  return [...measures, ...dimensions, ...filtered, ...(timeMember ? [timeMember] : [])];
}

/** The view that has everything, best one whose rows are those of the first measure. */
export function chooseView(intent: Intent): View {
  const concepts = conceptsIn(intent);
  const needsTime = intent.range !== undefined || intent.grain !== undefined || intent.part !== undefined;
  const candidates = (concepts[0]?.places ?? [])
    .map(({ view }) => view)
    .filter((view) => concepts.every((concept) => placeIn(concept, view)))
    .filter((view) => !needsTime || timeOf(view, intent));
  const root = concepts[0]?.key.split('.')[0];
  const best =
    candidates.find((view) => view.root.name === root) ??
    candidates.find(({ name }) => name === 'sales') ??
    candidates[0];
  if (best) return best;
  const [first, ...others] = concepts.map(({ member }) => `“${member.title}”`);
  const together = others.length > 0 ? `${first} cannot be combined with ${others.join(', ')}` : `${first} has no date`;
  throw new PlanError(`${together} in one view of the data model.`);
}

/** Name of the column, made unique by what stands before it. */
class Columns {
  readonly list: PlanColumn[] = [];
  readonly #sql: string[] = [];

  add(column: PlanColumn, sql: string): void {
    this.list.push(column);
    this.#sql.push(`${sql} AS ${column.name}`);
  }
  get select(): string {
    return `SELECT\n  ${this.#sql.join(',\n  ')}`;
  }
}

const inPeriod = (time: string, { from, to }: Period): string =>
  `${time} >= ${quoteText(from)} AND ${time} < ${quoteText(to)}`;

const isAdditive = ({ member }: ViewMember): boolean =>
  member.kind === 'measure' && (member.type === 'sum' || member.type === 'count');

const plural = (text: string): string =>
  text.endsWith('s') ? text : text.endsWith('y') ? `${text.slice(0, -1)}ies` : `${text}s`;

function titleOf(intent: Intent): string {
  const { measures, dimensions, grain, part, range, against, direction, limit } = intent;
  const what = measures.map(({ member }) => member.title).join(' and ');
  const by = [
    ...(grain ? [grain] : []),
    ...(part ? [part] : []),
    ...dimensions.map(({ member }) => member.title.toLowerCase()),
  ];
  const counted = direction && limit !== undefined && dimensions[0];
  const when = range ? `, ${range.label}${against ? ` against ${against.label}` : ''}` : '';
  if (what === '') return plural(dimensions.map(({ member }) => member.title).join(' and '));
  if (counted)
    return `${direction === 'desc' ? 'Top' : 'Bottom'} ${limit} ${plural(counted.member.title.toLowerCase())} by ${what.toLowerCase()}${when}`;
  return `${intent.growth ? 'Growth of ' : intent.cumulative ? 'Cumulative ' : ''}${intent.growth || intent.cumulative ? what.toLowerCase() : what}${by.length > 0 ? ` by ${by.join(' and ')}` : ''}${when}`;
}

/**
 * @returns the SQL, and what its columns are
 * @throws PlanError when no view has everything that is asked for
 */
export function planQuery(intent: Intent): Plan {
  const view = chooseView(intent);
  const qualified = (member: ViewMember): string => `${view.name}.${member.name}`;
  const member = (concept: Concept): ViewMember => placeIn(concept, view) as ViewMember;
  const timeMember = timeOf(view, intent);
  const time = timeMember ? qualified(timeMember) : '';
  const { measures, dimensions, filters, bounds, range, against, grain, part } = intent;
  const columns = new Columns();
  const order: string[] = [];

  // Against another range, months line up by their number: January beside January.
  const aligned = against && grain;
  if (aligned) {
    const field = { day: 'DOY', week: 'WEEK', month: 'MONTH', quarter: 'QUARTER', year: 'YEAR' }[grain];
    columns.add({ name: grain, title: grain, role: 'part' }, `EXTRACT(${field} FROM ${time})`);
    order.push('1');
  } else if (grain) {
    columns.add({ name: grain, title: grain, role: 'time' }, `DATE_TRUNC('${grain}', ${time})`);
    order.push('1');
  }
  if (part) {
    columns.add(
      { name: part, title: part, role: 'part' },
      part === 'hour' ? `EXTRACT(HOUR FROM ${time})` : `TRIM(TO_CHAR(${time}, 'Day'))`,
    );
    order.push(part === 'hour' ? String(columns.list.length) : `MIN(EXTRACT(ISODOW FROM ${time}))`);
  }
  const comparesPeriods = range !== undefined && against !== undefined;
  for (const concept of dimensions)
    columns.add(
      { name: member(concept).name, title: concept.member.title, role: 'dimension' },
      qualified(member(concept)),
    );
  if (comparesPeriods) {
    const cases = `CASE WHEN ${inPeriod(time, range)} THEN ${quoteText(range.label)} ELSE ${quoteText(against.label)} END`;
    columns.add({ name: 'period', title: 'period', role: 'period' }, cases);
  }
  const groups = columns.list.length;
  for (const concept of measures) {
    const { name, member: measure } = member(concept);
    const column: PlanColumn = {
      name,
      title: measure.title,
      role: 'measure',
      format: measure.format,
      additive: isAdditive(member(concept)),
    };
    const value = `MEASURE(${view.name}.${name})`;
    columns.add(column, value);
    if (intent.share)
      columns.add(
        { name: `${name}_share`, title: `Share of ${measure.title.toLowerCase()}`, role: 'share', format: 'percent' },
        `ROUND(100.0 * ${value} / SUM(${value}) OVER (), 2)`,
      );
    if (intent.cumulative && grain && !aligned)
      columns.add(
        { name: `${name}_to_date`, title: `${measure.title} to date`, role: 'total', format: measure.format },
        `SUM(${value}) OVER (ORDER BY DATE_TRUNC('${grain}', ${time}))`,
      );
    if (intent.growth && grain && !aligned) {
      const before = `LAG(${value}) OVER (ORDER BY DATE_TRUNC('${grain}', ${time}))`;
      columns.add(
        {
          name: `${name}_growth`,
          title: `Growth of ${measure.title.toLowerCase()}`,
          role: 'change',
          format: 'percent',
        },
        `ROUND(100.0 * (${value} - ${before}) / NULLIF(${before}, 0), 2)`,
      );
    }
  }
  const direction = intent.direction === 'asc' ? 'ASC' : 'DESC';
  const firstMeasure = columns.list.findIndex(({ role }) => role === 'measure') + 1;
  const ranks = intent.direction !== undefined && firstMeasure > 0;
  if (ranks) order.unshift(`${firstMeasure} ${direction} NULLS LAST`);
  if (comparesPeriods && dimensions.length === 0 && !ranks) order.push(`MIN(${time})`);
  if (firstMeasure === 0) order.push('1');
  else if (!ranks && order.length === 0) order.push(`${firstMeasure} DESC NULLS LAST`);
  // Equal values come in the order of their names, so that the same question always gives the same rows.
  for (let group = 1; group <= groups; group += 1) if (!order.includes(String(group))) order.push(String(group));

  const where = filters.map((filter) => {
    const list = filter.values.map(quoteText).join(', ');
    return `${qualified(member(filter.concept))} ${filter.exclude ? 'NOT IN' : 'IN'} (${list})`;
  });
  if (comparesPeriods) where.push(`((${inPeriod(time, against)}) OR (${inPeriod(time, range)}))`);
  else if (range) where.push(inPeriod(time, range));
  const having: string[] = [];
  for (const { concept, operator, value } of bounds) {
    const target = member(concept);
    if (concept.member.kind === 'measure') having.push(`MEASURE(${qualified(target)}) ${operator} ${value}`);
    else where.push(`${qualified(target)} ${operator} ${value}`);
  }
  const limit = ranks && groups > 0 ? (intent.limit ?? DEFAULT_LIMIT) : undefined;
  const sql = [
    columns.select,
    `FROM ${view.name}`,
    ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : []),
    ...(groups > 0 ? [`GROUP BY ${Array.from({ length: groups }, (_, index) => index + 1).join(', ')}`] : []),
    ...(having.length > 0 ? [`HAVING ${having.join('\n  AND ')}`] : []),
    ...(groups > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join('\n');
  const dates = range ? ` from ${range.from} to ${addDays(range.to, -1)}` : '';
  const groupsText = columns.list
    .slice(0, groups)
    .map(({ title }) => title.toLowerCase())
    .join(' and ');
  const what = measures.map(({ member: { title } }) => title).join(' and ') || 'Values';
  return {
    view,
    sql,
    columns: columns.list,
    title: titleOf(intent),
    description: `${what}${groupsText === '' ? '' : ` for each ${groupsText}`}${dates}.`,
  };
}

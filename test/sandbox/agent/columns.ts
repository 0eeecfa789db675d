/** Builds the columns of a query: dimensions to group by, and measures. */
import type { View, ViewMember } from '../semantic/model.ts';
import { quoteText } from '../semantic/tokens.ts';
import type { Intent } from './question/intent.ts';
import type { Concept } from './question/lexicon.ts';
import type { Period } from './question/period.ts';
import { placeIn, timeOf } from './views.ts';

/** A column of the result and its meaning. */
export interface PlanColumn {
  name: string;
  title: string;
  role: 'time' | 'part' | 'period' | 'dimension' | 'measure' | 'change' | 'share' | 'total';
  format?: 'currency' | 'percent';
  /** For measures: whether the values of the parts add up to the total. */
  additive?: boolean;
  /** For measures: whether it is a count, so that answers say "most" and "fewest". */
  counts?: boolean;
  /** For minimum and maximum measures, such as a lowest price. */
  extreme?: 'min' | 'max';
}
export interface SqlColumn extends PlanColumn {
  sql: string;
  /** SQL to order rows by, if it is not the column itself. */
  order?: string;
}

export const inPeriod = (time: string, { from, to }: Period): string =>
  `${time} >= ${quoteText(from)} AND ${time} < ${quoteText(to)}`;

/** Names and SQL of members in the chosen view. */
export class ViewNames {
  readonly view: View;
  readonly #time: ViewMember | undefined;

  constructor(view: View, intent: Intent) {
    this.view = view;
    this.#time = timeOf(view, intent);
  }

  member(concept: Concept): ViewMember {
    const place = placeIn(concept, this.view);
    if (!place) throw new Error(`${concept.key} is not in ${this.view.name}`);
    return place;
  }
  qualified(concept: Concept): string {
    return `${this.view.name}.${this.member(concept).name}`;
  }
  get time(): string {
    return this.#time ? `${this.view.name}.${this.#time.name}` : '';
  }
}

/** Columns to group by, in sort order. */
export function groupColumns(intent: Intent, names: ViewNames): SqlColumn[] {
  const { grain, part, range, against, dimensions } = intent;
  const { time } = names;
  const columns: SqlColumn[] = [];
  if (grain && against) {
    // When two ranges are compared, months are matched by number: January with January.
    const field = { day: 'DOY', week: 'WEEK', month: 'MONTH', quarter: 'QUARTER', year: 'YEAR' }[grain];
    columns.push({ name: grain, title: grain, role: 'part', sql: `EXTRACT(${field} FROM ${time})` });
  } else if (grain) columns.push({ name: grain, title: grain, role: 'time', sql: `DATE_TRUNC('${grain}', ${time})` });
  if (part === 'hour') columns.push({ name: 'hour', title: 'hour', role: 'part', sql: `EXTRACT(HOUR FROM ${time})` });
  if (part === 'weekday')
    columns.push({
      name: 'weekday',
      title: 'weekday',
      role: 'part',
      sql: `TRIM(TO_CHAR(${time}, 'Day'))`,
      order: `MIN(EXTRACT(ISODOW FROM ${time}))`,
    });
  for (const concept of dimensions) {
    const { name } = names.member(concept);
    columns.push({ name, title: concept.member.title, role: 'dimension', sql: names.qualified(concept) });
  }
  if (range && against) {
    const sql = `CASE WHEN ${inPeriod(time, range)} THEN ${quoteText(range.label)} ELSE ${quoteText(against.label)} END`;
    columns.push({ name: 'period', title: 'period', role: 'period', sql, order: `MIN(${time})` });
  }
  return columns;
}

function measureColumn(concept: Concept, names: ViewNames): SqlColumn {
  const { member } = concept;
  const { name } = names.member(concept);
  const column: SqlColumn = { name, title: member.title, role: 'measure', sql: `MEASURE(${names.qualified(concept)})` };
  if (member.format) column.format = member.format;
  if (member.kind !== 'measure') return column;
  column.additive = member.type === 'sum' || member.type === 'count';
  column.counts = !member.format && (column.additive || member.type === 'count_distinct');
  if (member.type === 'min' || member.type === 'max') column.extreme = member.type;
  return column;
}

/** Each measure, followed by its derived columns: share, running total, change. */
export function measureColumns(intent: Intent, names: ViewNames): SqlColumn[] {
  const { measures, grain, against, share, cumulative, growth } = intent;
  const inOrder = grain && !against ? `OVER (ORDER BY DATE_TRUNC('${grain}', ${names.time}))` : undefined;
  return measures.flatMap((concept) => {
    const column = measureColumn(concept, names);
    const { name, sql, title, format } = column;
    const made: SqlColumn[] = [column];
    if (share)
      made.push({
        name: `${name}_share`,
        title: `Share of ${title.toLowerCase()}`,
        role: 'share',
        format: 'percent',
        sql: `ROUND(100.0 * ${sql} / NULLIF(SUM(${sql}) OVER (), 0), 2)`,
      });
    if (cumulative && inOrder)
      made.push({
        name: `${name}_to_date`,
        title: `${title} to date`,
        role: 'total',
        format,
        sql: `SUM(${sql}) ${inOrder}`,
      });
    if (growth && inOrder) {
      const before = `LAG(${sql}) ${inOrder}`;
      made.push({
        name: `${name}_growth`,
        title: `Growth of ${title.toLowerCase()}`,
        role: 'change',
        format: 'percent',
        sql: `ROUND(100.0 * (${sql} - ${before}) / NULLIF(${before}, 0), 2)`,
      });
    }
    return made;
  });
}

/** Phrases shared by answers. */
import { addDays } from '../data/calendar.ts';
import type { Value } from '../data/client.ts';
import { escapeMarkdown, formatNumber, formatValue } from './format.ts';
import type { Intent } from './question/intent.ts';
import type { Plan, PlanColumn } from './plan.ts';

/** The data from which an answer is written. */
export interface Story {
  intent: Intent;
  plan: Plan;
  rows: readonly (readonly Value[])[];
}
/** A column and its index in a row. */
export interface Cell {
  column: PlanColumn;
  index: number;
}

export const numeric = (value: Value | undefined): number =>
  value === null || value === undefined ? Number.NaN : Number(value);

export const cellsOf = ({ columns }: Plan, ...roles: readonly PlanColumn['role'][]): Cell[] =>
  columns.flatMap((column, index) => (roles.includes(column.role) ? [{ column, index }] : []));

/** Lowercases the first letter of a title for use in a sentence, except in abbreviations. */
export const inSentence = (title: string): string =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

export const startSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const was = (title: string): string => (/^(?!Number).*[^s]s$/.test(title) ? 'were' : 'was');

/** The name of a row: its cells that are not measures. */
export function rowName({ plan }: Story, row: readonly Value[]): string {
  const cells = cellsOf(plan, 'time', 'part', 'period', 'dimension');
  return escapeMarkdown(cells.map(({ column, index }) => formatValue(row[index], column)).join(', '));
}

/** " in 2024", " since 2024-03-01"; empty for all time. */
export function when({ range }: Intent): string {
  if (!range) return '';
  if (/^(?:since|up to)/.test(range.label)) return ` ${range.label}`;
  if (range.unit === 'day') return ` on ${range.from}`;
  return range.label.includes(range.from) && range.unit === undefined
    ? ` from ${range.from} to ${addDays(range.to, -1)}`
    : ` in ${range.label}`;
}

/** " (region Europe; channel not Store)"; empty without filters. */
export function conditions({ filters }: Intent): string {
  const texts = filters.map(({ concept, values, exclude }) => {
    const list = values.join(exclude ? ' nor ' : ' or ');
    return `${inSentence(concept.member.title)} ${exclude ? 'not ' : ''}${list}`;
  });
  return texts.length === 0 ? '' : ` (${escapeMarkdown(texts.join('; '))})`;
}

/** @returns the rows with the largest and the smallest value, or `undefined` if no row has a value */
export function extremes(
  { rows }: Story,
  { index }: Cell,
): { best: readonly Value[]; worst: readonly Value[] } | undefined {
  const known = rows.filter((row) => Number.isFinite(numeric(row[index])));
  const sorted = [...known].sort((a, b) => numeric(b[index]) - numeric(a[index]));
  const [best, worst] = [sorted[0], sorted.at(-1)];
  return best && worst ? { best, worst } : undefined;
}

/** The sum of a column, rounded to two decimals to remove floating-point errors. */
export function sumOf(rows: readonly (readonly Value[])[], { index }: Cell): number {
  return Math.round(rows.reduce((sum, row) => sum + (numeric(row[index]) || 0), 0) * 100) / 100;
}

/** The change between two values: in percent, or in percentage points if the values are percentages. */
export function change(from: number, to: number, { format }: PlanColumn): string {
  const sign = to >= from ? '+' : '−';
  const by = (value: number): string => Math.abs(value).toLocaleString('en-US', { maximumFractionDigits: 1 });
  if (format === 'percent')
    return `${sign}${Math.abs(to - from).toLocaleString('en-US', { maximumFractionDigits: 2 })} points`;
  return from > 0 ? `${sign}${by((100 * (to - from)) / from)} %` : formatNumber(to - from, format);
}

/** "has the most orders", "has the lowest return rate". */
export function superlative({ column }: Cell, direction: Intent['direction']): string {
  const name = inSentence(column.title);
  if (column.extreme) return `comes first with a ${name} of`;
  if (column.counts === true) return `has the ${direction === 'asc' ? 'fewest' : 'most'} ${name}:`;
  return `has the ${direction === 'asc' ? 'lowest' : 'highest'} ${name}:`;
}

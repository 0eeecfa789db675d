/** Writes the answer, in Markdown, from the rows of the result and from nothing else. */
import { addDays } from '../data/calendar.ts';
import type { QueryResult, Value } from '../semantic/query.ts';
import { escapeMarkdown, formatNumber, formatValue, markdownTable } from './format.ts';
import type { Intent } from './intent.ts';
import type { Plan, PlanColumn } from './plan.ts';

const MAX_TABLE_ROWS = 12;

interface Story {
  intent: Intent;
  plan: Plan;
  rows: readonly (readonly Value[])[];
}
interface Cell {
  column: PlanColumn;
  index: number;
}

const numeric = (value: Value | undefined): number =>
  value === null || value === undefined ? Number.NaN : Number(value);
const columnOf = ({ columns }: Plan, role: PlanColumn['role']): Cell | undefined => {
  const index = columns.findIndex((column) => column.role === role);
  const column = columns[index];
  return column && { column, index };
};
const lower = (text: string): string => (/^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1));

/** What a row is about: everything in it that is not a number. */
function rowName({ plan }: Story, row: readonly Value[]): string {
  const names = plan.columns.flatMap((column, index) =>
    ['time', 'part', 'period', 'dimension'].includes(column.role) ? [formatValue(row[index], column)] : [],
  );
  return escapeMarkdown(names.join(', '));
}

function when({ intent: { range } }: Story): string {
  if (!range) return '';
  const days = `${range.from} to ${addDays(range.to, -1)}`;
  if (range.label.startsWith('since') || range.label.startsWith('up to')) return ` ${range.label}`;
  return range.label.includes(range.from) ? ` from ${days}` : ` in ${range.label}`;
}

function conditions({ intent: { filters } }: Story): string {
  return filters
    .map(
      ({ concept, values, exclude }) => `${lower(concept.member.title)} ${exclude ? 'not ' : ''}${values.join(' or ')}`,
    )
    .map((text) => ` (${escapeMarkdown(text)})`)
    .join('');
}

function single(story: Story, measures: readonly Cell[]): string {
  const [row = []] = story.rows;
  const parts = measures.map(
    ({ column, index }) => `**${lower(column.title)}** was **${formatValue(row[index], column)}**`,
  );
  const text = parts.join(' and ');
  const empty = measures.every(({ index }) => row[index] === null || row[index] === undefined);
  if (empty) return `There is nothing to count${when(story)}${conditions(story)}: no rows match.`;
  return `${text.charAt(0) === '*' ? text.replace(/^\*\*(.)/, (_, first: string) => `**${first.toUpperCase()}`) : text}${when(story)}${conditions(story)}.`;
}

function extremes(story: Story, { index }: Cell): { best: readonly Value[]; worst: readonly Value[] } | undefined {
  const rows = story.rows.filter((row) => Number.isFinite(numeric(row[index])));
  const sorted = [...rows].sort((a, b) => numeric(b[index]) - numeric(a[index]));
  const best = sorted[0];
  const worst = sorted.at(-1);
  return best && worst ? { best, worst } : undefined;
}

const percent = (from: number, to: number): string =>
  `${to >= from ? '+' : '−'}${Math.abs((100 * (to - from)) / from).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;

function total({ rows }: Story, { column, index }: Cell): string {
  if (column.additive !== true) return '';
  const sum = rows.reduce((sum, row) => sum + (Number.isFinite(numeric(row[index])) ? numeric(row[index]) : 0), 0);
  return formatNumber(Math.round(sum * 100) / 100, column.format);
}

function overTime(story: Story, value: Cell): string[] {
  const { rows, intent } = story;
  const lines: string[] = [];
  const { column, index } = value;
  const sum = total(story, value);
  const ends = extremes(story, value);
  const title = column.title;
  lines.push(
    sum === ''
      ? `${title}${when(story)}${conditions(story)}:`
      : `${title} came to **${sum}**${when(story)}${conditions(story)}.`,
  );
  if (!ends) return lines;
  lines.push(
    '',
    `- **Highest:** ${rowName(story, ends.best)} with **${formatValue(ends.best[index], column)}**`,
    `- **Lowest:** ${rowName(story, ends.worst)} with **${formatValue(ends.worst[index], column)}**`,
  );
  const first = rows[0];
  const last = rows.at(-1);
  const [from, to] = [numeric(first?.[index]), numeric(last?.[index])];
  const alone = !story.plan.columns.some(({ role }) => role === 'dimension');
  if (first && last && rows.length > 2 && alone && from > 0 && intent.direction === undefined)
    lines.push(
      `- **From first to last:** ${percent(from, to)} (${formatValue(from, column)} in ${rowName(story, first)}, ${formatValue(to, column)} in ${rowName(story, last)})`,
    );
  return lines;
}

function ranking(story: Story, value: Cell): string[] {
  const { rows, intent, plan } = story;
  const { column, index } = value;
  const ends = extremes(story, value);
  if (!ends) return [`${rows.length} rows${when(story)}${conditions(story)}.`];
  const first = intent.direction === 'asc' ? ends.worst : ends.best;
  const word = intent.direction === 'asc' ? 'lowest' : 'highest';
  const sum = intent.limit === undefined && intent.direction === undefined ? total(story, value) : '';
  const whole = sum === '' ? NaN : rows.reduce((all, row) => all + (numeric(row[index]) || 0), 0);
  const part =
    Number.isFinite(whole) && whole > 0
      ? `, ${((100 * numeric(first[index])) / whole).toFixed(1)} % of the total of ${sum}`
      : '';
  const measure = lower(plan.columns[index]?.title ?? column.title);
  return [
    `**${rowName(story, first)}** has the ${word} ${measure}${when(story)}${conditions(story)}: **${formatValue(first[index], column)}**${part}.`,
  ];
}

function comparison(story: Story, value: Cell): string[] {
  const { rows, intent, plan } = story;
  const { column, index } = value;
  const { range, against } = intent;
  const period = columnOf(plan, 'period');
  if (!range || !against || !period) return [];
  const of = (label: string): readonly (readonly Value[])[] => rows.filter((row) => row[period.index] === label);
  const [before, after] = [of(against.label), of(range.label)];
  const isTotal = column.additive === true || (before.length === 1 && after.length === 1);
  if (!isTotal) return [`${column.title}, ${escapeMarkdown(range.label)} beside ${escapeMarkdown(against.label)}:`];
  const sum = (some: readonly (readonly Value[])[]): number =>
    some.reduce((all, row) => all + (numeric(row[index]) || 0), 0);
  const [from, to] = [sum(before), sum(after)].map((number) => Math.round(number * 100) / 100) as [number, number];
  const change = from > 0 ? ` (**${percent(from, to)}**)` : '';
  const verb = to > from ? 'rose' : to < from ? 'fell' : 'stayed the same';
  return [
    `${column.title} ${verb} from **${formatNumber(from, column.format)}** in ${against.label} to **${formatNumber(to, column.format)}** in ${range.label}${change}.`,
  ];
}

/** What the reader must know to trust the numbers. */
function notes({ intent, plan, rows }: Story, shown: number): string[] {
  const lines: string[] = [];
  if (intent.assumed) lines.push('You named no measure, so I took **revenue**.');
  if (intent.unused.length > 0)
    lines.push(
      `I could not use ${intent.unused.map((word) => `“${escapeMarkdown(word)}”`).join(', ')}: nothing in the model goes by that name.`,
    );
  if (rows.length > shown)
    lines.push(
      `The result holds the first ${shown} of **${rows.length.toLocaleString('en-US')}** rows; the figures above count all of them.`,
    );
  const { range, against } = intent;
  if (range && against && range.label.endsWith('so far'))
    lines.push(
      `${range.label} ends on ${addDays(range.to, -1)}, so only the same stretch of the earlier period is compared.`,
    );
  else if (range?.label.endsWith('so far')) lines.push(`The data ends on ${addDays(range.to, -1)}.`);
  if (plan.view.name === 'return_overview' && range) lines.push('Dates are those of the return, not of the order.');
  return lines;
}

/**
 * @param result all rows of the query, also those that the tool result leaves out
 * @param shown how many rows the tool result holds
 */
export function writeAnswer(intent: Intent, plan: Plan, result: QueryResult, shown: number): string {
  const story: Story = { intent, plan, rows: result.data };
  const measures = plan.columns.flatMap((column, index) => (column.role === 'measure' ? [{ column, index }] : []));
  const [value] = measures;
  const hasGroups = plan.columns.some(({ role }) => role !== 'measure' && role !== 'share');
  const lines: string[] = [];
  if (result.data.length === 0) {
    lines.push(
      `No rows match${when(story)}${conditions(story)}. The data runs from 2023-01-01 to 2025-02-14, and you see only what your identity may see.`,
    );
  } else if (!value) {
    const names = result.data.map((row) => rowName(story, row));
    lines.push(
      `There are **${names.length.toLocaleString('en-US')}**:`,
      '',
      ...names.slice(0, 20).map((name) => `- ${name}`),
    );
    if (names.length > 20) lines.push(`- … and ${names.length - 20} more in the table`);
  } else if (!hasGroups) lines.push(single(story, measures));
  else {
    if (intent.against) lines.push(...comparison(story, value));
    else if (columnOf(plan, 'time') && intent.direction === undefined) lines.push(...overTime(story, value));
    else lines.push(...ranking(story, value));
    const rows = result.data;
    if (rows.length > 1 && rows.length <= MAX_TABLE_ROWS && !(columnOf(plan, 'time') && plan.columns.length === 2))
      lines.push('', markdownTable(plan.columns, rows));
  }
  const footnotes = notes(story, shown);
  if (footnotes.length > 0)
    lines.push(
      '',
      ...footnotes
        .map((note) => `> ${note}`)
        .join('\n>\n')
        .split('\n'),
    );
  return lines.join('\n');
}

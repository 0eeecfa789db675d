/** Writes the answer in Markdown, from the rows of the result only. */
import { FIRST_DAY, TODAY, addDays } from '../data/calendar.ts';
import type { QueryResult, Value } from '../data/client.ts';
import { escapeMarkdown, formatNumber, formatValue, markdownTable } from './format.ts';
import type { Bound, Intent } from './question/intent.ts';
import { startOf } from './question/period.ts';
import { plural, type Plan } from './plan.ts';
import * as say from './wording.ts';
import type { Cell, Story } from './wording.ts';

const MAX_TABLE_ROWS = 12;
const MAX_NAMES = 20;

const place = ({ intent }: Story): string => say.when(intent) + say.conditions(intent);

function single(story: Story, measures: readonly Cell[]): string {
  const [row = []] = story.rows;
  if (measures.every(({ index }) => row[index] === null))
    return `There is nothing to count${place(story)}: no rows match.`;
  const parts = measures.map(({ column, index }, at) => {
    const title = at === 0 ? column.title : say.inSentence(column.title);
    return `${title} ${say.was(column.title)} **${formatValue(row[index], column)}**`;
  });
  return `${parts.join(' and ')}${place(story)}.`;
}

/** Whether the period of the last row extends beyond the last day of the data. */
function isUnfinished({ intent: { grain, against }, rows, plan }: Story): boolean {
  const [time] = say.cellsOf(plan, 'time');
  const last = time && rows.at(-1)?.[time.index];
  return (
    grain !== undefined &&
    !against &&
    typeof last === 'string' &&
    startOf(grain, last.slice(0, 10), 1) > addDays(TODAY, 1)
  );
}

function overTime(story: Story, measure: Cell): string[] {
  const { rows, plan, intent } = story;
  const [made] = say.cellsOf(plan, 'change');
  const shown = made ?? measure;
  const { column, index } = measure;
  const lines = [
    column.additive === true
      ? `${column.title} came to **${formatNumber(say.sumOf(rows, measure), column.format)}**${place(story)}.`
      : `${column.title}${place(story)}:`,
  ];
  const ends = say.extremes(story, shown);
  if (!ends) return lines;
  const [high, low] = made ? ['Strongest', 'Weakest'] : ['Highest', 'Lowest'];
  lines.push(
    '',
    `- **${high}:** ${say.rowName(story, ends.best)} with **${formatValue(ends.best[shown.index], shown.column)}**`,
    `- **${low}:** ${say.rowName(story, ends.worst)} with **${formatValue(ends.worst[shown.index], shown.column)}**`,
  );
  const [first, last] = [rows[0], rows.at(-1)];
  const isSeries = say.cellsOf(plan, 'dimension').length === 0 && rows.length > 2 && !made && !isUnfinished(story);
  if (first && last && isSeries && intent.direction === undefined) {
    const [from, to] = [say.numeric(first[index]), say.numeric(last[index])];
    const path = `${formatValue(first[index], column)} → ${formatValue(last[index], column)}`;
    lines.push(`- **First to last:** ${say.change(from, to, column)} (${path})`);
  }
  return lines;
}

const operatorWords: Readonly<Record<Bound['operator'], string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
};

function matching({ intent: { bounds }, plan, rows }: Story): string[] {
  const [group] = say.cellsOf(plan, 'dimension', 'time');
  if (bounds.length === 0 || !group) return [];
  const rules = bounds.map(({ concept: { member }, operator, value }) => {
    const [words, number] = [operatorWords[operator], formatNumber(value, member.format)];
    const counts = plan.columns.some(({ title, counts }) => title === member.title && counts === true);
    return counts
      ? `${words} ${number} ${say.inSentence(member.title)}`
      : `a ${say.inSentence(member.title)} of ${words} ${number}`;
  });
  const name = rows.length === 1 ? group.column.title : plural(group.column.title);
  return [
    `**${rows.length.toLocaleString('en-US')}** ${name.toLowerCase()} ${rows.length === 1 ? 'has' : 'have'} ${rules.join(' and ')}.`,
  ];
}

function ranking(story: Story, measure: Cell): string[] {
  const { rows, intent } = story;
  const { column, index } = measure;
  const ends = say.extremes(story, measure);
  if (!ends) return [`${rows.length} rows${place(story)}.`];
  const lowFirst = intent.direction === 'asc' || column.extreme === 'min';
  // The first of the rows with that value.
  const best = rows.find((row) => row[index] === (lowFirst ? ends.worst : ends.best)[index]) ?? ends.best;
  const whole = say.sumOf(rows, measure);
  const focus = intent.focus === undefined ? undefined : rows.find((row) => row.includes(intent.focus ?? null));
  if (focus && column.additive === true) {
    const share = ((100 * say.numeric(focus[index])) / whole).toFixed(1);
    const values = `**${formatValue(focus[index], column)}** of ${formatNumber(whole, column.format)}`;
    return [
      `**${say.rowName(story, focus)}** makes up **${share} %** of ${say.inSentence(column.title)}${place(story)}: ${values}.`,
    ];
  }
  const isWhole = column.additive === true && intent.direction === undefined && intent.bounds.length === 0 && whole > 0;
  const part = isWhole
    ? `, ${((100 * say.numeric(best[index])) / whole).toFixed(1)} % of ${formatNumber(whole, column.format)}`
    : '';
  const text = `**${say.startSentence(say.rowName(story, best))}** ${say.superlative(measure, lowFirst ? 'asc' : 'desc')} **${formatValue(best[index], column)}**${part}${place(story)}.`;
  return [[...matching(story), text].join(' ')];
}

function comparison(story: Story, measure: Cell): string[] {
  const { rows, intent, plan } = story;
  const { column } = measure;
  const { range, against } = intent;
  const [period] = say.cellsOf(plan, 'period');
  if (!range || !against || !period) return [];
  const of = (label: string): (readonly Value[])[] => rows.filter((row) => row[period.index] === label);
  const [before, after] = [of(against.label), of(range.label)];
  const addsUp = column.additive === true || (before.length === 1 && after.length === 1);
  const names = [range, against].map(({ label }) => escapeMarkdown(label));
  if (!addsUp) return [`${column.title}${say.conditions(intent)}, ${names.join(' beside ')}:`];
  const [from, to] = [say.sumOf(before, measure), say.sumOf(after, measure)];
  const verb = to > from ? 'rose' : to < from ? 'fell' : 'stayed the same';
  const values = `from **${formatNumber(from, column.format)}** (${names[1]}) to **${formatNumber(to, column.format)}** (${names[0]})`;
  return [`${column.title}${say.conditions(intent)} ${verb} ${values}: **${say.change(from, to, column)}**.`];
}

function listing(story: Story): string[] {
  const names = story.rows.map((row) => say.rowName(story, row));
  const more = names.length > MAX_NAMES ? [`- … and ${names.length - MAX_NAMES} more in the table`] : [];
  return [
    `There are **${names.length.toLocaleString('en-US')}**:`,
    '',
    ...names.slice(0, MAX_NAMES).map((name) => `- ${name}`),
    ...more,
  ];
}

/** Notes on assumptions and limits of the answer. */
function notes(story: Story, shown: number): string[] {
  const { intent, plan, rows } = story;
  const { assumed, unused, range, against } = intent;
  const lines: string[] = [];
  if (assumed) lines.push('You named no measure, so I took **revenue**.');
  const words = unused.map((word) => `“${escapeMarkdown(word)}”`).join(', ');
  if (words !== '') lines.push(`I could not use ${words}: nothing in the model goes by that name.`);
  if (rows.length > shown)
    lines.push(
      `The result holds the first ${shown} of **${rows.length.toLocaleString('en-US')}** rows; the figures above count all of them.`,
    );
  if (range && against && range.label.endsWith('so far'))
    lines.push('Only the same stretch of the earlier period is compared.');
  if (isUnfinished(story) || (range && range.to > TODAY))
    lines.push(`The data ends on ${TODAY}, so the last period is not complete.`);
  if (plan.view.name === 'return_overview' && (range || intent.grain))
    lines.push('Dates are those of the return, not of the order.');
  return lines;
}

function figuresText(story: Story): string[] {
  const { intent, plan, rows } = story;
  const measures = say.cellsOf(plan, 'measure');
  const [measure] = measures;
  if (rows.length === 0)
    return [
      `No rows match${place(story)}. The data runs from ${FIRST_DAY} to ${TODAY}, and you see only what your identity may see.`,
    ];
  if (!measure) return listing(story);
  if (measures.length + say.cellsOf(plan, 'share').length === plan.columns.length) return [single(story, measures)];
  const isSeries = say.cellsOf(plan, 'time').length > 0 && intent.direction === undefined;
  const lines = intent.against
    ? comparison(story, measure)
    : isSeries
      ? overTime(story, measure)
      : ranking(story, measure);
  const saysAll = isSeries && plan.columns.length === 2;
  if (rows.length > 1 && rows.length <= MAX_TABLE_ROWS && !saysAll) lines.push('', markdownTable(plan.columns, rows));
  return lines;
}

/**
 * @param result all rows of the query, including those omitted from the tool result
 * @param shown number of rows in the tool result
 */
export function writeAnswer(intent: Intent, plan: Plan, result: QueryResult, shown: number): string {
  const story: Story = { intent, plan, rows: result.data };
  const quoted = notes(story, shown).map((note) => `> ${note}`);
  return [...figuresText(story), ...(quoted.length > 0 ? ['', quoted.join('\n>\n')] : [])].join('\n');
}

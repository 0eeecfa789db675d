/** Formats a run for stdout: a line for each question, the differences of failed ones, and the summary. */
import { diffLines } from '../compare/lineDiff.ts';
import type { ReportEntry } from '../evals/report/markdown.ts';
import { summaryText, type Summary } from '../evals/run/summary.ts';

export function textReport(
  summary: Summary,
  entries: readonly ReportEntry[],
  pathOf: (entry: ReportEntry) => string,
): string {
  return [...entries.map((entry) => entryText(entry, pathOf(entry))), summaryText(summary)].join('\n');
}

function entryText(entry: ReportEntry, path: string): string {
  const { status, name, message, attempts, passedAttempts, rows, sql, line } = entry;
  const times = attempts > 1 ? ` (${passedAttempts}/${attempts})` : '';
  const head = `${status.padEnd(13)} ${name}${times}${message === '' ? '' : `: ${message}`}`;
  if (status === 'passed' || status === 'skipped' || status === 'cancelled') return head;
  const details = [
    `at ${path}:${line + 1}`,
    ...(rows ? [rowDiff(rows)] : []),
    ...(rows && sql.expected !== undefined ? [`Expected SQL\n${indented(sql.expected)}`] : []),
    ...(rows && sql.actual !== undefined ? [`SQL of the agent\n${indented(sql.actual)}`] : []),
  ];
  return `${head}\n${indented(details.join('\n'))}`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

const rowDiff = ({ expected, actual }: { expected: string; actual: string }): string =>
  diffLines(expected, actual)
    .map(({ side, text }) => `${{ both: ' ', left: '-', right: '+' }[side]} ${text}`)
    .join('\n');

/** Formats a run as Markdown for a pull request: a table of all questions, then the differences of failed ones. */
import { diffLines, diffText } from '../../compare/lineDiff.ts';
import { fenced } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { createEncoder } from '../../shared/results/encode.ts';
import type { Problem } from '../question.ts';
import { duration, summaryText, type Summary, type Verdict, type VerdictStatus } from '../run/verdict.ts';

/** The fields of a verdict that a report needs, without the thread. */
export interface ReportEntry {
  name: string;
  question: string;
  path: string;
  /** Zero-based. */
  line: number;
  status: VerdictStatus;
  message: string;
  milliseconds: number;
  passedAttempts: number;
  attempts: number;
  /** The aligned tables, if the rows differ. */
  rows?: { expected: string; actual: string };
  sql: { expected?: string; actual?: string };
  chatId?: string;
}

export function reportEntry(verdict: Verdict): ReportEntry {
  const { question, expectation, attempt } = verdict;
  const { actual, answer, difference } = attempt;
  return {
    name: question.name,
    question: question.text,
    path: question.path,
    line: question.range.start.line,
    status: verdict.status,
    message: verdict.message,
    milliseconds: verdict.milliseconds,
    passedAttempts: verdict.passedAttempts,
    attempts: verdict.attempts,
    ...(difference ? { rows: difference.text } : {}),
    sql: { ...(expectation ? { expected: expectation.sql } : {}), ...(actual ? { actual: actual.sql } : {}) },
    ...(answer?.thread.chatId === undefined ? {} : { chatId: answer.thread.chatId }),
  };
}

/** Characters; the limit of a comment on GitHub is 65,536. */
const MOST_TEXT = 60_000;

const marks: Readonly<Record<VerdictStatus, string>> = {
  passed: '✅',
  failed: '❌',
  flaky: '🟡',
  notComparable: '❔',
  skipped: '➖',
  errored: '💥',
  canceled: '🚫',
};

const column = (name: string) => ({ name, type: '', kind: 'string' as const });

export function markdownReport(
  summary: Summary,
  entries: readonly ReportEntry[],
  problems: readonly Problem[],
  heading: string,
): string {
  const lines = [`## ${heading}`, '', `**${summaryText(summary)}**`, ''];
  const encoder = createEncoder('markdown', ['', t('Question'), t('Result'), t('Time')].map(column), {
    headers: true,
    guardFormulas: false,
  });
  const rows = entries.map(({ status, name, message, milliseconds }) =>
    encoder.encodeRow([marks[status], name, message, duration(milliseconds)]),
  );
  lines.push(encoder.encodeHeader() + rows.join('') + encoder.encodeEnd());
  for (const { path, range, message } of problems)
    lines.push(`- ${escaped(`${path}:${range.start.line + 1}: ${message}`)}`);
  let text = lines.join('\n');
  const details = entries.filter(({ rows: difference, status }) => difference || status === 'failed').map(detailOf);
  for (const [index, detail] of details.entries()) {
    if (text.length + detail.length > MOST_TEXT)
      return `${text}\n\n${t('{0} more failures are not shown.', details.length - index)}\n`;
    text += `\n${detail}`;
  }
  return `${text}\n`;
}

function detailOf({ name, question, message, rows, sql }: ReportEntry): string {
  const parts = [
    `<details><summary>${escaped(name)}</summary>`,
    escaped(question),
    escaped(message),
    ...(rows ? [fenced(diffText(diffLines(rows.expected, rows.actual)), 'diff')] : []),
    ...(sql.expected === undefined ? [] : [t('Expected SQL'), fenced(sql.expected, 'sql')]),
    ...(sql.actual === undefined ? [] : [t('SQL of the agent'), fenced(sql.actual, 'sql')]),
    '</details>',
  ];
  return `\n${parts.join('\n\n')}\n`;
}

/** Text outside tables and code, escaped for Markdown and HTML. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>&|~#!@]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\s/g, ' ');

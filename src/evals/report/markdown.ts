/** The report of a run in Markdown. */
import { diffLines, diffText } from '../../compare/lineDiff.ts';
import { fenced, withoutControls } from '../../shared/text/plainText.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { shortened } from '../../shared/thread/turns.ts';
import type { Problem } from '../question.ts';
import type { VerdictStatus } from '../../shared/protocol/verdicts.ts';
import type { Judgment, Verdict } from '../matrix/matrix.ts';
import { duration, summaryText, type RunSummary } from './summary.ts';
import { verdictReason } from './verdictText.ts';

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
  passes?: Judgment['passes'];
  /** Number of answers in each context in which the question was asked. */
  attempts: readonly number[];
  /** Present if an earlier run has this failure too, so that it does not count. */
  isKnown?: true;
  /** The aligned tables, if the rows differ. */
  rows?: { expected: string; actual: string };
  sql: { expected?: string; actual?: string };
  chatId?: string;
}

export function reportEntry(verdict: Verdict): ReportEntry {
  const { question, cells, expectation, attempt } = verdict;
  const { actual, answer, difference } = attempt ?? {};
  return {
    name: question.name,
    question: question.text,
    path: question.path,
    line: question.range.start.line,
    status: verdict.status,
    message: verdict.message,
    milliseconds: verdict.milliseconds,
    ...(verdict.passes ? { passes: verdict.passes } : {}),
    attempts: cells.map(({ answers }) => answers.length),
    ...(difference ? { rows: difference.text } : {}),
    // Accepted results that were written by hand have no SQL.
    sql: {
      ...(expectation?.sql ? { expected: expectation.sql } : {}),
      ...(actual?.sql ? { actual: actual.sql } : {}),
    },
    ...(answer?.thread.chatId === undefined ? {} : { chatId: answer.thread.chatId }),
  };
}

/** @returns the reason of a verdict, and whether it is known */
export function entryReason(entry: ReportEntry): string {
  const reason = verdictReason(entry);
  return entry.isKnown ? t('Known: {0}', reason) : reason;
}

/** @returns the number of answers, such as `3`, or `3 + 2` in two contexts */
export const attemptsText = ({ attempts }: ReportEntry): string => attempts.join(' + ');

/** First line of each report, invisible on a page: finds the comment of an earlier run on a pull request. */
export const REPORT_MARKER = '<!-- analytics-chat: question tests -->';

/** Characters; the limit of a comment on GitHub is 65,536. */
const MOST_TEXT = 60_000;
/** Number of errors in the files to list: a file that is indented with tabs has one in every line. */
const MOST_PROBLEMS = 50;
/** Characters of the list of these errors. */
const MOST_LIST = 20_000;
/** Characters of a reason in the table, because an error of a database may contain its whole query. */
const MOST_REASON = 300;

const marks: Readonly<Record<VerdictStatus | 'known', string>> = {
  passed: '✅',
  failed: '❌',
  known: '📌',
  flaky: '🟡',
  review: '❔',
  skipped: '➖',
  errored: '💥',
  canceled: '🚫',
  same: '🟰',
  changed: '🔀',
  unstable: '🎲',
};

const tableRow = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |\n`;

/** @returns a table of all questions, then the differences of failed ones */
export function markdownReport(
  summary: RunSummary,
  entries: readonly ReportEntry[],
  problems: readonly Problem[],
  heading: string,
): string {
  const list = problemList(problems);
  let text = [
    REPORT_MARKER,
    `## ${escaped(heading)}`,
    '',
    `**${summaryText(summary)}**`,
    '',
    questionTable(entries, MOST_TEXT - list.length),
    list,
  ].join('\n');
  const details = entries
    .filter(({ rows: difference, status }) => difference || status === 'failed' || status === 'review')
    .map(detailOf);
  for (const [index, detail] of details.entries()) {
    if (text.length + detail.length > MOST_TEXT)
      return `${text}\n\n${plural(details.length - index, '{0} more failure is not shown.|{0} more failures are not shown.')}\n`;
    text += `\n${detail}`;
  }
  return `${text}\n`;
}

function problemList(problems: readonly Problem[]): string {
  let room = MOST_LIST;
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(
      ({ path, range, message }) =>
        `- ${escaped(shortened(`${path}:${range.start.line + 1}: ${message}`, MOST_REASON))}`,
    )
    .filter(({ length }) => (room -= length) >= 0);
  const more = problems.length - lines.length;
  if (more > 0) lines.push('', plural(more, '{0} more error is not shown.|{0} more errors are not shown.'));
  return lines.join('\n');
}

/**
 * @param room characters of the rows
 * @returns a table of the questions; if they don't all fit, those that passed are left out first
 */
function questionTable(entries: readonly ReportEntry[], room: number): string {
  const header = `${tableRow(['', t('Question'), t('Result'), t('Attempts'), t('Time')])}| --- | --- | --- | --- | --- |\n`;
  const rows = entries.map((entry) => {
    const { name, milliseconds } = entry;
    const status = entry.isKnown ? 'known' : entry.status;
    const reason = shortened(entryReason(entry), MOST_REASON);
    return { status, text: tableRow([marks[status], name, reason, attemptsText(entry), duration(milliseconds)]) };
  });
  const fitting = new Set(
    rows
      .toSorted((a, b) => Number(a.status === 'passed') - Number(b.status === 'passed'))
      .filter(({ text }) => (room -= text.length) >= 0),
  );
  const text = rows.map((row) => (fitting.has(row) ? row.text : '')).join('');
  const omitted = rows.length - fitting.size;
  if (omitted === 0) return header + text;
  return `${header}${text}\n${plural(omitted, '{0} more question is not shown.|{0} more questions are not shown.')}\n`;
}

function detailOf(entry: ReportEntry): string {
  const { name, question, rows, sql } = entry;
  const parts = [
    `<details><summary>${escaped(name)}</summary>`,
    escaped(question),
    escaped(entryReason(entry)),
    ...(rows ? [codeBlock(diffText(diffLines(rows.expected, rows.actual)), 'diff')] : []),
    ...(sql.expected === undefined ? [] : [t('Expected SQL'), codeBlock(sql.expected, 'sql')]),
    ...(sql.actual === undefined ? [] : [t('SQL of the agent'), codeBlock(sql.actual, 'sql')]),
    '</details>',
  ];
  return `\n${parts.join('\n\n')}\n`;
}

const codeBlock = (code: string, language: string): string => fenced(withoutControls(code), language);

/**
 * Where GitHub sees a person, a team, an issue, an address or a commit, also if it is written with entities: `@name`,
 * `#1`, `GH-1`, `https://…`, `www.…`, and seven or more hexadecimal digits.
 */
const LIVE = /[@#]|:(?=\/\/)|www(?=\.)|(?<=[a-z])-(?=\d)|[\da-f]{6}(?=[\da-f])/gi;

/** Text outside code, escaped for Markdown and HTML; a zero-width space breaks references and links of GitHub. */
const escaped = (text: string): string =>
  withoutControls(text)
    .replace(/\s/g, ' ')
    .replace(LIVE, '$&\u200b')
    .replace(/[\\`*_[\]<>&|~#!@$]/g, (character) => `&#${character.charCodeAt(0)};`);

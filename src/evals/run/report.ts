/** The GitHub workflow that runs the questions on pull requests, and their report in Markdown. */
import { diffLines, diffText } from '../../compare/lineDiff.ts';
import { fenced } from '../../shared/text/plainText.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { encodeRows } from '../../compare/compareExport.ts';
import type { Problem } from '../question.ts';
import { duration, summaryText, verdictReason, type Summary, type Verdict, type VerdictStatus } from './verdict.ts';

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

/** @returns a table of all questions, then the differences of failed ones */
export function markdownReport(
  summary: Summary,
  entries: readonly ReportEntry[],
  problems: readonly Problem[],
  heading: string,
): string {
  const lines = [`## ${escaped(heading)}`, '', `**${summaryText(summary)}**`, ''];
  const columns = ['', t('Question'), t('Result'), t('Time')].map(column);
  const rows = entries.map((entry) => [
    marks[entry.status],
    entry.name,
    verdictReason(entry),
    duration(entry.milliseconds),
  ]);
  lines.push(encodeRows('markdown', columns, rows, { headers: true, guardFormulas: false }));
  for (const { path, range, message } of problems)
    lines.push(`- ${escaped(`${path}:${range.start.line + 1}: ${message}`)}`);
  let text = lines.join('\n');
  const details = entries.filter(({ rows: difference, status }) => difference || status === 'failed').map(detailOf);
  for (const [index, detail] of details.entries()) {
    if (text.length + detail.length > MOST_TEXT)
      return `${text}\n\n${plural(details.length - index, '{0} more failure is not shown.|{0} more failures are not shown.')}\n`;
    text += `\n${detail}`;
  }
  return `${text}\n`;
}

function detailOf(entry: ReportEntry): string {
  const { name, question, rows, sql } = entry;
  const parts = [
    `<details><summary>${escaped(name)}</summary>`,
    escaped(question),
    escaped(verdictReason(entry)),
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

/** @param version of the npm package to run */
export const ciWorkflow = (
  version: string,
): string => `# Asks the questions of this repository on the branch of each pull request.
# Secrets: ANALYTICS_CHAT_API_KEY. Variables: ANALYTICS_CHAT_API_URL, ANALYTICS_CHAT_EXTERNAL_ID and, for truths in SQL,
# ANALYTICS_CHAT_DATA_QUERY_URL.
name: Analytics questions
on:
  pull_request:
    paths:
      - 'agents/**'
      - 'model/**'
      - '.analytics-chat/**'
permissions:
  contents: read
  pull-requests: write
concurrency:
  group: analytics-questions-\${{ github.event.pull_request.number }}
  cancel-in-progress: true
jobs:
  questions:
    # A pull request from a fork has no secrets.
    if: github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          persist-credentials: false
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 22
      - name: Ask the questions
        env:
          ANALYTICS_CHAT_API_URL: \${{ vars.ANALYTICS_CHAT_API_URL }}
          ANALYTICS_CHAT_API_KEY: \${{ secrets.ANALYTICS_CHAT_API_KEY }}
          ANALYTICS_CHAT_EXTERNAL_ID: \${{ vars.ANALYTICS_CHAT_EXTERNAL_ID }}
          ANALYTICS_CHAT_DATA_QUERY_URL: \${{ vars.ANALYTICS_CHAT_DATA_QUERY_URL }}
          BRANCH: \${{ github.head_ref }}
        run: npx --yes analytics-chat@${version} eval --branch "$BRANCH" --junit questions.xml --markdown questions.md
      - name: Post the report
        if: always() && hashFiles('questions.md') != ''
        env:
          GH_TOKEN: \${{ github.token }}
          PULL_REQUEST: \${{ github.event.pull_request.number }}
        run: gh pr comment "$PULL_REQUEST" --edit-last --create-if-none --body-file questions.md
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: analytics-questions
          path: questions.xml
          if-no-files-found: ignore
`;

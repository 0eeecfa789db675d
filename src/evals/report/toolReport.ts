/** Runs questions for a coding agent, and reports the verdicts as text and as data of limited size. */
import { diffLines, diffText } from '../../compare/lineDiff.ts';
import { VERDICT_STATUSES, type VerdictStatus } from '../../shared/protocol/verdicts.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { fenced } from '../../shared/text/plainText.ts';
import { shortened } from '../../shared/thread/turns.ts';
import { matchAnswers } from '../matrix/answerClasses.ts';
import { gradableQueries } from '../matrix/expectation.ts';
import { representingAnswers, type Context, type Verdict } from '../matrix/matrix.ts';
import { startRun, type PlannedRun, type StartOptions } from '../matrix/plannedRun.ts';
import { reportEntry } from './markdown.ts';
import { summaryText } from './summary.ts';
import { verdictReason } from './verdictText.ts';

/** A change that may be the reason for another answer. */
export interface ChangeAt {
  change: string;
  file: string;
  /** One-based. */
  line: number;
}

export interface ReportedQuestion {
  name: string;
  question: string;
  verdict: VerdictStatus;
  message: string;
  /** Where the question is; absent if it is in no file. */
  file?: string;
  /** One-based. */
  line?: number;
  /** Present in a check. */
  changes?: readonly ChangeAt[];
  /** Line diff of the expected rows, or those before the change, and those of the answer. */
  rows?: string;
  sql?: { expected?: string; actual?: string };
  /** The thread of the answer. */
  chatId?: string;
}

export interface ToolReport {
  summary: string;
  /** Why the verdicts may not be what they seem, for example that a change is not pushed. */
  warnings: readonly string[];
  /** First those that an agent has to look at. */
  questions: readonly ReportedQuestion[];
  /** Says what was left out. */
  notice?: string;
}

/** Lines of the rows of one question. */
const MOST_LINES = 60;
/** Characters of the rows and the SQL of all questions. */
const MOST_DETAILS = 24_000;
const MOST_QUESTIONS = 100;
/** Characters of a question, and of a reason: an error of a database may contain its whole query. */
const MOST_REASON = 300;

export interface ReportOptions<C extends Context> extends Omit<StartOptions<C>, 'onEvent'> {
  /** @returns the path of a file as the agent knows it */
  fileOf: (question: Verdict['question']) => string;
  /** The changes that concern a question, in a check. */
  changesOf?: (question: Verdict['question']) => readonly ChangeAt[];
  warnings: readonly string[];
  onVerdict?: (verdict: Verdict<C>) => void;
  /** Called after each verdict, with the number of verdicts. */
  onProgress: (message: string, steps: { done: number; total: number }) => void;
}

/** Starts a run. @returns its report when all questions have verdicts; see `runMatrix` */
export async function reportedRun<C extends Context>(
  run: PlannedRun<C>,
  { fileOf, changesOf, warnings, onVerdict, onProgress, ...options }: ReportOptions<C>,
): Promise<ToolReport> {
  const reported = new Map<number, ReportedQuestion>();
  const summary = await startRun(run, {
    ...options,
    onEvent: (event) => {
      if (event.type !== 'judged') return;
      const { verdict, row } = event;
      onVerdict?.(verdict);
      const changes = changesOf?.(verdict.question);
      reported.set(row, { ...reportedQuestion(verdict, fileOf, run.precision), ...(changes ? { changes } : {}) });
      onProgress(progressText([...reported.values()], run.questions.length), {
        ...{ done: reported.size, total: run.questions.length },
      });
    },
  });
  const questions = run.questions.flatMap((_, row) => reported.get(row) ?? []);
  return { summary: summaryText(summary), warnings, ...fitting(questions) };
}

/** Whether there is nothing to look at. */
const isFine = ({ verdict }: ReportedQuestion): boolean => verdict === 'passed' || verdict === 'same';

function reportedQuestion(
  verdict: Verdict,
  fileOf: (question: Verdict['question']) => string,
  precision: number | undefined,
): ReportedQuestion {
  const { question, status } = verdict;
  const entry = reportEntry(verdict);
  const [before, ...others] = representingAnswers(verdict);
  const after = others.at(-1);
  const match = status === 'changed' && before && after ? matchAnswers(before, after, precision) : undefined;
  const rows = entry.rows ?? (match?.kind === 'different' ? match.difference?.text : undefined);
  const [beforeSql, afterSql] = [before, after].map((answer) => match && answer && gradableQueries(answer)[0]?.sql);
  const sql = { ...(match ? { expected: beforeSql, actual: afterSql } : {}), ...entry.sql };
  const chatId = entry.chatId ?? after?.thread.chatId;
  return {
    ...{ name: question.name, question: shortened(question.text, MOST_REASON), verdict: status },
    message: shortened(verdictReason(verdict), MOST_REASON),
    ...(question.path === '' ? {} : { file: fileOf(question), line: question.range.start.line + 1 }),
    ...(rows ? { rows: firstLines(diffText(diffLines(rows.expected, rows.actual))) } : {}),
    ...(sql.expected || sql.actual ? { sql } : {}),
    ...(chatId === undefined ? {} : { chatId }),
  };
}

function firstLines(text: string): string {
  const lines = text.split('\n');
  const more = lines.length - MOST_LINES;
  if (more <= 0) return text;
  return [...lines.slice(0, MOST_LINES), plural(more, '… {0} more line|… {0} more lines')].join('\n');
}

/** @returns the questions to look at first, with their rows and SQL as far as there is room */
function fitting(all: readonly ReportedQuestion[]): Pick<ToolReport, 'questions' | 'notice'> {
  const order = (question: ReportedQuestion): number => VERDICT_STATUSES.indexOf(question.verdict);
  const sorted = all.toSorted((a, b) => order(a) - order(b));
  let room = MOST_DETAILS;
  let cut = 0;
  const questions = sorted.slice(0, MOST_QUESTIONS).map(({ rows, sql, ...question }) => {
    if (isFine(question) || (rows === undefined && sql === undefined)) return question;
    const details = { ...(rows === undefined ? {} : { rows }), ...(sql === undefined ? {} : { sql }) };
    const { length } = JSON.stringify(details);
    if (length > room) {
      cut += 1;
      return question;
    }
    room -= length;
    return { ...question, ...details };
  });
  const more = all.length - questions.length;
  const notices = [
    ...(cut > 0
      ? [
          plural(
            cut,
            'The rows and SQL of {0} question are left out. Run it alone to see them.|The rows and SQL of {0} questions are left out. Run fewer questions to see them.',
          ),
        ]
      : []),
    ...(more > 0 ? [plural(more, '{0} more question is not listed.|{0} more questions are not listed.')] : []),
  ];
  return { questions, ...(notices.length > 0 ? { notice: notices.join(' ') } : {}) };
}

/** @returns a text such as `3 of 12 questions asked, 1 changed` */
function progressText(reported: readonly ReportedQuestion[], total: number): string {
  const counts = new Map<VerdictStatus, number>();
  for (const question of reported)
    if (!isFine(question)) counts.set(question.verdict, (counts.get(question.verdict) ?? 0) + 1);
  const asked = plural(total, '{0} of {1} question asked|{0} of {1} questions asked', reported.length, total);
  return [asked, ...[...counts].map(([verdict, count]) => `${count} ${verdict}`)].join(', ');
}

/** @returns the report as Markdown for a model; verdicts are the words of the data */
export function reportText({ summary, warnings, questions, notice }: ToolReport): string {
  const listed = questions.filter((question) => !isFine(question)).map(questionText);
  return [
    summary,
    ...warnings.map((warning) => t('Warning: {0}', warning)),
    ...listed,
    ...(notice === undefined ? [] : [notice]),
  ].join('\n\n');
}

function questionText({ name, question, verdict, message, file, line, changes, rows, sql }: ReportedQuestion): string {
  const where = file === undefined ? '' : ` (${file}:${line})`;
  const heading = [`### ${verdict}: ${name}${where}`, question, ...(message === '' ? [] : [message])];
  return [
    heading.join('\n'),
    ...(changes?.length ? [changes.map((each) => `- ${each.file}:${each.line}: ${each.change}`).join('\n')] : []),
    ...(rows === undefined ? [] : [fenced(rows, 'diff')]),
    ...(sql?.actual === undefined ? [] : [fenced(sql.actual, 'sql')]),
  ].join('\n\n');
}

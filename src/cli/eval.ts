/** `analytics-chat eval`: runs question tests. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { acceptResult } from '../evals/files/baseline.ts';
import { tagsOf, type Problem, type Question } from '../evals/question.ts';
import { markdownReport, reportEntry, type ReportEntry } from '../evals/report/report.ts';
import { expectAnswers, noQueryReason, withAllRows, type Expect, type RunSql } from '../evals/matrix/expectation.ts';
import { runQuestions } from '../evals/run/runner.ts';
import { summaryText, Tally, type Summary, type Verdict } from '../evals/report/verdict.ts';
import { messageOf } from '../shared/text/checks.ts';
import type { Arguments, Command, Context, ExitCode } from './command.ts';
import { junitReport } from './junit.ts';
import { runProgress, type OnWaiting } from './output.ts';
import { readProjects, reportProblems, shownPath } from './projectFiles.ts';
import { Service } from './service.ts';
import { countOption, UsageError } from './usage.ts';
import { diffLines, diffText } from '../compare/lineDiff.ts';

export const evaluate: Command = async (context, { positionals, values }) => {
  const { environment, output, signal } = context;
  const times = countOption('--times', values.times);
  const concurrency = countOption('--concurrency', values.concurrency);
  const service = new Service(environment, values.branch);
  const { questions: all, problems } = await readProjects(positionals);
  reportProblems(output, problems);
  const tag = values.tag?.replace(/^@?/, '@');
  const found = all.filter(({ question }) => tag === undefined || tagsOf(question).includes(tag));
  if (found.length === 0) output.note(all.length > 0 ? `No question has the tag ${tag}.` : 'No questions found.');

  // Report a missing identity once, not with every question.
  if (values.as !== undefined || found.some(({ question }) => question.identity === undefined))
    service.identityLabel(values.as);

  const roots = new Map(found.map(({ question, root }) => [question, root]));
  const questions = found.map(({ question }) => question);
  const entries = new Map<Question, ReportEntry>();
  const tally = new Tally();
  const accepting: Promise<void>[] = [];
  const progress = runProgress(output, questions.length, signal);
  const { onWaiting } = progress;
  const asking = service.asking(values.as, onWaiting);
  const expect =
    values.baseline === undefined
      ? undefined
      : answersOf(new Service(environment, values.baseline), values.as, onWaiting);
  const finish = async (verdict: Verdict): Promise<void> => {
    const accepted = values.accept
      ? await accept(verdict, { service, as: values.as, runSql: asking.runSql, roots }, context)
      : verdict;
    tally.add(accepted);
    entries.set(verdict.question, reportEntry(accepted));
    progress.onVerdict(accepted);
  };
  const summary = await runQuestions(
    questions,
    {
      ...asking,
      expect,
      concurrency,
      times,
      signal,
    },
    { onVerdict: (verdict) => void accepting.push(finish(verdict)) },
  );
  await Promise.all(accepting);
  progress.stop();
  const final = tally.summary(summary.milliseconds);
  const inOrder: ReportEntry[] = [];
  const lines: string[] = [];
  for (const { question, root } of found) {
    const entry = entries.get(question);
    if (entry === undefined) continue;
    inOrder.push(entry);
    lines.push(entryText(entry, shownPath(root, entry.path)));
  }
  const { errored, skipped, canceled } = final.counts;
  const graded = found.length - errored - skipped - canceled;
  const ungraded = graded < found.length ? ` · ${graded} of ${found.length} questions graded` : '';
  output.result([...lines, `${summaryText(final)}${ungraded}`].join('\n'));
  await writeReports(values, context, final, inOrder, problems, service);
  return exitCode(final, problems.length > 0 || questions.length === 0, signal);
};

interface Accepting {
  service: Service;
  /** Name of the identity for questions that name none. */
  as: string | undefined;
  runSql: RunSql | undefined;
  /** The folder of each question, that its paths are relative to. */
  roots: ReadonlyMap<Question, string>;
}

/** Accepts the results of questions without SQL. @returns the updated verdict */
async function accept(
  verdict: Verdict,
  { service, as, runSql, roots }: Accepting,
  { output, signal }: Context,
): Promise<Verdict> {
  const { question, status, expectation, attempt } = verdict;
  const { actual } = attempt;
  const isOpen = status === 'skipped' || (status === 'failed' && expectation?.from === 'baseline');
  if (!isOpen || attempt.answer === undefined) return verdict;
  if (actual === undefined) return { ...verdict, message: noQueryReason(attempt.answer) };
  try {
    const { sql, table } = await withAllRows(question, actual, { runSql, signal });
    const { path, text } = acceptResult({
      question,
      sql,
      table,
      branch: service.branchLabel,
      identity: service.identityLabel(question.identity ?? as),
      time: Date.now(),
    });
    const file = join(roots.get(question) ?? '.', path);
    // Replace a symbolic link in the project instead of the file that it refers to.
    await rm(file, { force: true });
    await writeInto(file, output.redact(text));
    return { ...verdict, status: 'passed', message: `Accepted: ${path}` };
  } catch (failure) {
    return { ...verdict, status: 'errored', message: messageOf(failure) };
  }
}

/** Expects the answers of a service, as on another branch. */
function answersOf(service: Service, as: string | undefined, onWaiting: OnWaiting): Expect {
  const { ask, runSql } = service.asking(as, onWaiting);
  return expectAnswers(service.branchLabel, ask, runSql);
}

/**
 * Writes a file, and creates its folder if it does not exist.
 * @throws UsageError if it can't be written
 */
async function writeInto(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (failure) {
    throw new UsageError(`Can’t write ${file}: ${messageOf(failure)}`);
  }
}

async function writeReports(
  { junit, markdown, branch, baseline }: Arguments['values'],
  { output }: Context,
  summary: Summary,
  entries: readonly ReportEntry[],
  problems: readonly Problem[],
  service: Service,
): Promise<void> {
  const where = baseline === undefined ? service.branchLabel : `${service.branchLabel}, compared with ${baseline}`;
  if (junit !== undefined) await writeInto(junit, output.redact(junitReport(entries, problems, branch ?? '')));
  if (markdown !== undefined)
    await writeInto(markdown, output.redact(markdownReport(summary, entries, problems, `Questions on ${where}`)));
}

/** A failure takes precedence over a question that could not be asked. */
function exitCode({ counts }: Summary, isIncomplete: boolean, signal: AbortSignal): ExitCode {
  if (signal.aborted) return 130;
  if (counts.failed + counts.notComparable > 0) return 1;
  return counts.errored > 0 || isIncomplete ? 2 : 0;
}

function entryText(entry: ReportEntry, path: string): string {
  const { status, name, message, attempts, passedAttempts, rows, sql, line } = entry;
  const times = attempts > 1 && status !== 'skipped' ? ` (${passedAttempts}/${attempts})` : '';
  const head = `${status.padEnd(13)} ${name}${times}${message === '' ? '' : `: ${message}`}`;
  if (status === 'passed' || status === 'skipped' || status === 'canceled') return head;
  const details = [
    `at ${path}:${line + 1}`,
    ...(rows ? [diffText(diffLines(rows.expected, rows.actual))] : []),
    ...(rows && sql.expected !== undefined ? [`Expected SQL\n${indented(sql.expected)}`] : []),
    ...(rows && sql.actual !== undefined ? [`SQL of the agent\n${indented(sql.actual)}`] : []),
  ];
  return `${head}\n${indented(details.join('\n'))}`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

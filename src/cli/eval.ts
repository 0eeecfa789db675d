/** `analytics-chat eval`: runs question tests. */
import { tagsOf, type Problem, type Question } from '../evals/question.ts';
import { expected } from '../evals/matrix/expected.ts';
import { truthFromFiles } from '../evals/matrix/asking.ts';
import { contextsToGrade, DEFAULT_ATTEMPTS, type Verdict } from '../evals/matrix/matrix.ts';
import { runMatrix } from '../evals/matrix/runMatrix.ts';
import { markdownReport, reportEntry, type ReportEntry } from '../evals/report/markdown.ts';
import { costText, summaryText, Tally, type RunSummary } from '../evals/report/summary.ts';
import { accept } from './accept.ts';
import type { Arguments, CliCommand, ExitCode, Invocation } from './command.ts';
import { junitReport } from './junit.ts';
import { runProgress } from './output.ts';
import { readProjects, reportProblems, shownPath } from './projectFiles.ts';
import { Service, serviceAsking, type ServiceContext } from './service.ts';
import { ArgumentError, countOption } from './usage.ts';
import { diffLines, diffText } from '../compare/lineDiff.ts';

export const evaluate: CliCommand = async (invocation, { positionals, values }) => {
  const { environment, output, signal } = invocation;
  const times = countOption('--times', values.times);
  const attempts = countOption('--attempts', values.attempts);
  if (times !== undefined && attempts !== undefined) throw new ArgumentError('Pass --times or --attempts, not both.');
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
  const baseline = values.baseline === undefined ? undefined : new Service(environment, values.baseline);
  const as = (identity: string | undefined): string | undefined => identity ?? values.as;
  const contextsOf = (question: Question): ServiceContext[] =>
    contextsToGrade(
      question,
      (identity) => service.context(as(identity)),
      baseline && ((identity) => baseline.context(as(identity))),
    );
  const most = times ?? attempts ?? DEFAULT_ATTEMPTS;
  if (questions.length > 0) output.note(`${costText({ questions, contextsOf, attempts: most }, service.branchLabel)}.`);
  const progress = runProgress(output, questions.length, signal);
  const functions = serviceAsking(environment, progress.onWaiting);
  const finish = async (verdict: Verdict<ServiceContext>): Promise<void> => {
    const accepted = values.accept ? await accept(verdict, roots, output) : verdict;
    tally.add(accepted);
    entries.set(verdict.question, reportEntry(accepted));
    progress.onVerdict(accepted);
  };
  const summary = await runMatrix(questions, contextsOf, expected({ isRepeated: times !== undefined }), {
    ...functions,
    truth: baseline ? undefined : truthFromFiles(functions.runSql),
    concurrency,
    attempts: most,
    signal,
    onEvent: (event) => {
      if (event.type === 'judged') accepting.push(finish(event.verdict));
    },
  });
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
  await writeReports(values, invocation, final, inOrder, problems, service);
  return exitCode(final, problems.length > 0 || questions.length === 0, signal);
};

async function writeReports(
  { junit, markdown, branch, baseline }: Arguments['values'],
  { output }: Invocation,
  summary: RunSummary,
  entries: readonly ReportEntry[],
  problems: readonly Problem[],
  service: Service,
): Promise<void> {
  const where = baseline === undefined ? service.branchLabel : `${service.branchLabel}, compared with ${baseline}`;
  if (junit !== undefined) await output.file(junit, junitReport(entries, problems, branch ?? ''));
  if (markdown !== undefined)
    await output.file(markdown, markdownReport(summary, entries, problems, `Questions on ${where}`));
}

/** A failure takes precedence over a question that could not be asked. */
function exitCode({ counts }: RunSummary, isIncomplete: boolean, signal: AbortSignal): ExitCode {
  if (signal.aborted) return 130;
  if (counts.failed + counts.review > 0) return 1;
  const graded = counts.passed + counts.flaky + counts.unstable;
  return counts.errored > 0 || graded === 0 || isIncomplete ? 2 : 0;
}

function entryText(entry: ReportEntry, path: string): string {
  const { status, name, message, passes, rows, sql, line } = entry;
  const times = passes && passes.of > 1 && status !== 'skipped' ? ` (${passes.count}/${passes.of})` : '';
  const head = `${status.padEnd(8)} ${name}${times}${message === '' ? '' : `: ${message}`}`;
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

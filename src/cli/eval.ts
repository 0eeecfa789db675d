/** `analytics-chat eval`: runs question tests. */
import type { Problem, TestQuestion } from '../evals/question.ts';
import type { Verdict } from '../evals/matrix/matrix.ts';
import { startRun } from '../evals/matrix/plannedRun.ts';
import { markdownReport, reportEntry, type ReportEntry } from '../evals/report/markdown.ts';
import { costText, summaryText, Tally, type RunSummary } from '../evals/report/summary.ts';
import { acceptVerdict } from './accept.ts';
import type { Arguments, CliCommand, Invocation } from './command.ts';
import { exitCodeOf, rateOption, rateText } from './gate.ts';
import { junitReport } from './junit.ts';
import { runProgress } from './output.ts';
import { reportProblems, shownPath } from './projectFiles.ts';
import { isFailure, readRun, runEntry, runFile, type RunEntry } from './runFile.ts';
import { plannedTestRun, selectTests } from './selectTests.ts';
import { Service, serviceAsking, type ServiceContext } from './service.ts';
import { ArgumentError, countOption, durationOption } from './usage.ts';
import { diffLines, diffText } from '../compare/lineDiff.ts';

export const evaluate: CliCommand = async (invocation, { positionals, values }) => {
  const { environment, output, signal } = invocation;
  const times = countOption('--times', values.times);
  const attempts = countOption('--attempts', values.attempts);
  if (times !== undefined && attempts !== undefined) throw new ArgumentError('Pass --times or --attempts, not both.');
  const concurrency = countOption('--concurrency', values.concurrency);
  const wait = durationOption('--wait', values.wait);
  const minimum = rateOption('--min-pass-rate', values['min-pass-rate']);
  const known = values.known === undefined ? undefined : await readRun(values.known);
  const earlier = values.failed === undefined ? undefined : await readRun(values.failed);
  const service = new Service(environment, values.branch);
  const { tests, problems, reason } = await selectTests(environment, positionals, {
    tag: values.tag,
    notPassed: earlier && ((question) => earlier.notPassed(question)),
  });
  reportProblems(output, problems);
  if (reason !== undefined) output.note(reason);

  const baseline = values.baseline === undefined ? undefined : new Service(environment, values.baseline);
  const run = plannedTestRun(tests, { service, baseline, as: values.as, attempts, times });
  if (values.list) {
    for (const { question, root } of tests)
      output.result(
        `${shownPath(root, question.path)}:${question.range.start.line + 1}: ${question.name}: ${question.text}`,
      );
    return problems.length > 0 || tests.length === 0 ? 2 : 0;
  }
  const roots = new Map(tests.map(({ question, root }) => [question, root]));
  const { questions } = run;
  const results = new Map<TestQuestion, { report: ReportEntry; run: RunEntry }>();
  const tally = new Tally();
  const accepting: Promise<void>[] = [];
  const branches = [...(baseline ? [baseline.branchLabel] : []), service.branchLabel];
  if (questions.length > 0) output.note(`${costText(run, ...branches)}.`);
  const progress = runProgress(output, questions.length, signal);
  const functions = serviceAsking(environment, progress.onWaiting);
  const finish = async (verdict: Verdict<ServiceContext>): Promise<void> => {
    const accepted = values.accept ? await acceptVerdict(verdict, roots, output) : verdict;
    tally.add(accepted);
    results.set(verdict.question, { report: reportEntry(accepted), run: runEntry(accepted) });
    progress.onVerdict(accepted);
  };
  const summary = await startRun(run, {
    ...functions,
    concurrency,
    branches: { wait, onWaiting: progress.onBranchWait },
    signal,
    onEvent: (event) => {
      if (event.type === 'judged') accepting.push(finish(event.verdict));
    },
  }).finally(() => progress.stop());
  await Promise.all(accepting);
  const entries: ReportEntry[] = [];
  const lines: string[] = [];
  for (const { question, root } of tests) {
    const { report } = results.get(question)!;
    const isKnown = isFailure(report.status) && known?.failed(question);
    const entry: ReportEntry = { ...report, ...(isKnown ? { isKnown } : {}) };
    entries.push(entry);
    lines.push(entryText(entry, shownPath(root, entry.path)));
  }
  const final: RunSummary = {
    ...tally.summary(summary.milliseconds),
    known: entries.filter(({ isKnown }) => isKnown).length,
  };
  const { errored, skipped, canceled } = final.counts;
  const graded = tests.length - errored - skipped - canceled;
  const ungraded = graded < tests.length ? ` · ${graded} of ${tests.length} questions graded` : '';
  output.result([...lines, `${summaryText(final)}${ungraded}`].join('\n'));
  const rate = minimum === undefined ? undefined : rateText(final, minimum);
  if (rate !== undefined) output.result(rate);
  await writeReports(values, invocation, final, entries, problems, service);
  if (values.json !== undefined)
    await output.file(
      values.json,
      runFile(
        'eval',
        questions.map((question) => results.get(question)!.run),
        final,
      ),
    );
  return exitCodeOf(final, { minimum, isIncomplete: problems.length > 0 || questions.length === 0, signal });
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

function entryText(entry: ReportEntry, path: string): string {
  const { status, name, message, passes, rows, sql, line, isKnown } = entry;
  const times = passes && passes.of > 1 && status !== 'skipped' ? ` (${passes.count}/${passes.of})` : '';
  const reason = [isKnown ? 'known' : '', message].filter(Boolean).join(': ');
  const head = `${status.padEnd(8)} ${name}${times}${reason === '' ? '' : `: ${reason}`}`;
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

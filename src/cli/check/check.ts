/** `analytics-chat check`: reports which answers change with the data model. */
import { answerFindings } from '../../evals/check/findings.ts';
import { changeLine, isMemberChange, type CheckedChange } from '../../evals/check/plan.ts';
import { branchWaitText } from '../../evals/matrix/branchProbe.ts';
import type { Verdict } from '../../evals/matrix/matrix.ts';
import { startRun } from '../../evals/matrix/plannedRun.ts';
import { costText, summaryText, Tally, type RunSummary } from '../../evals/report/summary.ts';
import type { TestQuestion } from '../../evals/question.ts';
import { qualified } from '../../model/members.ts';
import type { CliCommand, ExitCode } from '../command.ts';
import { waitingLines } from '../output.ts';
import { prepareCheck } from './preparedCheck.ts';
import { reportProblems } from '../projectFiles.ts';
import { runEntry, runFile } from '../runFile.ts';
import { serviceAsking, type ServiceContext } from '../service.ts';
import { countOption, durationOption, UsageError } from '../usage.ts';

export const check: CliCommand = async ({ environment, output, signal }, { positionals, values }) => {
  const concurrency = countOption('--concurrency', values.concurrency);
  const attempts = countOption('--attempts', values.attempts);
  const wait = durationOption('--wait', values.wait);
  const prepared = await prepareCheck(environment, { paths: positionals, ...values, attempts });
  const { plan, questions, problems, left, branch, isUnfollowed, skipped, run } = prepared;
  for (const reason of skipped) output.note(reason);
  reportProblems(output, problems);
  if (questions.length === 0) throw new UsageError('No questions found.');
  for (const change of plan.changes) output.note(noteOf(change));
  if (isUnfollowed)
    output.note('It is not known which answers some of these changes affect. Ask every question with --all.');
  const isIncomplete = problems.length > 0 || isUnfollowed || skipped.length > 0;
  const write = async (verdicts: readonly Verdict<ServiceContext>[], summary: RunSummary): Promise<void> => {
    if (values.json !== undefined) await output.file(values.json, runFile('check', verdicts.map(runEntry), summary));
  };
  if (plan.changes.length === 0 && !values.all) {
    await write([], new Tally().summary(0));
    output.result(`The data model has not changed${skipped.length > 0 ? ' in other files' : ''}.`);
    return skipped.length > 0 ? 2 : 0;
  }
  for (const reason of prepared.unpushed) output.note(`Warning: ${reason}; the service answers from what is pushed.`);
  if (plan.questions.length === 0) {
    await write([], new Tally().summary(0));
    output.result(isUnfollowed ? 'No question is known to use what changed.' : 'No question uses what changed.');
    return exitCode([], isIncomplete, signal);
  }
  const asked = new Map(plan.questions.map(({ question, changes }) => [question, changes]));
  output.note(`${costText(run, left, branch)} (${asked.size} of ${questions.length}).`);
  const results = new Map<TestQuestion, Verdict<ServiceContext>>();
  const summary = await startRun(run, {
    ...serviceAsking(
      environment,
      waitingLines((text) => output.note(text)),
    ),
    concurrency,
    branches: { wait, onWaiting: (name) => output.note(branchWaitText(name)) },
    signal,
    onEvent: (event) => {
      if (event.type !== 'judged') return;
      const { verdict } = event;
      results.set(verdict.question, verdict);
      output.note(`[${results.size}/${asked.size}] ${verdict.status} ${verdict.question.name}`);
    },
  });
  const lineOf = (change: CheckedChange): string => {
    const { file, line } = prepared.placeOf(change);
    return `${file}:${line}`;
  };
  const lines = [...asked].flatMap(([question, changes]) => {
    const verdict = results.get(question);
    if (verdict === undefined) return [];
    // No problem of a member, because the answers differ on one branch.
    if (verdict.status === 'unstable') return [`unstable ${question.name}: ${verdict.message}`];
    const found = answerFindings(verdict, changes).map(({ change, message }) => `${lineOf(change)}: ${message}`);
    const isListed = found.length > 0 || verdict.status === 'same' || verdict.status === 'canceled';
    return isListed ? found : [`${question.name}: ${verdict.message}`];
  });
  // The members of a deleted file are at the same place.
  output.result([...new Set(lines), summaryText(summary)].join('\n'));
  await write(
    run.questions.flatMap((question) => results.get(question) ?? []),
    summary,
  );
  return exitCode([...results.values()], isIncomplete, signal);
};

function noteOf(change: CheckedChange): string {
  if (!isMemberChange(change)) return changeLine(change);
  const former = change.kind === 'renamed' ? `${qualified(change.before)} → ` : '';
  return `${change.kind} ${former}${qualified(change.member)}`;
}

/** A changed answer takes precedence over one that failed, and over questions that were not asked. */
function exitCode(results: readonly Verdict[], isIncomplete: boolean, signal: AbortSignal): ExitCode {
  if (signal.aborted) return 130;
  if (results.some(({ status }) => status === 'changed' || status === 'review')) return 1;
  return isIncomplete || results.some(({ status }) => status === 'errored') ? 2 : 0;
}

/** `analytics-chat check`: reports which answers change with the data model. */
import { join, relative } from 'node:path';
import { versionsSince, type GitVersions } from '../evals/check/gitVersions.ts';
import { answerFindings, locationOf } from '../evals/check/findings.ts';
import { qualified } from '../model/members.ts';
import {
  changeLine,
  isMemberChange,
  planCheck,
  unfollowedIn,
  withAllQuestions,
  type CheckedChange,
} from '../evals/check/plan.ts';
import { DEFAULT_ATTEMPTS, type Verdict } from '../evals/matrix/matrix.ts';
import { runMatrix } from '../evals/matrix/runMatrix.ts';
import { same } from '../evals/matrix/same.ts';
import { costText, summaryText, Tally, type RunSummary } from '../evals/report/summary.ts';
import type { Question } from '../evals/question.ts';
import type { CliCommand, ExitCode } from './command.ts';
import { openRepositories } from './git.ts';
import { waitingLines } from './output.ts';
import { readProjects, reportProblems } from './projectFiles.ts';
import { runEntry, runFile } from './runFile.ts';
import { Service, serviceAsking, type ServiceContext } from './service.ts';
import { countOption, UsageError } from './usage.ts';

export const check: CliCommand = async ({ environment, output, signal }, { positionals, values }) => {
  const concurrency = countOption('--concurrency', values.concurrency);
  const attempts = countOption('--attempts', values.attempts) ?? DEFAULT_ATTEMPTS;
  const { root, sources, isInside } = await openRepositories(process.cwd());
  const base = values.base ?? environment.mainBranch;
  const versions = await versionsSince(sources, isInside, base, environment.agentsPath);
  if (versions === undefined)
    throw new UsageError(
      `git: ${base} and HEAD have no common commit here. Fetch the history of both, or name another base with --base.`,
    );
  const { before, after, skipped } = versions;
  const branch = values.branch ?? versions.branch;
  // `origin/main` in git is `main` on the service.
  const left = base.replace(/^origin\//, '');
  if (branch === undefined) throw new UsageError('No branch is checked out: name one with --branch.');
  if (branch === left) throw new UsageError(`${branch} is the base: check out the branch to check, or name --base.`);
  for (const path of skipped) output.note(`${path} is not compared: it has more than 5 MB.`);
  const { questions: found, problems } = await readProjects(positionals, environment.agentsPath);
  reportProblems(output, problems);
  if (found.length === 0) throw new UsageError('No questions found.');
  const questions = found.map(({ question }) => question);
  const planned = planCheck(before, after, questions, environment.agentsPath);
  const plan = values.all ? withAllQuestions(planned, questions) : planned;
  for (const change of plan.changes) output.note(noteOf(change));
  const isUnfollowed = !values.all && unfollowedIn(plan).length > 0;
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
  for (const warning of warningsOf(versions))
    output.note(`Warning: ${warning}; the service answers from what is pushed.`);
  if (plan.questions.length === 0) {
    await write([], new Tally().summary(0));
    output.result(isUnfollowed ? 'No question is known to use what changed.' : 'No question uses what changed.');
    return exitCode([], isIncomplete, signal);
  }
  const asked = new Map(plan.questions.map(({ question, changes }) => [question, changes]));
  const onBase = new Service(environment, left);
  const onBranch = new Service(environment, branch);
  // Report a missing identity once, not with every question.
  if ([...asked.keys()].some(({ identity }) => identity === undefined)) onBase.identityLabel(values.as);
  const contextsOf = ({ identity = values.as }: Question): ServiceContext[] => [
    onBase.context(identity),
    onBranch.context(identity),
  ];
  const cost = { questions: [...asked.keys()], contextsOf, attempts };
  output.note(`${costText(cost, left, branch)} (${asked.size} of ${questions.length}).`);
  const results = new Map<Question, Verdict<ServiceContext>>();
  const summary = await runMatrix(cost.questions, contextsOf, same(), {
    ...serviceAsking(environment, waitingLines(output)),
    concurrency,
    attempts,
    signal,
    onEvent: (event) => {
      if (event.type !== 'judged') return;
      const { verdict } = event;
      results.set(verdict.question, verdict);
      output.note(`[${results.size}/${asked.size}] ${verdict.status} ${verdict.question.name}`);
    },
  });
  const lineOf = (change: CheckedChange): string => {
    const { path, range } = locationOf(change, after);
    return `${relative(process.cwd(), join(root, path))}:${range.start.line + 1}`;
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
  output.result([...lines, summaryText(summary)].join('\n'));
  await write(
    cost.questions.flatMap((question) => results.get(question) ?? []),
    summary,
  );
  return exitCode([...results.values()], isIncomplete, signal);
};

/** @returns messages about changes that the service does not have yet */
function warningsOf({ branch, unpushed: { uncommitted, commits } }: GitVersions): string[] {
  const warnings = uncommitted.map((name) => `${name} is not committed`);
  if (branch === undefined) return warnings;
  if (commits === undefined) return [...warnings, `${branch} has no upstream branch`];
  const ahead = `${branch} is ${commits} ${commits === 1 ? 'commit' : 'commits'} ahead of its upstream branch`;
  return commits > 0 ? [...warnings, ahead] : warnings;
}

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

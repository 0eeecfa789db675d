/** `analytics-chat check`: reports which answers change with the data model. */
import { join, relative } from 'node:path';
import { compareOnBranches, branchesSummaryText, type ComparedAnswers } from '../evals/run/branches.ts';
import type { MemberChange } from '../model/changes.ts';
import { answerFindings, isReported, locationOf } from '../evals/check/findings.ts';
import { membersIn, qualified } from '../model/members.ts';
import { planCheck } from '../evals/check/plan.ts';
import type { Question } from '../evals/question.ts';
import type { Command, ExitCode } from './command.ts';
import { Git } from './git.ts';
import { waitingLines } from './output.ts';
import { readProjects, reportProblems } from './projectFiles.ts';
import { Service } from './service.ts';
import { countOption, UsageError } from './usage.ts';

export const check: Command = async ({ environment, output, signal }, { positionals, values }) => {
  const concurrency = countOption('--concurrency', values.concurrency);
  const git = await Git.open(process.cwd());
  const base = values.base ?? environment.mainBranch;
  const branch = values.branch ?? (await git.branch());
  // `origin/main` in git is `main` on the service.
  const left = base.replace(/^origin\//, '');
  if (branch === undefined) throw new UsageError('No branch is checked out: name one with --branch.');
  if (branch === left) throw new UsageError(`${branch} is the base: check out the branch to check, or name --base.`);
  const { before, after, warnings } = await git.modelSince(base);
  const { questions: found, problems } = await readProjects(positionals);
  reportProblems(output, problems);
  if (found.length === 0) throw new UsageError('No questions found.');
  const questions = found.map(({ question }) => question);
  const plan = planCheck(before, after, questions);
  for (const change of plan.changes) {
    const former = change.kind === 'renamed' ? `${qualified(change.before)} → ` : '';
    output.note(`${change.kind} ${former}${qualified(change.member)}`);
  }
  if (plan.changes.length === 0) {
    output.result('The data model has not changed.');
    return 0;
  }
  if (plan.questions.length === 0) {
    output.result('No question uses what changed.');
    return exitCode([], problems.length > 0, signal);
  }
  for (const warning of warnings) output.note(`Warning: ${warning}; the service answers from what is pushed.`);
  const asked = new Map(plan.questions.map(({ question, changes }) => [question, changes]));
  output.note(`Asking ${asked.size} of ${questions.length} questions on ${left} and on ${branch}.`);

  const onBase = new Service(environment, left);
  // Report a missing identity once, not with every question.
  if ([...asked.keys()].some(({ identity }) => identity === undefined)) onBase.identityLabel(values.as);
  const askedBefore = onBase.asking(values.as, waitingLines(output));
  const askedAfter = new Service(environment, branch).asking(values.as, waitingLines(output));
  const results = new Map<Question, ComparedAnswers>();
  const summary = await compareOnBranches(
    [...asked.keys()],
    {
      names: { left, right: branch },
      ask: { left: askedBefore.ask, right: askedAfter.ask },
      runSql: askedBefore.runSql && askedAfter.runSql && { left: askedBefore.runSql, right: askedAfter.runSql },
      concurrency,
      signal,
    },
    {
      onCompared: (compared) => {
        results.set(compared.question, compared);
        output.note(`[${results.size}/${asked.size}] ${compared.state} ${compared.question.name}`);
      },
    },
  );
  const members = after.flatMap(membersIn);
  const lineOf = (change: MemberChange): string => {
    const { path, range } = locationOf(change, members, after);
    return `${relative(process.cwd(), join(git.root, path))}:${range.start.line + 1}`;
  };
  const lines = [...asked].flatMap(([question, changes]) => {
    const compared = results.get(question);
    if (compared === undefined) return [];
    return answerFindings(compared, changes).map(({ change, message }) => `${lineOf(change)}: ${message}`);
  });
  output.result([...lines, branchesSummaryText(summary)].join('\n'));
  return exitCode([...results.values()], problems.length > 0, signal);
};

/** A changed answer takes precedence over one that failed, and over invalid files, whose questions were not asked. */
function exitCode(results: readonly ComparedAnswers[], isIncomplete: boolean, signal: AbortSignal): ExitCode {
  if (signal.aborted) return 130;
  if (results.some((compared) => isReported(compared) && compared.state !== 'failed')) return 1;
  return isIncomplete || results.some(({ state }) => state === 'failed') ? 2 : 0;
}

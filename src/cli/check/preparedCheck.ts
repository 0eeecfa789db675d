/** What `check` is about: what changed in git, and the questions to ask on both branches. */
import { join, relative } from 'node:path';
import { locationOf } from '../../evals/check/findings.ts';
import { versionsSince, type GitVersions } from '../../evals/check/gitVersions.ts';
import {
  planCheck,
  unfollowedIn,
  withAllQuestions,
  type CheckedChange,
  type CheckPlan,
} from '../../evals/check/plan.ts';
import { plannedCheck, type PlannedRun } from '../../evals/matrix/plannedRun.ts';
import type { Environment } from '../environment.ts';
import { openRepositories } from './git.ts';
import { readProjects, type ProjectProblem, type ProjectQuestion } from '../projectFiles.ts';
import { Service, type ServiceContext } from '../service.ts';
import { UsageError } from '../usage.ts';

interface CheckInput {
  /** As those of `readProjects`. */
  paths: readonly string[];
  /** Branch to compare with; the main branch by default. */
  base?: string;
  /** Branch of the service; by default, the one that is checked out. */
  branch?: string;
  as?: string;
  /** Whether to ask every question. */
  all?: boolean;
  attempts?: number;
}

export interface PreparedCheck {
  plan: CheckPlan;
  /** All questions of the project. */
  questions: readonly ProjectQuestion[];
  problems: readonly ProjectProblem[];
  /** Names of the branches. */
  left: string;
  branch: string;
  /** Whether some files changed of which it is not known which questions they concern, and not all are asked. */
  isUnfollowed: boolean;
  /** What is not compared, and why. */
  skipped: readonly string[];
  /** Changes that the service does not have yet. */
  unpushed: readonly string[];
  run: PlannedRun<ServiceContext>;
  /** @returns where a change is, relative to the working directory; the line is one-based */
  placeOf: (change: CheckedChange) => { file: string; line: number };
}

/** @throws UsageError if there is no such branch or identity */
export async function prepareCheck(environment: Environment, input: CheckInput): Promise<PreparedCheck> {
  const { root, sources, isInside } = await openRepositories(process.cwd());
  const base = input.base ?? environment.mainBranch;
  const versions = await versionsSince(sources, isInside, base, environment.agentsPath);
  if (versions === undefined)
    throw new UsageError(
      `git: ${base} and HEAD have no common commit here. Fetch the history of both, or name another base with --base.`,
    );
  const { before, after } = versions;
  const skipped = [
    ...versions.skipped.map((path) => `${path} is not compared: it has more than 5 MB, or is not UTF-8.`),
    ...versions.unrelated.map((path) => `${path} is not compared: ${base} and its HEAD have no common commit.`),
  ];
  const branch = input.branch ?? versions.branch;
  // `origin/main` in git is `main` on the service.
  const left = base.replace(/^origin\//, '');
  if (branch === undefined) throw new UsageError('No branch is checked out: name one with --branch.');
  if (branch === left) throw new UsageError(`${branch} is the base: check out the branch to check, or name --base.`);
  const { questions, problems } = await readProjects(input.paths, environment.agentsPath);
  const all = questions.map(({ question }) => question);
  const planned = planCheck(before, after, all, environment.agentsPath);
  const plan = input.all ? withAllQuestions(planned, all) : planned;
  const onBase = new Service(environment, left);
  const onBranch = new Service(environment, branch);
  // Report a missing identity once, not with every question.
  if (plan.questions.some(({ question }) => question.identity === undefined)) onBase.identityLabel(input.as);
  return {
    ...{ plan, questions, problems, left, branch, skipped, unpushed: unpushedIn(versions) },
    isUnfollowed: !input.all && unfollowedIn(plan).length > 0,
    run: plannedCheck(plan, {
      before: (identity = input.as) => onBase.context(identity),
      after: (identity = input.as) => onBranch.context(identity),
      attempts: input.attempts,
    }),
    placeOf: (change) => {
      const { path, range } = locationOf(change, after);
      return { file: relative(process.cwd(), join(root, path)), line: range.start.line + 1 };
    },
  };
}

function unpushedIn({ branch, unpushed: { uncommitted, commits } }: GitVersions): string[] {
  const reasons = uncommitted.map((name) => `${name} is not committed`);
  if (branch === undefined) return reasons;
  if (commits === undefined) return [...reasons, `${branch} has no upstream branch`];
  const ahead = `${branch} is ${commits} ${commits === 1 ? 'commit' : 'commits'} ahead of its upstream branch`;
  return commits > 0 ? [...reasons, ahead] : reasons;
}

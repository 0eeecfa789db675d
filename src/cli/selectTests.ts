/** Selects the question tests of a run, and plans it. */
import { nameKey, tagsOf, type TestQuestion } from '../evals/question.ts';
import { plannedTests, type PlannedRun } from '../evals/matrix/plannedRun.ts';
import type { Environment } from './environment.ts';
import { readProjects, type ProjectProblem, type ProjectQuestion } from './projectFiles.ts';
import type { Service, ServiceContext } from './service.ts';
import { UsageError } from './usage.ts';

export interface TestSelection {
  /** Projects, or files and folders in them; by default, the project of the working directory. */
  paths: readonly string[];
  /** With or without `@`. */
  tag?: string;
  names?: readonly string[];
  /** Excludes questions that passed before. */
  notPassed?: (question: TestQuestion) => boolean;
}

interface SelectedTests {
  tests: readonly ProjectQuestion[];
  problems: readonly ProjectProblem[];
  /** Why there are none. */
  reason?: string;
}

/** @throws UsageError for a path or a name that does not exist */
export async function selectTests(
  { agentsPath }: Environment,
  { paths, tag, names, notPassed }: TestSelection,
): Promise<SelectedTests> {
  const { questions: all, problems } = await readProjects(paths, agentsPath);
  if (all.length === 0) return { tests: [], problems, reason: 'No questions found.' };
  const known = new Set(all.map(({ question }) => nameKey(question.name)));
  const unknown = names?.find((name) => !known.has(nameKey(name)));
  if (unknown !== undefined) throw new UsageError(`There is no question with the name “${unknown}”.`);
  const wanted = names && new Set(names.map(nameKey));
  const atTag = tag?.replace(/^@?/, '@');
  const tagged = all.filter(
    ({ question }) =>
      (wanted?.has(nameKey(question.name)) ?? true) && (atTag === undefined || tagsOf(question).includes(atTag)),
  );
  if (tagged.length === 0) return { tests: [], problems, reason: `No question has the tag ${atTag}.` };
  const tests = notPassed ? tagged.filter(({ question }) => notPassed(question)) : tagged;
  return { tests, problems, ...(tests.length === 0 ? { reason: 'None of these questions failed earlier.' } : {}) };
}

interface TestRunOptions {
  service: Service;
  /** The branch whose answers are expected. */
  baseline?: Service;
  /** Name of the identity to ask as where a question names none. */
  as?: string;
  attempts?: number;
  times?: number;
}

/** @throws UsageError for a missing or unknown identity, once instead of with every question */
export function plannedTestRun(
  tests: SelectedTests['tests'],
  { service, baseline, as, ...repetition }: TestRunOptions,
): PlannedRun<ServiceContext> {
  const questions = tests.map(({ question }) => question);
  if (as !== undefined || questions.some(({ identity }) => identity === undefined)) service.identityLabel(as);
  const on = (branch: Service) => (identity?: string) => branch.context(identity ?? as);
  return plannedTests(questions, { on: on(service), onOther: baseline && on(baseline), ...repetition });
}

/** Selects the question tests of a run, and plans it. */
import { plannedTests, type PlannedRun } from '../evals/matrix/plannedRun.ts';
import { selectQuestions, type QuestionSelection } from '../evals/selectQuestions.ts';
import type { Environment } from './environment.ts';
import { readProjects, type ProjectProblem, type ProjectQuestion } from './projectFiles.ts';
import type { Service, ServiceContext } from './service.ts';

interface SelectedTests {
  tests: readonly ProjectQuestion[];
  problems: readonly ProjectProblem[];
  /** Why there are none. */
  reason?: string;
}

/**
 * @param paths as those of `readProjects`
 * @throws UsageError for a path that does not exist
 */
export async function selectTests(
  { agentsPath }: Environment,
  paths: readonly string[],
  selection: QuestionSelection,
): Promise<SelectedTests> {
  const { questions, problems } = await readProjects(paths, agentsPath);
  const { selected: tests, ...reason } = selectQuestions(questions, selection);
  return { tests, problems, ...reason };
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

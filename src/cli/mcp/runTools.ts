/** The tools `run_questions` and `check_change`: the runs of `eval` and `check`. */
import { z } from 'zod';
import { changeLine, unfollowedLines } from '../../evals/check/plan.ts';
import { branchWaitText } from '../../evals/matrix/branchProbe.ts';
import type { PlannedRun } from '../../evals/matrix/plannedRun.ts';
import { LastVerdicts } from '../../evals/selectQuestions.ts';
import { costText } from '../../evals/report/summary.ts';
import { reportedRun, reportText, type ReportOptions, type ToolReport } from '../../evals/report/toolReport.ts';
import { VERDICT_STATUSES } from '../../shared/protocol/verdicts.ts';
import { waitingLines } from '../output.ts';
import { prepareCheck } from '../check/preparedCheck.ts';
import { shownPath, type ProjectProblem, type ProjectQuestion } from '../projectFiles.ts';
import { plannedTestRun, selectTests } from '../selectTests.ts';
import { Service, serviceAsking, type ServiceContext } from '../service.ts';
import { durationOption } from '../usage.ts';
import { as, branch, name, type Tool, type ToolInvocation, type ToolResult } from './tool.ts';

const place = { file: z.string(), line: z.number() };

const outputSchema = {
  summary: z.string(),
  warnings: z.array(z.string()).describe('Why the verdicts may be wrong, for example a change that is not pushed'),
  questions: z
    .array(
      z.object({
        ...{ name: z.string(), question: z.string(), message: z.string(), verdict: z.enum(VERDICT_STATUSES) },
        ...z.object(place).partial().shape,
        changes: z
          .array(z.object({ change: z.string(), ...place }))
          .optional()
          .describe('The changes that may be the reason'),
        rows: z.string().optional().describe('Line diff: - expected or before, + answer or after'),
        sql: z.object({ expected: z.string().optional(), actual: z.string().optional() }).optional(),
        chatId: z.string().optional().describe('Thread of the answer, for a follow-up with ask'),
      }),
    )
    .describe('First those to look at'),
  notice: z.string().optional().describe('Says what was left out'),
};

/** Number of warnings of a kind that a report lists. */
const MOST_LISTED = 20;

const wait = z
  .string()
  .optional()
  .describe(
    'How long to wait for a branch that was just pushed, until the service serves it, such as 10m; by default, not at all',
  );

const testsInput = {
  paths: z.array(name).optional().describe('Files or folders with questions; by default, all of the project'),
  names: z.array(name).optional().describe('Names of questions'),
  tag: name.optional().describe('@access for access tests, or @NAME of an identity'),
  branch,
  as,
  wait,
  failed_only: z.boolean().optional().describe('Only questions that did not pass when this server last ran them'),
};

/** @returns the tool, which remembers the last verdicts for `failed_only` */
export function runQuestionsTool(): Tool<typeof testsInput> {
  const last = new LastVerdicts();
  return {
    name: 'run_questions',
    title: 'Run question tests',
    description:
      'Asks the question tests of the project and compares the answers with their expected results. Each verdict has the file and line of its question. Slow: every question is asked, and again if it fails.',
    inputSchema: testsInput,
    outputSchema,
    async run({ paths = [], names, tag, failed_only: isFailedOnly, ...input }, call) {
      const notPassed = isFailedOnly ? last.notPassed : undefined;
      const { tests, problems, reason } = await selectTests(call.environment, paths, { names, tag, notPassed });
      const service = new Service(call.environment, input.branch);
      const warnings = problemLines(problems);
      if (reason !== undefined) return resultOf({ summary: reason, warnings, questions: [] });
      const run = plannedTestRun(tests, { service, as: input.as });
      return report(run, call, {
        ...{ tests, warnings, wait: input.wait, where: [service.branchLabel] },
        onVerdict: (verdict) => last.add(verdict),
      });
    },
  };
}

const checkInput = {
  base: name.optional().describe('Branch to compare with; the main branch by default'),
  branch: name.optional().describe('Branch of the service; by default, the one that is checked out in git'),
  as,
  wait,
  all: z.boolean().optional().describe('Ask every question, not only those that are known to use what changed'),
};

export const checkChangeTool: Tool<typeof checkInput> = {
  name: 'check_change',
  title: 'Check a change of the data model',
  description:
    'Finds what the checked-out branch changes in the data model and the rules of the agent, asks the questions that use it on the base and on the branch, and reports the answers that changed, with their rows and the file and line of the change. Commit and push first: the service answers from what is pushed.',
  inputSchema: checkInput,
  outputSchema,
  async run(input, call) {
    const prepared = await prepareCheck(call.environment, { paths: [], ...input });
    const { plan, questions, problems, left, branch: right, isUnfollowed, run, placeOf } = prepared;
    const hasChanges = plan.changes.length > 0 || input.all;
    const warnings = [
      ...listed(
        hasChanges ? prepared.unpushed.map((reason) => `${reason}; the service answers from what is pushed.`) : [],
      ),
      ...(isUnfollowed
        ? [
            `It is not known which answers these changes affect; pass all to ask every question: ${unfollowedLines(plan).join(', ')}.`,
          ]
        : []),
      ...prepared.skipped,
      ...problemLines(problems),
    ];
    const nothing =
      questions.length === 0
        ? 'No questions found.'
        : !hasChanges
          ? 'The data model has not changed.'
          : plan.questions.length === 0
            ? 'No question is known to use what changed.'
            : undefined;
    if (nothing !== undefined) return resultOf({ summary: nothing, warnings, questions: [] });
    const changes = new Map(plan.questions.map((planned) => [planned.question, planned.changes]));
    return report(run, call, {
      ...{ tests: questions, warnings, wait: input.wait, where: [left, right] },
      changesOf: (question) =>
        (changes.get(question) ?? []).map((change) => ({ change: changeLine(change), ...placeOf(change) })),
    });
  },
};

interface Reported extends Pick<ReportOptions<ServiceContext>, 'warnings' | 'changesOf' | 'onVerdict'> {
  tests: readonly ProjectQuestion[];
  /** A duration. */
  wait: string | undefined;
  /** Names of the branches. */
  where: readonly string[];
}

async function report(
  run: PlannedRun<ServiceContext>,
  { environment, signal, progress }: ToolInvocation,
  { tests, wait: duration, where, ...options }: Reported,
): Promise<ToolResult> {
  const wait = durationOption('wait', duration);
  progress?.report(costText(run, ...where));
  const roots = new Map(tests.map(({ question, root }) => [question, root]));
  const reported = await reportedRun(run, {
    ...serviceAsking(
      environment,
      waitingLines((text) => progress?.report(text)),
    ),
    ...{ ...options, signal },
    branches: { wait, onWaiting: (name) => progress?.report(branchWaitText(name)) },
    fileOf: (question) => shownPath(roots.get(question) ?? '', question.path),
    onProgress: (message, steps) => progress?.report(message, steps),
  });
  return resultOf(reported);
}

const resultOf = (structured: ToolReport): ToolResult => ({ text: reportText(structured), structured });

const problemLines = (problems: readonly ProjectProblem[]): string[] =>
  listed(
    problems.map(({ root, path, range, message }) => `${shownPath(root, path)}:${range.start.line + 1}: ${message}`),
  );

function listed(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LISTED;
  return more > 0 ? [...lines.slice(0, MOST_LISTED), `… ${more} more`] : [...lines];
}

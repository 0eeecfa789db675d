/** Language model tools that run question tests and check a change, as the MCP server of the command line does. */
import * as vscode from 'vscode';
import { locationOf } from '../../evals/check/findings.ts';
import {
  changeLine,
  changeLines,
  planCheck,
  unfollowedLines,
  unpushedLines,
  withAllQuestions,
} from '../../evals/check/plan.ts';
import { plannedCheck, plannedTests, type PlannedRun } from '../../evals/matrix/plannedRun.ts';
import { costText } from '../../evals/report/summary.ts';
import { reportedRun, reportText, type ReportOptions } from '../../evals/report/toolReport.ts';
import { LastVerdicts, selectQuestions } from '../../evals/selectQuestions.ts';
import { shownName } from '../../chat/connection/connectionList.ts';
import { fieldsOf, messageOf } from '../../shared/text/checks.ts';
import { quotedNames, t } from '../../shared/text/l10n.ts';
import { modelVersions } from '../check/modelVersions.ts';
import { plainMarkdownString, withSignal } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import { contextsIn, editorAsking, type AskContext } from '../runs/askContext.ts';
import type { Services } from '../services.ts';
import { consentText } from './consent.ts';
import { answered, field } from './tools.ts';

export type RunToolsServices = Services<
  'branches' | 'connections' | 'connector' | 'identities' | 'log' | 'questionFiles'
>;

/** A run that the user has to confirm. */
interface PreparedRun extends Pick<ReportOptions<AskContext>, 'warnings' | 'changesOf' | 'onVerdict'> {
  title: string;
  folder: vscode.WorkspaceFolder;
  run: PlannedRun<AskContext>;
  /** Names of the branches. */
  branches: readonly string[];
  /** Lines of the confirmation, in addition to the cost and the identities. */
  details: readonly string[];
}

/** A run, or why there is nothing to ask. */
type Prepared = PreparedRun | string;

/** @returns the tools by their names in the manifest */
export function runTools(services: RunToolsServices) {
  const last = new LastVerdicts();
  return {
    run_question_tests: runTool(services, (input) => preparedTests(services, last, input)),
    check_model_change: runTool(services, (input) => preparedCheck(services, input)),
  };
}

function runTool(
  services: RunToolsServices,
  prepare: (input: unknown) => Promise<Prepared>,
): vscode.LanguageModelTool<unknown> {
  /** What was confirmed, by input: exactly that is run, also if files have changed since. */
  const confirmed = new Map<string, Prepared>();
  return {
    prepareInvocation: async ({ input }) => {
      if (!readSettings().toolsEnabled) return {};
      const prepared = await prepare(input).catch(messageOf);
      confirmed.set(JSON.stringify(input), prepared);
      return typeof prepared === 'string' ? {} : confirmation(services, prepared);
    },
    invoke: ({ input }, token) =>
      answered(services, async () => {
        const prepared = confirmed.get(JSON.stringify(input));
        if (prepared === undefined) return t('This call was not confirmed. Call the tool again.');
        if (typeof prepared === 'string') return prepared;
        return withSignal(token, (signal) => textOf(services, prepared, signal));
      }),
  };
}

async function textOf(services: RunToolsServices, prepared: PreparedRun, signal: AbortSignal): Promise<string> {
  const { run, folder, warnings, changesOf, onVerdict } = prepared;
  const report = await reportedRun(run, {
    ...editorAsking(services),
    ...{ warnings, changesOf, onVerdict, signal },
    concurrency: readSettings(folder).evalsConcurrency,
    branches: { wait: 0 },
    fileOf: ({ path }) => fileIn(folder, path),
    onProgress: () => undefined,
  });
  return reportText(report);
}

const fileIn = ({ uri }: vscode.WorkspaceFolder, path: string): string =>
  vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, path));

function confirmation(
  { connections: { current, several } }: RunToolsServices,
  { title, run, branches, warnings, details }: PreparedRun,
): vscode.PreparedToolInvocation {
  const cost = costText(run, ...branches);
  const names = new Set(run.questions.flatMap((question) => run.contextsOf(question)).map((each) => each.identity));
  const lines = [
    t('Asked as {0}', quotedNames([...names])),
    ...(current && several ? [t('Connection: {0}', shownName(current))] : []),
    ...warnings,
    ...details,
  ];
  return {
    invocationMessage: cost,
    confirmationMessages: { title, message: plainMarkdownString(consentText(cost, lines.join('\n'))) },
  };
}

async function preparedTests(services: RunToolsServices, last: LastVerdicts, input: unknown): Promise<Prepared> {
  const folder = await folderFor(services, input);
  if (typeof folder === 'string') return folder;
  const { names, failed_only: isFailedOnly } = fieldsOf(input);
  const questions = await services.questionFiles.questionsOf(folder);
  const { selected, reason } = selectQuestions(
    questions.map((question) => ({ question })),
    {
      names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
      tag: field(input, 'tag') || undefined,
      notPassed: isFailedOnly === true ? last.notPassed : undefined,
    },
  );
  if (reason !== undefined) return reason;
  const on = contextsIn(services, folder, field(input, 'branch') || undefined);
  const { evalsAttempts: attempts, evalsPrecision: precision } = readSettings(folder);
  return {
    ...{ title: t('Run question tests?'), folder, branches: [on().branch], warnings: [], details: [] },
    run: plannedTests(
      selected.map(({ question }) => question),
      { on, attempts, precision },
    ),
    onVerdict: (verdict) => last.add(verdict),
  };
}

async function preparedCheck(services: RunToolsServices, input: unknown): Promise<Prepared> {
  const folder = await folderFor(services, input);
  if (typeof folder === 'string') return folder;
  const main = services.branches.mainOf(folder);
  const versions = await modelVersions(folder, main);
  if (!versions) return t('“{0}” is the main branch. Switch to the branch with your change, then check again.', main);
  const { before, after, branch, unpushed } = versions;
  const { evalsAttempts: attempts, evalsPrecision: precision, agentsPath } = readSettings(folder);
  const questions = await services.questionFiles.questionsOf(folder);
  const isAll = fieldsOf(input)['all'] === true;
  const planned = planCheck(before, after, questions, agentsPath);
  const plan = isAll ? withAllQuestions(planned, questions) : planned;
  if (plan.changes.length === 0 && !isAll) return t('Nothing to check: the data model is the same as on “{0}”.', main);
  const unfollowed = isAll ? [] : unfollowedLines(plan);
  const notPushed = unpushedLines(unpushed);
  const warnings = [
    ...(notPushed.length > 0
      ? [t('The service may still have the old model. Commit and push, then check again.'), ...notPushed]
      : []),
    ...(unfollowed.length > 0 ? [t('Changed, but it is not known which answers this affects:'), ...unfollowed] : []),
  ];
  if (plan.questions.length === 0) return [t('No question is known to use what changed.'), ...warnings].join('\n');
  const changes = new Map(plan.questions.map(({ question, changes: own }) => [question, own]));
  return {
    ...{ title: t('Check your change of the data model?'), folder, branches: [main, branch], warnings },
    details: changeLines(plan.changes),
    run: plannedCheck(plan, {
      before: contextsIn(services, folder, main),
      after: contextsIn(services, folder, branch),
      ...{ attempts, precision },
    }),
    changesOf: (question) =>
      (changes.get(question) ?? []).map((change) => {
        const { path, range } = locationOf(change, after);
        return { change: changeLine(change), file: fileIn(folder, path), line: range.start.line + 1 };
      }),
  };
}

/** @returns the folder of the call, or of the active editor, or the first one with questions; or why nothing is asked */
async function folderFor(
  { connections, questionFiles }: RunToolsServices,
  input: unknown,
): Promise<vscode.WorkspaceFolder | string> {
  if (!vscode.workspace.isTrusted)
    return t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.');
  if (!connections.current) return t('There is no connection yet. Connect to your agent to ask.');
  const folders = (await questionFiles.load()).map(({ folder }) => folder);
  const uri = vscode.window.activeTextEditor?.document.uri;
  const active = uri && vscode.workspace.getWorkspaceFolder(uri);
  const name = field(input, 'folder');
  if (name !== '')
    return folders.find((folder) => folder.name === name) ?? t('There is no folder “{0}” with question tests.', name);
  const found = folders.find((folder) => folder === active) ?? folders[0];
  return (
    found ?? t('There are no questions to ask. Add some to {0}.', `${readSettings().agentsPath}/eval_questions.yml`)
  );
}

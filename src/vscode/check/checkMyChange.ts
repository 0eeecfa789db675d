/** The *Check My Change* command: asks the questions that a change of the data model may affect, on both branches. */
import * as vscode from 'vscode';
import { answerFindings, changeFindings } from '../../evals/check/findings.ts';
import { isPast, withPastQuestions } from '../../evals/check/pastQuestions.ts';
import {
  changeLines,
  planCheck,
  unfollowedLines,
  unpushedLines,
  withAllQuestions,
  type CheckPlan,
} from '../../evals/check/plan.ts';
import type { TestQuestion } from '../../evals/question.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { costDetail, openAnswers, type AnswersTabServices } from '../runs/compareAnswers.ts';
import {
  askWithInformation,
  askWithWarning,
  offerToConnect,
  offerTrust,
  showInformationMessage,
  withProgress,
} from '../host/notify.ts';
import { pickFolder } from '../host/quickPick.ts';
import { readSettings } from '../host/settings.ts';
import { modelVersions, type ModelVersions } from './modelVersions.ts';
import type { Checks } from './checks.ts';
import type { Services } from '../services.ts';

export interface CheckMyChangeServices extends AnswersTabServices, Services<'questionFiles'> {
  checks: Checks;
}

/** @param argument from the title of the Source Control view: a `SourceControl` */
export async function checkMyChange(services: CheckMyChangeServices, argument: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted)
    return offerTrust(t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.'));
  if (!services.connections.current) return offerToConnect(t('Connect to your agent to check your change.'));
  const folder = await folderOf(argument);
  if (!folder) return;
  const main = services.branches.mainOf(folder);
  const versions = await modelVersions(folder, main);
  if (!versions) return offerBranch(main);
  const tests = await services.questionFiles.questionsOf(folder);
  const all = withPastQuestions(tests, await services.checks.pastQuestions.load());
  const plan = planCheck(versions.before, versions.after, all, readSettings(folder).agentsPath);
  const problems = await services.checks.problems();
  const isUnknown = unfollowedLines(plan).length > 0 && all.length > 0;
  if (plan.questions.length === 0 && !isUnknown) {
    problems.begin(versions, changeFindings(plan));
    return void showInformationMessage(nothingToAsk(plan, main));
  }
  const chosen = await confirmed(plan, all, versions, main);
  if (chosen) await check(services, versions, chosen, main);
}

/** Git's own command lists the branches, and creates one. */
async function offerBranch(main: string): Promise<void> {
  const message = t('“{0}” is the main branch. Switch to the branch with your change, then check again.', main);
  const other = t('Switch branch…');
  if ((await showInformationMessage(message, other)) === other) await vscode.commands.executeCommand('git.checkout');
}

/** @returns the folder of the repository, or of the active editor, or else the one that the user picks */
async function folderOf(argument: unknown): Promise<vscode.WorkspaceFolder | undefined> {
  const { rootUri } = fieldsOf(argument);
  const uri = rootUri instanceof vscode.Uri ? rootUri : vscode.window.activeTextEditor?.document.uri;
  const own = uri && vscode.workspace.getWorkspaceFolder(uri);
  return (
    own ??
    pickFolder({
      title: t('Analytics Chat: Check My Change'),
      placeHolder: t('The folder of the data model'),
      noFolder: t('Open the folder of your data model to check a change.'),
    })
  );
}

function nothingToAsk(plan: CheckPlan, main: string): string {
  if (plan.changes.length === 0) return t('Nothing to check: the data model is the same as on “{0}”.', main);
  const listed = [...changeLines(plan.changes), ...unfollowedLines(plan)].join(', ');
  return t('Nothing to ask: no test and no question in the history uses the changed members. {0}', listed);
}

/**
 * @param all every question, which the user may ask because of changes that can't be followed
 * @returns the plan with the questions to ask; undefined if the user cancels
 */
async function confirmed(
  plan: CheckPlan,
  all: readonly TestQuestion[],
  { branch, folder, unpushed }: ModelVersions,
  main: string,
): Promise<CheckPlan | undefined> {
  const { changes, questions } = plan;
  const unfollowed = unfollowedLines(plan);
  const tests = questions.filter(({ question }) => !isPast(question));
  const past = questions.length - tests.length;
  const warnings = unpushedLines(unpushed);
  const message =
    questions.length === 0
      ? t('No question is known to use what changed. Ask all of them on “{0}” and on “{1}”?', main, branch)
      : plural(
          questions.length,
          'Ask {0} question on “{1}” and on “{2}”?|Ask {0} questions on “{1}” and on “{2}”?',
          questions.length,
          main,
          branch,
        );
  const asked = unfollowed.length > 0 ? all : questions.map(({ question }) => question);
  const detail = [
    ...changeLines(changes),
    ...(unfollowed.length > 0
      ? ['', t('Changed, but it is not known which answers this affects:'), ...unfollowed]
      : []),
    '',
    costDetail(asked, folder),
    ...(past > 0 ? ['', t('Questions from tests: {0}, from the history: {1}', tests.length, past)] : []),
    ...(warnings.length > 0
      ? ['', t('The service may still have the old model. Commit and push, then check again.'), ...warnings]
      : []),
  ].join('\n');
  const some = warnings.length > 0 ? t('Ask anyway') : t('Ask');
  const everything = plural(all.length, 'Ask {0} question|Ask all {0} questions');
  const onlyTests = t('Ask only tests');
  const source = t('Open Source Control');
  const actions = [
    ...(questions.length > 0 ? [some] : []),
    ...(unfollowed.length > 0 && all.length > questions.length ? [everything] : []),
    ...(past > 0 && tests.length > 0 ? [onlyTests] : []),
    ...(warnings.length > 0 ? [source] : []),
  ];
  const choice = await (warnings.length > 0 ? askWithWarning : askWithInformation)(message, detail, ...actions);
  if (choice === source) await vscode.commands.executeCommand('workbench.view.scm');
  if (choice === everything) return withAllQuestions(plan, all);
  return choice === some ? plan : choice === onlyTests ? { ...plan, questions: tests } : undefined;
}

/**
 * Asks the questions and shows all answers on a page. Problems appear as they are found and stay after a cancellation.
 */
async function check(
  services: CheckMyChangeServices,
  versions: ModelVersions,
  plan: CheckPlan,
  main: string,
): Promise<void> {
  const { folder, branch } = versions;
  const problems = await services.checks.problems();
  const changesOf = new Map(plan.questions.map(({ question, changes }) => [question, changes]));
  const questions = [...changesOf.keys()];
  let compared = 0;
  let report: ((message: string) => void) | undefined;
  const run = openAnswers(
    services,
    [{ folder, questions }],
    { left: main, right: branch },
    {
      onStart: () => {
        compared = 0;
        problems.begin(versions, changeFindings(plan));
        // When the user asks again from the page, the files may have changed since.
        void problems.refresh(folder);
      },
      onJudged: (verdict) => {
        problems.add(folder, answerFindings(verdict, changesOf.get(verdict.question) ?? []));
        compared += 1;
        report?.(progressText(compared, questions.length));
      },
      onWaiting: (text) => report?.(text),
    },
  );
  await withProgress(t('Checking your change'), true, async (signal, show) => {
    report = show;
    signal.addEventListener('abort', () => run.cancel());
    await run.start();
    report = undefined;
  });
}

const progressText = (compared: number, all: number): string =>
  plural(all, '{0} of {1} question compared|{0} of {1} questions compared', compared, all);

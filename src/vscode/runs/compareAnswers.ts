/**
 * The *Compare Answers Across Branches…* command: asks all questions of the workspace on two branches, in an editor tab.
 */
import * as vscode from 'vscode';
import { askedTurns, type TestQuestion } from '../../evals/question.ts';
import { textIn } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { pickBranches } from '../connection/switchContext.ts';
import type { Command } from '../host/command.ts';
import { askWithInformation } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import { contextsIn } from './askContext.ts';
import type { QuestionRun, RunObserver } from './questionRun.ts';
import { runOptions } from './runSpec.ts';
import { openTab, type RunTabServices } from './runTab.ts';

export type AnswersTabServices = RunTabServices & Services<'branches' | 'connections' | 'identities'>;

/** The questions of one folder, asked with its settings. */
interface AskedQuestions {
  folder: vscode.WorkspaceFolder;
  questions: readonly TestQuestion[];
}

/** @param argument `{left?, right?}`, names of branches; the user picks whatever is missing */
export const compareAnswers: Command<AnswersTabServices & Services<'questionFiles'>> = async (services, argument) => {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.'));
  const folders = (await services.questionFiles.load()).filter(({ questions }) => questions.length > 0);
  const questions = folders.flatMap((each) => each.questions);
  const count = questions.length;
  if (count === 0) throw new Error(t('There are no questions to ask. Add some to {0}.', 'agents/eval_questions.yml'));
  const title = plural(
    count,
    'Analytics Chat: Compare Answers to {0} Question|Analytics Chat: Compare Answers to {0} Questions',
  );
  const given = { left: textIn(argument, 'left'), right: textIn(argument, 'right') };
  const branches = await pickBranches(services, title, given);
  if (!branches) return;
  const { left, right } = branches;
  const ask = t('Ask');
  const question = plural(
    count,
    'Ask {0} question on “{1}” and on “{2}”?|Ask {0} questions on “{1}” and on “{2}”?',
    count,
    left,
    right,
  );
  if ((await askWithInformation(question, costDetail(questions, folders[0]?.folder), ask)) === ask)
    void services.guarded(() => openAnswers(services, folders, branches).start());
};

/** @returns what a run on two branches costs at most */
export const costDetail = (questions: readonly TestQuestion[], folder: vscode.WorkspaceFolder | undefined): string =>
  plural(
    2 * questions.flatMap(askedTurns).length * readSettings(folder).evalsAttempts,
    'At most {0} request, because differing answers are asked again|At most {0} requests, because differing answers are asked again',
  );

/**
 * Opens a tab; closing it cancels.
 * @param branches left is the state before, right the state after
 * @returns the run, which the caller starts; the tab can start it again
 */
export function openAnswers(
  services: AnswersTabServices,
  folders: readonly AskedQuestions[],
  { left, right }: Readonly<Record<'left' | 'right', string>>,
  observer: RunObserver = {},
): QuestionRun {
  const asked = folders.flatMap(({ folder, questions }) => {
    const sides = [left, right].map((branch) => contextsIn(services, folder, branch));
    return questions.map((question) => {
      const contexts = sides.map((contextOn) => contextOn(question.identity));
      return { question, folder, contexts };
    });
  });
  return openTab(services, {
    ...{ title: t('Answers on {0} and {1}', left, right), tabTitle: t('Answers: {0}, {1}', left, right) },
    run: { ...runOptions(services, folders[0]?.folder), ...observer, asked },
  }).run;
}

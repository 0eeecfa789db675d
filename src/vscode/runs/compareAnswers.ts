/**
 * The *Compare Answers Across Branches…* command: asks all questions of the workspace on two branches, in an editor tab.
 */
import * as vscode from 'vscode';
import type { ToAnswers } from '../../shared/protocol/evals.ts';
import { textIn } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import { pickBranches } from '../connection/switchContext.ts';
import { openAnswered } from './open.ts';
import { askWithInformation } from '../host/notify.ts';
import { readSettings, strings } from '../host/settings.ts';
import type { Command } from '../host/command.ts';
import { ANSWERS_TYPE } from '../host/html.ts';
import { openRunTab, type RunTabServices } from './runTab.ts';
import {
  AnswersRun,
  type AnswersObserver,
  type AnswersRunServices,
  type AskedQuestions,
  type BranchPair,
} from './answersRun.ts';
import type { Services } from '../services.ts';

/** @param argument `{left?, right?}`, names of branches; the user picks whatever is missing */
export const compareAnswers: Command<AnswersTabServices & Services<'questionFiles'>> = async (services, argument) => {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.'));
  const folders = (await services.questionFiles.load()).filter(({ questions }) => questions.length > 0);
  const count = folders.reduce((sum, { questions }) => sum + questions.length, 0);
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
  const most = 2 * count * readSettings(folders[0]?.folder).evalsAttempts;
  if ((await askWithInformation(question, costDetail(most), ask)) === ask)
    void services.guarded(() => openAnswers(services, folders, branches).start());
};

/** @param most maximum number of requests of a run */
export const costDetail = (most: number): string =>
  plural(
    most,
    'At most {0} request, because differing answers are asked again|At most {0} requests, because differing answers are asked again',
  );

export type AnswersTabServices = AnswersRunServices & RunTabServices & Services<'sessions' | 'repository' | 'views'>;

/**
 * Opens a tab; closing it cancels. The tab is not restored after a restart.
 * @returns the run, which the caller starts; the tab can start it again
 */
export function openAnswers(
  services: AnswersTabServices,
  folders: readonly AskedQuestions[],
  branches: BranchPair,
  observer: AnswersObserver = {},
): AnswersRun {
  const tabs = new Map<string, vscode.WebviewPanel>();
  return openRunTab(services, (post: (message: ToAnswers) => void) => {
    const run = new AnswersRun(services, folders, branches, {
      ...observer,
      onRow: (index, row) => post({ type: 'row', index, row }),
      onRun: (state) => post({ type: 'run', ...state }),
    });
    return {
      viewType: ANSWERS_TYPE,
      title: t('Answers: {0}, {1}', branches.left, branches.right),
      entry: 'answers',
      run,
      state: (): ToAnswers => ({ type: 'answers', ...branches, rows: run.rows, ...run.state, l10n: strings() }),
      open: async (index: number) => {
        const answered = run.answered(index);
        if (answered === undefined) return;
        // Each run has new threads, so a tab is reused only within one run.
        const key = answered.sides.left.thread.id;
        const open = tabs.get(key);
        if (open) return open.reveal();
        const tab = await openAnswered(services, answered.question, answered.sides);
        tabs.set(key, tab);
        tab.onDidDispose(() => tabs.delete(key));
      },
    };
  });
}

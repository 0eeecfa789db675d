/** The editor tab that compares the answers to a set of questions on two branches. */
import type * as vscode from 'vscode';
import type { Sides } from '../../evals/branches/compareAnswers.ts';
import type { ToAnswers } from '../../shared/protocol/evals.ts';
import { t } from '../../shared/text/l10n.ts';
import { openAnswered } from '../compare/open.ts';
import { strings } from '../host/strings.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { ChatViews } from '../views/chatViews.ts';
import { ANSWERS_TYPE } from '../views/html.ts';
import { openRunTab, type RunTabServices } from '../views/runTab.ts';
import { AnswersRun, type AnswersObserver, type AskedQuestions, type AnswersRunServices } from './answersRun.ts';

export interface AnswersTabServices extends AnswersRunServices, RunTabServices {
  sessions: Sessions;
  repository: ThreadRepository;
  views: ChatViews;
}

/**
 * Opens a tab; closing it cancels. The tab is not restored after a restart.
 * @returns the run, which the caller starts; the tab can start it again
 */
export function openAnswers(
  services: AnswersTabServices,
  folders: readonly AskedQuestions[],
  branches: Sides<string>,
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
        // A new run has new threads.
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

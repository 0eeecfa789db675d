/** What the tab of a run shows, and how it asks. */
import type * as vscode from 'vscode';
import { looseQuestion } from '../../evals/question.ts';
import type { RunComparison } from '../../shared/protocol/runs.ts';
import { t } from '../../shared/text/l10n.ts';
import { readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import { BRANCH_WAIT, editorAsking } from './askContext.ts';
import type { QuestionRunOptions } from './questionRun.ts';
import type { Side } from './sides.ts';

export interface RunSpec {
  /** Heading of the page: the question, if there is only one. */
  title: string;
  tabTitle: string;
  run: QuestionRunOptions;
  /** The answers to the only question, which are shown side by side. */
  sides?: readonly Side[];
  /** That of the page before a restart. */
  comparison?: RunComparison;
}

/** @returns the settings of a run */
export function runOptions(
  folder?: vscode.WorkspaceFolder,
): Pick<QuestionRunOptions, 'attempts' | 'branches' | 'concurrency' | 'precision'> {
  const { evalsAttempts: attempts, evalsConcurrency: concurrency, evalsPrecision: precision } = readSettings(folder);
  return { attempts, branches: { wait: BRANCH_WAIT }, concurrency, precision };
}

/** @returns what the tab of one question with its answers side by side shows */
export const sidesSpec = (
  services: Services<'connections' | 'connector'>,
  question: string,
  sides: readonly Side[],
): RunSpec => ({
  ...{ title: question, tabTitle: t('Compare: {0}', question), sides },
  run: {
    ...{ ...editorAsking(services), ...runOptions(), branches: undefined },
    asked: [{ question: looseQuestion(question), contexts: sides.map(({ context }) => context) }],
  },
});

/** The *Compare Answers Across Branches…* command: asks all questions of the workspace on two branches. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { Command } from '../commands/command.ts';
import { pickBranch } from '../commands/branch.ts';
import { openAnswers, type AnswersTabServices } from './answersTab.ts';
import type { QuestionFiles } from './questionFiles.ts';
import type { Branches } from '../connection/branches.ts';

export interface CompareAnswersServices extends AnswersTabServices {
  questionFiles: QuestionFiles;
}

/** @param argument `{left?, right?}`, names of branches; the user picks whatever is missing */
export const compareAnswers: Command<CompareAnswersServices> = async (services, argument) => {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.'));
  const folders = (await services.questionFiles.load()).filter(({ questions }) => questions.length > 0);
  const count = folders.reduce((sum, { questions }) => sum + questions.length, 0);
  if (count === 0) throw new Error(t('There are no questions to ask. Add some to {0}.', 'agents/eval_questions.yml'));
  const branches = await pickBranches(services, count, textIn(argument, 'left'), textIn(argument, 'right'));
  if (branches) void services.guarded(() => openAnswers(services, folders, branches).start());
};

async function pickBranches(
  services: { branches: Branches },
  count: number,
  givenLeft: string | undefined,
  givenRight: string | undefined,
): Promise<{ left: string; right: string } | undefined> {
  const title = plural(
    count,
    'Analytics Chat: Compare Answers to {0} Question|Analytics Chat: Compare Answers to {0} Questions',
  );
  const left =
    givenLeft ?? (await pickBranch(services, title, t('Select the first branch to compare, or type a name')));
  if (left === undefined) return undefined;
  const prompt = t('Select the branch to compare “{0}” with, or type a name', left);
  const right = givenRight ?? (await pickBranch(services, title, prompt, left));
  return right === undefined ? undefined : { left, right };
}

/** The *Compare Answers Across Branches…* command: asks all questions of the workspace on two branches. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { App } from '../app.ts';
import type { Command } from '../commands/command.ts';
import { pickBranch } from '../commands/branch.ts';
import { openAnswers } from './answersTab.ts';

/** @param argument `{left?, right?}`, names of branches; the user picks whatever is missing */
export const compareAnswers: Command<App> = async (app, argument) => {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('Questions aren’t asked in Restricted Mode. Trust this workspace to run them.'));
  const folders = (await app.questionFiles.load()).filter(({ questions }) => questions.length > 0);
  const count = folders.reduce((sum, { questions }) => sum + questions.length, 0);
  if (count === 0) throw new Error(t('There are no questions to ask. Add some to {0}.', 'agents/eval_questions.yml'));
  const branches = await pickBranches(app, count, textIn(argument, 'left'), textIn(argument, 'right'));
  if (branches) void app.guarded(() => openAnswers(app, folders, branches).start());
};

async function pickBranches(
  app: App,
  count: number,
  givenLeft: string | undefined,
  givenRight: string | undefined,
): Promise<{ left: string; right: string } | undefined> {
  const title = plural(
    count,
    'Analytics Chat: Compare Answers to {0} Question|Analytics Chat: Compare Answers to {0} Questions',
  );
  const left = givenLeft ?? (await pickBranch(app, title, t('Select the first branch to compare, or type a name')));
  if (left === undefined) return undefined;
  const prompt = t('Select the branch to compare “{0}” with, or type a name', left);
  const right = givenRight ?? (await pickBranch(app, title, prompt, left));
  return right === undefined ? undefined : { left, right };
}

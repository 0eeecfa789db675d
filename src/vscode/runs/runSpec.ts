/** What the tab of a run shows, and how it asks. */
import type * as vscode from 'vscode';
import { lastQuestion } from '../../chat/session/message.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { looseQuestion } from '../../evals/question.ts';
import type { RunComparison } from '../../shared/protocol/runs.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { askForQuestion } from '../host/notify.ts';
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

/** @returns the question of a command's argument, else the last one of the chat that the user confirms, or another */
export async function questionOf(
  { sessions }: Services<'sessions'>,
  argument: unknown,
  { title, prompt }: { title: string; prompt: string },
): Promise<string | undefined> {
  const last = lastQuestion(sessions.active.thread)?.content;
  const question = textIn(argument, 'question')?.trim() || (await askForQuestion(title, prompt, last))?.trim();
  return question || undefined;
}

/** @returns how a run asks on a connection, by default the current one, with the settings of a folder */
export function runOptions(
  services: Services<'connections' | 'connector'>,
  folder?: vscode.WorkspaceFolder,
  entry?: ConnectionEntry,
): Omit<QuestionRunOptions, 'asked'> {
  const { evalsAttempts: attempts, evalsConcurrency: concurrency, evalsPrecision: precision } = readSettings(folder);
  return { ...editorAsking(services, entry), attempts, branches: { wait: BRANCH_WAIT }, concurrency, precision };
}

/** @returns how a run of one question as several identities differs from others */
export async function accessOptions({
  questionFiles,
}: Services<'questionFiles'>): Promise<Pick<QuestionRunOptions, 'attempts' | 'accessTests'>> {
  const folders = await questionFiles.load();
  return {
    // Identities are meant to see different rows: that is no reason to ask again.
    attempts: 1,
    accessTests: folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined)),
  };
}

/** @returns what the tab of one question with its answers side by side shows */
export const sidesSpec = (
  services: Services<'connections' | 'connector'>,
  question: string,
  sides: readonly Side[],
): RunSpec => ({
  ...{ title: question, tabTitle: t('Compare: {0}', question), sides },
  run: {
    ...{ ...runOptions(services), branches: undefined },
    asked: [{ question: looseQuestion(question), contexts: sides.map(({ context }) => context) }],
  },
});

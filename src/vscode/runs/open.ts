/** Opens comparisons of new, finished and recorded answers, and restores comparison tabs after a restart. */
import * as vscode from 'vscode';
import { isFields, isQuestionContext } from '../../shared/text/checks.ts';
import { SIDES, type SideName } from '../../shared/protocol/compare.ts';
import { emptyThread, type Home, type QuestionContext, type Thread, type Turn } from '../../shared/thread/model.ts';
import { COMPARE_TYPE } from '../host/html.ts';
import { CompareTab, type Remembered, type Side, type CompareTabServices } from './compareTab.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { askedTwice, type AskedTurn } from '../../shared/thread/turns.ts';
import type { Services } from '../services.ts';

export type ComparisonServices = CompareTabServices & Services<'repository'>;

/**
 * Asks a question in two new threads, side by side in a new tab.
 * @param home the connection to ask on; the current one if it is omitted
 */
export function openComparison(
  services: ComparisonServices,
  question: string,
  contexts: Readonly<Record<SideName, QuestionContext>>,
  home?: Home,
): void {
  const panel = vscode.window.createWebviewPanel(COMPARE_TYPE, question, vscode.ViewColumn.Active);
  const side = (name: SideName): Side => ({
    session: services.sessions.add(emptyThread(crypto.randomUUID()), undefined, home),
    context: contexts[name],
  });
  new CompareTab(services, panel, question, { left: side('left'), right: side('right') }).ask();
}

/** A finished thread that is not in the history, with the branch and identity of its question. */
export interface AnsweredThread {
  thread: Thread;
  context: QuestionContext;
  home: Home | undefined;
}

/** Shows two answers side by side, without asking again. Their threads enter the history, so that the tab can be restored. */
export async function openAnswered(
  services: ComparisonServices,
  question: string,
  answered: Readonly<Record<SideName, AnsweredThread>>,
): Promise<vscode.WebviewPanel> {
  const side = async ({ thread, context, home }: AnsweredThread): Promise<Side> => {
    const session = services.sessions.add(thread, undefined, home);
    await services.repository.keep(session);
    return { session, context };
  };
  const sides = { left: await side(answered.left), right: await side(answered.right) };
  const panel = vscode.window.createWebviewPanel(COMPARE_TYPE, question, vscode.ViewColumn.Active);
  new CompareTab(services, panel, question, sides);
  return panel;
}

/** Validates the webview state that VS Code returns after a restart. */
function isRemembered(state: unknown): state is Remembered {
  if (!isFields(state) || typeof state.question !== 'string') return false;
  const { threads, stamps } = state;
  return (
    isFields(threads) &&
    isFields(stamps) &&
    SIDES.every((side) => typeof threads[side] === 'string' && isQuestionContext(stamps[side]))
  );
}

/** Restores a comparison; closes the tab if its state is invalid or a thread can't be opened. */
export async function restoreComparison(
  services: ComparisonServices,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  if (!isRemembered(state)) {
    panel.dispose();
    return;
  }
  const { question, threads, stamps } = state;
  const side = async (name: SideName): Promise<Side> => ({
    session: await services.repository.open(threads[name]),
    context: stamps[name],
  });
  try {
    const [left, right] = await Promise.all([side('left'), side('right')]);
    new CompareTab(services, panel, question, { left, right });
  } catch (failure) {
    services.log.error('A comparison could not be restored.', failure);
    panel.dispose();
  }
}

/** Copies a turn into a new read-only thread. */
function sideOf(
  services: Services<'sessions' | 'repository'>,
  { id: turnId, question, items, outcome, usage }: AskedTurn,
): Side {
  const id = crypto.randomUUID();
  services.repository.markReadOnly(id);
  const turn: Turn = { id: turnId, question, items, ...(outcome ? { outcome } : {}), ...(usage ? { usage } : {}) };
  return { session: services.sessions.add({ ...emptyThread(id), turns: [turn] }), context: question.context };
}

/** @returns false if the thread has no question that was asked on two branches or as two identities */
export function compareRecorded(services: ComparisonServices, { thread }: ChatSession): boolean {
  const turns = askedTwice(thread);
  if (turns === undefined) return false;
  const { content } = turns.later.question;
  const panel = vscode.window.createWebviewPanel(COMPARE_TYPE, content, vscode.ViewColumn.Active);
  new CompareTab(services, panel, content, {
    left: sideOf(services, turns.earlier),
    right: sideOf(services, turns.later),
  });
  return true;
}

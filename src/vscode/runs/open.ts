/** Opens runs and comparisons of new, finished and recorded answers. */
import * as vscode from 'vscode';
import type { Answer } from '../../evals/matrix/answer.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyThread, type Home, type QuestionContext, type Thread, type Turn } from '../../shared/thread/model.ts';
import { RUNS_TYPE } from '../host/html.ts';
import { readSettings } from '../host/settings.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { askedTwice, type AskedTurn } from '../../shared/thread/turns.ts';
import type { Services } from '../services.ts';
import { BRANCH_WAIT, type AskContext } from './askContext.ts';
import type { AskedQuestion, QuestionRun, QuestionRunOptions } from './questionRun.ts';
import { RunTab, type RunSpec, type RunTabServices } from './runTab.ts';
import type { Side } from './sides.ts';

const createPanel = (title: string): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(RUNS_TYPE, title, vscode.ViewColumn.Active);

/** State from which the tab of a comparison is restored: the threads, and the question contexts under their saved key. */
export interface RememberedSides {
  question: string;
  threads: readonly string[];
  stamps: readonly QuestionContext[];
}

/** @returns what the tab of one question with its answers side by side shows */
export const sidesSpec = (question: string, sides: readonly Side[]): RunSpec => ({
  ...{ title: question, tabTitle: t('Compare: {0}', question), sides },
  remember: (): RememberedSides => ({
    question,
    threads: sides.map(({ session }) => session.thread.id),
    stamps: sides.map(({ context }) => context),
  }),
});

/**
 * Asks a question in new threads, side by side in a new tab.
 * @param home the connection to ask on; the current one if it is omitted
 */
export function openComparison(
  services: RunTabServices,
  question: string,
  contexts: readonly QuestionContext[],
  home?: Home,
): void {
  const sides = contexts.map((context): Side => ({
    session: services.sessions.add(emptyThread(crypto.randomUUID()), undefined, home),
    context,
  }));
  new RunTab(services, createPanel(question), sidesSpec(question, sides)).ask();
}

/** A finished answer whose thread is not in the history. */
export interface FinishedAnswer {
  thread: Thread;
  context: QuestionContext;
  home: Home | undefined;
}

/** Shows answers side by side, without asking again. Their threads enter the history, so that the tab can be restored. */
export async function openAnswered(
  services: RunTabServices,
  question: string,
  answered: readonly FinishedAnswer[],
): Promise<vscode.WebviewPanel> {
  const sides: Side[] = [];
  for (const { thread, context, home } of answered) {
    const session = services.sessions.add(thread, undefined, home);
    await services.repository.keep(session);
    sides.push({ session, context });
  }
  const panel = createPanel(question);
  new RunTab(services, panel, sidesSpec(question, sides));
  return panel;
}

/** State from which the tab of a run is restored. */
export interface RememberedRun {
  title: string;
  tabTitle: string;
  asked: readonly {
    name: string;
    text: string;
    identity?: string;
    /** The texts of the turns, if the question has several. */
    turns?: readonly string[];
    contexts: readonly AskContext[];
  }[];
  /** Whether the question is asked as several identities. */
  isAccess: boolean;
}

/** @returns what the tab of a run shows */
export function runSpec(
  services: RunTabServices,
  { title, tabTitle }: Pick<RunSpec, 'title' | 'tabTitle'>,
  run: QuestionRunOptions,
): RunSpec {
  const tabs = new Map<string, vscode.WebviewPanel>();
  const openRow = async (row: number, { answers }: Pick<QuestionRun, 'answers'>): Promise<void> => {
    const asked = run.asked[row];
    const found = answers(row).filter((answer): answer is Answer => answer !== undefined);
    if (!asked || found.length < asked.contexts.length) return;
    // Each run has new threads, so a tab is reused only within one run.
    const key = found[0]!.thread.id;
    const open = tabs.get(key);
    if (open) return open.reveal();
    const finished = found.map(({ thread }, at): FinishedAnswer => {
      const { sent: context, home } = asked.contexts[at]!;
      return { thread, context, home };
    });
    const tab = await openAnswered(services, asked.question.text, finished);
    tabs.set(key, tab);
    tab.onDidDispose(() => tabs.delete(key));
  };
  const rememberQuestion = ({ question: { name, text, identity, turns }, contexts }: AskedQuestion) => ({
    ...{ name, text, contexts },
    ...(identity === undefined ? {} : { identity }),
    ...(turns ? { turns: turns.map((turn) => turn.text) } : {}),
  });
  return {
    ...{ title, tabTitle, run },
    openRow: (row, current) => openRow(row, { answers: (index) => current.answers(index) }),
    remember: (): RememberedRun => ({
      ...{ title, tabTitle, asked: run.asked.map(rememberQuestion) },
      isAccess: run.accessTests !== undefined,
    }),
  };
}

/** Opens a tab; closing it cancels. @returns the run, which the caller starts; the tab can start it again */
export function openRun(
  services: RunTabServices,
  titles: Pick<RunSpec, 'title' | 'tabTitle'>,
  options: QuestionRunOptions,
): QuestionRun {
  const spec = runSpec(services, titles, options);
  return new RunTab(services, createPanel(titles.tabTitle), spec).run!;
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
export function compareRecorded(services: RunTabServices, { thread }: ChatSession): boolean {
  const turns = askedTwice(thread);
  if (turns === undefined) return false;
  const { content } = turns.later.question;
  const sides = [turns.earlier, turns.later].map((turn) => sideOf(services, turn));
  new RunTab(services, createPanel(content), sidesSpec(content, sides));
  return true;
}

/** @returns the settings of a run */
export function runOptions(
  folder?: vscode.WorkspaceFolder,
): Pick<QuestionRunOptions, 'attempts' | 'branches' | 'concurrency' | 'precision'> {
  const { evalsAttempts: attempts, evalsConcurrency: concurrency, evalsPrecision: precision } = readSettings(folder);
  return { attempts, branches: { wait: BRANCH_WAIT }, concurrency, precision };
}

/** Opens runs and comparisons of new and recorded answers. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { emptyThread, type Turn } from '../../shared/thread/model.ts';
import { askedTwice, type AskedTurn } from '../../shared/thread/turns.ts';
import { askContext, type AskContext } from './askContext.ts';
import type { QuestionRun } from './questionRun.ts';
import { sidesSpec, type RunSpec } from './runSpec.ts';
import { openTab, type RunTabServices } from './runTab.ts';
import type { Side } from './sides.ts';

/** Opens a tab; closing it cancels. @returns the run, which the caller starts; the tab can start it again */
export const openRun = (services: RunTabServices, spec: RunSpec): QuestionRun => openTab(services, spec).run;

/** Asks a question in new threads, side by side in a new tab. */
export function openComparison(services: RunTabServices, question: string, contexts: readonly AskContext[]): void {
  const sides = contexts.map((context): Side => ({
    session: services.sessions.add(emptyThread(crypto.randomUUID()), undefined, context.home),
    context,
  }));
  openTab(services, sidesSpec(services, question, sides)).ask();
}

/** Copies a turn into a new read-only thread. */
function sideOf(
  { sessions, repository, branches }: RunTabServices,
  { id: turnId, question, items, outcome, usage }: AskedTurn,
): Side {
  const id = crypto.randomUUID();
  repository.markReadOnly(id);
  const turn: Turn = { id: turnId, question, items, ...(outcome ? { outcome } : {}), ...(usage ? { usage } : {}) };
  const session = sessions.add({ ...emptyThread(id), turns: [turn] });
  return { session, context: askContext(question.context, undefined, branches.main) };
}

/** @returns false if the thread has no question that was asked on two branches or as two identities */
export function compareRecorded(services: RunTabServices, { thread }: ChatSession): boolean {
  const turns = askedTwice(thread);
  if (turns === undefined) return false;
  const sides = [turns.earlier, turns.later].map((turn) => sideOf(services, turn));
  openTab(services, sidesSpec(services, turns.later.question.content, sides));
  return true;
}

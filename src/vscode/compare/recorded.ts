/** Opens a comparison of two turns of one recorded thread, without sending requests. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { askedTwice, type AskedTurn } from '../../shared/thread/turns.ts';
import { emptyThread, type Turn } from '../../shared/thread/model.ts';
import { COMPARE_TYPE } from '../views/panelTypes.ts';
import { CompareTab, type Side, type CompareTabServices } from './compareTab.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';
import type { Sessions } from '../threads/sessions.ts';

export interface RecordedServices extends CompareTabServices {
  repository: ThreadRepository;
}

/** Copies a turn into a new read-only thread. */
function sideOf(
  services: { sessions: Sessions; repository: ThreadRepository },
  { id: turnId, question, items, outcome, usage }: AskedTurn,
): Side {
  const id = crypto.randomUUID();
  services.repository.markReadOnly(id);
  const turn: Turn = { id: turnId, question, items, ...(outcome ? { outcome } : {}), ...(usage ? { usage } : {}) };
  return { session: services.sessions.add({ ...emptyThread(id), turns: [turn] }), context: question.context };
}

/** @returns false if the thread has no question that was asked on two branches or as two identities */
export function compareRecorded(services: RecordedServices, { thread }: ChatSession): boolean {
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

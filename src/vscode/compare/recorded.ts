/** Lays two recorded answers side by side, without asking anybody. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { askedTwice, type AskedTurn } from '../../shared/thread/askedTwice.ts';
import { emptyThread, type Turn } from '../../shared/thread/model.ts';
import type { App } from '../app.ts';
import { COMPARE_TYPE } from '../views/panelTypes.ts';
import { CompareTab, type Side } from './tab.ts';

/** One turn as a thread of its own. */
function sideOf(app: App, { id: turnId, question, items, outcome, usage }: AskedTurn): Side {
  const id = crypto.randomUUID();
  app.keeper.markReadOnly(id);
  const turn: Turn = { id: turnId, question, items, ...(outcome ? { outcome } : {}), ...(usage ? { usage } : {}) };
  return { session: app.sessions.add({ ...emptyThread(id), turns: [turn] }), stamp: question.context };
}

/** @returns false where the thread does not hold the same question on two branches or as two users */
export function compareRecorded(app: App, { thread }: ChatSession): boolean {
  const turns = askedTwice(thread);
  if (turns === undefined) return false;
  const { content } = turns.later.question;
  const panel = vscode.window.createWebviewPanel(COMPARE_TYPE, content, vscode.ViewColumn.Active);
  new CompareTab(app, panel, content, { left: sideOf(app, turns.earlier), right: sideOf(app, turns.later) });
  return true;
}

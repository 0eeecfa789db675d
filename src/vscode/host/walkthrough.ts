/** Ticks the steps of the walkthrough that the user completes in a page, without a command of VS Code. */
import * as vscode from 'vscode';
import type { FromWebview } from '../../shared/protocol/chat.ts';

/** Each has a completion event `onContext:analyticsChat.used.…` in the manifest. */
const STEPS: readonly FromWebview['type'][] = ['openSample', 'insertSql', 'switchBranch'];

/** @param intent type of a message from a page */
export function tickStep(intent: FromWebview['type']): void {
  if (STEPS.includes(intent)) void vscode.commands.executeCommand('setContext', `analyticsChat.used.${intent}`, true);
}

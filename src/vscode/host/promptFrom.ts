/** Prompts that a view opens, and the keyboard, which goes back to the view. */
import * as vscode from 'vscode';
import type { ThreadView } from '../views/threadView.ts';

/** Milliseconds within which the host hears of the click that closed a prompt. */
const CLICK = 60;

/** Runs a prompt; its view gets the keyboard back, unless the user has gone to an editor meanwhile. */
export async function promptFrom(view: ThreadView, prompt: () => unknown): Promise<void> {
  let isElsewhere = false;
  const goes = [
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      isElsewhere ||= kind === vscode.TextEditorSelectionChangeKind.Mouse;
    }),
    vscode.window.onDidChangeActiveTextEditor(() => (isElsewhere = true)),
  ];
  try {
    await prompt();
    await new Promise((resolve) => setTimeout(resolve, CLICK));
    if (!isElsewhere) view.reveal();
  } finally {
    for (const each of goes) each.dispose();
  }
}

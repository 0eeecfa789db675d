/** Returns focus to a view after a prompt that it opened. */
import * as vscode from 'vscode';
import type { ThreadView } from './threadView.ts';

/** Milliseconds within which the selection event of the click that closed the prompt arrives. */
const CLICK = 60;

/** Runs a prompt, then focuses the view unless the user has moved to an editor. */
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

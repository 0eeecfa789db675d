/** A view of a thread, as the handlers of its intents see it, and prompts that give the focus back to it. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ToWebview } from '../../shared/protocol/chat.ts';

export interface ChatView {
  readonly session: ChatSession;
  readonly visible: boolean;
  /** Shows another thread. */
  show(session: ChatSession): void;
  reveal(): void;
  post(message: ToWebview): void;
}

/** A view inside another panel, which disposes it and reports changes of its visibility. */
export interface EmbeddedView extends vscode.Disposable {
  visibilityChanged(): void;
}

/** Milliseconds to wait for the selection event of a click that closed the prompt. */
const CLICK = 60;

/**
 * Runs a prompt, then focuses the view unless the user has moved to an editor: VS Code itself would focus the editor.
 * @returns the result of the prompt
 */
export async function promptFrom<Answer>(view: ChatView, prompt: () => Answer | PromiseLike<Answer>): Promise<Answer> {
  let isElsewhere = false;
  const activeTab = (): vscode.Tab | undefined => vscode.window.tabGroups.activeTabGroup.activeTab;
  const tab = activeTab();
  const listeners = [
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      isElsewhere ||= kind === vscode.TextEditorSelectionChangeKind.Mouse;
    }),
    vscode.window.onDidChangeActiveTextEditor(() => (isElsewhere = true)),
  ];
  try {
    return await prompt();
  } finally {
    // A round trip to the window, which may be too busy to send the selection in time.
    await vscode.commands.executeCommand('noop');
    await new Promise((resolve) => setTimeout(resolve, CLICK));
    for (const each of listeners) each.dispose();
    if (!isElsewhere && activeTab() === tab) {
      view.reveal();
      // After a prompt that was closed at once, VS Code may focus only the frame around the page.
      view.post({ type: 'focus', what: 'last' });
    }
  }
}

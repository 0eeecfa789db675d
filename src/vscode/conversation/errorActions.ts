/** Runs the actions that an error offers. */
import * as vscode from 'vscode';
import { openSettings } from '../host/settings.ts';
import type { ChatSession, Message } from '../../chat/session/chatSession.ts';
import { assertNever, emptyDraft } from '../../shared/protocol/chat.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import type { ConnectionSetup } from '../connection/connect.ts';
import { newChatIn, type NewChatServices } from './chatCommands.ts';
import { connectionOf } from '../threads/sessions.ts';
import type { ThreadView } from '../views/threadView.ts';
import type { Services } from '../services.ts';

/** Milliseconds to wait for the selection event of a click that closed the prompt. */
const CLICK = 60;

/**
 * Runs a prompt, then focuses the view unless the user has moved to an editor: VS Code itself would focus the editor.
 * @returns the result of the prompt
 */
export async function promptFrom<Answer>(
  view: ThreadView,
  prompt: () => Answer | PromiseLike<Answer>,
): Promise<Answer> {
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
    const answer = await prompt();
    // A round trip to the window, which may be too busy to send the selection in time.
    await vscode.commands.executeCommand('noop');
    await new Promise((resolve) => setTimeout(resolve, CLICK));
    if (isElsewhere || activeTab() !== tab) return answer;
    view.reveal();
    // After a prompt that was closed at once, VS Code may focus only the frame around the page.
    view.post({ type: 'focus', what: 'last' });
    return answer;
  } finally {
    for (const each of listeners) each.dispose();
  }
}

export interface ErrorActionServices extends NewChatServices, Services<'log' | 'connections'> {
  connectionSetup: ConnectionSetup;
}

/** @returns an unsent question that is back in the composer, as the user has edited it; undefined if there is none */
function editedQuestion({ sessions }: Services<'sessions'>, session: ChatSession): Message | undefined {
  const { id, error } = session.thread;
  const { text, images } = sessions.draft(id);
  const isEmpty = text.trim() === '' && images.length === 0;
  return error === undefined || session.failedToRead || isEmpty ? undefined : { text: text.trim(), images };
}

/** Retries the last request, or sends the edited question instead. */
function retry(services: Services<'sessions'>, session: ChatSession): Promise<unknown> {
  const edited = editedQuestion(services, session);
  if (edited === undefined) return session.retry();
  services.sessions.keepDraft(session.thread.id, emptyDraft);
  return session.send(edited);
}

/** Runs the action of an error; errors are not caught. */
export async function handleErrorAction(
  services: ErrorActionServices,
  view: ThreadView,
  action: ErrorAction,
): Promise<unknown> {
  const { session } = view;
  const { connectionSetup } = services;
  /** Prompts return false or undefined if the user cancels. The focus returns before the answer, which may take long. */
  const retryAfter = async (prompt: () => PromiseLike<unknown>): Promise<unknown> =>
    (await promptFrom(view, prompt)) ? retry(services, session) : undefined;
  switch (action) {
    case 'retry':
      return retry(services, session);
    case 'attach':
      return session.attach();
    case 'stopAndSend':
      return session.stopAndSend(editedQuestion(services, session));
    case 'connect':
      return retryAfter(() => connectionSetup.connectTo(connectionOf(services, session)));
    case 'addConnection':
      return retryAfter(() => connectionSetup.add());
    case 'setApiKey':
      return retryAfter(() => connectionSetup.setApiKey(connectionOf(services, session)));
    case 'switchBranch':
      return retryAfter(() => vscode.commands.executeCommand('analyticsChat.switchBranch'));
    case 'switchIdentity':
      services.sessions.activate(session);
      return retryAfter(() => vscode.commands.executeCommand('analyticsChat.switchIdentity'));
    case 'newChat':
      return newChatIn(services, view, true);
    case 'openSettings':
      return openSettings();
    case 'openProxySettings':
      return openSettings('http.proxy');
    case 'showLog':
      return services.log.show();
    default:
      return assertNever(action);
  }
}

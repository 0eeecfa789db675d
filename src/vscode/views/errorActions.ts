/** Runs the actions that an error offers. */
import * as vscode from 'vscode';
import { openSettings } from '../host/settings.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { assertNever, emptyDraft } from '../../shared/protocol/chat.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import type { ConnectionSetup } from '../commands/connect.ts';
import { newChatIn, type NewChatServices } from '../commands/threads.ts';
import { connectionOf } from '../threads/sessions.ts';
import type { ThreadView } from './threadView.ts';
import type { Services } from '../services.ts';

/** Milliseconds to wait for the selection event of a click that closed the prompt. */
const CLICK = 60;

/** Runs a prompt, then focuses the view unless the user has moved to an editor. */
export async function promptFrom(view: ThreadView, prompt: () => unknown): Promise<void> {
  let isElsewhere = false;
  const listeners = [
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      isElsewhere ||= kind === vscode.TextEditorSelectionChangeKind.Mouse;
    }),
    vscode.window.onDidChangeActiveTextEditor(() => (isElsewhere = true)),
  ];
  try {
    await prompt();
    // A round trip to the window, which may be too busy to send the selection in time.
    await vscode.commands.executeCommand('noop');
    await new Promise((resolve) => setTimeout(resolve, CLICK));
    if (isElsewhere) return;
    view.reveal();
    // After a prompt that was closed at once, VS Code may focus only the frame around the page.
    view.post({ type: 'focus', what: 'last' });
  } finally {
    for (const each of listeners) each.dispose();
  }
}

export interface ErrorActionServices extends NewChatServices, Services<'log' | 'connections'> {
  connectionSetup: ConnectionSetup;
}

/** Actions that open a prompt; focus returns to the view afterwards. */
const PROMPTING: ReadonlySet<ErrorAction> = new Set([
  'connect',
  'addConnection',
  'setApiKey',
  'switchBranch',
  'switchIdentity',
]);

/** Retries the last request. If an unsent question is back in the composer, the edited draft is sent instead. */
function retry(services: Services<'sessions'>, session: ChatSession): Promise<unknown> {
  const draft = services.sessions.draft(session.thread.id);
  const isEmpty = draft.text.trim() === '' && draft.images.length === 0;
  if (session.thread.error === undefined || isEmpty) return session.retry();
  services.sessions.keepDraft(session.thread.id, emptyDraft);
  return session.send({ text: draft.text.trim(), images: draft.images });
}

async function runAction(services: ErrorActionServices, view: ThreadView, action: ErrorAction): Promise<unknown> {
  const { session } = view;
  const { connectionSetup } = services;
  /** Prompts return false or undefined if the user cancels. */
  const retryIf = (done: unknown) => (done === undefined || done === false ? undefined : retry(services, session));
  switch (action) {
    case 'retry':
      return retry(services, session);
    case 'attach':
      return session.attach();
    case 'stopAndSend':
      return session.stopAndSend();
    case 'connect':
      return retryIf(await connectionSetup.connectTo(connectionOf(services, session)));
    case 'addConnection':
      return retryIf(await connectionSetup.add());
    case 'setApiKey':
      return retryIf(await connectionSetup.setApiKey(connectionOf(services, session)));
    case 'switchBranch':
      return retryIf(await vscode.commands.executeCommand('analyticsChat.switchBranch'));
    case 'switchIdentity':
      services.sessions.activate(session);
      return retryIf(await vscode.commands.executeCommand('analyticsChat.switchIdentity'));
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

/** Runs the action of an error; errors are not caught. */
export const handleErrorAction = (services: ErrorActionServices, view: ThreadView, action: ErrorAction): unknown =>
  PROMPTING.has(action) ? promptFrom(view, () => runAction(services, view, action)) : runAction(services, view, action);

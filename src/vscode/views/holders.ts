/** The side bar view and editor tabs as holders of a thread view, and the titles of tabs. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import type { ChatView } from '../host/chatView.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { WebviewHolder } from './threadView.ts';

export const sideBarHolder = (view: vscode.WebviewView): WebviewHolder => ({
  webview: view.webview,
  get visible() {
    return view.visible;
  },
  reveal: () => view.show(false),
});

export const tabHolder = (panel: vscode.WebviewPanel): WebviewHolder => ({
  webview: panel.webview,
  get visible() {
    return panel.visible;
  },
  get active() {
    return panel.active;
  },
  reveal: () => panel.reveal(),
});

export const titleFor = (session: ChatSession, sessions: Sessions): string =>
  sessions.titleOf(session) || t('New chat');

/** Keeps the title of a tab that of its thread. `update` must be called when the tab shows another thread. */
export function keepTitle(
  panel: vscode.WebviewPanel,
  view: ChatView,
  sessions: Sessions,
): vscode.Disposable & { update: () => void } {
  const update = (): void => void (panel.title = titleFor(view.session, sessions));
  update();
  const changes = [
    sessions.onDidChange(({ session }) => session === view.session && update()),
    sessions.onDidRetitle(update),
  ];
  return { update, dispose: () => changes.forEach((change) => change.dispose()) };
}

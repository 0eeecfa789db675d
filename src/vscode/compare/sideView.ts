/** One side of a comparison: a thread view whose messages are wrapped in `side` messages of the panel. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { isFromCompare, type SideName, type ToCompare } from '../../shared/protocol/compare.ts';
import { emptyDraft, type Intent, type ToWebview } from '../../shared/protocol/chat.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { App } from '../app.ts';
import { pickBranch } from '../commands/branch.ts';
import { pickIdentity } from '../commands/identity.ts';
import { carryOut } from '../views/intents.ts';
import { viewContextOf } from '../views/viewContext.ts';
import { connectionOf } from '../connection/threadConnection.ts';
import { ThreadView } from '../views/threadView.ts';

/** @returns a message channel that wraps and unwraps the messages of one side */
function channel(webview: vscode.Webview, side: SideName): Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'> {
  return {
    postMessage: (message: ToWebview) => webview.postMessage({ type: 'side', side, message } satisfies ToCompare),
    onDidReceiveMessage: (listener: (message: unknown) => unknown) =>
      webview.onDidReceiveMessage((message: unknown) => {
        if (isFromCompare(message) && message.type === 'side' && message.side === side) listener(message.message);
      }),
  };
}

/** @param onStamp receives the new branch or identity when the user changes that of this side */
export function sideView(
  app: App,
  panel: vscode.WebviewPanel,
  side: SideName,
  session: ChatSession,
  onStamp: (stamp: Partial<QuestionContext>) => void,
): ThreadView {
  const restamped = (stamp: Partial<QuestionContext> | undefined): Promise<void> | undefined => {
    if (stamp === undefined) return undefined;
    onStamp(stamp);
    return session.retry();
  };
  const act = async (view: ThreadView, message: Intent): Promise<unknown> => {
    if (message.type !== 'errorAction') return carryOut(app, view, message);
    // These actions change the branch or identity of this side, not the current one of the window.
    if (message.action === 'switchBranch') {
      const branch = await pickBranch(app);
      return restamped(branch === undefined ? undefined : app.branches.stampOn(branch));
    }
    if (message.action === 'switchIdentity') {
      const identity = await pickIdentity(app, { entry: connectionOf(app, session) });
      return restamped(identity === undefined ? undefined : { identity });
    }
    return carryOut(app, view, message);
  };
  return new ThreadView(
    {
      webview: channel(panel.webview, side),
      get visible() {
        return panel.visible;
      },
      reveal: () => panel.reveal(),
    },
    session,
    {
      viewContext: (shown) => viewContextOf(app, shown),
      draft: () => emptyDraft,
      onIntent: (view, message) => void app.guarded(() => act(view, message)),
      onProblem: (text) => app.log.warn(text),
    },
  );
}

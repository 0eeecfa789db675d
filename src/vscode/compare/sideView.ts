/** One side of a comparison: a thread view whose messages are wrapped in `side` messages of the panel. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { isFromCompare, type SideName, type ToCompare } from '../../shared/protocol/compare.ts';
import { emptyDraft, type Intent, type ToWebview } from '../../shared/protocol/chat.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { App } from '../app.ts';
import { pickBranch } from '../commands/branch.ts';
import { pickIdentity } from '../commands/identity.ts';
import { handleIntent } from '../views/intents.ts';
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

/** @param onContext receives the new branch or identity when the user changes that of this side */
export function sideView(
  app: App,
  panel: vscode.WebviewPanel,
  side: SideName,
  session: ChatSession,
  onContext: (context: Partial<QuestionContext>) => void,
): ThreadView {
  const retryIn = (context: Partial<QuestionContext> | undefined): Promise<void> | undefined => {
    if (context === undefined) return undefined;
    onContext(context);
    return session.retry();
  };
  const act = async (view: ThreadView, message: Intent): Promise<unknown> => {
    if (message.type !== 'errorAction') return handleIntent(app, view, message);
    // These actions change the branch or identity of this side, not the current one of the window.
    if (message.action === 'switchBranch') {
      const branch = await pickBranch(app);
      return retryIn(branch === undefined ? undefined : app.branches.contextOn(branch));
    }
    if (message.action === 'switchIdentity') {
      const identity = await pickIdentity(app, { entry: connectionOf(app, session) });
      return retryIn(identity === undefined ? undefined : { identity });
    }
    return handleIntent(app, view, message);
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

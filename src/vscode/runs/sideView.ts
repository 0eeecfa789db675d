/** One side of a comparison: a thread view whose messages are wrapped in `side` messages of the panel. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { isFromCompare, type SideName, type ToCompare } from '../../shared/protocol/compare.ts';
import type { ToWebview } from '../../shared/protocol/chat.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { EmbeddedView } from '../host/chatView.ts';
import { pickBranch, pickIdentity } from '../connection/switchContext.ts';
import type { Services } from '../services.ts';

export type SideViewServices = Services<'branches' | 'identities' | 'connections' | 'sessions' | 'views' | 'guarded'>;

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
  services: SideViewServices,
  panel: vscode.WebviewPanel,
  side: SideName,
  session: ChatSession,
  onContext: (context: Partial<QuestionContext>) => void,
): EmbeddedView {
  const retryIn = (context: Partial<QuestionContext> | undefined): Promise<void> | undefined => {
    if (context === undefined) return undefined;
    onContext(context);
    return session.retry();
  };
  /** Changes the branch or identity of this side only; the current ones of the window stay. */
  const act = async (action: 'switchBranch' | 'switchIdentity'): Promise<unknown> => {
    if (action === 'switchBranch') {
      const branch = await pickBranch(services);
      return retryIn(branch === undefined ? undefined : services.branches.contextOn(branch));
    }
    const identity = await pickIdentity(services, { entry: services.sessions.connectionOf(session) });
    return retryIn(identity === undefined ? undefined : { identity });
  };
  return services.views.embed(
    {
      webview: channel(panel.webview, side),
      get visible() {
        return panel.visible;
      },
      reveal: () => panel.reveal(),
    },
    session,
    (intent) => {
      const action = intent.type === 'errorAction' ? intent.action : undefined;
      if (action !== 'switchBranch' && action !== 'switchIdentity') return false;
      void services.guarded(() => act(action));
      return true;
    },
  );
}

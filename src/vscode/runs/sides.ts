/** The answers to one question side by side: a thread for each context, which is shown while it is written. */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { isFromRuns, type ToRuns } from '../../shared/protocol/runs.ts';
import type { ToWebview } from '../../shared/protocol/chat.ts';
import { emptyThread, type Thread } from '../../shared/thread/model.ts';
import { pickBranch, pickIdentity } from '../connection/switchContext.ts';
import type { Services } from '../services.ts';
import { askContext, type AskContext } from './askContext.ts';

export type SidesServices = Services<'branches' | 'identities' | 'connections' | 'sessions' | 'views' | 'guarded'>;

/** A thread, with the context in which its question is asked. */
export interface Side {
  session: ChatSession;
  context: AskContext;
}

/** @param threads one for each context; by default new ones, in which nothing was asked */
export const sidesOf = (
  { sessions }: Services<'sessions'>,
  contexts: readonly AskContext[],
  threads = contexts.map(() => emptyThread(crypto.randomUUID())),
): Side[] => contexts.map((context, at) => ({ session: sessions.add(threads[at]!, undefined, context.home), context }));

interface SidesEvents {
  /** The user changed the branch or identity of a side. */
  onContext: (contexts: readonly AskContext[]) => void;
  onThread: () => void;
}

export class RunSides implements vscode.Disposable {
  readonly #services: SidesServices;
  readonly #sides: readonly Side[];
  readonly #events: SidesEvents;
  readonly #subscriptions: vscode.Disposable[] = [];

  constructor(services: SidesServices, panel: vscode.WebviewPanel, sides: readonly Side[], events: SidesEvents) {
    this.#services = services;
    this.#sides = sides;
    this.#events = events;
    sides.forEach((side, at) => this.#connect(panel, side, at));
  }

  get threads(): Thread[] {
    return this.#sides.map(({ session }) => session.thread);
  }

  session(at: number): ChatSession | undefined {
    return this.#sides[at]?.session;
  }

  /** Asks in all contexts at once. */
  ask(question: string): void {
    for (const { session } of this.#sides)
      void this.#services.guarded(() => session.send({ text: question, images: [] }));
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    const { sessions, views } = this.#services;
    for (const { session } of this.#sides) {
      views.viewClosed(session);
      sessions.pin(session.thread.id, undefined);
    }
  }

  #connect(panel: vscode.WebviewPanel, side: Side, at: number): void {
    const { guarded, sessions, views } = this.#services;
    const { session } = side;
    sessions.pin(session.thread.id, side.context.sent);
    const holder = {
      webview: channel(panel.webview, at),
      get visible() {
        return panel.visible;
      },
      reveal: () => panel.reveal(),
    };
    const view = views.embed(holder, session, (intent) => {
      const action = intent.type === 'errorAction' ? intent.action : undefined;
      if (action !== 'switchBranch' && action !== 'switchIdentity') return false;
      void guarded(() => this.#switch(side, action));
      return true;
    });
    this.#subscriptions.push(
      view,
      sessions.onDidChange((change) => {
        if (change.session === session) this.#events.onThread();
      }),
      // As after a restart, when the thread can't be opened.
      sessions.onDidRemove((removed) => removed === session && panel.dispose()),
      panel.onDidChangeViewState(() => view.visibilityChanged()),
    );
  }

  /** Changes the branch or identity of one side, and retries; the current ones of the window stay. */
  async #switch(side: Side, action: 'switchBranch' | 'switchIdentity'): Promise<void> {
    const { branches, sessions } = this.#services;
    const { session } = side;
    const isBranch = action === 'switchBranch';
    const entry = sessions.connectionOf(session);
    const picked = await (isBranch ? pickBranch(this.#services) : pickIdentity(this.#services, { entry }));
    if (picked === undefined) return;
    const { sent, home, main } = side.context;
    const change = isBranch ? branches.contextOn(picked) : { identity: picked };
    side.context = askContext({ ...sent, ...change }, home, main);
    sessions.pin(session.thread.id, side.context.sent);
    this.#events.onContext(this.#sides.map(({ context }) => context));
    await session.retry();
  }
}

/** @returns a message channel that wraps and unwraps the messages of one context */
function channel(
  webview: vscode.Webview,
  context: number,
): Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'> {
  return {
    postMessage: (message: ToWebview) => webview.postMessage({ type: 'side', context, message } satisfies ToRuns),
    onDidReceiveMessage: (listener: (message: unknown) => unknown) =>
      webview.onDidReceiveMessage((message: unknown) => {
        if (isFromRuns(message) && message.type === 'side' && message.context === context) listener(message.message);
      }),
  };
}

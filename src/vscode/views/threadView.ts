/**
 * Connects a webview to the thread that it shows. Events are batched and posted once per frame, and only to a visible
 * view; a view that was hidden or has missed events gets a snapshot.
 */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { isFromWebview } from '../../shared/protocol/fromWebview.ts';
import type { Draft, Intent, ViewContext, ToWebview } from '../../shared/protocol/chat.ts';
import type { ThreadEvent } from '../../shared/thread/model.ts';
import type { ChatView } from '../host/chatView.ts';
import { strings } from '../host/settings.ts';
import { Heartbeat } from './heartbeat.ts';
import { Throttle } from './throttle.ts';

export interface ViewHost {
  viewContext(session: ChatSession): ViewContext;
  draft(threadId: string): Draft;
  /** Called for each action of the user in the view. */
  onIntent(view: ThreadView, intent: Intent): void;
  onProblem(text: string): void;
  /** Called after a snapshot of the session was posted to a visible view. */
  onShown?(session: ChatSession): void;
}

/** The common part of side bar views and editor tabs. */
export interface WebviewHolder {
  /** Without `html`, the page belongs to another panel and is not reloaded if it is unresponsive. */
  readonly webview: Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'> & Partial<Pick<vscode.Webview, 'html'>>;
  readonly visible: boolean;
  /** Whether this is the active editor tab. */
  readonly active?: boolean;
  reveal(): void;
}

export class ThreadView implements ChatView, vscode.Disposable {
  readonly #holder: WebviewHolder;
  readonly #host: ViewHost;
  readonly #subscription: vscode.Disposable;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #throttle = new Throttle(() => this.#flush());
  #session: ChatSession;
  #seq = 0;
  #pending: ThreadEvent[] = [];
  /** Whether the page has the current state; false until it has loaded and after events were skipped. */
  #inStep = false;
  #loaded = false;
  #disposed = false;
  /** Messages to post after the next snapshot. */
  #waiting: ToWebview[] = [];

  constructor(holder: WebviewHolder, session: ChatSession, host: ViewHost) {
    this.#holder = holder;
    this.#session = session;
    this.#host = host;
    this.#subscription = holder.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    if (holder.webview.html === undefined) return;
    this.#heartbeat = new Heartbeat(
      () => void holder.webview.postMessage({ type: 'ping' } satisfies ToWebview),
      () => this.#reload(),
    );
    if (holder.visible) this.#heartbeat.start();
  }

  get session(): ChatSession {
    return this.#session;
  }

  get visible(): boolean {
    return !this.#disposed && this.#holder.visible;
  }

  get active(): boolean {
    return !this.#disposed && (this.#holder.active ?? false);
  }

  /** Shows another thread in this view. */
  show(session: ChatSession): void {
    this.#session = session;
    this.#sendSnapshot();
  }

  /** Reveals the view, unless it is disposed. */
  reveal(): void {
    if (!this.#disposed) this.#holder.reveal();
  }

  /** Call when `visible` may have changed: VS Code unloads a hidden page, which gets a snapshot when shown again. */
  visibilityChanged(): void {
    if (this.visible) return this.#heartbeat?.start();
    this.#heartbeat?.stop();
    this.#loaded = false;
    this.#fallBehind();
  }

  /** @param events events dispatched to `session`, in order */
  push(events: readonly ThreadEvent[]): void {
    if (!this.#inStep) return;
    this.#pending.push(...events);
    this.#throttle.request();
  }

  viewContextChanged(): void {
    if (this.#inStep) this.post({ type: 'viewContext', viewContext: this.#host.viewContext(this.#session) });
  }

  /** Posts a message after the pending events. Until the page has loaded, some messages are queued. */
  post(message: ToWebview): void {
    if (this.#pending.length > 0) this.#flush();
    if (this.#inStep) void this.#holder.webview.postMessage(message);
    // Drop other messages: a loading page gets the current draft and requests rows and lists again. It also focuses its
    // composer itself; a late focus message could move the focus away from where the user is.
    else if (
      message.type === 'compose' ||
      (message.type === 'focus' && message.what !== 'composer' && message.what !== 'last')
    )
      this.#waiting.push(message);
  }

  dispose(): void {
    // A disposed webview throws on access.
    this.#disposed = true;
    this.#heartbeat?.stop();
    this.#fallBehind();
    this.#subscription.dispose();
  }

  #fallBehind(): void {
    this.#inStep = false;
    this.#pending = [];
    this.#throttle.reset();
  }

  /** Reloads a blank or unresponsive page; it requests a snapshot when it has loaded. */
  #reload(): void {
    const { webview } = this.#holder;
    const { html } = webview;
    if (html === undefined) return;
    this.#host.onProblem('An unresponsive page was reloaded.');
    this.#loaded = false;
    this.#fallBehind();
    // VS Code ignores an assignment of the same HTML.
    webview.html = '';
    webview.html = html;
  }

  #flush(): void {
    if (!this.visible) {
      this.#fallBehind();
      return;
    }
    const events = this.#pending;
    this.#pending = [];
    if (events.length === 0) return;
    this.#seq += 1;
    this.#throttle.posted();
    void this.#holder.webview.postMessage({ type: 'events', seq: this.#seq, events } satisfies ToWebview);
  }

  #sendSnapshot(): void {
    this.#fallBehind();
    if (!this.#loaded || !this.visible) return;
    const { thread } = this.#session;
    this.#inStep = true;
    void this.#holder.webview.postMessage({
      type: 'snapshot',
      seq: this.#seq,
      thread,
      viewContext: this.#host.viewContext(this.#session),
      draft: this.#host.draft(thread.id),
      l10n: strings(),
    } satisfies ToWebview);
    this.#host.onShown?.(this.#session);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.post(message);
  }

  /** Handles a message of the page. */
  receive(message: unknown): void {
    this.#heartbeat?.received();
    if (!isFromWebview(message)) {
      this.#host.onProblem('A page sent an invalid message.');
      return;
    }
    switch (message.type) {
      case 'ready':
      case 'needSnapshot':
        this.#loaded = true;
        return this.#sendSnapshot();
      case 'drawn':
        return this.#throttle.rendered(this.#seq - message.seq);
      case 'pong':
        return;
      default:
        this.#host.onIntent(this, message);
    }
  }
}

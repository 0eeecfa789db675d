/**
 * Connects one webview to the thread that it shows. Events are collected and posted once per frame, to a visible
 * view only; a view that was hidden, or that has missed something, gets one snapshot.
 */
import type * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { isFromWebview } from '../../shared/protocol/fromWebview.ts';
import type { Draft, Intent, Surroundings, ToWebview } from '../../shared/protocol/chat.ts';
import type { ThreadEvent } from '../../shared/thread/model.ts';
import { Heartbeat } from './heartbeat.ts';
import { Pace } from './throttle.ts';
import { strings } from '../host/strings.ts';

export interface ViewHost {
  surroundings(session: ChatSession): Surroundings;
  draft(threadId: string): Draft;
  /** The user did something in the view. */
  onIntent(view: ThreadView, intent: Intent): void;
  onProblem(text: string): void;
  /** The view shows the thread as it is now. */
  onShown?(session: ChatSession): void;
}

/** The part that side bar views and editor tabs have in common. */
export interface WebviewHolder {
  /** Without `html`, somebody else looks after the page. */
  readonly webview: Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'> & Partial<Pick<vscode.Webview, 'html'>>;
  readonly visible: boolean;
  /** For an editor tab: whether it is the one in front. */
  readonly active?: boolean;
  reveal(): void;
}

export class ThreadView implements vscode.Disposable {
  readonly #holder: WebviewHolder;
  readonly #host: ViewHost;
  readonly #subscription: vscode.Disposable;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #pace = new Pace(() => this.#flush());
  #session: ChatSession;
  #seq = 0;
  #pending: ThreadEvent[] = [];
  /** False until the page has loaded, and while what it holds is out of date. */
  #inStep = false;
  #loaded = false;
  #disposed = false;
  /** For the page once it has loaded. */
  #waiting: ToWebview[] = [];

  constructor(holder: WebviewHolder, session: ChatSession, host: ViewHost) {
    this.#holder = holder;
    this.#session = session;
    this.#host = host;
    this.#subscription = holder.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    if (holder.webview.html === undefined) return;
    this.#heartbeat = new Heartbeat(
      (id) => void holder.webview.postMessage({ type: 'ping', id } satisfies ToWebview),
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

  /** Shows another thread. */
  show(session: ChatSession): void {
    this.#session = session;
    this.#sendSnapshot();
  }

  /** Brings it to the front; one that was closed stays so. */
  reveal(): void {
    if (!this.#disposed) this.#holder.reveal();
  }

  /** A page that is hidden is dropped by the editor; the next one begins with a snapshot. */
  visibilityChanged(): void {
    if (this.visible) return this.#heartbeat?.start();
    this.#heartbeat?.stop();
    this.#loaded = false;
    this.#fallBehind();
  }

  /** @param events that `session` has gone through */
  push(events: readonly ThreadEvent[]): void {
    if (!this.#inStep) return;
    this.#pending.push(...events);
    this.#pace.want();
  }

  surroundingsChanged(): void {
    if (this.#inStep) this.post({ type: 'surroundings', around: this.#host.surroundings(this.#session) });
  }

  /** Posts at once, after the events that went before; what is for the user is kept until the page has loaded. */
  post(message: ToWebview): void {
    if (this.#pending.length > 0) this.#flush();
    if (this.#inStep) void this.#holder.webview.postMessage(message);
    // A page that loads gets the draft as it is then, and asks anew for rows and for lists.
    else if (message.type === 'compose' || message.type === 'focus') this.#waiting.push(message);
  }

  dispose(): void {
    // The editor's own object throws at whatever is asked of it from now on.
    this.#disposed = true;
    this.#heartbeat?.stop();
    this.#fallBehind();
    this.#subscription.dispose();
  }

  #fallBehind(): void {
    this.#inStep = false;
    this.#pending = [];
    this.#pace.reset();
  }

  /** The page is blank or does not answer any more: it is begun anew, and asks for its state when it has loaded. */
  #reload(): void {
    const { webview } = this.#holder;
    const { html } = webview;
    if (html === undefined) return;
    this.#host.onProblem('The view did not answer and was loaded again.');
    this.#loaded = false;
    this.#fallBehind();
    // The editor takes a page only when it differs from the last one.
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
    this.#pace.posted();
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
      around: this.#host.surroundings(this.#session),
      draft: this.#host.draft(thread.id),
      l10n: strings(),
    } satisfies ToWebview);
    this.#host.onShown?.(this.#session);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.post(message);
  }

  #receive(message: unknown): void {
    this.#heartbeat?.heard();
    if (!isFromWebview(message)) {
      this.#host.onProblem('The view sent a message that is not of the protocol.');
      return;
    }
    switch (message.type) {
      case 'ready':
      case 'needSnapshot':
        this.#loaded = true;
        return this.#sendSnapshot();
      case 'drawn':
        return this.#pace.drawn(this.#seq - message.seq);
      case 'pong':
        return;
      default:
        this.#host.onIntent(this, message);
    }
  }
}

/** Manages the thread views: the side bar view and any number of editor tabs. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { textIn } from '../../shared/text/checks.ts';
import { emptyThread } from '../../shared/thread/model.ts';
import { keepTitle, sideBarHolder, tabHolder, titleFor } from './holders.ts';
import { showPage, tabIcon, PANEL_TYPE, VIEW_ID } from '../host/html.ts';
import { above, type Sessions } from '../threads/sessions.ts';
import { ThreadView, type ViewHost, type WebviewHolder } from './threadView.ts';
import type { ChatView, EmbeddedView } from '../host/chatView.ts';
import { emptyDraft, type FocusTarget, type Intent } from '../../shared/protocol/chat.ts';
import type { ThreadRepository } from '../threads/threadRepository.ts';

export class ChatViews implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #sessions: Sessions;
  readonly #repository: ThreadRepository;
  readonly #host: ViewHost;
  readonly #intents = new vscode.EventEmitter<{ view: ChatView; intent: Intent }>();
  readonly #shown = new vscode.EventEmitter<ChatSession>();
  /** Fires for each action of the user in a view. */
  readonly onIntent = this.#intents.event;
  /** Fires when a visible view shows the current state of a thread. */
  readonly onDidShow = this.#shown.event;
  readonly #views = new Set<ThreadView>();
  /** Thread views inside other panels, such as the sides of a comparison. */
  readonly #embedded = new Set<ThreadView>();
  readonly #subscriptions: vscode.Disposable[] = [];
  /** Functions that update the titles of editor tabs. */
  readonly #titles = new Map<ChatView, () => void>();
  #sideBar: ThreadView | undefined;
  /** Provides the side bar view once it is resolved. */
  #opened = Promise.withResolvers<ThreadView>();
  #sideBarHolder: vscode.WebviewView | undefined;
  /** Session to show when the side bar view is next resolved: the last one requested or shown. */
  #sideBarNext: ChatSession | undefined;
  #badge: vscode.ViewBadge | undefined;

  constructor(
    extension: vscode.Uri,
    sessions: Sessions,
    repository: ThreadRepository,
    { viewContext, onProblem }: Pick<ViewHost, 'viewContext' | 'onProblem'>,
  ) {
    this.#extension = extension;
    this.#sessions = sessions;
    this.#repository = repository;
    this.#host = {
      viewContext,
      onProblem,
      draft: (threadId) => sessions.draft(threadId),
      onIntent: (view, intent) => this.#intents.fire({ view, intent }),
      onShown: (session) => this.#shown.fire(session),
    };
    this.#subscriptions.push(
      this.#intents,
      this.#shown,
      sessions.onDidChange(({ session, events }) => {
        for (const view of this.#showing(session)) view.push(events);
      }),
      sessions.onUnsent(({ session, message }) => {
        const view = this.of(session).find(({ visible }) => visible);
        if (view) view.post({ type: 'compose', draft: message });
        else sessions.keepDraft(session.thread.id, above(message, sessions.draft(session.thread.id)));
      }),
    );
  }

  /** @returns the views that show a thread */
  of(session: ChatSession): ChatView[] {
    return [...this.#views].filter((view) => view.session === session);
  }

  get all(): readonly ChatView[] {
    return [...this.#views];
  }

  /**
   * Shows a thread without its draft inside another panel, which disposes the view.
   * @param ownIntent handles an intent for the panel; false if it is not one of its own
   */
  embed(holder: WebviewHolder, session: ChatSession, ownIntent: (intent: Intent) => boolean): EmbeddedView {
    const view = new ThreadView(holder, session, {
      ...this.#host,
      draft: () => emptyDraft,
      onIntent: (from, intent) => ownIntent(intent) || this.#host.onIntent(from, intent),
      onShown: undefined,
    });
    this.#embedded.add(view);
    const dispose = (): void => (this.#embedded.delete(view), view.dispose());
    return { visibilityChanged: () => view.visibilityChanged(), dispose };
  }

  /** Posts the current view context. @param session the affected session; if omitted, all sessions */
  viewContextChanged(session?: ChatSession): void {
    for (const view of this.#showing(session)) view.viewContextChanged();
  }

  /**
   * Connects the side bar view, whose page may be ready before the last thread is restored.
   * @param early returns the messages of the page until then
   * @param state the state that the page saved before a restart, unchecked
   */
  async resolve(holder: vscode.WebviewView, early: () => readonly unknown[], state: unknown): Promise<void> {
    // The active thread may be that of an editor tab.
    const own = this.#shownBefore(state);
    const active = await this.#repository.restore();
    const restored = (await own) ?? active;
    const session = (this.#sideBarNext && this.#sessions.get(this.#sideBarNext.thread.id)) ?? restored;
    const view = new ThreadView(sideBarHolder(holder), session, this.#host);
    this.#sideBar = view;
    this.#sideBarHolder = holder;
    holder.badge = this.#badge;
    this.#adopt(view, holder, holder.onDidChangeVisibility);
    for (const message of early()) view.receive(message);
    this.#opened.resolve(view);
  }

  /**
   * Shows a thread in the side bar.
   * @param what receives the focus; the composer closes the list of chats
   * @returns the view, once VS Code has resolved it
   */
  async focus(session: ChatSession, what: FocusTarget = 'composer'): Promise<ChatView> {
    this.#sessions.activate(session);
    this.#sideBarNext = session;
    if (this.#sideBar && this.#sideBar.session !== session) this.showIn(this.#sideBar, session);
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
    const view = await this.#opened.promise;
    view.post({ type: 'focus', what });
    return view;
  }

  /** Reveals a thread in the editor tab that shows it, otherwise in the side bar. */
  async reveal(session: ChatSession): Promise<void> {
    const open = this.of(session).find((view) => view !== this.#sideBar);
    if (open) {
      this.#sessions.activate(session);
      open.reveal();
      open.post({ type: 'focus', what: 'composer' });
    } else await this.focus(session);
  }

  /** Switches a view to another thread. */
  showIn(view: ChatView, session: ChatSession): void {
    view.show(session);
    this.#sessions.activate(session);
    this.#titles.get(view)?.();
  }

  /** Sets the badge of the side bar view. @param value number to show; 0 removes the badge */
  setBadge(value: number, tooltip: string): void {
    this.#badge = value > 0 ? { value, tooltip } : undefined;
    if (this.#sideBarHolder) this.#sideBarHolder.badge = this.#badge;
  }

  /** Activates the thread of the side bar if `session` was active and no view shows it any more. */
  viewClosed(session: ChatSession): void {
    const { current } = this.#sessions;
    if (current === session && this.#sideBar && this.#showing(session).length === 0)
      this.#sessions.activate(this.#sideBar.session);
  }

  /** Opens a thread in a new editor tab. */
  openInEditor(session: ChatSession): void {
    const panel = vscode.window.createWebviewPanel(
      PANEL_TYPE,
      titleFor(session, this.#sessions),
      vscode.ViewColumn.Active,
    );
    this.#adoptPanel(panel, session);
  }

  /**
   * Restores an editor tab, with a new thread if its own can't be opened.
   * @param state the state that the page saved before a restart, unchecked
   */
  async restorePanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const session = (await this.#shownBefore(state)) ?? this.#sessions.add(emptyThread(crypto.randomUUID()));
    this.#adoptPanel(panel, session);
  }

  /** Shows a thread in a new or restored editor tab. */
  #adoptPanel(panel: vscode.WebviewPanel, session: ChatSession): void {
    panel.iconPath = tabIcon(this.#extension);
    showPage(panel.webview, this.#extension, 'main');
    const view = new ThreadView(tabHolder(panel), session, this.#host);
    const title = keepTitle(panel, view, this.#sessions);
    this.#titles.set(view, title.update);
    panel.onDidDispose(() => {
      title.dispose();
      this.#titles.delete(view);
    });
    this.#adopt(view, panel, panel.onDidChangeViewState);
    const activate = (): void => {
      if (panel.active) this.#sessions.activate(view.session);
    };
    // A restored tab may be beside the active editor.
    activate();
    panel.onDidChangeViewState(activate);
  }

  /** The active editor tab, otherwise the side bar view if visible. */
  get current(): ChatView | undefined {
    const tab = [...this.#views].find((view) => view.active);
    return tab ?? (this.#sideBar?.visible ? this.#sideBar : undefined);
  }

  /** The thread in the side bar; undefined until the view is resolved. */
  get sideBarSession(): ChatSession | undefined {
    return this.#sideBar?.session;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const view of this.#views) view.dispose();
  }

  /** @returns the thread that a page showed before a restart; undefined if there is none, or it can't be opened */
  async #shownBefore(state: unknown): Promise<ChatSession | undefined> {
    const threadId = textIn(state, 'threadId');
    return threadId === undefined ? undefined : this.#repository.open(threadId).catch(() => undefined);
  }

  #showing(session: ChatSession | undefined): ThreadView[] {
    return [...this.#views, ...this.#embedded].filter((view) => session === undefined || view.session === session);
  }

  #adopt(
    view: ThreadView,
    holder: vscode.WebviewView | vscode.WebviewPanel,
    onVisibility: vscode.Event<unknown>,
  ): void {
    this.#views.add(view);
    const visibility = onVisibility(() => view.visibilityChanged());
    holder.onDidDispose(() => {
      visibility.dispose();
      view.dispose();
      this.#views.delete(view);
      if (this.#sideBar === view) {
        this.#sideBarNext = view.session;
        this.#sideBar = this.#sideBarHolder = undefined;
        this.#opened = Promise.withResolvers();
      }
      this.viewClosed(view.session);
    });
  }
}

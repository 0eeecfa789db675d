/** The sessions of the threads that are open in this window, with their drafts. */
import * as vscode from 'vscode';
import type { ChatError } from '../../api/errors.ts';
import { ChatSession, type Message } from '../../chat/session/chatSession.ts';
import { emptyDraft, type Draft } from '../../shared/protocol/chat.ts';
import {
  emptyThread,
  type Home,
  type QuestionContext,
  type Thread,
  type ThreadEvent,
} from '../../shared/thread/model.ts';
import { isRunning, titleOf } from '../../shared/thread/turns.ts';
import type { Connector } from '../connection/connector.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';

interface SessionsOptions {
  connect: Connector['connect'];
  context: Connector['context'];
  connectionAt: (home: Home | undefined) => ConnectionEntry | undefined;
  onFailure: (error: ChatError) => void;
  /** @param count number of lines of the thread that could not be decoded so far */
  onUnknownLine: (count: number) => void;
}

interface SessionChange {
  session: ChatSession;
  events: readonly ThreadEvent[];
}

export class Sessions implements vscode.Disposable {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, ChatSession>();
  readonly #drafts = new Map<string, Draft>();
  readonly #pinned = new Map<string, QuestionContext>();
  /** Titles that the user gave in the history. */
  readonly #titles = new Map<string, string>();
  /** Kept after a thread is removed, because its last changes are saved with its connection. */
  readonly #homes = new WeakMap<ChatSession, Home>();
  readonly #changed = new vscode.EventEmitter<SessionChange>();
  readonly #unsent = new vscode.EventEmitter<{ session: ChatSession; message: Message }>();
  readonly #draftChanged = new vscode.EventEmitter<{ threadId: string; draft: Draft }>();
  readonly #removed = new vscode.EventEmitter<ChatSession>();
  readonly #retitled = new vscode.EventEmitter<ChatSession>();
  readonly #activeChanged = new vscode.EventEmitter<ChatSession>();
  /** Fires on every change of any open thread. */
  readonly onDidChange = this.#changed.event;
  /** Fires when a message could not be sent and returns to the composer. */
  readonly onUnsent = this.#unsent.event;
  /** Fires when a draft to save changes: that of the composer, below the message that waits for its connection. */
  readonly onDraft = this.#draftChanged.event;
  /** Fires when a thread is closed, so that no view continues with its session. */
  readonly onDidRemove = this.#removed.event;
  readonly onDidRetitle = this.#retitled.event;
  readonly onDidChangeActive = this.#activeChanged.event;
  #active: ChatSession | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The thread last used, on which commands act by default; created if there is none. */
  get active(): ChatSession {
    return this.#active ?? this.create();
  }

  /** Like `active`, but undefined if there is none. */
  get current(): ChatSession | undefined {
    return this.#active;
  }

  activate(session: ChatSession): void {
    if (this.#active === session) return;
    this.#active = session;
    this.#activeChanged.fire(session);
  }

  get all(): readonly ChatSession[] {
    return [...this.#sessions.values()];
  }

  get(threadId: string): ChatSession | undefined {
    return this.#sessions.get(threadId);
  }

  /** @returns whether an answer is streaming in the thread; false if the thread is not open */
  isRunning(threadId: string): boolean {
    const session = this.get(threadId);
    return session !== undefined && isRunning(session.thread);
  }

  /** Creates and activates a thread; nothing is sent or saved until its first question. */
  create(): ChatSession {
    const session = this.add(emptyThread(crypto.randomUUID()));
    this.activate(session);
    return session;
  }

  /** Opens a thread with its stored state; if it is already open, its session is returned unchanged. */
  add(thread: Thread, draft?: Draft, home?: Home): ChatSession {
    const open = this.#sessions.get(thread.id);
    if (open) return open;
    const session: ChatSession = new ChatSession({
      thread,
      connect: async (context) => {
        this.#fireDraft(thread.id);
        const pinned = this.#pinned.get(thread.id);
        // A tool asks, or a comparison.
        const mayAuthor = pinned ? false : undefined;
        const connection = await this.#options.connect(this.homeOf(session), context ?? pinned, mayAuthor);
        this.#homes.set(session, connection.home);
        return connection;
      },
      context: () => this.#pinned.get(thread.id) ?? this.#options.context(this.homeOf(session)),
      onFailure: this.#options.onFailure,
      onEvents: (events) => {
        if (events.some((event) => event.type === 'line' && event.line.kind === 'unknown'))
          this.#options.onUnknownLine(session.thread.unknownLines);
        this.#changed.fire({ session, events });
        if (events.some(({ type }) => type === 'sent')) this.#fireDraft(thread.id);
      },
      onUnsent: (message) => {
        // Saving the message of a deleted thread would add that to the history again.
        if (this.#sessions.get(thread.id) === session) this.#unsent.fire({ session, message });
      },
    });
    this.#sessions.set(thread.id, session);
    if (draft) this.#drafts.set(thread.id, draft);
    if (home) this.#homes.set(session, home);
    return session;
  }

  /** Closes a thread and stops its running answer; the history is not changed. */
  async remove(threadId: string): Promise<void> {
    const session = this.#sessions.get(threadId);
    this.#sessions.delete(threadId);
    this.#drafts.delete(threadId);
    this.#pinned.delete(threadId);
    this.#titles.delete(threadId);
    if (this.#active === session) this.#active = undefined;
    if (session) this.#removed.fire(session);
    await session?.abort();
  }

  /** @returns the connection that the thread belongs to; undefined before its first question */
  homeOf(session: ChatSession): Home | undefined {
    const { chatId, turns } = session.thread;
    return chatId === undefined && turns.length === 0 ? undefined : this.#homes.get(session);
  }

  /** @returns the thread's own connection, or the current one before its first question; undefined if there is none */
  connectionOf(session: ChatSession): ConnectionEntry | undefined {
    return this.#options.connectionAt(this.homeOf(session));
  }

  /** @returns the title that the user gave, or else the first question; empty if there is none */
  titleOf({ thread }: ChatSession): string {
    return this.#titles.get(thread.id) ?? titleOf(thread);
  }

  /** Shows a title that is stored in the history. */
  retitle(session: ChatSession, title: string): void {
    this.#titles.set(session.thread.id, title);
    this.#retitled.fire(session);
  }

  /** Overrides the current branch and identity for a thread; undefined removes the override. */
  pin(threadId: string, context: QuestionContext | undefined): void {
    if (context) this.#pinned.set(threadId, context);
    else this.#pinned.delete(threadId);
  }

  draft(threadId: string): Draft {
    return this.#drafts.get(threadId) ?? emptyDraft;
  }

  keepDraft(threadId: string, draft: Draft): void {
    this.#drafts.set(threadId, draft);
    this.#fireDraft(threadId);
  }

  #fireDraft(threadId: string): void {
    const { connecting } = this.get(threadId) ?? {};
    const draft = this.draft(threadId);
    this.#draftChanged.fire({ threadId, draft: connecting ? above(connecting, draft) : draft });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#unsent.dispose();
    this.#draftChanged.dispose();
    this.#removed.dispose();
    this.#retitled.dispose();
    this.#activeChanged.dispose();
  }
}

/** @returns an unsent message, followed by the text and images of the draft */
export const above = (message: Draft, draft: Draft): Draft => ({
  ...draft,
  text: [message.text, draft.text].filter((part) => part !== '').join('\n'),
  images: [...message.images, ...draft.images],
});

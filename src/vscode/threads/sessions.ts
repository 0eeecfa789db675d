/** The threads that are open in this window, each with its session. */
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
import { isRunning } from '../../shared/thread/turns.ts';
import type { Connector } from '../connection/connector.ts';

export interface SessionsOptions {
  connect: Connector['connect'];
  stamp: Connector['stamp'];
  onFailure: (error: ChatError) => void;
}

export interface SessionChange {
  session: ChatSession;
  events: readonly ThreadEvent[];
}

export class Sessions implements vscode.Disposable {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, ChatSession>();
  readonly #drafts = new Map<string, Draft>();
  readonly #pinned = new Map<string, QuestionContext>();
  readonly #homes = new Map<string, Home>();
  readonly #changed = new vscode.EventEmitter<SessionChange>();
  readonly #unsent = new vscode.EventEmitter<{ session: ChatSession; message: Message }>();
  readonly #draftChanged = new vscode.EventEmitter<{ threadId: string; draft: Draft }>();
  readonly #activeChanged = new vscode.EventEmitter<ChatSession>();
  /** Every change of every open thread. */
  readonly onDidChange = this.#changed.event;
  /** A message goes back to its author. */
  readonly onUnsent = this.#unsent.event;
  /** What is in a composer has changed. */
  readonly onDraft = this.#draftChanged.event;
  readonly onDidChangeActive = this.#activeChanged.event;
  #active: ChatSession | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The thread that commands without an argument are about: the one last looked at. */
  get active(): ChatSession {
    return this.#active ?? this.create();
  }

  /** As `active`, but nothing is opened for it. */
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

  /** @returns whether an answer is being written in the thread; never in one that is not open */
  isRunning(threadId: string): boolean {
    const session = this.get(threadId);
    return session !== undefined && isRunning(session.thread);
  }

  /** Opens a new thread; nothing is sent or saved until a question is asked in it. */
  create(): ChatSession {
    const session = this.add(emptyThread(crypto.randomUUID()));
    this.activate(session);
    return session;
  }

  /** Opens a thread with what is known of it; an open one stays as it is. */
  add(thread: Thread, draft?: Draft, home?: Home): ChatSession {
    const open = this.#sessions.get(thread.id);
    if (open) return open;
    const session: ChatSession = new ChatSession({
      thread,
      connect: async (stamp) => {
        const asked = stamp ?? this.#pinned.get(thread.id);
        const connection = await this.#options.connect(this.homeOf(session), asked);
        this.#homes.set(thread.id, connection.home);
        return connection;
      },
      stamp: () => this.#pinned.get(thread.id) ?? this.#options.stamp(this.homeOf(session)),
      onFailure: this.#options.onFailure,
      onEvents: (events) => this.#changed.fire({ session, events }),
      onUnsent: (message) => this.#unsent.fire({ session, message }),
    });
    this.#sessions.set(thread.id, session);
    if (draft) this.#drafts.set(thread.id, draft);
    if (home) this.#homes.set(thread.id, home);
    return session;
  }

  /** Forgets an open thread, after stopping what runs in it. */
  async remove(threadId: string): Promise<void> {
    const session = this.#sessions.get(threadId);
    this.#sessions.delete(threadId);
    this.#drafts.delete(threadId);
    this.#homes.delete(threadId);
    this.#pinned.delete(threadId);
    if (this.#active === session) this.#active = undefined;
    await session?.abort();
  }

  /** Where a thread lives; undefined while nothing was asked in it, so that any connection will do. */
  homeOf({ thread: { id, chatId, turns } }: Pick<ChatSession, 'thread'>): Home | undefined {
    return chatId === undefined && turns.length === 0 ? undefined : this.#homes.get(id);
  }

  /** Asks a thread's questions on this branch and as this identity, whatever the current ones are; undefined ends it. */
  pin(threadId: string, stamp: QuestionContext | undefined): void {
    if (stamp) this.#pinned.set(threadId, stamp);
    else this.#pinned.delete(threadId);
  }

  draft(threadId: string): Draft {
    return this.#drafts.get(threadId) ?? emptyDraft;
  }

  keepDraft(threadId: string, draft: Draft): void {
    this.#drafts.set(threadId, draft);
    this.#draftChanged.fire({ threadId, draft });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#unsent.dispose();
    this.#draftChanged.dispose();
    this.#activeChanged.dispose();
  }
}

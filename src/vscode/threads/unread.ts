/** Tracks unread threads: those whose answer ended while no view showed them. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { Sessions } from './sessions.ts';

export class UnreadThreads implements vscode.Disposable {
  readonly #threads = new Set<string>();
  /**
   * Sessions that a view has shown. Others, such as those of VS Code's chat or of other extensions, never count as
   * unread.
   */
  readonly #shown = new WeakSet<ChatSession>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  /** @param isVisible whether a visible view shows the session */
  constructor(sessions: Sessions, isVisible: (session: ChatSession) => boolean) {
    this.#subscription = sessions.onDidChange(({ session, events }) => {
      const ended = events.some(({ type }) => type === 'finished' || type === 'failed');
      if (ended && this.#shown.has(session) && !isVisible(session)) this.#add(session.thread.id);
    });
  }

  get count(): number {
    return this.#threads.size;
  }

  has(threadId: string): boolean {
    return this.#threads.has(threadId);
  }

  /** Marks a thread as shown in a view, and as read. */
  seen(session: ChatSession): void {
    this.#shown.add(session);
    this.forget(session.thread.id);
  }

  /** Removes a thread. */
  forget(threadId: string): void {
    if (this.#threads.delete(threadId)) this.#changed.fire();
  }

  /** Removes all threads. */
  clear(): void {
    this.#threads.clear();
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #add(threadId: string): void {
    if (this.#threads.has(threadId)) return;
    this.#threads.add(threadId);
    this.#changed.fire();
  }
}

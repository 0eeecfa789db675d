/** Threads with an answer that has ended while nobody looked at them. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { Sessions } from './sessions.ts';

export class Unseen implements vscode.Disposable {
  readonly #threads = new Set<string>();
  /** Threads that a view has shown; what is asked elsewhere is looked at elsewhere. */
  readonly #shown = new WeakSet<ChatSession>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  /** @param isVisible whether a view shows the thread now */
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

  /** A view shows the thread. */
  seen(session: ChatSession): void {
    this.#shown.add(session);
    this.forget(session.thread.id);
  }

  /** The thread is gone. */
  forget(threadId: string): void {
    if (this.#threads.delete(threadId)) this.#changed.fire();
  }

  /** All threads are gone. */
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

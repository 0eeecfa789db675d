/** What other extensions get from `vscode.extensions.getExtension('analytics-chat.analytics-chat')?.activate()`. */
import type { Event } from 'vscode';

/** A thread without its contents. */
export interface ThreadSummary {
  /** The extension's own id of the thread. */
  readonly threadId: string;
  /** The service's id of the thread; absent until its first answer began. */
  readonly chatId?: string;
  /** Its name, or its first question. */
  readonly title: string;
  readonly status: 'ready' | 'submitted' | 'streaming' | 'error';
  /** Unix milliseconds. */
  readonly updatedAt: number;
}

/** A query that the agent ran to answer a question. */
export interface AnsweredQuery {
  readonly toolCallId: string;
  readonly title: string;
  readonly sql: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Cells as the service wrote them: numbers may be strings. */
  readonly rows: readonly (readonly unknown[])[];
  /** Rows on the service; `rows` may hold fewer. */
  readonly totalRows: number;
}

export interface Answer {
  readonly threadId: string;
  readonly chatId?: string;
  /** Markdown; empty when the answer was stopped before it began. */
  readonly text: string;
  readonly queries: readonly AnsweredQuery[];
  readonly outcome: 'done' | 'stopped';
}

export interface AskOptions {
  /** The service's id of the thread to go on with; a new thread without it. */
  readonly chatId?: string;
  /** Stops the answer, here and on the service. */
  readonly signal?: AbortSignal;
}

/** Asks go to the user's own connection, branch and identity; there is no way to choose or to read a credential. */
export interface AnalyticsChatApi {
  /** Grows when something changes that callers must know of. */
  readonly version: 1;
  /**
   * Asks a question; the user finds its thread in the history.
   * @throws Error with the failure in words, and its kind as `code`
   */
  ask(text: string, options?: AskOptions): Promise<Answer>;
  /** Stops the answer of a thread; without a thread, the one being written in the chat last looked at, else the newest. */
  abort(threadId?: string): Promise<void>;
  /** Fires for every change of an open thread; often while an answer streams. */
  readonly onDidChangeThread: Event<ThreadSummary>;
  /** @returns the threads of the history, pinned ones first, then the latest */
  threads(): Promise<readonly ThreadSummary[]>;
  /** @returns the last generated SQL of an open thread, or the latest of all of them */
  lastSql(threadId?: string): string | undefined;
}

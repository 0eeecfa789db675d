/** Types of the API returned by `vscode.extensions.getExtension('analytics-chat.analytics-chat')?.activate()`. */
import type { Event } from 'vscode';

/** A thread without its contents. */
export interface ThreadSummary {
  /** Id assigned by the extension. */
  readonly threadId: string;
  /** Id assigned by the service; absent until the first answer starts. */
  readonly chatId?: string;
  /** The name given by the user, or the first question. */
  readonly title: string;
  readonly status: 'ready' | 'submitted' | 'streaming' | 'error';
  /** Unix milliseconds. */
  readonly updatedAt: number;
}

/** A query that the agent ran to answer a question. */
export interface ApiQuery {
  readonly toolCallId: string;
  readonly title: string;
  readonly sql: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Cells as sent by the service; numbers may be strings. */
  readonly rows: readonly (readonly unknown[])[];
  /** Number of rows on the service; `rows` may contain fewer. */
  readonly totalRows: number;
}

export interface ApiAnswer {
  readonly threadId: string;
  readonly chatId?: string;
  /** Markdown; empty if the answer was stopped before it started. */
  readonly text: string;
  readonly queries: readonly ApiQuery[];
  readonly outcome: 'done' | 'stopped';
}

export interface AskOptions {
  /** `chatId` of the thread to continue; if omitted, a new thread is created. */
  readonly chatId?: string;
  /** Stops the answer, locally and on the service. */
  readonly signal?: AbortSignal;
}

/** Questions use the user's own connection, branch and identity. The API can't select or read credentials. */
export interface AnalyticsChatApi {
  /** Incremented on breaking changes. */
  readonly version: 1;
  /**
   * Asks a question. Its thread is added to the user's history.
   * @throws Error with a message for the user and the kind of the error in `code`
   */
  ask(text: string, options?: AskOptions): Promise<ApiAnswer>;
  /** Stops the answer of a thread; by default of the active one, or if idle, of the running thread opened last. */
  abort(threadId?: string): Promise<void>;
  /** Fires on every change of an open thread, frequently while an answer streams. */
  readonly onDidChangeThread: Event<ThreadSummary>;
  /** @returns the threads of the history that have a question, pinned ones first, then by last update, newest first */
  threads(): Promise<readonly ThreadSummary[]>;
  /** @returns the last generated SQL of an open thread; without a thread, the latest of all open threads */
  lastSql(threadId?: string): string | undefined;
}

/** The state of one conversation, and the events that change it. `reducer.ts` applies them. */
import type { ImageAttachment, StreamLine, ToolCall, Usage } from '../wire/streamLines.ts';

/** The branch and identity of a question. */
export interface QuestionContext {
  branch: string;
  /** Value of `isDefaultBranch` in the request (2.1). */
  isDefaultBranch: boolean;
  /** Label of the identity, such as its `externalId`. */
  identity: string;
}

/** An action that may fix a failure. */
export type ErrorAction =
  | 'retry'
  | 'resume'
  | 'connect'
  | 'addConnection'
  | 'setApiKey'
  | 'switchBranch'
  | 'switchIdentity'
  | 'attach'
  | 'stopAndSend'
  | 'newChat'
  | 'askInNewChat'
  | 'openSettings'
  | 'openProxySettings'
  | 'showLog';

/** A failure, described for the user without stack traces or HTML. The first action is the primary one. */
export interface ThreadError {
  kind: string;
  message: string;
  actions: readonly ErrorAction[];
}

/** Outcome of a stop on the service; this client stops reading in any case. */
export type StopOutcome = 'pending' | 'stopped' | 'forbidden' | 'notFound' | 'unreachable' | 'byService';

/** How a question ended. */
export type TurnOutcome =
  { state: 'done' } | { state: 'stopped'; service: StopOutcome } | { state: 'failed'; error: ThreadError };

/** The user's question, the first part of a turn. */
export interface Question {
  /** The `messageId` of the request (2.1). */
  id: string;
  content: string;
  /** Unix milliseconds. */
  time: number;
  images?: readonly ImageAttachment[];
  /** Absent for questions that were asked elsewhere. */
  context?: QuestionContext;
  /** Id of the service's echo of the question, if it differs from `id`. */
  echo?: string;
}

/** An assistant message or tool call. Its lines update it; its position is that of its first `sort` (3.3). */
export interface Item {
  id: string;
  content: string;
  thinking: string;
  toolCall?: ToolCall;
  graphPath: readonly string[];
  inProcess: boolean;
  /** Whether its response ended before the item was complete, so that a part may be missing. */
  partial?: boolean;
  /** Order of the items within one response; in a thread, the order of the list applies. */
  sort: number;
  /** Unix milliseconds of its first line, and of its last change. */
  time: number;
  updated: number;
  /**
   * Fields that a whole line of the response has set, so that they replace the text of other responses. Never saved.
   */
  exact?: { content?: boolean; thinking?: boolean };
}

export interface Turn {
  /** Id of its question; empty for items before the first question. */
  id: string;
  question?: Question;
  items: readonly Item[];
  outcome?: TurnOutcome;
  usage?: Usage;
}

/** The content of one response, accumulated from its lines. */
export interface Transcript {
  /** The running question; absent if the thread is only read. */
  asked?: { id: string; content: string };
  /** In order of appearance. */
  turns: readonly Turn[];
  /** Id of the turn that the next line belongs to. */
  open?: string;
  /** Whether the `cutoff` line was received, which ends the thread's history. */
  marked: boolean;
  /** Id of the running question's echo, once received. */
  echo?: string;
}

export interface QueuedMessage {
  id: string;
  text: string;
  images: readonly ImageAttachment[];
  /** Branch and identity when it was sent; absent if none were chosen, and in old files. */
  context?: QuestionContext;
}

export type ThreadStatus = 'ready' | 'submitted' | 'streaming' | 'error';

/** A lost connection is being restored. */
export interface Reconnecting {
  attempt: number;
  /** Unix milliseconds of the next attempt, if the service asked to wait. */
  until?: number;
}

export interface Thread {
  /** Id assigned by this extension, before the service assigns a `chatId`. */
  id: string;
  chatId?: string;
  /** In the order they were asked. While a response is read, they are those from before its request. */
  turns: readonly Turn[];
  /** The response that is being read; `turnsOf` merges it with the turns. */
  response?: Transcript;
  status: ThreadStatus;
  /** `messageId` of the running or last question. */
  messageId?: string;
  reconnecting?: Reconnecting;
  /** A failure that concerns no question, for example when the thread was read. */
  error?: ThreadError;
  queue: readonly QueuedMessage[];
  /** Number of lines that could not be decoded. */
  unknownLines: number;
}

export type ThreadEvent =
  | {
      type: 'sent';
      id: string;
      text: string;
      images: readonly ImageAttachment[];
      context: QuestionContext;
      time: number;
    }
  | { type: 'loading' }
  /** The client re-attaches to the answer of an earlier question. */
  | { type: 'resumed'; messageId: string }
  /** A further response of the running question. */
  | { type: 'attached' }
  /** The `chatId` was learned from a source other than a line. */
  | { type: 'named'; chatId: string }
  | { type: 'line'; line: StreamLine; time: number }
  | ({ type: 'reconnecting' } & Reconnecting)
  | { type: 'finished' }
  | { type: 'stopped'; messageId: string | undefined; service: StopOutcome }
  | { type: 'failed'; error: ThreadError }
  | { type: 'unsent'; id: string; error: ThreadError }
  | { type: 'queued'; message: QueuedMessage }
  | { type: 'unqueued'; id: string };

/** Metadata for the thread list, available without opening the thread. */
export interface ThreadMeta {
  id: string;
  chatId?: string;
  title: string;
  pinned: boolean;
  createdAt: number;
  updatedAt: number;
  /** Origin of the thread's Chat API URL. */
  origin: string;
  /** Name of its connection, empty for the unnamed one; absent in old files. */
  connection?: string;
  /** Number of questions. */
  questions: number;
}

/** The connection of a thread. */
export type Home = Pick<ThreadMeta, 'origin' | 'connection'>;

export function emptyThread(id: string): Thread {
  return { id, turns: [], status: 'ready', queue: [], unknownLines: 0 };
}

/** The state of one conversation, and the events that change it. `reducer.ts` holds the reducer over them. */
import type { ImageAttachment, StreamLine, ToolCall, Usage } from '../wire/streamLines.ts';

/** The branch and identity of a question. */
export interface QuestionContext {
  branch: string;
  /** What the request said in `isDefaultBranch` (2.1). */
  isDefaultBranch: boolean;
  /** Label of the identity, such as its `externalId`. */
  identity: string;
}

/** An action that may fix a failure. */
export type ErrorAction =
  | 'retry'
  | 'connect'
  | 'addConnection'
  | 'setApiKey'
  | 'switchBranch'
  | 'switchIdentity'
  | 'attach'
  | 'stopAndSend'
  | 'newChat'
  | 'openSettings'
  | 'openProxySettings'
  | 'showLog';

/** A failure in the user's words; never a stack, never HTML. The first action is the primary one. */
export interface ThreadError {
  kind: string;
  message: string;
  actions: readonly ErrorAction[];
}

/** The result of a stop on the service; locally it always takes effect. */
export type StopOutcome = 'pending' | 'stopped' | 'forbidden' | 'notFound' | 'unreachable' | 'byService';

/** How a question ended. */
export type TurnOutcome =
  { state: 'done' } | { state: 'stopped'; service: StopOutcome } | { state: 'failed'; error: ThreadError };

/** What the user asked: the first part of a turn. */
export interface Question {
  /** The `messageId` of the request (2.1). */
  id: string;
  content: string;
  /** Unix milliseconds. */
  time: number;
  images?: readonly ImageAttachment[];
  /** Absent for questions that were asked elsewhere. */
  context?: QuestionContext;
  /** The id under which the service echoes the question, where that is not its own. */
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
  /** True when its response ended before it was complete: something of it may be missing. */
  partial?: boolean;
  /** Orders the items of one response; in a thread, their order is that of the list. */
  sort: number;
  /** Unix milliseconds when it first came, and of its last change. */
  time: number;
  updated: number;
  /** Texts that a whole line of the response has given, so that they replace what other responses said. Never saved. */
  exact?: { content?: boolean; thinking?: boolean };
}

export interface Turn {
  /** That of its question; empty for items that no question precedes. */
  id: string;
  question?: Question;
  items: readonly Item[];
  outcome?: TurnOutcome;
  usage?: Usage;
}

/** What one response has said. */
export interface Transcript {
  /** The running question; absent when the thread is read. */
  asked?: { id: string; content: string };
  /** In the order in which they appeared. */
  turns: readonly Turn[];
  /** Id of the turn that the next line belongs to. */
  open?: string;
  /** Whether the marker has come. */
  marked: boolean;
  /** Id of the running question's echo, once it has come. */
  echo?: string;
}

export interface QueuedMessage {
  id: string;
  text: string;
  images: readonly ImageAttachment[];
  /** Branch and identity that were chosen when it was sent; absent where none were, and in old files. */
  context?: QuestionContext | undefined;
}

export type ThreadStatus = 'ready' | 'submitted' | 'streaming' | 'error';

/** A lost connection is being restored. */
export interface Reconnecting {
  attempt: number;
  /** Unix milliseconds of that attempt, where the service asked to wait. */
  until?: number;
}

export interface Thread {
  /** This extension's own id: there before the service gives a `chatId`. */
  id: string;
  chatId?: string;
  /** In the order in which they were asked; while a response is read, as they stood when it was requested. */
  turns: readonly Turn[];
  /** The response that is being read; `turnsOf` merges it with the turns. */
  response?: Transcript;
  status: ThreadStatus;
  /** `messageId` of the running or last question. */
  messageId?: string;
  reconnecting?: Reconnecting;
  /** A failure that belongs to no question, such as of reading the thread. */
  error?: ThreadError;
  queue: readonly QueuedMessage[];
  /** Number of lines that could not be understood. */
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
  /** The `chatId` is known from elsewhere than a line. */
  | { type: 'named'; chatId: string }
  | { type: 'line'; line: StreamLine; time: number }
  | ({ type: 'reconnecting' } & Reconnecting)
  | { type: 'finished' }
  | { type: 'stopped'; messageId: string | undefined; service: StopOutcome }
  | { type: 'failed'; error: ThreadError }
  | { type: 'unsent'; id: string; error: ThreadError }
  | { type: 'errorCleared' }
  | { type: 'queued'; message: QueuedMessage }
  | { type: 'unqueued'; id: string };

/** What the thread list shows without opening a thread. */
export interface ThreadMeta {
  id: string;
  chatId?: string;
  title: string;
  pinned: boolean;
  createdAt: number;
  updatedAt: number;
  /** Origin of the Chat API URL that the thread lives on. */
  origin: string;
  /** Name of its connection there, empty for the unnamed one; absent in old files. */
  connection?: string;
  /** Number of questions. */
  questions: number;
}

/** The connection of a thread. */
export type Home = Pick<ThreadMeta, 'origin' | 'connection'>;

export function emptyThread(id: string): Thread {
  return { id, turns: [], status: 'ready', queue: [], unknownLines: 0 };
}

/** For objects that are still being built. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

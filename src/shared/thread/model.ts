/** The state of one conversation and the events that change it. `reduce.ts` holds the one reducer over them. */
import type { ImageAttachment, StreamLine, ToolCall, Usage } from '../wire.ts';

/** On which branch and as whom a question was asked. */
export interface Stamp {
  branch: string;
  /** What the request said in `isDefaultBranch` (2.1). */
  isDefaultBranch: boolean;
  /** Label of the identity, such as its `externalId`. */
  identity: string;
}

/** What a failure offers to mend it. */
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

/** What came of a stop: on this side it always takes effect, on the service it may not. */
export type StopOutcome = 'pending' | 'stopped' | 'forbidden' | 'notFound' | 'unreachable' | 'byService';

/** How a question ended. */
export type TurnOutcome =
  { state: 'done' } | { state: 'stopped'; service: StopOutcome } | { state: 'failed'; error: ThreadError };

/** A message of the thread. Its lines update it in place; its position is that of its first `sort` (3.3). */
export interface Item {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  thinking: string;
  toolCall?: ToolCall;
  graphPath: readonly string[];
  inProcess: boolean;
  /** True when its run ended before it was complete: something of it may be missing. */
  partial?: boolean;
  /** The request of this thread that brought the item, and its first `sort` there. */
  run: number;
  sort: number;
  /** Unix milliseconds when it first came. */
  time: number;
  /** Unix milliseconds of its last change. */
  updated: number;
  images?: readonly ImageAttachment[];
  stamp?: Stamp;
  /** The id under which the service repeats a question, where that is not its own. */
  echo?: string;
  outcome?: TurnOutcome;
  usage?: Usage;
  /** Assembly of deltas while the item is being generated; never saved. */
  assembly?: Assembly;
}

/** One delta as it came, linked to the one before it. */
export interface Fragment {
  sort: number | undefined;
  content: string;
  thinking: string;
  previous: Fragment | undefined;
  /** True for a line that seems to have come twice; its text does not count. */
  twice: boolean;
  /** How many are linked, this one included. */
  depth: number;
}

/**
 * How an item's text stands to what was held when the connection began: so many characters of it have been repeated,
 * or the text is this connection's `own`, or it `follows` what was held.
 */
export type Joint = number | 'own' | 'follows';

/** What was held of a text when the connection began, and how the text stands to it. */
export interface Joined {
  held: string;
  joint: Joint;
}

/** What a connection has sent of an item so far. */
export interface Assembly {
  connection: number;
  /** The lowest number of its lines. */
  first?: number | undefined;
  content: Joined;
  thinking: Joined;
  /** False when the same connection brought the held text, so that deltas can only append to it. */
  repeatable: boolean;
  /** What the number of its first line says: it is beyond all lines before it, or that of the item's first line. */
  begins: 'ahead' | 'again' | 'anyhow';
  /** The recent deltas, and those before them. */
  last: Fragment | undefined;
  older: Fragment | undefined;
  /** Whether `sort` numbers the lines, so that it tells duplicates and order; undefined until it shows. */
  rising: boolean | undefined;
  /** Whether the item had no text before this connection: its first line may still be overtaken by others. */
  fresh: boolean;
  /** The last line with `isDelta: false`, and which texts such lines have brought: deltas from before it add nothing. */
  settled: { sort: number | undefined; content: boolean; thinking: boolean } | undefined;
}

export interface QueuedMessage {
  id: string;
  text: string;
  images: readonly ImageAttachment[];
  /** Branch and identity that were chosen when it was sent; absent where none were, and in old files. */
  stamp?: Stamp | undefined;
}

export type ThreadStatus = 'ready' | 'submitted' | 'streaming' | 'error';

/** A lost connection is being taken up again. */
export interface Reconnecting {
  attempt: number;
  /** Unix milliseconds of that attempt, where the service has asked for a pause. */
  until?: number;
}

export interface Thread {
  /** This extension's own id: there before the service gives a `chatId`. */
  id: string;
  chatId?: string;
  items: readonly Item[];
  status: ThreadStatus;
  /** Number of the running or last request, and of its connections. */
  run: number;
  connection: number;
  /**
   * What the items that a connection brings anew into a run have added to their `sort`, to come after those there;
   * nothing once it has shown that it agrees with the numbers there.
   */
  sortOffset?: { connection: number; run: number; by: number; agrees?: boolean };
  /**
   * What a connection has shown last: the marker, or a question, and so the run and the answer that its lines are of.
   * After the marker they are of no run before `from`.
   */
  shown?: { connection: number; run?: number; from?: number | undefined; isHistory?: boolean };
  /** `messageId` of the running or last question. */
  messageId?: string;
  reconnecting?: Reconnecting;
  /** A failure that belongs to no question, such as of reading the thread. */
  error?: ThreadError;
  queue: readonly QueuedMessage[];
  /** Lines that were understood by nobody. */
  unknownLines: number;
}

export type ThreadEvent =
  | { type: 'sent'; id: string; text: string; images: readonly ImageAttachment[]; stamp: Stamp; time: number }
  | { type: 'loading' }
  /** The answer to an earlier question is taken up again. */
  | { type: 'resumed'; messageId: string }
  /** A further connection; `numbering: 'thread'` where its lines are numbered as the thread's items are. */
  | { type: 'attached'; numbering?: 'thread' }
  /** The thread's id is known other than by a line: an answer was stopped, or the thread is asked for by its id. */
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

/** What the list of threads knows of one without opening it. */
export interface ThreadMeta {
  id: string;
  chatId?: string;
  title: string;
  pinned: boolean;
  createdAt: number;
  updatedAt: number;
  /** Origin of the Chat API URL that the thread lives on. */
  origin: string;
  /** Name of its connection there, empty for the one without a name; absent in threads of before there were several. */
  connection?: string;
  /** Number of questions. */
  questions: number;
}

/** Where a thread lives. */
export type Home = Pick<ThreadMeta, 'origin' | 'connection'>;

export function emptyThread(id: string): Thread {
  return { id, items: [], status: 'ready', run: 0, connection: 0, queue: [], unknownLines: 0 };
}

/** The options of a session. */
import type { ChatError } from '../../api/errors.ts';
import type { QuestionContext, Thread, ThreadEvent } from '../../shared/thread/model.ts';
import type { Clock } from './clock.ts';
import type { Connect } from '../connection/connection.ts';
import type { Message } from './message.ts';

export interface SessionOptions {
  thread: Thread;
  connect: Connect;
  /** The current branch and identity, for a question that is queued; undefined without a connection. */
  context?: () => QuestionContext | undefined;
  /** Called after every change, with the events that made it. */
  onEvents: (events: readonly ThreadEvent[], session: { thread: Thread }) => void;
  /** Receives a message that could not be sent. */
  onUnsent: (message: Message) => void;
  onFailure?: (error: ChatError) => void;
  clock?: Clock;
}

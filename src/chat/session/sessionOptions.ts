/** What a session is made from. */
import type { ChatError } from '../../api/errors.ts';
import type { QuestionContext, Thread, ThreadEvent } from '../../shared/thread/model.ts';
import type { ChatSession } from './chatSession.ts';
import type { Clock } from './clock.ts';
import type { Connect } from '../connection/connection.ts';
import type { Message } from './message.ts';

export interface SessionOptions {
  thread: Thread;
  connect: Connect;
  /** Branch and identity that are chosen now, for a question that has to wait; undefined without a connection. */
  context?: () => QuestionContext | undefined;
  /** Told of every change, with the events that made it. */
  onEvents: (events: readonly ThreadEvent[], session: ChatSession) => void;
  /** Gets back what could not be sent. */
  onUnsent: (message: Message) => void;
  onFailure?: (error: ChatError) => void;
  clock?: Clock;
}

/** One request of the user, from the moment it is made until its answer has ended. */
import type { ThreadEvent } from '../../shared/thread/model.ts';
import type { Connection } from '../connection/connection.ts';

export interface Running {
  /** Aborts the stream, as soon as it is of no more use. */
  readonly controller: AbortController;
  connection: Promise<Connection | undefined>;
  /** Whether the thread shows it, and whether the service may know of it. */
  shown: boolean;
  requested: boolean;
  stopped: boolean;
  /** Whether its answer has come to its end: there is nothing left to stop. */
  answered: boolean;
  /** Aborted once its thread has an id, or can get none any more. */
  readonly named: AbortController;
  done: Promise<void>;
}

export const newRunning = (): Running => ({
  controller: new AbortController(),
  named: new AbortController(),
  connection: Promise.resolve(undefined),
  shown: false,
  requested: false,
  stopped: false,
  answered: false,
  done: Promise.resolve(),
});

/** Of an answer that was stopped, only the thread's id is still of use: to stop it on the service. */
export function onlyChatId(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return events.flatMap((event) =>
    event.type === 'line' && event.line.kind === 'cutoff' && event.line.chatId !== undefined
      ? [{ type: 'named', chatId: event.line.chatId }]
      : [],
  );
}

/** Plays recordings into sessions. */
import { play, type Moment } from '../../chat/recording/read.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { systemClock } from '../../chat/session/clock.ts';
import type { Sessions } from './sessions.ts';

export class Replays {
  readonly #sessions: Sessions;
  readonly #playing = new WeakMap<ChatSession, AbortController>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Plays a recording; resolves when all of it is shown. */
  async play(session: ChatSession, moments: readonly Moment[]): Promise<void> {
    const controller = new AbortController();
    this.#playing.set(session, controller);
    const isOpen = (): boolean => this.#sessions.get(session.thread.id) === session;
    // Dispatching to a deleted thread would save it again.
    try {
      await play(moments, (events) => isOpen() && session.dispatch(events), systemClock, controller.signal);
    } finally {
      this.#playing.delete(session);
    }
  }

  /** Shows the rest of a recording at once. @returns whether a recording was playing in the session */
  showRest(session: ChatSession): boolean {
    const controller = this.#playing.get(session);
    controller?.abort();
    return controller !== undefined;
  }
}

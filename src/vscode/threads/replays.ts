/** The recordings that are being played. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { systemClock } from '../../chat/session/clock.ts';
import { play } from '../../chat/recording/play.ts';
import type { Moment } from '../../chat/recording/read.ts';
import type { Sessions } from './sessions.ts';

export class Replays {
  readonly #sessions: Sessions;
  readonly #playing = new WeakMap<ChatSession, AbortController>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** @returns when all of it has been shown */
  async play(session: ChatSession, moments: readonly Moment[]): Promise<void> {
    const controller = new AbortController();
    this.#playing.set(session, controller);
    const isOpen = (): boolean => this.#sessions.get(session.thread.id) === session;
    // A thread that was deleted meanwhile must not come back.
    await play(moments, (events) => isOpen() && session.dispatch(events), systemClock, controller.signal);
    this.#playing.delete(session);
  }

  /** Shows what is left at once. @returns whether anything was being played */
  showRest(session: ChatSession): boolean {
    const controller = this.#playing.get(session);
    controller?.abort();
    return controller !== undefined;
  }
}

/** Keeps the last message that could not be sent, so that a retry reuses its id where necessary. */
import type { ChatError } from '../../api/errors.ts';
import { newMessageId } from './clock.ts';
import { keepsId, sameMessage, type Message, type Unsent } from './message.ts';

export class Outbox {
  #unsent: Unsent | undefined;
  #isAside = false;

  get unsent(): Unsent | undefined {
    return this.#unsent;
  }

  /** The message, if it is what failed last. */
  get failed(): Unsent | undefined {
    return this.#isAside ? undefined : this.#unsent;
  }

  /** @returns the message with an id; an unsent message that is sent again keeps its id */
  address({ text, images }: Message, now: number): Unsent {
    const again = this.#unsent && sameMessage(this.#unsent, { text, images }) ? this.#unsent : undefined;
    return { ...again, id: again?.id ?? newMessageId(now), text, images };
  }

  /**
   * Keeps an unsent message. It gets a new id unless it may have been delivered.
   * @param uncertain whether an earlier request was lost, so that the message may have been delivered despite the last
   * response
   */
  keep(message: Unsent, error: ChatError, uncertain: boolean, now: number): void {
    const possiblyDelivered = uncertain || keepsId(error);
    this.#unsent = { ...message, id: possiblyDelivered ? message.id : newMessageId(now), possiblyDelivered };
    this.#isAside = false;
  }

  /** Another action follows, so that a later failure does not concern the message. */
  setAside(): void {
    this.#isAside = true;
  }

  /** Another message is being sent. */
  clear(): void {
    this.#unsent = undefined;
  }
}

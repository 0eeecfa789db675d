/** Keeps the last message that could not be sent, so that sending it again keeps its id where that matters. */
import type { ChatError } from '../../api/errors.ts';
import { newMessageId } from './clock.ts';
import { keepsId, sameMessage, type Message, type Unsent } from './message.ts';

export class Outbox {
  #unsent: Unsent | undefined;
  #isAside = false;

  get unsent(): Unsent | undefined {
    return this.#unsent;
  }

  /** The message where it is what failed last. */
  get failed(): Unsent | undefined {
    return this.#isAside ? undefined : this.#unsent;
  }

  /** @returns the message with an id: that of the unsent one where it is the same */
  address({ text, images }: Message, now: number): Unsent {
    const again = this.#unsent && sameMessage(this.#unsent, { text, images }) ? this.#unsent : undefined;
    return { ...again, id: again?.id ?? newMessageId(now), text, images };
  }

  /**
   * Keeps a message that came back. It gets another id, unless the service may have it under its own.
   * @param uncertain whether an earlier try was lost, so that the service may have it whatever it answered last
   */
  keep(message: Unsent, error: ChatError, uncertain: boolean, now: number): void {
    const possiblyDelivered = uncertain || keepsId(error);
    this.#unsent = { ...message, id: possiblyDelivered ? message.id : newMessageId(now), possiblyDelivered };
    this.#isAside = false;
  }

  /** Something else is asked for: what fails next is not the message. */
  setAside(): void {
    this.#isAside = true;
  }

  /** Another message is on its way. */
  clear(): void {
    this.#unsent = undefined;
  }
}

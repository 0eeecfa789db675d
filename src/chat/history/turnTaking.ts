/** One thing after the other for each key, so that a lock is never waited for within its own process. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @returns what `work` returns, once all that was begun before it for the same key has ended */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, turn);
    const end = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(end, end);
    return turn;
  }
}

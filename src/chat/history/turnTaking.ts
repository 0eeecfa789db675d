/** A mutex per key within this process, so that a process never waits for its own file lock. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work for the same key has settled. @returns the result of `work` */
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

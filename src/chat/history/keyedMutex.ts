/** A mutex for each key, within this process, so that a process never waits for its own file lock. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work for the same key has settled. @returns the result of `work` */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const latest = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, latest);
    const end = (): void => {
      if (this.#last.get(key) === latest) this.#last.delete(key);
    };
    latest.then(end, end);
    return latest;
  }
}

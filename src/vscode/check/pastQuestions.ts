/** The questions of the history that were asked on the current connection. */
import type { StoredMeta } from '../../chat/history/storedThread.ts';
import type { History } from '../../chat/history/history.ts';
import type { TestQuestion } from '../../evals/question.ts';
import type { Services } from '../services.ts';

type PastQuestionsServices = Services<'connections' | 'history' | 'identities'>;

export class PastQuestions {
  readonly #services: PastQuestionsServices;
  /** The question of each thread, cached until the thread changes, because reading a thread takes milliseconds. */
  #known = new Map<string, { updatedAt: number; question: TestQuestion | undefined }>();

  constructor(services: PastQuestionsServices) {
    this.#services = services;
  }

  /** @returns one question for each thread that begins with one that ran SQL */
  async load(): Promise<TestQuestion[]> {
    const history = await this.#services.history();
    const known = new Map<string, { updatedAt: number; question: TestQuestion | undefined }>();
    for (const meta of await history.list()) {
      const { id, updatedAt } = meta;
      if (!this.#isOnCurrentConnection(meta)) continue;
      const before = this.#known.get(id);
      if (before?.updatedAt === updatedAt) known.set(id, before);
      else known.set(id, { updatedAt, question: await readQuestion(history, id) });
    }
    this.#known = known;
    const names = this.#services.identities.names();
    return [...known.values()].flatMap(({ question }) => {
      if (question === undefined) return [];
      const { identity, ...rest } = question;
      // An identity that is no longer in the settings can't ask.
      return identity !== undefined && names.includes(identity) ? [question] : [rest];
    });
  }

  /** Excludes threads of other services, whose data model differs, and imported threads, which may come from one. */
  #isOnCurrentConnection(meta: StoredMeta): boolean {
    const { connections } = this.#services;
    const { current } = connections;
    const home = connections.of(meta);
    return !meta.readOnly && current !== undefined && home?.name === current.name;
  }
}

/** Ignores a thread that can't be read; opening it reports the error. */
async function readQuestion(history: History, id: string): Promise<TestQuestion | undefined> {
  const { pastQuestion } = await import('../../evals/check/pastQuestions.ts');
  return history.read(id).then(
    ({ thread }) => pastQuestion(thread),
    () => undefined,
  );
}

/** The questions of the history that were asked on the current connection. */
import { pastQuestion } from '../../evals/check/pastQuestions.ts';
import type { TestQuestion } from '../../evals/question.ts';
import type { Services } from '../services.ts';

/** @returns one question for each thread that begins with one that ran SQL */
export async function pastQuestions({
  connections,
  history,
  identities,
}: Services<'connections' | 'history' | 'identities'>): Promise<TestQuestion[]> {
  const stored = await history();
  const { current } = connections;
  const names = identities.names();
  const questions: TestQuestion[] = [];
  for (const meta of await stored.list()) {
    // The data model of another service differs, and an imported thread may come from one.
    if (meta.readOnly || current === undefined || connections.of(meta)?.name !== current.name) continue;
    // Opening a thread that can't be read reports the error.
    const question = await stored.read(meta.id).then(
      ({ thread }) => pastQuestion(thread),
      () => undefined,
    );
    if (question === undefined) continue;
    const { identity, ...rest } = question;
    // An identity that is no longer in the settings can't ask.
    questions.push(identity !== undefined && names.includes(identity) ? question : rest);
  }
  return questions;
}

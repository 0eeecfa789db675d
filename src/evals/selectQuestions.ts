/** Selects questions of a project by name, tag and last verdict. */
import { t } from '../shared/text/l10n.ts';
import type { Verdict } from './matrix/matrix.ts';
import { nameKey, questionKey, tagsOf, type TestQuestion } from './question.ts';

export interface QuestionSelection {
  /** None select all, because agents pass empty lists. */
  names?: readonly string[] | undefined;
  /** With or without `@`. */
  tag?: string | undefined;
  /** Excludes questions that passed before. */
  notPassed?: ((question: TestQuestion) => boolean) | undefined;
}

interface Selected<Q> {
  selected: readonly Q[];
  /** Why there are none. */
  reason?: string;
}

/** @throws Error for a name that no question has */
export function selectQuestions<Q extends { question: TestQuestion }>(
  all: readonly Q[],
  { names, tag, notPassed }: QuestionSelection,
): Selected<Q> {
  if (all.length === 0) return { selected: [], reason: t('No questions found.') };
  const known = new Set(all.map(({ question }) => nameKey(question.name)));
  const unknown = names?.find((name) => !known.has(nameKey(name)));
  if (unknown !== undefined) throw new Error(t('There is no question with the name “{0}”.', unknown));
  const wanted = names?.length ? new Set(names.map(nameKey)) : undefined;
  const named = wanted ? all.filter(({ question }) => wanted.has(nameKey(question.name))) : all;
  const atTag = tag?.replace(/^@?/, '@');
  const tagged = atTag === undefined ? named : named.filter(({ question }) => tagsOf(question).includes(atTag));
  if (tagged.length === 0) return { selected: [], reason: t('No question has the tag {0}.', atTag ?? '') };
  const selected = notPassed ? tagged.filter(({ question }) => notPassed(question)) : tagged;
  return { selected, ...(selected.length === 0 ? { reason: t('None of these questions failed earlier.') } : {}) };
}

/** The last verdicts of a session, for another run of what did not pass. */
export class LastVerdicts {
  readonly #passed = new Map<string, boolean>();

  add({ question, status }: Pick<Verdict, 'question' | 'status'>): void {
    this.#passed.set(keyOf(question), status === 'passed' || status === 'flaky');
  }

  /**
   * @returns whether a question was run and did not pass
   * @throws Error if nothing has been run
   */
  readonly notPassed = (question: TestQuestion): boolean => {
    if (this.#passed.size === 0) throw new Error(t('No questions have been run yet. Omit failed_only.'));
    return this.#passed.get(keyOf(question)) === false;
  };
}

const keyOf = (question: TestQuestion): string => JSON.stringify([question.path, questionKey(question)]);

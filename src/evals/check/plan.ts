/** Selects the questions that changed model files may affect. */
import { compareModels, type MemberChange } from './changes.ts';
import { affectedBy, dependentsIn } from './dependents.ts';
import { membersIn, qualified } from './members.ts';
import { QuestionUse } from './uses.ts';
import type { Question } from '../question.ts';
import type { SourceFile } from '../files/sourceFile.ts';

export interface PlannedQuestion {
  question: Question;
  /** The changes that may affect its answer. */
  changes: readonly MemberChange[];
}

export interface CheckPlan {
  changes: readonly MemberChange[];
  questions: readonly PlannedQuestion[];
}

/**
 * @param before all model files in their previous version
 * @param after all model files in their current version
 * @param questions access tests are omitted, because they are about identities
 */
export function planCheck(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  questions: readonly Question[],
): CheckPlan {
  const [old, now] = [before.flatMap(membersIn), after.flatMap(membersIn)];
  const changes = compareModels(old, now);
  const models = [dependentsIn(old), dependentsIn(now)];
  const affected = changes.map(({ member, before: former }) =>
    [member, ...(former ? [former] : [])].flatMap((one) =>
      models.flatMap((dependents) => [...affectedBy(qualified(one), dependents)]),
    ),
  );
  const planned = questions.flatMap((question): PlannedQuestion[] => {
    if (question.access) return [];
    const use = new QuestionUse(question);
    const concerning = changes.filter((_, index) => affected[index]!.some((name) => use.uses(name)));
    return concerning.length > 0 ? [{ question, changes: concerning }] : [];
  });
  return { changes, questions: planned };
}

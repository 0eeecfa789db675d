/** Selects the questions that changed model files may affect, and describes the changes before they are asked. */
import { plural, t } from '../../shared/text/l10n.ts';
import { compareModels, type MemberChange } from '../../model/changes.ts';
import { affectedBy, dependentsIn } from '../../model/dependents.ts';
import { membersIn, qualified } from '../../model/members.ts';
import { QuestionUse } from './questionUse.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { Question } from '../question.ts';

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

/** Maximum number of changes to list. */
const LISTED = 8;

/** @returns one line for each changed member, up to a limit */
export function changeLines(changes: readonly MemberChange[]): string[] {
  const lines = changes.slice(0, LISTED).map(changeLine);
  const more = changes.length - LISTED;
  return more > 0 ? [...lines, plural(more, '… {0} more member|… {0} more members')] : lines;
}

function changeLine(change: MemberChange): string {
  const name = qualified(change.member);
  switch (change.kind) {
    case 'added':
      return t('Added: {0}', name);
    case 'removed':
      return t('Removed: {0}', name);
    case 'changed':
      return t('Changed: {0}', name);
    case 'renamed':
      return t('Renamed: {0} → {1}', qualified(change.before), name);
  }
}

/** Model files and commits that the service does not have yet. */
export interface Unpushed {
  branch: string;
  /** Names of model files with unsaved changes. */
  unsaved: readonly string[];
  uncommitted: readonly string[];
  /** Number of commits; undefined if the branch has never been pushed. */
  commits: number | undefined;
}

/** @returns one line for each reason why the service answers from an older model; empty if everything is pushed */
export function unpushedLines({ branch, unsaved, uncommitted, commits }: Unpushed): string[] {
  return [
    ...(unsaved.length > 0 ? [t('Not saved: {0}', unsaved.join(', '))] : []),
    ...(uncommitted.length > 0 ? [t('Not committed: {0}', uncommitted.join(', '))] : []),
    ...(commits === undefined ? [t('Never pushed: branch “{0}”', branch)] : []),
    ...(commits ? [plural(commits, 'Not pushed: {0} commit|Not pushed: {0} commits')] : []),
  ];
}

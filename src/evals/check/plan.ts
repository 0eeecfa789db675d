/** Selects the questions that changed files may affect, and describes the changes before they are asked. */
import { plural, t } from '../../shared/text/l10n.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import type { MemberChange } from '../../model/changes.ts';
import { affectedBy, dependenciesIn, dependentsIn, type Dependents } from '../../model/dependents.ts';
import { qualified, type MemberDefinition } from '../../model/members.ts';
import { compareVersions, type UnfollowedFile } from '../../model/versions.ts';
import { askedTurns, type TestQuestion } from '../question.ts';
import { agentChanges, isAgentFile, type AgentChange } from './agentChanges.ts';
import { QuestionUse } from './questionUse.ts';

/** A changed file of which it is not known which answers it may affect. */
interface UnfollowedChange extends UnfollowedFile {
  kind: 'unfollowed';
}

export type CheckedChange = MemberChange | AgentChange | UnfollowedChange;

export const isMemberChange = (change: CheckedChange): change is MemberChange => 'member' in change;

export interface PlannedQuestion {
  question: TestQuestion;
  /** The changes that may affect its answer. */
  changes: readonly CheckedChange[];
}

export interface CheckPlan {
  changes: readonly CheckedChange[];
  questions: readonly PlannedQuestion[];
}

/**
 * @param before all files of the data model and the changed ones of the agent, in their previous version
 * @param after the same in their current version
 * @param questions access tests are only selected for access policies and for what applies to every question
 * @param agentsPath the folder of the platform's files
 */
export function planCheck(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  questions: readonly TestQuestion[],
  agentsPath?: string,
): CheckPlan {
  const { changes, models } = compared(before, after, agentsPath);
  const impacts = models.map((members) => new Impact(dependentsIn(members), changes.filter(isMemberChange)));
  const planned = questions.flatMap((question): PlannedQuestion[] => {
    const use = question.access ? undefined : new QuestionUse(question);
    const causes = use && impacts.map((impact) => impact.causesOf(use));
    const concerning = changes.filter((change) => {
      if (!isMemberChange(change)) return concerns(change, question);
      if (question.access) return change.member.kind === 'access_policy';
      return causes!.some((names) => namesOf(change).some((name) => names.has(name)));
    });
    return concerning.length > 0 ? [{ question, changes: concerning }] : [];
  });
  return { changes, questions: planned };
}

/** @returns the changes between two versions of the files, as `planCheck` selects questions for them */
export const changesBetween = (...versions: Parameters<typeof compared>): CheckedChange[] =>
  compared(...versions).changes;

function compared(
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  agentsPath?: string,
): { changes: CheckedChange[]; models: (readonly MemberDefinition[])[] } {
  const [old, now] = [before, after].map((files) => files.filter(({ path }) => !isAgentFile(path, agentsPath)));
  const model = compareVersions(old!, now!);
  const changes = [
    ...model.changes,
    ...agentChanges(before, after, agentsPath),
    ...model.unfollowed.map((file): CheckedChange => ({ ...file, kind: 'unfollowed' })),
  ];
  return { changes, models: [model.before, model.after] };
}

function concerns(change: AgentChange | UnfollowedChange, question: TestQuestion): boolean {
  if (isUnfollowed(change)) return false;
  if (change.kind !== 'certifiedQuery') return true;
  const used = askedTurns(question).map(({ expectedSql }) => expectedSql?.certifiedQuery);
  return used.some((query) => query?.name === change.name && query.space === change.space);
}

const namesOf = ({ member, before }: MemberChange): string[] =>
  [member, ...(before ? [before] : [])].map((each) => qualified(each).toLowerCase());

/** What changed members may affect in a version of the data model. */
class Impact {
  readonly #affected: readonly string[];
  readonly #dependencies: Dependents;

  constructor(dependents: Dependents, changes: readonly MemberChange[]) {
    this.#affected = [...affectedBy(changes.flatMap(namesOf), dependents)];
    this.#dependencies = dependenciesIn(dependents);
  }

  /** @returns the names that may affect a question, as far as anything changed that it uses */
  causesOf(use: QuestionUse): ReadonlySet<string> {
    return affectedBy(
      this.#affected.filter((name) => use.uses(name)),
      this.#dependencies,
    );
  }
}

/** Whether it is not known which answers a change may affect: code, and rules and skills that the agent chooses. */
const isUnfollowed = ({ kind }: CheckedChange): boolean => kind === 'unfollowed' || kind === 'optional';

/** @returns the changes of which it is not known which answers they may affect */
export const unfollowedIn = ({ changes }: CheckPlan): CheckedChange[] => changes.filter(isUnfollowed);

/** @returns the plan with all questions, because of the changed files that can't be followed */
export function withAllQuestions(plan: CheckPlan, questions: readonly TestQuestion[]): CheckPlan {
  const changesOf = new Map(plan.questions.map(({ question, changes }) => [question, changes]));
  const unfollowed = unfollowedIn(plan);
  return {
    ...plan,
    questions: questions.map((question) => ({
      question,
      changes: [...(changesOf.get(question) ?? []), ...unfollowed],
    })),
  };
}

/** Maximum number of changes to list. */
const LISTED = 8;

/** @returns one line for each change, up to a limit; files that can't be followed are left out */
export function changeLines(changes: readonly CheckedChange[]): string[] {
  const followed = changes.filter((change) => !isUnfollowed(change));
  const lines = followed.slice(0, LISTED).map(changeLine);
  const more = followed.length - LISTED;
  return more > 0 ? [...lines, plural(more, '… {0} more change|… {0} more changes')] : lines;
}

/** @returns one line for each changed file that can't be followed, up to a limit */
export function unfollowedLines(plan: CheckPlan): string[] {
  const all = unfollowedIn(plan);
  const more = all.length - LISTED;
  return [
    ...all.slice(0, LISTED).map(changeLine),
    ...(more > 0 ? [plural(more, '… {0} more file|… {0} more files')] : []),
  ];
}

/** @returns a change in one line */
export function changeLine(change: CheckedChange): string {
  switch (change.kind) {
    case 'added':
      return t('Added: {0}', qualified(change.member));
    case 'removed':
      return t('Removed: {0}', qualified(change.member));
    case 'changed':
      return t('Changed: {0}', qualified(change.member));
    case 'renamed':
      return t('Renamed: {0} → {1}', qualified(change.before), qualified(change.member));
    case 'rule':
      return t('Changed rule: {0}', change.path);
    case 'config':
      return t('Changed configuration: {0}', change.path);
    case 'certifiedQuery':
      return t('Changed certified query: {0}', change.name);
    case 'optional':
      return t('{0}: applied where the agent sees fit', change.path);
    case 'unfollowed':
      return unfollowedLine(change);
  }
}

function unfollowedLine({ path, reason, line }: UnfollowedChange): string {
  if (reason === 'code') return t('{0}: code that can’t be followed', path);
  if (line === undefined) return t('{0}: its previous version has a syntax error', path);
  return t('{0}: syntax error in line {1}', path, line + 1);
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

/** The comparison of the answers to one question, for the page and for exports. */
import * as vscode from 'vscode';
import { changedMembers } from '../../compare/changedMembers.ts';
import { forbiddenRows } from '../../evals/access/identities.ts';
import { answerOf } from '../../evals/matrix/answer.ts';
import type { TestQuestion } from '../../evals/question.ts';
import type { AccessNote, RunComparison, RunContext } from '../../shared/protocol/runs.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { readSettings } from '../host/settings.ts';
import { queryGroups, shownQueries, type QueryGroup } from './queries.ts';

interface Answers {
  question: string;
  contexts: readonly RunContext[];
  /** By context; undefined where there is no answer yet. */
  threads: readonly (Thread | undefined)[];
  /** Access tests, if the question is asked as several identities. */
  tests: readonly TestQuestion[] | undefined;
  notes: readonly AccessNote[];
}

export interface Compared {
  groups: readonly QueryGroup[];
  notes: readonly AccessNote[];
  shown: RunComparison;
}

/** @returns `before` if nothing changed since */
export function compared(
  { question, contexts, threads, tests, notes }: Answers,
  before: Compared | undefined,
): Compared {
  const groups = queryGroups(threads, readSettings().evalsPrecision);
  const isSame =
    before?.notes === notes &&
    groups.length === before.groups.length &&
    groups.every((group, at) => group === before.groups[at]);
  if (isSame) return before;
  const forbidden = threads.map((thread, at) =>
    thread && tests ? forbiddenRows(question, contexts[at]!.identity, answerOf(thread), tests) : undefined,
  );
  const queries = shownQueries(groups, {
    locale: vscode.env.language,
    isForbidden: (row, at) => forbidden[at]?.has(row) === true,
  });
  return { groups, notes, shown: { queries, members: changedMembers(threads), notes } };
}

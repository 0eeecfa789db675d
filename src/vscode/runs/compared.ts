/** The comparison of the answers to one question, for the page and for exports. */
import * as vscode from 'vscode';
import { changedMembers } from '../../compare/changedMembers.ts';
import { forbiddenRows } from '../../evals/access/identities.ts';
import { answerOf } from '../../evals/matrix/answer.ts';
import type { RunComparison } from '../../shared/protocol/runs.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { lastQueries } from '../../shared/thread/turns.ts';
import { readSettings } from '../host/settings.ts';
import type { QuestionRun } from './questionRun.ts';
import { queryGroups, shownQueries, type QueryGroup } from './queries.ts';

export interface Compared {
  /** What it was made of. */
  from: readonly unknown[];
  groups: readonly QueryGroup[];
  shown: RunComparison;
}

/**
 * @param run of one question
 * @param threads by context; undefined where there is no answer yet
 * @returns `before` if neither a query nor a note changed since
 */
export function compared(
  { asked, accessTests, notes }: QuestionRun,
  threads: readonly (Thread | undefined)[],
  before: Compared | undefined,
): Compared {
  const { question, contexts } = asked[0]!;
  const precision = readSettings().evalsPrecision;
  const queries = threads.flatMap((thread, at) =>
    thread ? [at, ...lastQueries(thread).map(({ payload }) => payload)] : [],
  );
  const from = [precision, notes, ...queries];
  if (before?.from.length === from.length && from.every((each, at) => each === before.from[at])) return before;
  const groups = queryGroups(threads, precision);
  const forbidden = threads.map((thread, at) =>
    thread && accessTests
      ? forbiddenRows(question.text, contexts[at]!.identity, answerOf(thread), accessTests)
      : undefined,
  );
  const shown = shownQueries(groups, {
    locale: vscode.env.language,
    isForbidden: (row, at) => forbidden[at]?.has(row) === true,
  });
  return { from, groups, shown: { queries: shown, members: changedMembers(threads), notes } };
}

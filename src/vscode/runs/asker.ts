/** Asks the questions of a workspace folder on one branch, for `runQuestions`. */
import type * as vscode from 'vscode';
import { queryWithRetries } from '../../chat/session/queryWithRetries.ts';
import { homeOf } from '../../chat/connection/connectionList.ts';
import type { Question } from '../../evals/question.ts';
import { sessionAsk } from '../../evals/matrix/answer.ts';
import type { RunOptions } from '../../evals/run/runner.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { Services } from '../services.ts';

export interface Asker extends Pick<RunOptions, 'ask' | 'runSql'> {
  /** The connection of all questions; absent if there is none, and each question then fails with a message. */
  home: Home | undefined;
  /** Display name of the branch. */
  branch: string;
  /** The branch and identity that a question is asked with. */
  contextOf: (question: Pick<Question, 'identity'>) => QuestionContext;
}

/**
 * The connection, the branch and the identity stay the same for a whole run, even if the user switches meanwhile.
 * @param branch defaults to the current branch of the folder
 */
export function askerFor(
  { branches, connections, connector, identities }: Services<'branches' | 'connections' | 'connector' | 'identities'>,
  folder: vscode.WorkspaceFolder,
  branch?: string,
): Asker {
  const entry = connections.current;
  const identity = identities.current;
  const home = entry && homeOf(entry);
  const main = branches.mainOf(folder);
  const current = branches.currentIn(folder);
  const context = {
    branch: branch ?? current.name,
    isDefaultBranch: branch === undefined ? current.isDefault : branch === main,
  };
  const contextOf: Asker['contextOf'] = (question) => ({ ...context, identity: question.identity ?? identity });
  return {
    home,
    branch: context.branch || main,
    contextOf,
    ask: (question, signal) => sessionAsk(() => connector.connect(home, contextOf(question)))(question.text, signal),
    runSql: entry?.dataQueryUrl
      ? async (sql, question, signal) =>
          queryWithRetries(sql, { ...(await connector.dataQuery(home, contextOf(question))), mainBranch: main, signal })
      : undefined,
  };
}

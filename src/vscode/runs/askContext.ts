/** How runs ask: the branch, the identity and the connection of a question, and the functions that use them. */
import type * as vscode from 'vscode';
import { queryTable } from '../../api/dataQuery.ts';
import { withRetries } from '../../chat/session/retry.ts';
import { homeOf } from '../../chat/connection/connectionList.ts';
import { sessionAsk } from '../../evals/matrix/answer.ts';
import type { Context } from '../../evals/matrix/matrix.ts';
import type { MatrixOptions } from '../../evals/matrix/runMatrix.ts';
import { contextLabels } from '../../shared/protocol/runs.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { Services } from '../services.ts';

/** Where and as whom a question is asked; it stays the same for a whole run, even if the user switches meanwhile. */
export interface AskContext extends Context {
  identity: string;
  /** The connection; absent if there is none, and each question then fails with a message. */
  home: Home | undefined;
  /** The branch and identity as they are sent. */
  sent: QuestionContext;
  /** Name of the main branch. */
  main: string;
}

/** Milliseconds that a run waits for a branch that the service does not serve yet. */
export const BRANCH_WAIT = 10 * 60_000;

/** @returns the context of a question that is sent with a branch and an identity */
export function askContext(sent: QuestionContext, home: Home | undefined, main: string): AskContext {
  const branch = sent.branch || main;
  return { label: branch, branch, identity: sent.identity, home, sent, main };
}

/** @returns the contexts with labels that tell them apart */
export function labeled(contexts: readonly AskContext[]): AskContext[] {
  const labels = contextLabels(contexts);
  return contexts.map((context, at) => ({ ...context, label: labels[at]! }));
}

/**
 * @param folder defaults to that of the last active editor
 * @param branch defaults to the current branch of the folder
 * @param entry the connection
 * @returns the context with an identity, by default the current one
 */
export function contextsIn(
  { branches, connections, identities }: Services<'branches' | 'connections' | 'identities'>,
  folder?: vscode.WorkspaceFolder,
  branch?: string,
  entry = connections.current,
): (identity?: string) => AskContext {
  const home = entry && homeOf(entry);
  const main = branches.mainOf(folder);
  const { name, isDefault } =
    branch === undefined ? branches.currentIn(folder) : { name: branch, isDefault: branch === main };
  const current = identities.current;
  return (identity = current) => askContext({ branch: name, isDefaultBranch: isDefault, identity }, home, main);
}

/**
 * @param entry the connection of the run
 * @returns how a run asks, and how it runs SQL if the connection has a data query URL
 */
export const editorAsking = (
  { connections, connector }: Services<'connections' | 'connector'>,
  entry = connections.current,
): Pick<MatrixOptions<AskContext>, 'ask' | 'runSql'> => ({
  ask: ({ text }, { home, sent }, signal, { onServed, thread } = {}) =>
    sessionAsk(() => connector.connect(home, sent, false), {}, { thread })(text, signal, onServed),
  runSql: entry?.dataQueryUrl
    ? async (sql, _question, { home, sent, main }, signal) => {
        const options = { ...(await connector.dataQuery(home, sent)), mainBranch: main, signal };
        return withRetries(() => queryTable(sql, options), signal);
      }
    : undefined,
});

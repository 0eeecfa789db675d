/** The parameters of a session's requests, resolved for each request so that they are current. */
import type { ChatClient } from '../../api/client.ts';
import type { QueryContext } from '../../api/request.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { ChatRequest, SessionSettings } from '../../shared/wire/streamLines.ts';

export interface Connection {
  client: ChatClient;
  /** Session settings (2.2); absent with a service token. */
  sessionSettings?: SessionSettings;
  /** Branch and identity of the request. */
  context: QuestionContext;
  /** Milliseconds of silence after which a stream counts as stalled. */
  stallTimeout: number;
}

/**
 * @param context the branch and identity of an earlier question; defaults to the current ones
 * @throws ChatError if there is no connection or no key, or the settings are invalid
 */
export type Connect = (context?: QuestionContext) => Promise<Connection>;

/** @returns the request fields for the user and the branch (2.1) */
export const queryContextOf = ({
  sessionSettings,
  context,
}: Pick<Connection, 'sessionSettings' | 'context'>): QueryContext => ({
  ...(sessionSettings ? { sessionSettings } : {}),
  ...(context.branch === '' ? {} : { activeBranchName: context.branch, isDefaultBranch: context.isDefaultBranch }),
});

/** @returns the request with the user and the branch of this connection */
export const requestOn = (connection: Connection, request: ChatRequest): ChatRequest => ({
  ...request,
  ...queryContextOf(connection),
});

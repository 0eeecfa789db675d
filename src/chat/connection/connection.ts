/** What a session needs to speak to the service, fetched at each request so that it is never out of date. */
import type { ChatClient } from '../../api/client.ts';
import type { QueryContext } from '../../api/request.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { ChatRequest, SessionSettings } from '../../shared/wire.ts';

export interface Connection {
  client: ChatClient;
  /** Absent with a service token. */
  sessionSettings?: SessionSettings;
  /** Branch and identity that the request goes to. */
  stamp: QuestionContext;
  /** Milliseconds of silence that a stream may keep. */
  stallTimeout: number;
}

/**
 * @param stamp the branch and identity of a question that was asked before; the current ones when absent
 * @throws ChatError when there is no connection, no key, or the settings break a rule
 */
export type Connect = (stamp?: QuestionContext) => Promise<Connection>;

/** @returns the fields by which a request names its user and its branch (2.1) */
export const contextOf = ({ sessionSettings, stamp }: Pick<Connection, 'sessionSettings' | 'stamp'>): QueryContext => ({
  ...(sessionSettings ? { sessionSettings } : {}),
  ...(stamp.branch === '' ? {} : { activeBranchName: stamp.branch, isDefaultBranch: stamp.isDefaultBranch }),
});

/** @returns the request as this connection sends it */
export const requestOn = (connection: Connection, request: ChatRequest): ChatRequest => ({
  ...request,
  ...contextOf(connection),
});

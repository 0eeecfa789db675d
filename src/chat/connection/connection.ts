/** What a session needs to speak to the service, fetched at each request so that it is never out of date. */
import type { ChatClient } from '../../api/client.ts';
import type { Stamp } from '../../shared/thread/model.ts';
import type { ChatRequest, SessionSettings } from '../../shared/wire.ts';

export interface Connection {
  client: ChatClient;
  /** Absent with a service token. */
  sessionSettings?: SessionSettings;
  /** Branch and identity that the request goes to. */
  stamp: Stamp;
  /** Milliseconds of silence that a stream may keep. */
  stallTimeout: number;
}

/**
 * @param stamp the branch and identity of a question that was asked before; the current ones when absent
 * @throws ChatError when there is no connection, no key, or the settings break a rule
 */
export type Connect = (stamp?: Stamp) => Promise<Connection>;

/** @returns the request as this connection sends it: for its user, on its branch (2.1) */
export function requestOn({ sessionSettings, stamp }: Connection, request: ChatRequest): ChatRequest {
  return {
    ...request,
    ...(sessionSettings ? { sessionSettings } : {}),
    ...(stamp.branch === '' ? {} : { activeBranchName: stamp.branch, isDefaultBranch: stamp.isDefaultBranch }),
  };
}

/**
 * The connection parameters of a request (client, user, branch), resolved for each request, and a request that tests
 * them.
 */
import type { ChatClient } from '../../api/client.ts';
import type { QueryContext } from '../../api/request.ts';
import type { QuestionContext } from '../../shared/thread/model.ts';
import type { ChatRequest, SessionSettings } from '../../shared/wire/streamLines.ts';
import { ChatError, errorFromFetch, PAGE } from '../../api/errors.ts';
import { newMessageId } from '../session/clock.ts';

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

/** Milliseconds of silence after which the test fails. */
const PATIENCE = 15_000;
/** Statuses with which services reject an unknown thread or branch. */
const UNDERSTOOD: readonly (number | undefined)[] = [200, 400, 422];

/** @returns whether the service processed the request, and so accepted the credential */
const isAnswer = ({ kind, status }: ChatError): boolean =>
  kind === 'notFound' || kind === 'stream' || (kind === 'badRequest' && UNDERSTOOD.includes(status));

/**
 * Requests a thread that does not exist: a "not found" response shows that the credential was accepted.
 * @returns the reason why the connection does not work; undefined if it works
 */
export async function testRequest(client: ChatClient, settings?: SessionSettings): Promise<ChatError | undefined> {
  try {
    const request = { chatId: newMessageId(Date.now()), ...(settings ? { sessionSettings: settings } : {}) };
    // Other lines may be heartbeats, or the start of an error on several lines.
    for await (const { kind } of client.stream(request, { stallTimeout: PATIENCE })) if (kind !== 'unknown') break;
    return undefined;
  } catch (failure) {
    const error = errorFromFetch(failure);
    // A 404 HTML page: there is no chat service at this URL.
    if (error.kind === 'notFound' && error.code === PAGE) return new ChatError('protocol', error.message);
    return isAnswer(error) ? undefined : error;
  }
}

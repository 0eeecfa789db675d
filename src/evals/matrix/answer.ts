/** Asks one question in its own thread. The only file of the question tests that uses `ChatSession`. */
import type { Connect } from '../../chat/connection/connection.ts';
import { ChatSession, type SessionOptions } from '../../chat/session/chatSession.ts';
import { TEST_GIVE_UP_AFTER } from '../../chat/session/retry.ts';
import { t } from '../../shared/text/l10n.ts';
import { emptyThread, type Reconnecting, type Thread } from '../../shared/thread/model.ts';
import type { ResultTable, ToolPayload } from '../../shared/wire/toolPayloads.ts';
import { currentTurn, payloadOf, shownTurns, type ShownTurn } from '../../shared/thread/turns.ts';
import type { Usage } from '../../shared/wire/streamLines.ts';

export interface AnsweredQuery {
  sql: string;
  /** Absent if the query failed. */
  table?: ResultTable;
  error?: string;
  /** Why the rows that the answer left out could not be loaded. */
  loadError?: string;
}

export interface Answer {
  text: string;
  /** The queries of the answer, in the order they ran. */
  queries: readonly AnsweredQuery[];
  /** The thread, which a front end can open; without a `chatId` if the question did not reach the service. */
  thread: Thread;
  usage?: Usage;
  milliseconds: number;
  /** Message of a failure of the agent or the connection. */
  error?: string;
  /** Whether asking again would fail too: the connection was retried until it was given up, or refuses the user. */
  isFinal?: boolean;
  /** Whether the service does not serve the branch, or not yet. */
  isBadBranch?: boolean;
  /** Whether the caller's signal stopped the answer. */
  isStopped: boolean;
  /** The answers to the earlier turns of the thread, if a question has several. */
  earlier?: readonly Answer[];
}

/** @returns the answers to the turns that were asked */
export const turnAnswers = (answer: Answer): readonly Answer[] => [...(answer.earlier ?? []), answer];

/**
 * @param signal also aborts the answer on the service; the promise then settles after the service has responded
 * @param onServed called as soon as the service begins to answer
 */
export type Ask = (text: string, signal: AbortSignal, onServed?: () => void) => Promise<Answer>;

export interface AskEvents {
  /** Called for a tool call when it starts and when it has a result. */
  onTool?: (id: string, payload: ToolPayload) => void;
  /** Called before each wait for another connection. */
  onReconnecting?: (reconnecting: Reconnecting) => void;
}

export interface SessionAskOptions extends Pick<SessionOptions, 'clock' | 'stopPatience' | 'giveUpAfter'> {
  /** The thread to continue; by default, each question starts one. */
  chatId?: string;
  /** The same, if it is known. */
  thread?: Thread;
}

/**
 * @param connect opens the connection of each question, with its branch and identity
 * @returns a function that asks and never rejects: a failure is part of the answer
 */
export function sessionAsk(
  connect: Connect,
  { onTool, onReconnecting }: AskEvents = {},
  {
    chatId,
    thread: before = emptyThread(crypto.randomUUID()),
    giveUpAfter = TEST_GIVE_UP_AFTER,
    ...options
  }: SessionAskOptions = {},
): Ask {
  return async (text, signal, onServed) => {
    const start = performance.now();
    const seen = new Map<string, ToolPayload>();
    let attempts = 1;
    const session = new ChatSession({
      ...options,
      thread: before,
      connect,
      onEvents: (events, { thread }) => {
        if (onTool) reportTools(thread, onTool, seen);
        if (onServed && currentTurn(thread)?.items.length) onServed();
        for (const event of events) {
          if (event.type !== 'reconnecting') continue;
          attempts += 1;
          onReconnecting?.(event);
        }
      },
      onUnsent: () => undefined,
      giveUpAfter,
    });
    if (chatId !== undefined) session.dispatch([{ type: 'named', chatId }]);
    let stopping: Promise<unknown> | undefined;
    const stop = (): void => void (stopping = session.abort());
    if (!signal.aborted) {
      signal.addEventListener('abort', stop, { once: true });
      await session.send({ text, images: [] }, before.turns.length > 0);
      signal.removeEventListener('abort', stop);
      await stopping;
    }
    const { error, ...answer } = readAnswer(session.thread);
    return {
      ...answer,
      error: error === undefined || attempts === 1 ? error : t('Tried {0} times. {1}', attempts, error),
      milliseconds: performance.now() - start,
      isStopped: signal.aborted,
    };
  };
}

function reportTools(thread: Thread, onTool: NonNullable<AskEvents['onTool']>, seen: Map<string, ToolPayload>): void {
  for (const item of shownTurns(thread).at(-1)?.steps ?? []) {
    const payload = payloadOf(item);
    if (payload === undefined || seen.get(item.id) === payload) continue;
    seen.set(item.id, payload);
    onTool(item.id, payload);
  }
}

/** @returns the answer to the last question of a thread that a front end has asked */
export const answerOf = (thread: Thread): Answer => ({ ...readAnswer(thread), milliseconds: 0, isStopped: false });

function readAnswer(
  thread: Thread,
): Pick<Answer, 'text' | 'queries' | 'thread' | 'usage' | 'error' | 'isFinal' | 'isBadBranch'> {
  const turn = shownTurns(thread).at(-1);
  const outcome = turn?.outcome;
  const failure = outcome?.state === 'failed' ? outcome.error : thread.error;
  // In a thread of its own, no other error offers this.
  const isBadBranch = failure?.actions.includes('switchBranch');
  const isAborted = outcome?.state === 'stopped' && outcome.service === 'byService';
  return {
    text: turn?.answer?.content ?? '',
    queries: turn ? answeredQueries(turn) : [],
    thread,
    usage: turn?.usage,
    error: failure?.message ?? (isAborted ? t('The service stopped this answer.') : undefined),
    // An error line of the stream is the agent's own failure.
    ...(failure && (failure.kind !== 'stream' || isBadBranch) ? { isFinal: true } : {}),
    ...(isBadBranch ? { isBadBranch } : {}),
  };
}

const answeredQueries = ({ steps }: ShownTurn): AnsweredQuery[] =>
  steps.flatMap((item) => {
    const payload = payloadOf(item);
    if (payload?.kind !== 'sqlQuery') return [];
    const { sqlQuery: sql, table, error } = payload;
    // A service may send all fields of a result with an error, without any rows.
    // A chart with its own data has nothing to compare.
    if (sql === '' && table === undefined && error === undefined) return [];
    const hasNoRows = error !== undefined && table?.rows.length === 0;
    return [{ sql, ...(table && !hasNoRows ? { table } : {}), ...(error === undefined ? {} : { error }) }];
  });

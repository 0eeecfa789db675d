import type { Odd, OddKind } from '../agent/odd.ts';

/** The faults that can be injected. Each field is one fault; all fields of a specification apply together. */
export interface FaultSpec {
  /** Number of requests that it applies to; 1 by default. */
  requests?: number;
  /** The endpoint; `stream` by default. */
  endpoint?: 'stream' | 'abort' | 'query';

  /** Milliseconds before the response starts. */
  latency?: number;
  /** Responds with this HTTP status. */
  status?: number;
  body?: string;
  /** Responds with the HTML page of a gateway; status 502 unless `status` is set. */
  html?: boolean;
  /** Value of the `Retry-After` header: seconds or an HTTP date. */
  retryAfter?: number | string;
  /** Target of a redirect; status 302 unless `status` is set. */
  location?: string;
  /** Responds with status 200 and a JSON-RPC error with this message. */
  jsonRpc?: string;
  /** Whether that line ends with a newline. */
  jsonRpcNewline?: boolean;
  /** Reports that the thread is already streaming: as an error line, an HTTP status or a JSON-RPC error. */
  busy?: 'line' | 'status' | 'jsonRpc';
  /** Milliseconds for which the service is down: all connections are dropped and new ones refused. */
  restart?: number;

  /** Number of body bytes after which the connection is lost. */
  cutAfter?: number;
  /**
   * `reset` (the default) resets the connection, `close` closes it without ending the body, `end` ends the body early.
   */
  cutBy?: 'reset' | 'close' | 'end';
  /** Number of bytes after which the stream is silent for `stall` milliseconds. */
  stallAfter?: number;
  stall?: number;
  /** Size of the chunks of the body in bytes; chunks may split characters. */
  slice?: number;
  bytesPerSecond?: number;

  /** Ends lines with CR LF. */
  crlf?: boolean;
  /** Sends an empty line after each line. */
  blankLines?: boolean;
  /** Index of a line to corrupt in its middle (from 0, as sent on this connection). */
  corruptLine?: number;
  /** Index of a line to send twice. */
  duplicateLine?: number;
  /** Index of a line to swap with the next one. */
  swapLine?: number;
  /** Sends a line with only a `traceId` as the second line. */
  traceLine?: boolean;
  /** Sends a line with an unknown reserved id as the second line. */
  unknownLine?: boolean;
  /** Replaces line `errorAfter` (3 by default) with an error line with this message, and ends the stream. */
  errorLine?: string;
  errorAfter?: number;
  /** Omits the message with the graph path `final`. */
  noFinal?: boolean;
  /** Omits the tool calls, as agents that put their results into the text. */
  noTools?: boolean;
  /** Omits the `__state__` line. */
  noState?: boolean;
  /** Sends history lines before the initial marker. */
  historyFirst?: boolean;
  /** Omits the `chatId` of the initial marker. */
  noChatId?: boolean;

  /** Variants of tool payloads to send. */
  payload?: readonly PayloadVariant[];

  /** Name of a branch that is not served yet. Only requests on it count, and get no other fault of the specification. */
  badBranch?: string;

  /** Suspends the run before the line with this index; sending the same message again resumes it. */
  suspendAfter?: number;
  /** The service aborts the run before the line with this index. */
  abortAfter?: number;
  /** Fails every query with this message. */
  toolError?: string;
  /** An error of the agent in its answer; in a question, its kind. */
  odd?: Odd | OddKind;
  /** Number of filler deltas after the answer. */
  flood?: number;
  /** Milliseconds between the lines of this run. */
  pace?: number;
}

export type PayloadVariant =
  /** `columnType` for `column_type`. */
  | 'columnType'
  /** Numbers as strings. */
  | 'stringNumbers'
  /** Rows as objects. */
  | 'rowObjects'
  /** The input key `query` for `sqlQuery`. */
  | 'queryKey'
  /** A tool name with a suffix. */
  | 'toolSuffix'
  /** The query as a tool of another name. */
  | 'otherTool'
  /** `input`, `result` and `vegaSpec` already parsed. */
  | 'parsed'
  /** `measures` and `dimensions` as plain strings with an `annotation`, for `members`. */
  | 'memberNames'
  /** Neither `totalRows` nor `uuid`. */
  | 'bare';

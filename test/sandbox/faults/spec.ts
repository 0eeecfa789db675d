/** What can go wrong on request. Every field is one fault; those of one specification happen together. */
export interface FaultSpec {
  /** How many of the next requests it applies to; 1 when absent. */
  requests?: number;
  /** Which address; `stream` when absent. */
  endpoint?: 'stream' | 'abort' | 'query';

  /** Milliseconds before the response begins. */
  latency?: number;
  /** Answers with this HTTP status instead. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Answers with a gateway's web page; status 502 unless `status` says otherwise. */
  html?: boolean;
  /** Seconds, or an HTTP date, for the header `Retry-After`. */
  retryAfter?: number | string;
  /** Where a redirect goes; status 302 unless `status` says otherwise. */
  location?: string;
  /** Answers with a JSON-RPC error of this message inside a 200. */
  jsonRpc?: string;
  /** Whether that line ends with a line end. */
  jsonRpcNewline?: boolean;
  /** Says that the thread is streaming, in one of three ways. */
  busy?: 'line' | 'status' | 'jsonRpc';
  /** The service goes away for so many milliseconds: all connections drop, new ones are refused. */
  restart?: number;

  /** Bytes of the body after which the connection is lost. */
  cutAfter?: number;
  /** How: `reset` (the default), `close` without the end of the body, or `end`, a clean end that comes too early. */
  cutBy?: 'reset' | 'close' | 'end';
  /** Bytes after which nothing comes for `stall` milliseconds. */
  stallAfter?: number;
  stall?: number;
  /** The body is sent in pieces of so many bytes, wherever they fall. */
  slice?: number;
  bytesPerSecond?: number;

  /** Lines end with CR LF. */
  crlf?: boolean;
  /** An empty line after each line. */
  blankLines?: boolean;
  /** The line of this number (from 0, as sent on this connection) is broken in its middle. */
  corruptLine?: number;
  /** The line of this number is sent twice. */
  duplicateLine?: number;
  /** The line of this number comes after the one that follows it. */
  swapLine?: number;
  /** A line with only a `traceId` comes second. */
  traceLine?: boolean;
  /** A line with an unknown reserved id comes second. */
  unknownLine?: boolean;
  /** An error line of this message takes the place of line `errorAfter` (3 when absent) and ends the stream. */
  errorLine?: string;
  errorAfter?: number;
  /** No message with the graph path `final`. */
  noFinal?: boolean;
  /** No `__state__` line. */
  noState?: boolean;
  /** History lines come before the initial marker. */
  historyFirst?: boolean;
  /** The initial marker comes without a `chatId`. */
  noChatId?: boolean;

  /** Other forms of tool payloads. */
  payload?: readonly PayloadVariant[];

  /** The run is parked before its line of this number; the same message sent again resumes it. */
  suspendAfter?: number;
  /** The service itself stops the run before its line of this number. */
  abortAfter?: number;
  /** Every query fails with this reason. */
  toolError?: string;
  /** The answer is computed on a replica that lags so many days behind. */
  lag?: number;
  /** Deltas of filler after the answer. */
  flood?: number;
  /** Milliseconds from line to line of this run. */
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
  /** `input`, `result` and `vegaSpec` already parsed. */
  | 'parsed'
  /** Neither `totalRows` nor `uuid`. */
  | 'bare';

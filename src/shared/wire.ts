/**
 * What travels between the extension and the chat service: the request body (2.1–2.3) and the lines of the
 * response stream (2.4, 2.5 and the kinds of part 6), after decoding. Field names are the service's own.
 */

/** One `{name, value}` pair for row-level security (2.2). */
export interface UserAttribute {
  name: string;
  value: string;
}

/** Identity and security settings of the user (2.2). */
export interface SessionSettings {
  externalId?: string;
  internalId?: string;
  email?: string;
  userAttributes?: UserAttribute[];
  groups?: string[];
  securityContext?: Record<string, unknown>;
  roles?: string[];
  publicDashboardId?: string;
  isEphemeral?: boolean;
  ephemeralTtlSeconds?: number;
}

/** An image sent with a message (2.3); `data` is base64 without a `data:` prefix. */
export interface ImageAttachment {
  mimeType: string;
  data: string;
  name?: string;
}

/** Body of `POST {base_url}/chat/stream-chat-state` (2.1). */
export interface ChatRequest {
  input?: string;
  chatId?: string;
  messageId?: string;
  sessionSettings?: SessionSettings;
  activeBranchName?: string;
  isDefaultBranch?: boolean;
  images?: ImageAttachment[];
}

/** A tool invocation (2.5). `input` and `result` are JSON text as sent, or already parsed by some services. */
export interface ToolCall {
  name: string;
  input?: unknown;
  result?: unknown;
}

/** What message and tool lines have in common (2.4). */
export interface MessageFields {
  id: string;
  role: 'user' | 'assistant';
  content?: string;
  thinking?: string;
  graphPath: readonly string[];
  isDelta: boolean;
  isInProcess: boolean;
  /** Absent when the service sent none; the order of arrival stands in. */
  sort?: number;
}

export interface CutoffLine {
  kind: 'cutoff';
  chatId?: string;
  isStreaming: boolean;
}
export interface MessageLine extends MessageFields {
  kind: 'message';
}
export interface ToolCallLine extends MessageFields {
  kind: 'toolCall';
  toolCall: ToolCall;
}
/** The end of a thread's stream. What it holds is opaque and never drawn, so nothing of it is kept. */
export interface StateLine {
  kind: 'state';
}
export interface AbortedLine {
  kind: 'aborted';
  reason: string;
}
export interface SuspendedLine {
  kind: 'suspended';
  reason: string;
  retryable: boolean;
}
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
}
export interface UsageLine {
  kind: 'usage';
  usage: Usage;
}
/** A line that nobody needs: counted for the diagnostics, never shown. */
export interface UnknownLine {
  kind: 'unknown';
  /** Why it was not understood, without any of its content. */
  reason: string;
  /** Whether the line could not be read at all, and may have been one that is missing now. */
  damaged?: boolean;
}

export type StreamLine =
  CutoffLine | MessageLine | ToolCallLine | StateLine | AbortedLine | SuspendedLine | UsageLine | UnknownLine;

/** A line that makes or goes on with an item of the thread. */
export type ItemLine = MessageLine | ToolCallLine;

export const isItemLine = (line: StreamLine): line is ItemLine => line.kind === 'message' || line.kind === 'toolCall';

/** The pattern of a client-made message id (2.1). */
export const MESSAGE_ID = /^\d{13,}-message$/;

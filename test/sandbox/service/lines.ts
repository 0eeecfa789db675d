/** Builds the lines of the response stream (2.4). */

export type Line = Record<string, unknown>;

/** A message or tool call line before the thread assigns its `sort`. */
export interface MessageFields {
  id: string;
  role: 'user' | 'assistant';
  content?: string;
  thinking?: string;
  toolCall?: { name: string; input: string; result?: string };
  graphPath?: readonly string[];
  isDelta: boolean;
  isInProcess: boolean;
  isStructuredResponse?: boolean;
}

/** @param suspended the run that is parked, if the thread is only read */
export const cutoffLine = (chatId: string, isStreaming: boolean, suspended?: { messageId: string }): Line => ({
  id: '__cutoff__',
  role: 'assistant',
  sort: 0,
  state: { chatId, isStreaming, ...(suspended ? { suspended: { messageId: suspended.messageId } } : {}) },
});

export const abortedLine = (): Line => ({
  id: '__aborted__',
  type: 'abort',
  code: 'chat_aborted',
  error: 'The chat was aborted',
});

export const suspendedLine = (messageId: string): Line => ({
  id: '__suspended__',
  type: 'suspend',
  code: 'chat_suspended',
  retryable: true,
  messageId,
  error: 'The run is parked; send the same message again to resume it',
});

/**
 * @param characters number of input and output characters, from which tokens are estimated
 * @param total whether to send the total, as older services do
 */
export const usageLine = (characters: { input: number; output: number }, total: boolean): Line => {
  const inputTokens = Math.ceil(characters.input / 4);
  const outputTokens = Math.ceil(characters.output / 4);
  const cached = { cacheReadTokens: 2 * inputTokens, cacheWriteTokens: inputTokens };
  const totalTokens = inputTokens + outputTokens + 3 * inputTokens;
  const usage = { models: ['sandbox'], llmCalls: 3, inputTokens, outputTokens, ...cached };
  return { id: '__usage__', type: 'usage', usage: total ? { ...usage, totalTokens } : usage };
};

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Merges the lines of each message, as in the history of a thread: one line per id, with its first `sort`. A message in
 * progress becomes one delta with all its text so far.
 */
export function consolidate(lines: readonly Line[]): Line[] {
  const messages = new Map<unknown, Line>();
  for (const line of lines) {
    if (line['role'] === undefined || !isText(line['id']) || line['id'].startsWith('__')) continue;
    const before = messages.get(line['id']);
    if (!before) {
      messages.set(line['id'], { ...line });
      continue;
    }
    const merged: Line = { ...before, ...line, sort: before['sort'] };
    for (const field of ['content', 'thinking']) {
      const [old, more] = [before[field], line[field]];
      if (!isText(old)) continue;
      if (line['isDelta'] === true) merged[field] = old + (isText(more) ? more : '');
      else if (field === 'thinking' && !more) merged[field] = old;
    }
    messages.set(line['id'], merged);
  }
  return [...messages.values()];
}

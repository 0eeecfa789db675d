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

export const cutoffLine = (chatId: string, isStreaming: boolean): Line => ({
  id: '__cutoff__',
  role: 'assistant',
  sort: 0,
  state: { chatId, isStreaming },
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

/** @param characters number of input and output characters, from which tokens are estimated */
export const usageLine = (characters: { input: number; output: number }): Line => {
  const inputTokens = Math.ceil(characters.input / 4);
  const outputTokens = Math.ceil(characters.output / 4);
  return {
    id: '__usage__',
    type: 'usage',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
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

import assert from 'node:assert/strict';
import { ChatClient, ChatError, type StreamOptions } from '../../../../src/api/client.ts';
import { describeError } from '../../../../src/chat/connection/errorMessages.ts';

/** @returns the error of a question to this URL */
export async function failureOf(chatApiUrl: string, options: StreamOptions = {}): Promise<ChatError> {
  const client = new ChatClient({ chatApiUrl, credential: { kind: 'apiKey', value: 'canary-key' } });
  try {
    for await (const line of client.stream({ input: 'x', sessionSettings: { externalId: 'dev' } }, options)) void line;
  } catch (error) {
    assert.ok(error instanceof ChatError, String(error));
    return error;
  }
  return assert.fail('did not fail');
}

/** Checks the message that a user sees for a failure. */
export function assertPresentable(error: ChatError): void {
  const shown = describeError(error);
  assert.ok(shown.actions.length > 0);
  for (const text of [error.message, shown.message]) {
    assert.ok(text.length > 0 && text.length < 400);
    assert.doesNotMatch(text, /[<>\n]|\bat \S+:\d+:\d+|canary-key/);
  }
}

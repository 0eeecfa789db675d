/** An answer survives lost connections, and is shown complete and once. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import { answeringService, WHOLE, WORDS, type AnsweringService } from '../../support/service/answeringService.ts';
import { becomes } from '../../support/until.ts';
import { startExtension, type RunningExtension } from '../support/extension/extension.ts';

describe('A running answer', () => {
  let service: AnsweringService;
  let extension: RunningExtension;
  let chat: Chat;

  beforeEach(async () => {
    service = await answeringService();
    extension = await startExtension({ chatApiUrl: service.chatApiUrl, apiKey: 'any-key' });
    ({ chat } = extension);
    await chat.ask('count for me');
    await chat.view.getByRole('article', { name: 'You' }).waitFor();
    await becomes(() => service.questions, 1);
    await chat.view.getByText('Working…').waitFor();
    service.say(0, 10);
    await answer().filter({ hasText: 'word10' }).waitFor();
  });
  afterEach(async () => {
    await extension.stop();
    await service.stop();
  });

  const answer = (): Locator => chat.answers().getByText(/^word1 /);
  const text = async (): Promise<string | undefined> => (await answer().textContent())?.trim();
  const isWhole = async (): Promise<void> => {
    await chat.told('Answer finished');
    await becomes(text, WHOLE);
    await becomes(() => chat.view.getByRole('article', { name: 'You' }).count(), 1);
  };

  it('continues after the connection was lost', async () => {
    service.disconnect();
    service.say(10, 20);
    await becomes(text, WORDS.slice(0, 20).join('').trim());
    service.say(20, 40);
    service.finish();
    await isWhole();
    assert.equal(new Set(service.requests.map(({ body }) => body.messageId)).size, 1);
  });

  it('continues after the service was restarted', async () => {
    await service.restart(() => chat.view.getByText('Reconnecting…').waitFor());
    service.say(10, 40);
    service.finish();
    await isWhole();
  });
});

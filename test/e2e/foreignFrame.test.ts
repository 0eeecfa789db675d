/** Other frames can post to the chat's page: VS Code's window and every frame in it. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame, Page } from 'playwright-core';
import { innerFrame, type Chat } from '../support/chat.ts';
import { useWrittenChat } from './support/writtenChat.ts';

describe('A foreign frame', function () {
  this.timeout(90_000);
  const setup = useWrittenChat();
  let page: Page;
  let chat: Chat;
  let frame: Frame;

  before(async () => {
    ({ page, chat } = setup);
    frame = await innerFrame(chat);
  });

  /** Posts from VS Code's window into every frame in it, and waits until the chat's page has received the message. */
  async function postFromOutside(message: object): Promise<void> {
    await frame.evaluate(() => {
      const seen = new Promise<void>((resolve) => {
        addEventListener('message', ({ data }: MessageEvent<{ foreign?: boolean }>) => data?.foreign && resolve());
      });
      Object.assign(window, { seen });
    });
    await page.evaluate((sent) => {
      const post = (to: Window): void => {
        to.postMessage(sent, '*');
        for (let index = 0; index < to.length; index += 1) post(to[index] as Window);
      };
      post(window);
    }, message);
    await frame.evaluate(() => (window as unknown as { seen: Promise<void> }).seen);
  }

  it("can't put text into the composer", async () => {
    await chat.field.fill('mine');
    await postFromOutside({ type: 'compose', draft: { text: 'drop table', images: [] }, foreign: true });
    assert.equal(await chat.field.inputValue(), 'mine');
  });

  it("can't replace the conversation, while the host still can", async () => {
    await postFromOutside({ type: 'events', seq: 1, events: [{ type: 'nonsense' }], foreign: true });
    await chat.field.fill('revenue by month');
    await chat.field.press('Enter');
    const written = await setup.service.next();
    written.answer('It rose.');
    await chat.answers().getByText('It rose.').waitFor();
  });
});

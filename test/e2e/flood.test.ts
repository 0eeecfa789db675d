/** A flood of deltas while the user types: all input and all text arrives exactly once. */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { innerFrame, type Chat } from '../support/chat.ts';
import { openFile, runCommand, savedText } from './support/editor.ts';
import type { Launched } from './support/launch.ts';
import { useWrittenChat } from './support/writtenChat.ts';
import type { Written, WrittenService } from '../support/writtenService.ts';

const DELTAS = 20_000;
/** Minimum milliseconds between two posts to the page. */
const FRAME = 16;
const WORDS = Array.from({ length: DELTAS }, (_, index) => `w${index}${index % 40 === 39 ? '\n\n' : ' '}`);
const TYPED = 'The quick brown fox jumps over the lazy dog while the answer comes.';

describe('A flood of deltas', function () {
  this.timeout(90_000);
  const setup = useWrittenChat({ workspace: 'model' });
  let service: WrittenService;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(async () => {
    ({ service, editor, page, chat } = setup);
    await openFile(page, 'scratch.sql');
  });

  /** Streams all words, one delta each, as fast as the connection accepts them, until it is stopped. */
  async function flood(written: Written, goesOn: () => boolean = () => true): Promise<void> {
    for (let at = 0; at < DELTAS && goesOn(); at += 1) {
      written.say(WORDS[at] ?? '');
      if (at % 50 === 49) await turn();
    }
  }

  it('neither loses nor repeats a word or a key press', async () => {
    const frame = await innerFrame(chat);
    await frame.evaluate(() => {
      const counted = window as { posts?: number };
      counted.posts = 0;
      addEventListener('message', ({ data }: MessageEvent<{ type?: unknown }>) => {
        if (data.type === 'events') counted.posts = (counted.posts ?? 0) + 1;
      });
    });
    const begin = Date.now();
    await chat.ask('flood');
    const written = await service.next();
    const flooded = flood(written);
    await chat.field.click();
    await page.keyboard.type(TYPED);
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(TYPED);
    await flooded;
    written.answer(WORDS.join(''), 'final');
    await chat.told('Answer finished');
    const lasted = Date.now() - begin;

    const answer = await chat.answers().locator('.md').last().textContent();
    // Compared as one boolean, because a difference would print twenty thousand words.
    const arrived = answer?.match(/w\d+/g) ?? [];
    assert.equal(arrived.length, DELTAS);
    assert.ok(arrived.every((word, index) => word === `w${index}`));
    assert.equal(await chat.field.inputValue(), TYPED);
    assert.ok((await savedText(editor, 'queries/scratch.sql')).endsWith(TYPED));
    const posts = await frame.evaluate(() => (window as { posts?: number }).posts ?? 0);
    assert.ok(posts > 0 && posts <= lasted / FRAME + 1, `${posts} posts in ${lasted} ms`);
  });

  it('can be stopped in the middle', async () => {
    await runCommand(page, 'Analytics Chat: New Chat');
    await chat.view.getByText('Ask about your data.').waitFor();
    await chat.ask('flood again');
    const written = await service.next();
    let stopped = false;
    const flooded = flood(written, () => !stopped);
    await chat.answers().getByText('w99 ').first().waitFor();
    await chat.button('Stop').click();
    await chat.told('Stopped');
    const text = await chat.answers().textContent();
    stopped = true;
    await flooded;
    assert.equal(await chat.button('Stop').count(), 0);
    assert.equal(await chat.answers().textContent(), text);
  });
});

/** Steps that somebody reads, or works in, while the answer goes on. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { innerFrame } from './support/chat.ts';
import { useWrittenChat } from './support/writtenChat.ts';

describe('Steps that are read', function () {
  this.timeout(90_000);
  const setup = useWrittenChat();

  it('stay open where the reader is, when their thinking ends and when the answer does', async () => {
    const { chat, service, page } = setup;
    await chat.ask('think');
    const written = await service.next();
    const lines = Array.from({ length: 60 }, (_, index) => `Thought ${index + 1}.`);
    written.think('m1', lines.join('\n\n'));
    const seen = chat.log.getByText('Thought 60.', { exact: true });
    await seen.waitFor();
    const thinking = seen.locator('xpath=ancestor::details');
    const placeOf = async (thought: Locator): Promise<number> => (await thought.boundingBox())?.y ?? -1;
    const isInSight = async (thought: Locator): Promise<boolean> => {
      const [y, box] = [await placeOf(thought), await thinking.boundingBox()];
      return box !== null && y > box.y && y < box.y + box.height;
    };
    assert.ok(await isInSight(seen), 'the end of what is being thought is in sight');
    await seen.hover();
    await page.mouse.wheel(0, -300);
    const thought = chat.log.getByText('Thought 50.', { exact: true });
    const frame = await innerFrame(chat);
    await frame.waitForFunction(() => {
      const [box] = document.getElementsByClassName('thought');
      return box && box.scrollHeight - box.scrollTop - box.clientHeight >= 299;
    });
    const place = (): Promise<number> => placeOf(thought);
    const before = await place();
    written.line({ id: 'm1', role: 'assistant', content: '', thinking: '', isDelta: false, isInProcess: false });
    written.tool('t1', 'svcMeta', { searchQuery: 'orders' }, { searchQuery: 'orders', cubes: [] });
    await chat.log.getByText('orders', { exact: false }).first().waitFor();
    assert.ok(Math.abs((await place()) - before) < 2, `moved from ${before} to ${await place()}`);
    written.answer('Done.');
    await chat.told('Answer finished');
    assert.ok(await isInSight(thought), 'what is read is not folded away');
  });

  it('keep the keyboard when the answer ends', async () => {
    const { chat, service, newChat } = setup;
    await newChat();
    await chat.ask('think again');
    const written = await service.next();
    written.think('m1', 'Slowly.');
    const summary = chat.log.locator('summary');
    await summary.focus();
    written.answer('Done.');
    await chat.told('Answer finished');
    const frame = await innerFrame(chat);
    assert.equal(await frame.evaluate(() => document.activeElement?.textContent), 'Thinking');
  });
});

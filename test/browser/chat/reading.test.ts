/** Steps stay open while the user reads them or has focus in them, even if the answer continues. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { innerFrame } from '../../support/chat.ts';
import { LONG } from '../../support/samples.ts';
import { becomes, until } from '../../support/until.ts';
import { useChatPage } from '../support/chatPage.ts';

describe('Scrolled answers', () => {
  const setup = useChatPage();

  it('keep their question visible above them, which scrolls back to it', async () => {
    const { chat } = setup;
    const attachment = { kind: 'file', name: 'a', text: 'About a:\n```\nb\n```\n' };
    await setup.page.evaluate((data) => window.postMessage(data, window.origin), {
      ...{ type: 'compose', draft: { text: '', images: [], attachments: [attachment] } },
    });
    await chat.button('Remove a').waitFor();
    await setup.answered('what is in it?', LONG.join('\n\n'));
    const pin = chat.view.locator('.question-pin-text');
    await pin.waitFor();
    const place = async (): Promise<number> =>
      ((await pin.boundingBox())?.y ?? NaN) - ((await chat.log.boundingBox())?.y ?? NaN);
    await until(
      async () => Math.abs(await place()) <= 1,
      () => 'The question is not at the top.',
    );
    assert.equal(await pin.evaluate((text) => getComputedStyle(text, '::before').content), '"what is in it?"');
    // Right-to-left text keeps its direction.
    assert.equal(await pin.evaluate((text) => getComputedStyle(text).unicodeBidi), 'plaintext');
    await pin.click();
    await pin.waitFor({ state: 'hidden' });
    await chat.view.getByRole('article', { name: 'You' }).click({ trial: true });
  });

  it('stand above a composer of their own width in a wide tab', async () => {
    const { page, chat } = setup;
    await page.setViewportSize({ width: 1500, height: 700 });
    const sides = (part: string): Promise<number[]> =>
      chat.view.locator(part).evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return [Math.round(left), Math.round(right)];
      });
    const width = async (): Promise<number> => {
      const [left = 0, right = 0] = await sides('.log-content');
      return right - left;
    };
    await becomes(width, 900);
    await becomes(() => sides('.composer'), await sides('.log-content'));
  });
});

describe('Steps', () => {
  const setup = useChatPage();

  it('stay open while the user reads them, when the thinking ends and when the answer ends', async () => {
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
    await until(
      () => isInSight(seen),
      () => 'The end of the thinking is out of sight.',
    );
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
    await until(
      async () => Math.abs((await place()) - before) < 2,
      () => 'The thinking moved.',
    );
    written.answer('Done.');
    await chat.told('Answer finished');
    await until(
      () => isInSight(thought),
      () => 'The visible thinking was folded.',
    );
  });

  it('stay open above what the user reads', async () => {
    const { chat, service, newChat } = setup;
    await newChat();
    await chat.ask('a long one');
    const written = await service.next();
    written.think('m1', 'Slowly.');
    written.say(LONG.slice(0, 20).join('\n\n'));
    await chat.view.getByText('Paragraph 20 of').waitFor();
    await chat.log.press('PageUp');
    await chat.button('Jump to latest').waitFor();
    written.answer(LONG.slice(0, 20).join('\n\n'), 'final');
    await chat.told('Answer finished');
    assert.equal(await chat.view.getByRole('group', { name: 'Thinking' }).count(), 1);
  });

  it('have their caret in the last line while they grow, also in a list', async () => {
    const { chat, service, newChat } = setup;
    await newChat();
    await chat.ask('list');
    const written = await service.next();
    written.say('- one\n- two');
    const list = chat.answers().locator('ul');
    await list.getByText('two').waitFor();
    const carets = await list.evaluate((element) =>
      [element, ...element.children].map((part) => getComputedStyle(part, '::after').content !== 'none'),
    );
    assert.deepEqual(carets, [false, false, true], 'the list and its items');
    written.answer('- one\n- two');
    await chat.told('Answer finished');
  });

  it('keep the focus when the answer ends', async () => {
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
    await becomes(() => frame.evaluate(() => document.activeElement?.textContent), 'Thinking');
  });
});

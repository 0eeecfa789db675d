/** Right-to-left names and text have their own direction; the rest of the view keeps left-to-right. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useWrittenExtension } from '../support/extension/written.ts';

/** Hebrew first: read from right to left, with its English words on the left. */
const NAME = 'הכנסות by region';

describe('Right-to-left text', () => {
  const setup = useWrittenExtension();
  let service: WrittenService;
  let chat: Chat;

  before(() => ({ service, chat } = setup));

  /** Whether the first letter of the name is to the right of its last. */
  const runsLeft = async (element: Locator): Promise<boolean> => {
    await element.waitFor();
    return element.evaluate((node, name) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      while (texts.nextNode() && !texts.currentNode.textContent?.includes(name));
      const text = texts.currentNode;
      const start = text.textContent?.indexOf(name) ?? 0;
      const leftOf = (at: number): number => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return leftOf(start) > leftOf(start + name.length - 1);
    }, NAME);
  };

  it('is shown in its own direction in questions, queued messages, answers, results and the list of chats', async () => {
    await setup.newChat();
    await chat.ask(NAME);
    const written = await service.next();
    await chat.ask(NAME);
    assert.equal(await runsLeft(chat.view.locator('.queue-text')), true, 'a queued message');
    assert.equal(await runsLeft(chat.view.locator('.bubble').first()), true, 'a question');
    await chat.button('Remove queued message').click();
    // The answer must not end before that is known.
    await chat.view.locator('.queue-text').waitFor({ state: 'detached' });
    const query = { sqlQuery: 'SELECT 1', queryTitle: NAME };
    const result = { ...query, schema: [{ name: 'name', column_type: 'string' }], data: [[NAME]], totalRows: 1 };
    written.tool('t1', 'svcSqlApi', query, result);
    written.answer(NAME);
    await chat.told('Answer finished');
    assert.equal(await runsLeft(chat.view.getByRole('gridcell')), true, 'a cell of a result');
    const paragraph = chat.answers().locator('p', { hasText: NAME });
    assert.equal(await runsLeft(paragraph), true, 'an answer');
    const [start, end] = await paragraph.evaluate((block) => {
      const range = document.createRange();
      range.selectNodeContents(block);
      return [block, range].map((each) => each.getBoundingClientRect().right);
    });
    assert.ok(Math.abs(start! - end!) < 2, 'it starts at the right');
    assert.equal(await runsLeft(chat.view.locator('.card-title')), true, 'the title of a result');
    await chat.field.fill(NAME);
    const [textarea, direction] = await chat.field.evaluate((field) => [
      field.tagName,
      getComputedStyle(field).unicodeBidi,
    ]);
    assert.deepEqual([textarea, direction], ['TEXTAREA', 'plaintext'], 'what is being written');
    await chat.field.fill('');
    await setup.editor.run('analyticsChat.history');
    assert.equal(await runsLeft(chat.view.locator('.thread-name').first()), true, 'a chat in the list');
  });

  it('turns the lists, quotes and tables of an answer around, but not those in other languages', async () => {
    await setup.newChat();
    await chat.ask('revenue?');
    const hebrew = `- ${NAME}\n\n1. ${NAME}\n\n> ${NAME}\n\n| ${NAME} | n |\n|---|---|\n| a | 1 |`;
    (await service.next()).answer(`${hebrew}\n\n${hebrew.replaceAll(NAME, 'Revenue')}`);
    await chat.told('Answer finished');
    const directions = await chat.view
      .locator('.md :is(ul, ol, blockquote, table)')
      .evaluateAll((all) => all.map((block) => `${block.tagName} ${getComputedStyle(block).direction}`));
    const tags = ['UL', 'OL', 'BLOCKQUOTE', 'TABLE'];
    assert.deepEqual(directions, [...tags.map((tag) => `${tag} rtl`), ...tags.map((tag) => `${tag} ltr`)]);
  });
});

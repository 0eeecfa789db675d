/** Several views of a chat, and what they pass to the host. */
import assert from 'node:assert/strict';
import { setInterval } from 'node:timers/promises';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { chatIn, type Chat } from '../../support/chat.ts';
import { becomes, until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useWrittenExtension } from '../support/extension/written.ts';

describe('Views', () => {
  const setup = useWrittenExtension();
  let service: WrittenService;
  let chat: Chat;

  before(() => ({ service, chat } = setup));

  /** VS Code gives the focus to the view that is clicked; in a browser, each page always has it. */
  const enter = async ({ field }: Chat): Promise<void> => {
    await field.click();
    await field.evaluate(() => void window.dispatchEvent(new Event('focus')));
  };
  const openTab = async (): Promise<Chat> => {
    await setup.editor.run('analyticsChat.openInEditor');
    return chatIn((await setup.editor.tab()) as unknown as Chat['view']);
  };

  it('show one thread in sync, in the side bar and in an editor tab', async () => {
    await setup.newChat();
    const tab = await openTab();
    await tab.ask('both');
    const written = await service.next();
    written.say('Half ');
    for (const one of [chat, tab]) await one.answers().getByText('Half').waitFor();
    written.answer('Half and half.');
    for (const one of [chat, tab]) {
      await one.told('Answer finished');
      // Fails if there is more than one.
      await one.answers().getByText('Half and half.').waitFor();
      await one.view.getByRole('article', { name: 'You' }).waitFor();
    }
    assert.deepEqual(setup.editor.openTabs, ['both']);
    await tab.field.fill('half a question');
    await chat.field.and(chat.view.locator(':not(:placeholder-shown)')).waitFor();
    await becomes(() => chat.field.inputValue(), 'half a question');
    await chat.field.fill('');
    await tab.field.and(tab.view.locator(':placeholder-shown')).waitFor();
    await setup.editor.closeTabs();
  });

  it('start a new chat where it is requested, and pass the SQL of the active one to commands', async () => {
    const query = {
      sqlQuery: 'SELECT 1',
      queryTitle: 'One',
      schema: [{ name: 'n', column_type: 'number' }],
      data: [[1]],
    };
    const offered = async (sql: string): Promise<void> => {
      const picking = setup.editor.run('analyticsChat.pickSql');
      await until(() => setup.prompts.open);
      assert.deepEqual(
        setup.prompts.open?.items().map(({ detail }) => detail),
        [sql],
      );
      await setup.prompts.cancel();
      await picking;
    };
    await setup.newChat();
    await chat.ask('in the side bar');
    let written = await service.next();
    written.tool('q1', 'svcSqlApi', query, query);
    written.answer('One.');
    await chat.told('Answer finished');
    await chat.answers().getByText('One.').waitFor();
    const tab = await openTab();
    await tab.answers().getByText('One.').waitFor();
    await tab.button('New chat').click();
    await tab.view.getByText('Ask about your data.').waitFor();
    // The side bar stays as it is.
    await chat.answers().getByText('One.').waitFor();
    await tab.ask('in the tab');
    written = await service.next();
    const other = { ...query, sqlQuery: 'SELECT 2' };
    written.tool('q2', 'svcSqlApi', other, other);
    written.answer('Two.');
    await tab.told('Answer finished');
    await offered('SELECT 2');
    await enter(chat);
    await offered('SELECT 1');
    await enter(tab);
    await offered('SELECT 2');
    await setup.editor.closeTabs();
    await offered('SELECT 1');
  });

  it('show three threads, in the side bar and in two tabs, of which one is hidden while its answer ends', async () => {
    await setup.newChat();
    await chat.ask('in the side bar');
    const first = await service.next();
    const one = await openTab();
    await one.button('New chat').click();
    await one.ask('in one tab');
    const second = await service.next();
    const two = await openTab();
    await two.button('New chat').click();
    await two.ask('in the other tab');
    const third = await service.next();
    assert.deepEqual(setup.editor.openTabs, ['in one tab', 'in the other tab']);
    third.answer('Three.');
    second.answer('Two.');
    first.answer('One.');
    const shows = async ({ view }: Chat, question: string, answer: string): Promise<void> => {
      const [asked, answered, ...others] = await view.getByRole('article').allTextContents();
      assert.ok(asked?.includes(question) && answered?.includes(answer) && others.length === 0);
    };
    await two.told('Answer finished');
    await shows(two, 'in the other tab', 'Three.');
    await chat.told('Answer finished');
    await shows(chat, 'in the side bar', 'One.');
    await setup.editor.activate(one.view as unknown as Page);
    await one.answers().getByText('Two.').waitFor();
    await shows(one, 'in one tab', 'Two.');
    await setup.editor.closeTabs();
  });

  it('stop in the middle of a flood of deltas', async () => {
    await setup.newChat();
    await chat.ask('flood again');
    const written = await service.next();
    let stopped = false;
    const flooded = (async () => {
      let at = 0;
      for await (const _ of setInterval(5)) {
        for (const end = at + 10; at < end; at += 1) written.say(`w${at} `);
        if (stopped) return;
      }
    })();
    let text;
    try {
      await chat.answers().getByText('w99 ').first().waitFor();
      await chat.button('Stop').click();
      await chat.told('Stopped');
      text = await chat.answers().textContent();
    } finally {
      stopped = true;
    }
    await flooded;
    await chat.button('Stop').waitFor({ state: 'detached' });
    assert.equal(await chat.answers().textContent(), text);
  });

  it('open the sample conversation', async () => {
    await setup.newChat();
    const before = service.requests.length;
    await chat.button('Open a sample conversation').click();
    await chat.view
      .getByRole('img', { name: /^Chart/ })
      .first()
      .waitFor();
    assert.equal(service.requests.length, before);
    await chat.field.waitFor({ state: 'detached' });
  });
});

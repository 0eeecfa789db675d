/** The views of a conversation: what stays visible, and what survives a reload of their pages. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { reloadPage } from './support/chat.ts';
import { chatIn, pasteFile, type Chat } from '../support/chat.ts';
import { runCommand, webview } from './support/editor.ts';
import { LONG, pixel } from '../support/samples.ts';
import { useWrittenChat } from './support/writtenChat.ts';
import type { WrittenService } from '../support/writtenService.ts';

describe('Views', function () {
  this.timeout(90_000);
  const setup = useWrittenChat({ workspace: 'model' });
  let service: WrittenService;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, page, chat } = setup));

  const asked = (): unknown[] => service.requests.flatMap(({ body }) => (body.input === undefined ? [] : [body.input]));

  it('show one thread in sync, in the side bar and in an editor tab', async () => {
    await setup.newChat();
    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    const tab = chatIn(webview(page, 'editor'));
    await tab.ask('both');
    const written = await service.next();
    written.say('Half ');
    for (const one of [chat, tab]) await one.answers().getByText('Half').waitFor();
    written.answer('Half and half.');
    for (const one of [chat, tab]) {
      await one.told('Answer finished');
      assert.equal(await one.answers().getByText('Half and half.').count(), 1);
      assert.equal(await one.view.getByRole('article', { name: 'You' }).count(), 1);
    }
    await page.getByRole('tab', { name: /^both/ }).waitFor();
    await tab.field.fill('half a question');
    await chat.field.and(chat.view.locator(':not(:placeholder-shown)')).waitFor();
    assert.equal(await chat.field.inputValue(), 'half a question');
    await chat.field.fill('');
    await tab.field.and(tab.view.locator(':placeholder-shown')).waitFor();
    await runCommand(page, 'View: Close Editor');
  });

  it('start a new chat where it is requested, and pass the SQL of the active one to commands', async () => {
    const query = {
      sqlQuery: 'SELECT 1',
      queryTitle: 'One',
      schema: [{ name: 'n', column_type: 'number' }],
      data: [[1]],
    };
    const offered = async (sql: string): Promise<void> => {
      await runCommand(page, 'Analytics Chat: Insert SQL…');
      await page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: sql }).waitFor();
      await page.keyboard.press('Escape');
    };
    await setup.newChat();
    await chat.ask('in the side bar');
    let written = await service.next();
    written.tool('q1', 'svcSqlApi', query, query);
    written.answer('One.');
    await chat.told('Answer finished');
    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    const tab = chatIn(webview(page, 'editor'));
    await tab.answers().getByText('One.').waitFor();
    await tab.button('New chat').click();
    await tab.view.getByText('Ask about your data.').waitFor();
    assert.equal(await chat.answers().getByText('One.').count(), 1, 'the side bar stays as it is');
    await tab.ask('in the tab');
    written = await service.next();
    const other = { ...query, sqlQuery: 'SELECT 2' };
    written.tool('q2', 'svcSqlApi', other, other);
    written.answer('Two.');
    await tab.told('Answer finished');
    await offered('SELECT 2');
    await chat.field.click();
    await offered('SELECT 1');
    await tab.field.click();
    await offered('SELECT 2');
    await runCommand(page, 'View: Close Editor');
    await offered('SELECT 1');
  });

  it('receive clicks in the editor whatever had the focus before', async () => {
    await setup.newChat();
    await chat.ask('a long one');
    const first = await service.next();
    first.think('m1', 'Slowly.');
    first.answer(LONG.join('\n\n'));
    await chat.told('Answer finished');
    await chat.button(/^Steps/).click();
    await chat.ask('and a short one');
    const second = await service.next();
    const result = { schema: [{ name: 'n', columnType: 'number' }], data: [['1']], totalRows: '1' };
    second.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Short' }, result);
    second.answer('Done.');
    await chat.answers().getByText('Done.').waitFor();
    await chat.button('Send').waitFor();
    // It has the focus, far above the clicked position.
    await chat
      .button(/^Steps/)
      .first()
      .focus();
    await chat.log.evaluate((log) => (log.scrollTop = log.scrollHeight));
    await runCommand(page, 'File: New Untitled Text File');
    await page.keyboard.type('select');
    const sql = chat.view
      .getByRole('group', { name: 'SQL query: Short' })
      .getByRole('button', { name: 'SQL', exact: true });
    const place = await chat.log.evaluate((log) => log.scrollTop);
    await sql.click();
    await chat.view.locator('button[aria-expanded=true]', { hasText: /^SQL$/ }).waitFor();
    assert.equal((await chat.log.evaluate((log) => Math.abs(log.scrollTop))) >= place, true, 'the log has moved');
    await runCommand(page, 'View: Revert and Close Editor');
  });

  it('keep the draft, its image and the queue over a window reload', async () => {
    await setup.newChat();
    await chat.ask('goes on');
    const running = await service.next();
    running.think('m1', 'It takes a while.');
    await chat.ask('is next');
    await chat.view.getByRole('listitem').filter({ hasText: 'is next' }).waitFor();
    await pasteFile(chat, pixel);
    await chat.field.fill('half a question');
    await chat.view.getByRole('img', { name: 'pixel.png' }).last().waitFor();
    // Drafts are saved when typing pauses; a second view shows what the host has saved.
    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    const second = chatIn(webview(page, 'editor'));
    await second.field.and(second.view.locator(':not(:placeholder-shown)')).waitFor();
    await runCommand(page, 'View: Close Editor');
    chat = await reloadPage(page);
    await chat.view.getByRole('listitem').filter({ hasText: 'is next' }).waitFor();
    assert.equal(await chat.field.inputValue(), 'half a question');
    await chat.view.getByRole('list', { name: 'Attached images' }).getByRole('img', { name: 'pixel.png' }).waitFor();
    const resumed = await service.next();
    assert.equal(resumed.body.messageId, running.body.messageId);
    resumed.line({ id: 'm1', role: 'assistant', content: '', thinking: '', isDelta: false, isInProcess: false });
    resumed.answer('Here.');
    const next = await service.next();
    assert.equal(next.body.input, 'is next');
    next.answer('There.');
    await chat.told('Answer finished');
    await chat.field.fill('');
    await chat.button('Remove image').click();
  });

  it('open the sample conversation', async () => {
    await setup.newChat();
    const before = asked().length;
    await chat.button('Open a sample conversation').click();
    await chat.view
      .getByRole('img', { name: /^Chart/ })
      .first()
      .waitFor();
    assert.equal(asked().length, before);
    await chat.field.waitFor({ state: 'detached' });
  });
});

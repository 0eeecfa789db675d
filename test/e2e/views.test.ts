/** The views of a conversation: what stays visible, and what survives a reload of their pages. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { settled } from '../support/until.ts';
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

  it('show when a question of another day was asked', async () => {
    await setup.newChat();
    await chat.ask('yesterday');
    (await service.next()).answer('Then.');
    await chat.told('Answer finished');
    const time = chat.log.locator('time');
    const now = new Date();
    const told = (options: Intl.DateTimeFormatOptions) =>
      page.evaluate(([at, how]) => new Date(at).toLocaleString(undefined, how), [now.getTime(), options] as const);
    const day = await told({ month: 'short', day: 'numeric' });
    assert.ok(!(await time.innerText()).includes(day), 'today needs no day');
    await page.clock.setFixedTime(now.getTime() + 86_400_000);
    await runCommand(page, 'View: Show Explorer');
    await runCommand(page, 'Analytics Chat: Open Chat');
    await time.filter({ hasText: day }).waitFor();
    const weekday = await told({ weekday: 'long' });
    assert.ok((await time.getAttribute('title'))?.includes(weekday));
    await page.clock.setSystemTime(now);
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

  it('keep the scroll position, and scroll to the end on request', async () => {
    await setup.newChat();
    await chat.ask('a long one');
    const written = await service.next();
    written.think('m1', 'Slowly.');
    written.say(LONG.slice(0, 40).join('\n\n'));
    const read = chat.view.getByText('Paragraph 30 of');
    await chat.view.getByText('Paragraph 40 of').waitFor();
    await read.hover();
    await page.mouse.wheel(0, -200);
    await chat.button('Jump to latest').waitFor();
    const place = async (): Promise<number> => Math.round((await read.boundingBox())?.y ?? NaN);
    await settled(place);
    const before = await place();
    written.say(`\n\n${LONG.slice(40).join('\n\n')}`);
    await chat.view.getByText('Paragraph 60 of').waitFor({ state: 'attached' });
    assert.ok(Math.abs((await place()) - before) <= 1, 'what is read has moved');
    written.answer(LONG.join('\n\n'), 'final');
    await chat.told('Answer finished');
    assert.ok(Math.abs((await place()) - before) <= 1, 'what is read has moved');
    await chat.button('Jump to latest').click();
    await chat.button('Jump to latest').waitFor({ state: 'detached' });
    await chat.button('Copy answer').click({ trial: true });
    assert.equal(await chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
  });

  it('offer to scroll to the end only if it is out of view', async () => {
    await setup.newChat();
    await chat.ask('a short one');
    const written = await service.next();
    written.think('m1', LONG.slice(0, 30).join('\n\n'));
    written.answer('Short.');
    await chat.told('Answer finished');
    const [steps, thinking] = [chat.button(/^Steps/), chat.view.getByRole('group', { name: 'Thinking' })];
    await page.setViewportSize({ width: 1280, height: 420 });
    await steps.click();
    await thinking.hover();
    await chat.log.evaluate((log) => log.scrollTo(0, 0));
    await chat.button('Jump to latest').waitFor();
    await steps.click();
    await chat.button('Jump to latest').waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stay scrolled to the end when a table replaces a chart', async () => {
    for (const turn of ['first', 'second']) {
      if (turn === 'first') await setup.newChat();
      await chat.ask(`the ${turn} table`);
      const written = await service.next();
      written.think(`m ${turn}`, 'Slowly.');
      const result = {
        schema: [
          { name: 'label', columnType: 'string' },
          { name: 'n', columnType: 'number' },
        ],
        data: Array.from({ length: 60 }, (_, row) => [`row ${row}`, String(row)]),
        totalRows: '60',
      };
      written.tool(`t ${turn}`, 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: `Long ${turn}` }, result);
      written.say(LONG.slice(0, 12).join('\n\n'), `final ${turn}`);
      await chat.view
        .getByRole('grid', { name: `Results: Long ${turn}` })
        .getByText('row 3', { exact: true })
        .waitFor();
      written.say(`\n\n${LONG.slice(12).join('\n\n')}`, `final ${turn}`);
      await chat.answers().last().getByText('Paragraph 60 of').waitFor({ state: 'attached' });
      written.answer(LONG.join('\n\n'), `final ${turn}`);
      await chat.button('Send').waitFor();
      assert.equal(await chat.button('Jump to latest').count(), 0);
      await chat.answers().last().getByText('Paragraph 60 of').click({ trial: true });
      assert.equal(await chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
    }
  });

  it('keep pressed buttons and visible selections', async () => {
    await setup.newChat();
    await chat.ask('a long one');
    const written = await service.next();
    written.think('m1', 'Slowly.');
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Moving' });
    written.say(LONG.slice(0, 2).join('\n\n'));
    await chat.view.getByText('Paragraph 2 of').waitFor();
    const sql = chat.view
      .getByRole('group', { name: 'SQL query: Moving' })
      .getByRole('button', { name: 'SQL', exact: true });
    await sql.hover();
    await page.mouse.down();
    written.say(`\n\n${LONG.slice(2, 40).join('\n\n')}`);
    await chat.view.getByText('Paragraph 40 of').waitFor({ state: 'attached' });
    await page.mouse.up();
    await chat.view.locator('button[aria-expanded=true]', { hasText: /^SQL$/ }).waitFor({ state: 'attached' });
    const read = chat.view.getByText('Paragraph 38 of');
    await read.click({ trial: true });
    const box = await read.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 5, { steps: 4 });
    written.say(`\n\n${LONG.slice(40).join('\n\n')}`);
    await chat.view.getByText('Paragraph 60 of').waitFor({ state: 'attached' });
    await page.mouse.up();
    await chat.button('Jump to latest').waitFor();
    assert.ok(Math.abs(((await read.boundingBox())?.y ?? NaN) - box.y) <= 1);
    written.answer(LONG.join('\n\n'), 'final');
    await chat.told('Answer finished');
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

  it('open a thread of a thousand messages at its end', async () => {
    await setup.newChat();
    await chat.ask('the last question');
    const written = await service.next();
    const history = Array.from({ length: 499 }, (_, index) => [
      {
        id: `16000000${String(index).padStart(5, '0')}-message`,
        role: 'user',
        content: `question ${index}`,
        isDelta: false,
      },
      {
        id: `h${index}`,
        role: 'assistant',
        content: `answer ${index}`,
        graphPath: ['final'],
        isDelta: false,
        isInProcess: false,
      },
    ]).flat();
    written.line(...history);
    written.answer('the last answer');
    await chat.told('Answer finished');
    chat = await reloadPage(page);
    const last = chat.answers().last();
    await last.waitFor();
    assert.ok((await chat.answers().count()) < 100);
    assert.equal(await chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
    const shown = await chat.answers().count();
    await chat.log.focus();
    await page.keyboard.press('Home');
    await chat.answers().nth(shown).waitFor({ state: 'attached' });
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

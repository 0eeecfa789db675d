/** The conversation and its composer as a person uses them, against a service whose every line the test writes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { chatIn, innerFrame, openChat, pasteFile, type Chat } from './support/chat.ts';
import { openFile, quickInput, quickPickItem, runCommand, webview } from './support/editor.ts';
import { themes, type Launched } from './support/launch.ts';
import { writtenChat, type WrittenChat } from './support/writtenChat.ts';
import type { WrittenService } from './support/writtenService.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pixel = { name: 'pixel.png', type: 'image/png', bytes: [...Buffer.from(PIXEL, 'base64')] };
const LONG = Array.from({ length: 60 }, (_, index) => `Paragraph ${index + 1} of a long answer.`);

describe('Conversation', function () {
  this.timeout(90_000);
  let setup: WrittenChat;
  let service: WrittenService;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(async () => {
    setup = await writtenChat({ workspace: 'model' });
    ({ service, editor, page, chat } = setup);
  });
  after(() => setup.stop());

  const newChat = (): Promise<void> => setup.newChat();
  const reload = async (): Promise<void> => {
    await page.reload();
    await page.locator('.monaco-workbench').waitFor();
    chat = await openChat(page);
  };
  const asked = (): unknown[] => service.requests.flatMap(({ body }) => (body.input === undefined ? [] : [body.input]));

  describe('settings', () => {
    const reloadWith = async (settings: Record<string, unknown>): Promise<void> => {
      editor.server.writeSettings({ 'workbench.colorTheme': themes.dark, ...settings });
      await reload();
    };
    after(() => reloadWith({}));

    it('decide which key sends, and open the thinking', async () => {
      await reloadWith({ 'analyticsChat.sendKey': 'modEnter', 'analyticsChat.showThinking': 'expanded' });
      await chat.field.fill('two');
      await chat.field.press('Enter');
      await page.keyboard.type('lines');
      assert.equal(await chat.field.inputValue(), 'two\nlines');
      await chat.field.press('Control+Enter');
      const written = await service.next();
      assert.equal(written.body.input, 'two\nlines');
      written.think('m1', 'All in the open.');
      written.answer('Yes.');
      await chat.told('Answer finished');
      await chat.view.getByRole('group', { name: 'Thinking' }).getByText('All in the open.').waitFor();
    });

    it('hide the thinking', async () => {
      await reloadWith({ 'analyticsChat.showThinking': 'hidden' });
      await chat.answers().getByText('Yes.').waitFor();
      assert.equal(await chat.view.getByText('All in the open.').count(), 0);
      assert.equal(await chat.button(/^Steps/).count(), 0);
    });
  });

  describe('composer', () => {
    it('does not send while an input method composes', async () => {
      await newChat();
      const cdp = await editor.context.newCDPSession(page);
      const before = service.requests.length;
      await chat.field.click();
      await cdp.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
      await page.keyboard.press('Enter');
      await cdp.send('Input.insertText', { text: '日本' });
      await page.keyboard.type(' sales');
      assert.match(await chat.field.inputValue(), /日本 sales/);
      assert.equal(service.requests.length, before);
      assert.equal(await chat.view.getByRole('article', { name: 'You' }).count(), 0);
      await chat.field.fill('日本 sales');
      await page.keyboard.press('Enter');
      const written = await service.next();
      assert.equal(written.body.input, '日本 sales');
      written.answer('Many.');
      await chat.told('Answer finished');
    });

    it('queues what is sent meanwhile: shown, edited, removed, and sent in order', async () => {
      await newChat();
      await chat.ask('first');
      const first = await service.next();
      for (const text of ['second', 'third', 'fourth']) await chat.ask(text);
      const queue = chat.view.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
      await queue.nth(2).waitFor();
      assert.deepEqual(await queue.allTextContents(), ['second', 'third', 'fourth']);
      await queue.nth(1).getByRole('button', { name: 'Remove queued message' }).click();
      await queue.nth(2).waitFor({ state: 'detached' });
      await queue.nth(1).getByRole('button', { name: 'Edit queued message' }).click();
      await queue.nth(1).waitFor({ state: 'detached' });
      assert.equal(await chat.field.inputValue(), 'fourth');
      await page.keyboard.type(' and last');
      await page.keyboard.press('Enter');
      await queue.nth(1).waitFor();
      const before = service.requests.length;
      first.answer('1');
      const second = await service.next();
      assert.equal(second.body.input, 'second');
      second.answer('2');
      const last = await service.next();
      assert.equal(last.body.input, 'fourth and last');
      last.answer('3');
      await chat.told('Answer finished');
      await queue.first().waitFor({ state: 'detached' });
      assert.equal(service.requests.length, before + 2);
      assert.deepEqual(await chat.answers().allInnerTexts(), ['1', '2', '3']);
    });

    it('brings earlier questions back with the arrow keys', async () => {
      await chat.field.press('ArrowUp');
      assert.equal(await chat.field.inputValue(), 'fourth and last');
      await chat.field.press('ArrowUp');
      assert.equal(await chat.field.inputValue(), 'second');
      await chat.field.press('ArrowDown');
      assert.equal(await chat.field.inputValue(), 'fourth and last');
      await chat.field.press('ArrowDown');
      assert.equal(await chat.field.inputValue(), '');
    });

    it('lets a question be edited, and asked again', async () => {
      const question = chat.view.getByRole('article', { name: 'You' }).first();
      for (let presses = 1; presses <= 2; presses += 1) {
        await question.getByRole('button', { name: 'Edit question' }).click();
        assert.equal(await chat.field.inputValue(), 'first', 'once, however often it is pressed');
      }
      await chat.field.fill('');
      await question.getByRole('button', { name: 'Ask again' }).click();
      const again = await service.next();
      assert.equal(again.body.input, 'first');
      again.answer('1 again');
      await chat.told('Answer finished');
      await chat.answers().last().hover();
      await chat.answers().last().getByRole('button', { name: 'Copy answer' }).click();
      await page.locator('.statusbar-item').getByText('Answer copied').waitFor();
    });

    it('holds what waited for an answer that was stopped, to be sent when its author says so', async () => {
      await newChat();
      await chat.ask('first');
      await service.next();
      for (let at = 1; at <= 12; at += 1) await chat.ask(`waiting ${at}`);
      const queue = chat.view.getByRole('list', { name: 'Queued messages' });
      assert.equal(await chat.button('Send queued message').count(), 0);
      await chat.button('Stop').click();
      await chat.told('Stopped');
      const [field, view] = [await chat.field.boundingBox(), await chat.view.locator('main').boundingBox()];
      assert.ok(field && view && field.y + field.height <= view.y + view.height, 'the field is in sight');
      assert.equal(await queue.getByRole('listitem').count(), 12);
      await chat.button('Send queued message').first().click();
      const written = await service.next();
      assert.equal(written.body.input, 'waiting 1');
      assert.equal(await queue.getByRole('listitem').count(), 11);
      for (let at = 2; at <= 12; at += 1) {
        const one = queue.getByRole('listitem').filter({ has: chat.view.getByText(`waiting ${at}`, { exact: true }) });
        await one.getByRole('button', { name: 'Remove queued message' }).click();
        await one.waitFor({ state: 'detached' });
      }
      written.answer('At last.');
      await chat.told('Answer finished');
    });

    it('shows the images of a queued message, also of one without words', async () => {
      await newChat();
      await chat.ask('first');
      const first = await service.next();
      await pasteFile(chat, pixel);
      await chat.button('Send').click();
      const queue = chat.view.getByRole('list', { name: 'Queued messages' });
      await queue.getByRole('img', { name: 'pixel.png' }).waitFor();
      await queue.getByRole('button', { name: 'Remove queued message' }).click();
      await queue.waitFor({ state: 'detached' });
      first.answer('1');
      await chat.told('Answer finished');
    });

    it('offers slash commands, by keyboard alone', async () => {
      await chat.field.press('/');
      const options = chat.view.getByRole('listbox', { name: 'Commands' }).getByRole('option');
      assert.equal(await options.count(), 7);
      await page.keyboard.press('ArrowDown');
      const active = await chat.field.getAttribute('aria-activedescendant');
      assert.equal(await chat.view.locator(`#${active}`).getAttribute('aria-selected'), 'true');
      await page.keyboard.press('Escape');
      await options.first().waitFor({ state: 'detached' });
      await page.keyboard.type('ne');
      await options.first().waitFor();
      assert.equal(await options.count(), 1);
      await page.keyboard.press('Enter');
      await chat.view.getByText('Ask about your data.').waitFor();
      assert.equal(await chat.field.inputValue(), '');
    });

    it('attaches a file that is asked for with @, and the selection', async () => {
      await chat.field.pressSequentially('compare @');
      await quickInput(page).fill('scratch.sql');
      await quickPickItem(page, 'queries/scratch.sql').click();
      await innerFrame(chat).then((frame) =>
        frame.waitForFunction(() => document.querySelector('textarea')?.value.includes('scratch.sql')),
      );
      assert.match(await chat.field.inputValue(), /^About queries\/scratch\.sql:\n```sql\n[^]*\n```\n\ncompare $/);
      await chat.field.fill('');

      await openFile(page, 'scratch.sql');
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
      await chat.button('Attach context').click();
      await page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: 'Selection' }).click();
      await innerFrame(chat).then((frame) =>
        frame.waitForFunction(() => document.querySelector('textarea')?.value.includes('scratch.sql')),
      );
      await chat.field.fill('');
    });

    it('takes a file that is dragged from the explorer to a tab', async () => {
      await runCommand(page, 'Analytics Chat: Open Chat in Editor');
      const tab = chatIn(webview(page, 'editor'));
      await tab.field.waitFor();
      await page.keyboard.press('Control+Shift+E');
      const [file, field] = [page.getByRole('treeitem', { name: 'dbt_project.yml' }), tab.field];
      await file.hover();
      await page.mouse.down();
      const { x, y } = (await field.boundingBox()) ?? assert.fail();
      // Without the key, the editor would open the file where it is dropped.
      await page.keyboard.down('Shift');
      for (const above of [100, 5, 0]) await page.mouse.move(x + 100, y + 10 - above, { steps: 5 });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await innerFrame(tab).then((frame) =>
        frame.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('About dbt_project.yml:')),
      );
      await tab.field.fill('');
      await runCommand(page, 'View: Close All Editors');
      await openChat(page);
    });

    it('takes pasted images of the right type and size, and sends them as plain base64', async () => {
      await newChat();
      await pasteFile(chat, { name: 'notes.svg', type: 'image/svg+xml', bytes: 10 });
      await chat.told('Not attached');
      await chat.view.locator('.refused').getByText('Not attached').waitFor();
      await pasteFile(chat, { name: 'huge.png', type: 'image/png', bytes: 5 * 1024 * 1024 + 1 });
      assert.equal(await chat.view.getByRole('list', { name: 'Attached images' }).count(), 0);
      await pasteFile(chat, pixel);
      await chat.view.getByRole('img', { name: 'pixel.png' }).waitFor();
      await pasteFile(chat, { ...pixel, name: 'second.png', bytes: [...pixel.bytes, 0] });
      await chat.view.getByRole('img', { name: 'second.png' }).waitFor();
      await chat.ask('what is this?');
      const written = await service.next();
      assert.deepEqual(written.body.images, [
        { mimeType: 'image/png', data: PIXEL, name: 'pixel.png' },
        {
          mimeType: 'image/png',
          data: Buffer.from([...pixel.bytes, 0]).toString('base64'),
          name: 'second.png',
        },
      ]);
      await chat.view.getByRole('list', { name: 'Attached images' }).waitFor({ state: 'detached' });
      written.answer('A pixel.');
      await chat.told('Answer finished');
    });
  });

  describe('answers', () => {
    it('show thinking that comes in the same message as the answer, and each text once', async () => {
      await newChat();
      await chat.ask('think');
      const written = await service.next();
      written.line({
        id: 'm1',
        role: 'assistant',
        content: '',
        thinking: 'Because of the season.',
        graphPath: ['svc_data_analyst_agent'],
        isDelta: true,
        isInProcess: true,
      });
      await chat.view.getByRole('group', { name: 'Thinking' }).getByText('Because of the season.').waitFor();
      for (const content of ['It is ', 'winter.'])
        written.line({ id: 'm1', role: 'assistant', content, graphPath: [], isDelta: true, isInProcess: true });
      await chat.answers().getByText('It is winter.').waitFor();
      written.line({
        id: 'm1',
        role: 'assistant',
        content: 'It is winter.',
        thinking: '',
        isDelta: false,
        isInProcess: false,
      });
      // The consolidated answer repeats it.
      written.answer('It is winter.');
      await chat.told('Answer finished');
      assert.equal(await chat.answers().getByText('It is winter.').count(), 1);
      await chat.button(/^Steps/).click();
      await chat.view.getByRole('group', { name: 'Thinking' }).getByText('Because of the season.').waitFor();
    });

    it('read from the side where their letters begin', async () => {
      await newChat();
      await chat.ask('كم عدد الطلبات؟');
      (await service.next()).answer('عدد الطلبات ٧ في orders.');
      await chat.told('Answer finished');
      for (const text of ['كم عدد الطلبات؟', 'عدد الطلبات ٧ في orders.']) {
        const [before, behind] = await chat.log.getByText(text).evaluate((block) => {
          const words = document.createRange();
          words.selectNodeContents(block);
          const [around, inside] = [block.getBoundingClientRect(), words.getBoundingClientRect()];
          const style = getComputedStyle(block);
          return [
            inside.left - around.left - Number.parseFloat(style.paddingLeft),
            around.right - Number.parseFloat(style.paddingRight) - inside.right,
          ];
        });
        assert.ok(Math.abs(behind!) < 2, `${text}: ${before} px before it, ${behind} px behind it`);
      }
      const isReversed = await chat.log.getByText('عدد الطلبات ٧ في orders.').evaluate((block) => {
        const left = (word: string): number => {
          const range = document.createRange();
          const text = block.firstChild as Text;
          range.setStart(text, text.data.indexOf(word));
          range.setEnd(text, text.data.indexOf(word) + word.length);
          return range.getBoundingClientRect().left;
        };
        return left('عدد') > left('orders');
      });
      assert.ok(isReversed, 'the first word stands at the right, the last at the left');
    });

    it('say that something goes on below what is there already, and that nothing came', async () => {
      await newChat();
      await chat.ask('at work');
      let written = await service.next();
      const query = {
        sqlQuery: 'SELECT 1',
        queryTitle: 'One',
        schema: [{ name: 'n', column_type: 'number' }],
        data: [[1]],
      };
      written.think('m1', 'First.');
      await chat.view.getByText('First.').waitFor();
      assert.equal(await chat.view.getByText('Working…').count(), 0, 'the thinking itself shows it');
      written.tool('q1', 'svcSqlApi', query, query);
      await chat.view.getByText('Working…').waitFor();
      written.answer('One.');
      await chat.view.getByText('Working…').waitFor({ state: 'detached' });
      await chat.ask('nothing');
      written = await service.next();
      written.end();
      await chat.view.getByText('The agent gave no answer.').waitFor();
    });

    it('are found without a final line, and show what they cost', async () => {
      await newChat();
      await chat.ask('no final line');
      const written = await service.next();
      written.line({ id: 'a1', role: 'assistant', content: 'I look it up.', isDelta: false, isInProcess: false });
      written.tool('t1', 'svcMeta', { searchQuery: 'orders' }, { cubes: [], searchQuery: 'orders' });
      written.line({ id: 'a2', role: 'assistant', content: 'Seven orders.', isDelta: false, isInProcess: false });
      written.end({
        id: '__usage__',
        type: 'usage',
        usage: { inputTokens: 1000, outputTokens: 234, totalTokens: 1234 },
      });
      await chat.told('Answer finished');
      const answer = chat.answers().last();
      await answer.getByText('Seven orders.').waitFor();
      assert.equal(await answer.getByText('I look it up.').count(), 0);
      await answer.getByText('1,234 tokens').waitFor();
    });

    it('take every form of tool payload that is met', async () => {
      await chat.ask('variants');
      const written = await service.next();
      const card = (title: string) => chat.view.getByRole('group', { name: `SQL query: ${title}` });
      written.tool(
        't1',
        'svcSqlApiWithChart',
        { query: 'SELECT 1', queryTitle: 'Suffix' },
        {
          query: 'SELECT 1',
          queryTitle: 'Suffix',
          schema: [{ name: 'n', columnType: 'number' }],
          data: [['245']],
          totalRows: '245',
        },
      );
      await card('Suffix').getByText('1 of 245 rows').waitFor();
      written.line({
        id: 't2',
        role: 'assistant',
        content: '',
        graphPath: ['svc_data_analyst_agent', 'tools'],
        isInProcess: false,
        toolCall: {
          name: 'svcSqlApi',
          input: { sqlQuery: 'SELECT 2', queryTitle: 'Parsed' },
          result: {
            sqlQuery: 'SELECT 2',
            queryTitle: 'Parsed',
            schema: [
              { name: 'city', column_type: 'string' },
              { name: 'n', column_type: 'number' },
            ],
            data: [{ city: 'Bonn', n: 3 }],
            totalRows: 1,
          },
        },
      });
      await card('Parsed').getByText('Bonn').waitFor();
      written.tool('t3', 'svcSqlApi', { sqlQuery: 'SELECT 3', queryTitle: 'Broken' }, { error: 'no such column' });
      await card('Broken').getByText('no such column').waitFor();
      written.tool('t4', 'svcForecast', { horizon: 12 }, { forecast: [1, 2] });
      await chat.view.getByText('svcForecast').waitFor();
      written.answer('All four.');
      await chat.told('Answer finished');
    });

    it('stay as they were left while further questions are asked', async () => {
      await newChat();
      await chat.ask('the first question');
      const written = await service.next();
      const result = {
        schema: [{ name: 'n', columnType: 'number' }],
        data: [['1'], ['3'], ['2']],
        totalRows: '3',
      };
      written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Sorted' }, result);
      written.answer('Three rows.');
      await chat.told('Answer finished');
      const table = chat.view.getByRole('grid', { name: 'Results: Sorted' });
      await table.locator('.grid-name', { hasText: /^n$/ }).click();
      await table.locator('[role=columnheader][aria-sort=ascending]').waitFor();
      for (const question of ['second', 'third', 'fourth']) {
        await chat.ask(`the ${question} question`);
        (await service.next()).answer(`The ${question} answer.`);
        await chat.answers().getByText(`The ${question} answer.`).waitFor();
        await chat.button('Send').waitFor();
      }
      assert.equal(await table.locator('[role=columnheader][aria-sort=ascending]').count(), 1);
    });

    it('offer to retry what failed last, and nothing that later questions have left behind', async () => {
      await newChat();
      await chat.ask('one');
      (await service.next()).line({ error: 'The warehouse does not answer.' });
      await chat.button('Retry').waitFor();
      await chat.ask('two');
      (await service.next()).line({ error: 'It still does not.' });
      await chat.view.getByRole('alert').filter({ hasText: 'It still does not.' }).waitFor();
      assert.equal(await chat.view.getByRole('alert').count(), 2);
      assert.equal(await chat.button('Retry').count(), 1);
      await chat.button('Retry').click();
      const again = await service.next();
      assert.equal(again.body.input, 'two');
      again.answer('At last.');
      await chat.told('Answer finished');
      assert.equal(await chat.button('Retry').count(), 0);
    });

    it('stop by the palette and by Escape', async () => {
      for (const stop of [
        () => runCommand(page, 'Analytics Chat: Stop the Answer'),
        () => chat.field.press('Escape'),
      ]) {
        await newChat();
        await chat.ask('endless');
        const written = await service.next();
        written.say('On and ');
        await chat.answers().getByText('On and').waitFor();
        await stop();
        await chat.told('Stopped');
        written.say('on.');
        assert.equal(await chat.button('Stop').count(), 0);
        await chat.view.getByText('Stopped.', { exact: true }).waitFor();
        assert.equal((await chat.answers().textContent())?.includes('on.'), false);
        assert.ok(service.requests.at(-1)?.path.endsWith('/chat/abort'));
      }
    });
  });

  describe('views', () => {
    it('show one thread in step, in the side bar and in an editor tab', async () => {
      await newChat();
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
      await runCommand(page, 'View: Close Editor');
    });

    it('begin a new chat where it is asked for, and lend commands the SQL of the one that is used', async () => {
      const query = {
        sqlQuery: 'SELECT 1',
        queryTitle: 'One',
        schema: [{ name: 'n', column_type: 'number' }],
        data: [[1]],
      };
      const copied = async (): Promise<string> => {
        await runCommand(page, 'Analytics Chat: Copy Last SQL');
        return page.evaluate(() => navigator.clipboard.readText());
      };
      await editor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await newChat();
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
      assert.equal(await copied(), 'SELECT 2');
      await chat.field.click();
      assert.equal(await copied(), 'SELECT 1');
      await tab.field.click();
      assert.equal(await copied(), 'SELECT 2');
      await runCommand(page, 'View: Close Editor');
      assert.equal(await copied(), 'SELECT 1', 'that of the chat that is still there');
    });

    it('keep the place that is read, and lead back to the end', async () => {
      await newChat();
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

    it('stay at their end when a table takes its place', async () => {
      for (const turn of ['first', 'second']) {
        if (turn === 'first') await newChat();
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

    it('keep what is pressed under the pointer, and what is selected in sight', async () => {
      await newChat();
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

    it('take a click from the editor where it is made, whatever had the keyboard before', async () => {
      await newChat();
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
      // It has the keyboard, far above what is clicked then.
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
      await newChat();
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
      await reload();
      const last = chat.answers().last();
      await last.waitFor();
      assert.ok((await chat.answers().count()) < 100);
      assert.equal(await chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight < 2), true);
      const shown = await chat.answers().count();
      await chat.log.focus();
      await page.keyboard.press('Home');
      await chat.answers().nth(shown).waitFor({ state: 'attached' });
    });

    it('keep the draft, its image and the queue over a reload of the window', async () => {
      await newChat();
      await chat.ask('goes on');
      const running = await service.next();
      running.think('m1', 'It takes a while.');
      await chat.ask('is next');
      await chat.view.getByRole('listitem').filter({ hasText: 'is next' }).waitFor();
      await pasteFile(chat, pixel);
      await chat.field.fill('half a question');
      await chat.view.getByRole('img', { name: 'pixel.png' }).last().waitFor();
      // Drafts are saved when the typing pauses; the host has it once a second view shows it.
      await runCommand(page, 'Analytics Chat: Open Chat in Editor');
      const second = chatIn(webview(page, 'editor'));
      await second.field.and(second.view.locator(':not(:placeholder-shown)')).waitFor();
      await runCommand(page, 'View: Close Editor');
      await reload();
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
      await newChat();
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
});

/** Waits until two readings in a row are the same. */
async function settled(read: () => Promise<number>): Promise<void> {
  for (let last = NaN, now = await read(); last !== now; now = await read()) last = now;
}

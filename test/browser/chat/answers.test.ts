/** Answers as a person reads them, against a service whose every line the test writes. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { innerFrame, type Chat } from '../../support/chat.ts';
import { focuses } from '../../support/keyboard.ts';
import { becomes, until } from '../../support/until.ts';
import { setTop } from '../../../webview/studio/edit.ts';
import { useChatPage } from '../support/chatPage.ts';
import { finish, MEMBERS, work } from '../../support/service/ordersAnswer.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';

describe('Answers', () => {
  const setup = useChatPage();
  let service: WrittenService;
  let chat: Chat;

  before(() => ({ service, chat } = setup));

  it('show thinking from the same message as the answer, and each text once', async () => {
    const written = await setup.start('think');
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
    await becomes(() => chat.answers().getByText('It is winter.').count(), 1);
    await chat.button(/^Steps/).click();
    await chat.view.getByRole('group', { name: 'Thinking' }).getByText('Because of the season.').waitFor();
  });

  it('keep their state while more questions are asked', async () => {
    const written = await setup.start('the first question');
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

  it('count their rows while all are loaded, and say what differs', async () => {
    const written = await setup.start('rows');
    const result = { schema: [{ name: 'n', column_type: 'number' }], data: [[1], [2]], totalRows: 9 };
    for (const id of ['t1', 't2']) written.tool(id, 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: id }, result);
    written.answer('Many.');
    await chat.told('Answer finished');
    const card = chat.view.getByRole('group', { name: 'SQL query: t2' });
    const rows = (from: number, to: number): number[][] => Array.from({ length: to - from }, (_, at) => [from + at]);
    for (const [from, to, state, count, offers, notice] of [
      [0, 3, 'loading', '3 of 9 rows', 0],
      [3, 5, 'limited', '5 of 9 rows; export to get all', 0],
      [0, 1, 'stopped', '1 of 9 rows', 1],
      [0, 12, 'loading', '12 of 12 rows', 0],
      [0, 1, 'done', 'All 1 row', 0, 'Some rows differ.'],
      [0, 7, 'done', 'All 7 rows', 0],
    ] as const) {
      const message = { type: 'rows', toolCallId: 't2', from, rows: rows(from, to), state, ...(notice && { notice }) };
      await setup.page.evaluate((sent) => window.postMessage(sent, window.origin), message);
      await card.getByText(count, { exact: true }).waitFor();
      await becomes(() => card.getByRole('grid').getAttribute('aria-rowcount'), `${to + 1}`);
      assert.equal(await card.getByRole('button', { name: 'Load all' }).count(), offers, count);
      assert.deepEqual(await card.getByRole('note').allTextContents(), notice ? [notice] : []);
      if (notice) await chat.told(notice);
    }
    await card.getByRole('button', { name: 'Open results' }).click();
    const isWhole = (): unknown => setup.intents.findLast((each) => each.type === 'openResults')?.shown?.isWhole;
    await becomes(isWhole, true);
    await chat.view.getByText('2 of 9 rows', { exact: true }).waitFor();
  });

  it('keep how a table is sorted while their chart is shown', async () => {
    const written = await setup.start('sorted');
    const x = { field: 'n', type: 'quantitative' };
    const result = {
      schema: [{ name: 'n', column_type: 'number' }],
      data: Array.from({ length: 40 }, (_, at) => [at]),
      vegaSpec: { height: 40, mark: 'point', encoding: { x } },
    };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Both' }, result);
    written.answer('Many.');
    await chat.told('Answer finished');
    await chat.button('Show table').click();
    await chat.view.getByRole('gridcell').first().waitFor();
    const { height } = (await chat.view.getByRole('grid').boundingBox())!;
    assert.ok(height > 150 && height < 200, 'the chart is lower than a few rows');
    const sorted = chat.view.locator('[role=columnheader][aria-sort=ascending]');
    await chat.view.locator('.grid-name', { hasText: /^n$/ }).click();
    await sorted.waitFor();
    await chat.button('Show chart').click();
    await chat.button('Show table').click();
    await sorted.waitFor();
  });

  it('have a menu, to be used with the keyboard, where nothing else has one', async () => {
    const { page } = setup;
    const written = await setup.start('menus');
    written.say('Some words.');
    const words = chat.answers().getByText('words');
    const menu = chat.view.getByRole('menu');
    const opens = async (what = words): Promise<number> => {
      await what.click({ button: 'right' });
      return menu.count();
    };
    await words.waitFor();
    assert.equal(await opens(), 0, 'the answer is not finished');
    const result = { schema: [{ name: 'n' }], data: [[1]] };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Card' }, result);
    written.answer(
      'Some words and [a link](https://example.com).\n\n| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |',
      'final',
    );
    await chat.told('Answer finished');
    assert.equal(await opens(chat.view.getByRole('link')), 0, 'a link');
    await chat.view.getByRole('link').click();
    await becomes(() => setup.intents.at(-1), { type: 'openLink', href: 'https://example.com/' });
    assert.equal(await opens(chat.view.locator('.card-title')), 0, 'a card');
    await words.evaluate((text) => getSelection()?.selectAllChildren(text));
    assert.equal(await opens(), 0, 'selected text');
    await page.evaluate(() => getSelection()?.removeAllRanges());
    assert.equal(await opens(), 1);
    const [text, opened] = [(await words.boundingBox())!, (await menu.boundingBox())!];
    const pointer = { x: text.x + text.width / 2, y: text.y + text.height / 2 };
    assert.ok(Math.hypot(opened.x - pointer.x, opened.y - pointer.y) < 2, 'it is at the pointer');
    assert.deepEqual(await menu.getByRole('menuitem').allTextContents(), [
      'Copy answer',
      'Add as test…',
      'Certify…',
      'Correct…',
    ]);
    for (const [key, item] of [
      ['ArrowUp', 'Correct…'],
      ['ArrowUp', 'Certify…'],
      ['ArrowDown', 'Correct…'],
      ['ArrowDown', 'Copy answer'],
      ['End', 'Correct…'],
      ['Home', 'Copy answer'],
      ['C', 'Certify…'],
      ['c', 'Correct…'],
      ['c', 'Copy answer'],
      ['x', 'Copy answer'],
      ['a', 'Add as test…'],
    ] as const) {
      await page.keyboard.press(key);
      await focuses(chat, new RegExp(`^${item}$`));
    }
    await menu.getByText('Certify…').hover();
    await focuses(chat, /^Certify…$/);
    for (const key of ['Escape', 'Tab']) {
      await page.keyboard.press(key);
      await menu.waitFor({ state: 'detached' });
      await focuses(chat, /^Conversation$/);
      await opens();
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await becomes(() => setup.intents.at(-1), { type: 'addAsTest', toolCallId: 't1' });
    await menu.waitFor({ state: 'detached' });
    const tables = chat.button('Table actions');
    await tables.click();
    await becomes(() => tables.getAttribute('aria-expanded'), 'true');
    const [box, button] = [await menu.boundingBox(), await tables.boundingBox()];
    assert.ok(Math.hypot(box!.x - button!.x, box!.y - button!.y - button!.height) <= 2, 'it is below its button');
    await page.keyboard.press('Escape');
    await focuses(chat, /^Table actions$/);
    await becomes(() => tables.getAttribute('aria-expanded'), null);
    await tables.click();
    await chat.field.click();
    await menu.waitFor({ state: 'detached' });
    await focuses(chat, /^Message$/);
    // Where there is no room below or to the right of it.
    await page.setViewportSize({ width: 300, height: 250 });
    await chat.log.evaluate((log) => log.scrollTo(0, 0));
    await chat.view.locator('.bubble').click({ button: 'right' });
    const inside = await menu.evaluate((shown) => {
      const { top, left, right, bottom } = shown.getBoundingClientRect();
      return [top >= 4, left >= 4, right <= innerWidth - 4, bottom <= innerHeight];
    });
    assert.deepEqual(inside, [true, true, true, true]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 400, height: 700 });
    const asked = { text: 'nothing', images: [], context: { branch: '', isDefaultBranch: true, identity: 'dev' } };
    setup.session().dispatch([{ type: 'sent', id: 'q2', time: 0, ...asked }, { type: 'finished' }]);
    assert.equal(
      await opens(chat.view.getByText('The agent returned no answer.')),
      0,
      'there is nothing to do with it',
    );
  });

  it('are complete although the page has missed a part of them', async () => {
    const context = { branch: '', isDefaultBranch: true, identity: 'dev' };
    // Before the page listens: on a window, listeners are called in order.
    await setup.page.addInitScript(() =>
      window.addEventListener('message', (event: MessageEvent<{ type?: string }>) => {
        if (event.data.type !== 'events' || Reflect.get(window, 'drops') !== true) return;
        event.stopImmediatePropagation();
        Object.assign(window, { drops: false });
      }),
    );
    await setup.reload();
    for (const how of ['by the next part', 'when the page is shown again']) {
      await setup.newChat();
      await setup.page.evaluate(() => Object.assign(window, { drops: true }));
      setup.session().dispatch([{ type: 'sent', id: 'q1', text: 'missed', images: [], context, time: 0 }]);
      await setup.page.waitForFunction(() => Reflect.get(window, 'drops') === false);
      if (how === 'by the next part') setup.session().dispatch([{ type: 'finished' }]);
      else await setup.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await chat.view.getByRole('article', { name: 'You' }).getByText('missed').waitFor();
    }
  });

  it('show instants in the time zone of the identity that asked, and days as days', async () => {
    const written = await setup.start('times');
    const schema = ['day', 'at'].map((name) => ({ name, column_type: 'time' }));
    const data = [['2024-01-01T00:00:00Z', '2024-01-01T20:15:00Z']];
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT day, at', queryTitle: 'Times' }, { schema, data });
    written.answer('One row.');
    await chat.told('Answer finished');
    const cells = (): Promise<string[]> => chat.view.getByRole('gridcell').allInnerTexts();
    await becomes(cells, ['2024-01-01 00:00:00Z', '2024-01-01 20:15:00Z']);
    const heading = chat.view.getByRole('columnheader', { name: 'at' });
    await heading.click();
    assert.equal(await heading.getAttribute('aria-sort'), 'ascending');
    setup.setContext({ timeZones: { dev: 'Asia/Tokyo', other: 'Europe/Berlin' } });
    await becomes(cells, ['2024-01-01 00:00:00Z', '2024-01-02 05:15:00+09:00']);
    assert.equal(await heading.getAttribute('aria-sort'), 'none', 'it is another table');
    setup.setContext({ timeZones: { other: 'Europe/Berlin' } });
    await becomes(cells, ['2024-01-01 00:00:00Z', '2024-01-01 20:15:00Z']);
    setup.setContext({ timeZones: {} });
  });

  it('copy text that looks like a formula as the settings say', async () => {
    const written = await setup.start('formulas');
    const result = { schema: [{ name: 'n', columnType: 'string' }], data: [['=1'], ['2']], totalRows: '2' };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Formulas' }, result);
    written.answer('Two rows.');
    await chat.told('Answer finished');
    for (const [guardFormulas, text] of [
      [true, "'=1\n2\n"],
      [false, '=1\n2\n'],
    ] as const) {
      setup.setContext({ guardFormulas });
      await until(async () => {
        await chat.view.getByRole('gridcell').first().click();
        for (const key of ['Control+a', 'Control+c']) await setup.page.keyboard.press(key);
        return (await setup.page.evaluate(() => navigator.clipboard.readText())) === text;
      });
    }
    setup.setContext({ guardFormulas: true });
  });

  it('offer to retry only the last failure', async () => {
    await setup.newChat();
    await chat.ask('one');
    (await service.next()).line({ error: 'The warehouse does not answer.' });
    await chat.button('Retry').waitFor();
    await chat.ask('two');
    (await service.next()).line({ error: 'It still does not.' });
    await chat.view.getByRole('alert').filter({ hasText: 'It still does not.' }).waitFor();
    await becomes(() => chat.view.getByRole('alert').count(), 2);
    await becomes(() => chat.button('Retry').count(), 1);
    setup.setContext({ readOnly: true });
    await becomes(() => chat.button('Retry').count(), 0);
    setup.setContext({ readOnly: false });
    assert.equal(await chat.view.getByRole('status').innerText(), 'Answer started', 'only the alert is announced');
    await chat.button('Retry').click();
    const again = await service.next();
    assert.equal(again.body.input, 'two');
    again.answer('At last.');
    await chat.told('Answer finished');
    await chat.button('Retry').waitFor({ state: 'detached' });
  });

  it('offer follow-up questions only after the last one', async () => {
    const written = await setup.start('orders by status');
    work(written);
    const region = { name: 'orders.region', title: 'Region', description: '', type: 'string' };
    const cubes = [{ name: 'orders', title: 'Orders', members: [...MEMBERS, region] }];
    written.tool('t3', 'svcMeta', { searchQuery: 'region' }, { cubes });
    await finish(written, chat);
    const offered = chat.view.getByRole('list', { name: 'Follow-up questions' }).getByRole('button');
    const question = await offered.first().innerText();
    setup.setContext({ readOnly: true });
    await becomes(() => offered.count(), 0);
    setup.setContext({ readOnly: false });
    await offered.first().click();
    const next = await service.next();
    assert.equal(next.body.input, question);
    next.answer('Mostly in the north.');
    await chat.told('Answer finished');
    await becomes(() => offered.count(), 0);
  });

  it('stop when Escape is pressed', async () => {
    const written = await setup.start('endless');
    written.say('On and ');
    const words = chat.answers().getByText('On and');
    const hasCaret = (): Promise<boolean> =>
      words.evaluate((element) => getComputedStyle(element, '::after').display === 'inline-block');
    await becomes(hasCaret, true);
    // First, the key leaves what is above the field.
    await chat.field.fill('/');
    await chat.field.press('Escape');
    await chat.view.getByRole('listbox').waitFor({ state: 'detached' });
    await chat.button('Edit question').click();
    await chat.field.press('Escape');
    await chat.button('Cancel editing').waitFor({ state: 'detached' });
    assert.equal(await hasCaret(), true);
    await chat.field.press('Escape');
    await chat.told('Stopped');
    await becomes(hasCaret, false);
    written.say('on.');
    await chat.button('Stop').waitFor({ state: 'detached' });
    await chat.view.getByText('Stopped.', { exact: true }).waitFor();
    assert.equal((await chat.answers().textContent())?.includes('on.'), false);
    assert.ok(service.requests.at(-1)?.path.endsWith('/chat/abort'));
  });

  it('are on a page that reports its errors', async () => {
    await setup.page.evaluate(() => {
      setTimeout(() => {
        throw new Error('thrown');
      });
      void Promise.reject(new Error('rejected'));
    });
    await becomes(() => setup.problems.toSorted(), ['Error: rejected', 'Uncaught Error: thrown']);
    setup.problems.length = 0;
  });

  it('announce their start, their end once it is shown, and nothing in between', async () => {
    await setup.newChat();
    const heard = await (
      await innerFrame(chat)
    ).evaluateHandle(() => {
      const texts: unknown[] = [];
      const status = document.querySelector('[role=status]') ?? document.body;
      const note = (): unknown =>
        texts.push(status.textContent, document.querySelector('.log')?.textContent.includes('four'));
      new MutationObserver(note).observe(status, { childList: true, subtree: true });
      return texts;
    });
    await chat.ask('count');
    const written = await service.next();
    for (const word of ['One, ', 'two, ', 'three.']) {
      written.say(word);
      await chat.answers().getByText(word.trim()).waitFor();
    }
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT 1', queryTitle: 'One' });
    await chat.view.getByRole('group', { name: 'SQL query: One' }).waitFor();
    written.answer('One, two, three, four.', 'final');
    await chat.told('Answer finished');
    assert.deepEqual(await heard.jsonValue(), ['Answer started', false, 'Answer finished', true]);
    // Otherwise each change would be announced.
    assert.equal(await chat.log.getAttribute('aria-live'), 'off');
    // A short answer starts and ends within one batch of events.
    const context = { branch: '', isDefaultBranch: true, identity: 'dev' };
    const thought = { kind: 'message', id: 'm2', role: 'assistant', thinking: 'Again.' } as const;
    const time = Date.now();
    setup.session().dispatch([
      { type: 'sent', id: 'q2', text: 'again', images: [], context, time },
      {
        type: 'line',
        line: { ...thought, graphPath: ['svc_data_analyst_agent'], isDelta: false, isInProcess: false },
        time: time + 4000,
      },
      { type: 'finished' },
    ]);
    await chat.told('Answer finished');
    await chat.button('Steps: thought for 4 s').waitFor();
  });

  it('draw a chart once its specification can be drawn, and keep it while a change can’t be', async () => {
    const written = await setup.start('a chart');
    const result = {
      schema: [
        { name: 'city', columnType: 'string' },
        { name: 'n', columnType: 'number' },
      ],
      data: [
        ['Bonn', '1'],
        ['Ulm', '2'],
      ],
      totalRows: '3',
      vegaSpec: '{}',
    };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT 1', queryTitle: 'Cities' }, result);
    written.answer('Two.');
    const card = chat.view.getByRole('group', { name: 'SQL query: Cities' });
    const reason = card.getByText(/^Can’t draw the chart/);
    await reason.waitFor();
    const [x, y] = [
      { field: 'city', type: 'nominal' },
      { field: 'n', type: 'quantitative' },
    ];
    const disabled = await setup.page.evaluateHandle(() => {
      const seen: boolean[] = [];
      const look = (): void => {
        const save = document.querySelector<HTMLButtonElement>('[aria-label="Save chart"]');
        if (save) seen.push(save.disabled);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
      return seen;
    });
    // A number of rows that the studio does not offer, as entered in the editor.
    const spec = setTop({ mark: 'bar', encoding: { x, y } }, 15);
    const chartSpecs: [string, string][] = [
      ['t0', '{}'],
      ['t1', JSON.stringify(spec)],
    ];
    setup.setContext({ chartSpecs });
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    assert.equal(await reason.count(), 0);
    await card.getByRole('button', { name: 'Change chart' }).click();
    await becomes(() => card.getByRole('combobox', { name: 'Show' }).inputValue(), '15');
    await card.getByRole('button', { name: 'Show table' }).click();
    await card.getByRole('combobox', { name: 'Show' }).waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Show chart' }).click();
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    // Each time, a chart can be saved once it is drawn.
    await becomes(
      () => disabled.evaluate((seen) => seen.filter((each, at) => each !== seen[at - 1])),
      [true, false, true, false],
    );
    setup.setContext({ chartSpecs: [['t1', '[]']] });
    await chat.told('Can’t apply the change');
    assert.equal(await chat.view.getByRole('status').count(), 1);
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    // Without a data query URL, the rows would not be loaded.
    await card.getByRole('button', { name: 'Load all' }).click();
    await until(() => setup.intents.some(({ type }) => type === 'loadAll'));
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    setup.setContext({ chartSpecs });
    await card.getByText(/^Can’t apply the change/).waitFor({ state: 'detached' });
    // A load that was canceled: the chart shows the rows of the answer, not an unknown part of all.
    await setup.page.evaluate(() =>
      window.postMessage(
        { type: 'rows', toolCallId: 't1', from: 0, rows: [['Bonn', '1']], state: 'stopped' },
        window.origin,
      ),
    );
    await card.getByText('The chart shows 2 of 3 rows.').waitFor();
    setup.setContext({ chartSpecs: [] });
  });

  it('draw the last change of a chart, although the one before is drawn later', async () => {
    const { page } = setup;
    const written = await setup.start('many');
    const x = { field: 'n', type: 'quantitative' };
    // Charts of so many rows are drawn in a task of their own.
    const data = Array.from({ length: 1001 }, (_, at) => [at]);
    const result = {
      schema: [{ name: 'n', column_type: 'number' }],
      data,
      vegaSpec: { mark: 'tick', encoding: { x } },
    };
    written.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Many' }, result);
    written.answer('Many.');
    const draws = (kind: string) => chat.view.getByRole('img', { name: `Chart: Many. ${kind} of n.` }).waitFor();
    await draws('strip plot');
    await page.evaluate(() => {
      const { setTimeout: wait } = window;
      const hold = (run: () => void, ms?: number): number => {
        // Only a function that resolves a promise.
        if (!String(run).includes('native code')) return wait(run, ms);
        return Object.assign(window, { setTimeout: wait, release: run }) && 0;
      };
      Object.assign(window, { setTimeout: hold });
    });
    const change = (mark: string): void =>
      setup.setContext({ chartSpecs: [['t1', JSON.stringify({ mark, encoding: { x } })]] });
    change('bar');
    await page.waitForFunction(() => Reflect.has(window, 'release'));
    change('point');
    await draws('scatter plot');
    await page.evaluate(() => Reflect.get(window, 'release')());
    await becomes(() => chat.view.locator('.chart-next').count(), 0);
    await draws('scatter plot');
    setup.setContext({ chartSpecs: [] });
  });

  it('are copied as plain text, without the HTML and colors of the theme', async () => {
    await setup.newChat();
    await setup.answered('how much?', 'It **rose** by `12 %`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMore.');
    await chat.answers().evaluate((answer) => getSelection()?.selectAllChildren(answer.querySelector('.md') ?? answer));
    await setup.page.keyboard.press('Control+c');
    const copied = await setup.page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return [item?.types, await navigator.clipboard.readText()];
    });
    assert.deepEqual(copied, [['text/plain'], 'It rose by 12 %.\n\na\tb\n1\t2\nMore.']);
    await chat.field.fill('one two');
    await chat.field.press('Control+a');
    await setup.page.keyboard.press('Control+c');
    assert.equal(await setup.page.evaluate(() => navigator.clipboard.readText()), 'one two');
    await chat.field.fill('');
    await setup.page.evaluate(() => getSelection()?.removeAllRanges());
    await chat.log.press('Control+c');
    assert.equal(await setup.page.evaluate(() => navigator.clipboard.readText()), 'one two', 'nothing was selected');
  });

  it('show the members that the agent found below their definitions, in a tree with a filter', async () => {
    const written = await setup.start('members');
    const members = (of: string) =>
      ['count', 'total', 'average', 'status', 'region'].map((name) => ({
        ...{ name: `${of}.${name}`, title: `${of} ${name}`, type: 'number' },
        description: name === 'status' ? `Whether ${of} are paid` : '',
        ...(name === 'total' ? { aggType: 'sum' } : {}),
      }));
    const cubes = ['orders', 'returns'].map((name) => ({
      ...{ name, type: 'view', title: `The ${name}` },
      members: members(name),
    }));
    written.tool('t1', 'svcMeta', { searchQuery: 'what is there' }, { searchQuery: 'what is there', cubes });
    const search = chat.view.getByRole('group', { name: 'Model search: what is there' });
    // Folded while the answer is written, so that it moves nothing.
    await search.getByText('10 members').click();
    const tree = (): Promise<(string | null)[][]> =>
      search
        .locator('details.definition')
        .evaluateAll((all) =>
          all.map((one) => [
            one.querySelector('summary')?.textContent.trim() ?? null,
            ...[...one.querySelectorAll('li')].map((member) => member.textContent),
          ]),
        );
    await setup.page.setViewportSize({ width: 225, height: 700 });
    const cut = await search
      .locator('.member-name')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
      );
    assert.deepEqual(cut, [], 'what the members are called');
    await setup.page.setViewportSize({ width: 400, height: 700 });
    for (const part of ['Orders TOTAL', 'orders.TOTAL']) {
      await search.getByRole('textbox', { name: 'Filter members' }).fill(part);
      await becomes(tree, [['The orders view', 'orders totalorders.totalsum']]);
    }
    const field = search.getByRole('textbox', { name: 'Filter members' });
    await field.fill('');
    await field.pressSequentially('orders are paid');
    await becomes(tree, [['The orders view', 'orders statusorders.status']]);
    await search.getByRole('listitem').hover();
    await search.getByRole('button', { name: 'Insert orders.status' }).click();
    const intent = await until(() => setup.intents.find(({ type }) => type === 'insertMember'));
    assert.deepEqual(intent, { type: 'insertMember', name: 'orders.status' });
    written.answer('Ten.');
    await chat.told('Answer finished');
    await search.getByRole('textbox', { name: 'Filter members' }).click({ button: 'right' });
    assert.equal(await chat.view.getByRole('menu').count(), 0, 'the field has a menu of its own');
  });
});

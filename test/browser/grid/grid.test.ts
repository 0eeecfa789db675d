import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { whileComposing } from '../../support/keyboard.ts';
import { becomes } from '../../support/until.ts';
import { looks, outline } from '../support/outline.ts';
import { openSite, type GridSite } from './site.ts';

const columns = [
  { name: 'city', type: 'string' },
  { name: 'amount', type: 'number' },
  { name: 'created_at', type: 'time' },
  { name: 'meta', type: 'json' },
];
const rows = [
  ['Berlin', '9007199254740993', '2024-03-01T00:00:00.000', { a: [1, 2] }],
  ['', '0.10', '2024-01-01T00:00:00.000', null],
  [null, '-5', '2024-02-01T00:00:00.000', null],
  ["=O'Hara", null, null, null],
];

describe('the results grid in a browser', () => {
  let site: GridSite;
  let page: Page;

  before(async () => {
    site = await openSite();
    page = site.page;
  });
  after(() => site.close());
  afterEach(async () => {
    assert.deepEqual(await page.evaluate(() => window.gridPage.violations), []);
  });

  const show = (input: { rows: unknown[][]; columns: typeof columns } = { rows, columns }): Promise<void> =>
    page.evaluate((given) => window.gridPage.show({ name: 'Results: Orders', ...given }), input);

  /** Shows a large table that is created in the page: row 7 contains `7:0`, 7, `7:2` … */
  const showBig = (rowCount: number, columnCount: number): Promise<void> =>
    page.evaluate(
      ([height, width]) => {
        const cell = (row: number, column: number): unknown =>
          column === 1 ? (row * 7919) % 100_003 : `${row}:${column}`;
        window.gridPage.show({
          name: 'Results: Big',
          columns: Array.from({ length: width! }, (_, at) => ({
            name: `c${at}`,
            type: at === 1 ? 'number' : 'string',
          })),
          rows: Array.from({ length: height! }, (_, row) => Array.from({ length: width! }, (_, at) => cell(row, at))),
        });
      },
      [rowCount, columnCount],
    );

  /** Presses keys one after the other, with the focus in the grid. */
  const press = async (...keys: string[]): Promise<void> => {
    await page.evaluate(() => {
      if (!document.activeElement?.closest('[role=grid]')) window.gridPage.grid?.focus();
    });
    for (const key of keys) await page.keyboard.press(key);
  };

  /** The focused cell: row and column as announced to screen readers, and its text. */
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const cell = document.activeElement;
      return `${cell?.closest('[role=row]')?.ariaRowIndex}/${cell?.ariaColIndex} ${cell?.textContent}`;
    });

  const cells = (): Promise<(string | null)[][]> =>
    page
      .locator('.grid-body [role=row]')
      .evaluateAll((all) =>
        all
          .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
          .map((row) => [...row.querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent)),
      );
  const firstColumn = async (): Promise<(string | null | undefined)[]> => (await cells()).map(([first]) => first);
  const copied = (): Promise<string[]> => page.evaluate(() => window.gridPage.copied);
  const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true });
  /** Chooses an item in the menu of the column whose header has the cursor. */
  const choose = async (name: string): Promise<void> => {
    await press('Alt+ArrowDown');
    await menuItem(name).click();
  };
  const names = (): Promise<string[]> => page.locator('.grid-name').allInnerTexts();

  it('shows exact numbers, and distinguishes null from the empty string', async () => {
    await show();
    assert.deepEqual(await cells(), [
      ['Berlin', '9,007,199,254,740,993.00', '2024-03-01', '{"a":[1,2]}'],
      ['', '0.10', '2024-01-01', 'NULL'],
      ['NULL', '-5.00', '2024-02-01', 'NULL'],
      ["=O'Hara", 'NULL', 'NULL', 'NULL'],
    ]);
    const grid = page.getByRole('grid', { name: 'Results: Orders' });
    assert.equal(await grid.getAttribute('aria-rowcount'), '5');
    assert.equal(await grid.getAttribute('aria-colcount'), '5');
    const inner = await grid.evaluate((element) => element.scrollHeight - element.clientHeight);
    assert.equal(inner, 0, 'a short result has no scrollbar of its own');
  });

  it('is navigated by keyboard, and one Tab leaves it', async () => {
    await show();
    await press('ArrowRight', 'ArrowDown');
    assert.equal(await focused(), '3/3 0.10');
    await press('ArrowUp', 'ArrowUp');
    assert.equal(await focused(), '1/3 amount');
    assert.equal(await page.locator('[role=grid] [tabindex="0"]').count(), 1);
    // A key that is held down goes on, and does nothing else.
    for (let times = 0; times < 3; times += 1) await page.keyboard.down('ArrowDown');
    assert.equal(await focused(), '4/3 -5.00');
    await page.keyboard.up('ArrowDown');
    await press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('[role=grid]')), null);
  });

  it('selects ranges, rows, columns and everything, and sums them up', async () => {
    await show();
    const selected = (): Promise<number> => page.locator('[role=gridcell][aria-selected=true]').count();
    await press('ArrowRight', 'Shift+ArrowDown');
    assert.equal(await selected(), 2);
    assert.match(await page.locator('.grid-summary').innerText(), /Count 2\s+Sum 9,007,199,254,740,993.10\s+Average/);
    await press('Shift+Space');
    assert.equal(await selected(), 8);
    await press('Control+Space');
    assert.equal(await selected(), 4);
    assert.match(await page.locator('.grid-summary').innerText(), /Sum 9,007,199,254,740,988.10/);
    await press('Control+a');
    assert.equal(await selected(), 16);
    await press('Escape');
    assert.equal(await selected(), 1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.getByRole('columnheader', { name: 'Row' }).click();
    assert.equal(await selected(), 16, 'everything');
    await page.keyboard.press('Control+c');
    assert.equal((await copied())[0]?.trim().split('\n').length, 4, 'the focus is in the grid');
  });

  it('copies what was selected by dragging beyond its edge', async () => {
    await showBig(60, 5);
    await page.getByText('1:0', { exact: true }).hover();
    await page.mouse.down();
    await page.mouse.move(40, 475, { steps: 3 });
    await page.locator('[role=row][aria-rowindex="61"]').waitFor();
    await page.mouse.up();
    await page.keyboard.press('Control+c');
    const lines = (await copied())[0]?.split('\n') ?? [];
    assert.ok(lines.length > 40, `${lines.length} rows`);
    assert.equal(lines[0], '1:0');
    await press('Shift+ArrowUp', 'Control+c');
    assert.equal((await copied())[1]?.split('\n').length, lines.length - 1, 'the keyboard continues at its end');
  });

  it('copies every format', async () => {
    await show();
    // Ctrl+Shift+C is a shortcut of VS Code.
    await press('ArrowRight', 'Control+Shift+c', 'Control+c');
    await press('Control+Home', 'Shift+F10');
    await menuItem('Select All').click();
    await press('Shift+F10');
    await menuItem('Copy').click();
    for (const name of ['Copy with Headers', 'Copy as CSV', 'Copy as JSON', 'Copy as Markdown']) {
      await press('Shift+F10');
      await menuItem(name).click();
    }
    await press('Control+Space', 'Shift+F10');
    await menuItem('Copy as SQL IN List').click();
    await press('Escape', 'Shift+F10');
    await menuItem('Copy with Headers').click();
    const [one, tsv, headed, csv, json, markdown, sql, headedOne] = await copied();
    assert.equal(headedOne, 'city\nBerlin\n');
    assert.equal(one, '9007199254740993');
    const body = `Berlin\t9007199254740993\t2024-03-01\t"{""a"":[1,2]}"\n\t0.10\t2024-01-01\t\n\t-5\t2024-02-01\t\n'=O'Hara\t\t\t\n`;
    assert.equal(tsv, body);
    assert.equal(headed, `city\tamount\tcreated_at\tmeta\n${body}`);
    assert.match(csv ?? '', /^city,amount,created_at,meta\r\nBerlin,9007199254740993,/);
    assert.match(csv ?? '', /\r\n"",0\.10,.*,\r\n,-5,/);
    assert.match(json ?? '', /"amount": 9007199254740993,/);
    assert.match(markdown ?? '', /\| NULL \| -5 \|/);
    assert.equal(sql, "('Berlin', '', '=O''Hara')");
  });

  it('sorts by header, by type and with nulls last', async () => {
    await show();
    await press('ArrowUp', 'ArrowRight', 'Enter');
    assert.deepEqual(await firstColumn(), ['NULL', '', 'Berlin', "=O'Hara"]);
    assert.equal(await page.getByRole('columnheader', { name: 'amount' }).getAttribute('aria-sort'), 'ascending');
    // Rows keep their numbers.
    await becomes(() => page.getByRole('rowheader').allInnerTexts(), ['3', '2', '1', '4']);
    await press('ArrowDown', 'Enter');
    await page.getByRole('dialog', { name: 'amount, row 3' }).waitFor();
    await page.keyboard.press('Escape');
    await press('ArrowUp', 'Enter');
    assert.deepEqual(await firstColumn(), ['Berlin', '', 'NULL', "=O'Hara"]);
    await press('Enter');
    assert.deepEqual(await firstColumn(), ['Berlin', '', 'NULL', "=O'Hara"]);
    await page.getByRole('columnheader', { name: 'created_at' }).click();
    assert.deepEqual(await firstColumn(), ['', 'NULL', 'Berlin', "=O'Hara"]);
    assert.equal((await page.evaluate(() => window.gridPage.announced)).at(-1), 'Sorted by created_at, ascending');
    // Another column starts ascending too.
    await page.getByRole('columnheader', { name: 'city' }).click();
    assert.deepEqual(await firstColumn(), ['', "=O'Hara", 'Berlin', 'NULL']);
  });

  it('filters a column while typing, and says how many rows match', async () => {
    await show();
    const height = async () => (await page.getByRole('grid').boundingBox())?.height;
    const usual = await height();
    await press('ArrowUp', 'ArrowRight');
    await choose('Filter…');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('is less than');
    await whileComposing(page, '0.1', () => page.keyboard.press('Enter'));
    await page.getByText('1 of 4 rows match').waitFor();
    const value = page.getByPlaceholder('Value');
    for (const [typed, matching] of [
      ['1', '2 of 4 rows match'],
      ['-6', '0 of 4 rows match'],
    ] as const) {
      await value.fill(typed);
      await page.getByText(matching).waitFor();
      assert.ok(await value.evaluate((field) => field === document.activeElement), 'the field was not left');
    }
    await value.fill('0.1');
    await page.getByText('1 of 4 rows match').waitFor();
    assert.equal(await height(), usual, 'what is below stays where it is');
    assert.deepEqual(await firstColumn(), ['NULL']);
    await page.getByRole('textbox', { name: 'Value' }).press('Enter');
    assert.match(await focused(), /^1\/3 amount/);
    await choose('Remove Filter');
    assert.equal((await cells()).length, 4);
    await press('ArrowLeft', 'Control+End', 'Home', 'Shift+F10');
    await menuItem('Filter by This Value').click();
    assert.deepEqual(await firstColumn(), ["=O'Hara"]);
    assert.equal(await focused(), "2/2 =O'Hara");
    assert.equal(await page.locator('.grid-summary').innerText(), '1 of 4 rows matches');
  });

  it('filters its column even if another one is clicked before the filter is applied', async () => {
    await show();
    await press('ArrowUp', 'ArrowRight');
    await choose('Filter…');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('is less than');
    // On a busy machine the filter is applied before the click, and the cell is gone.
    const { x, y } = (await page.getByText('2024-03-01').boundingBox())!;
    await page.getByRole('textbox', { name: 'Value' }).fill('0');
    await page.mouse.click(x + 5, y + 5);
    await page.getByText('1 of 4 rows matches').waitFor();
    assert.deepEqual(await firstColumn(), ['NULL']);
    assert.equal(await page.getByRole('columnheader', { name: 'amount' }).getAttribute('aria-description'), 'filtered');
  });

  it('says what a filter of numbers or times expects', async () => {
    for (const [type, problem] of [
      ['number', 'Enter a number.'],
      ['timestamp', 'Enter a date, for example 2024-01-31.'],
    ] as const) {
      await show({ columns: [{ name: 'value', type }], rows: [['1'], ['2']] });
      await press('ArrowUp');
      await choose('Filter…');
      await page.getByRole('combobox', { name: 'Condition' }).selectOption('is greater than');
      const value = page.getByRole('textbox', { name: 'Value' });
      await value.fill('abc');
      assert.equal(await value.evaluate((field) => (field as HTMLInputElement).spellcheck), false);
      await page.getByRole('alert').filter({ hasText: problem }).waitFor();
      assert.equal(await value.getAttribute('aria-invalid'), 'true');
      await page.keyboard.press('Enter');
      assert.ok(await value.isVisible(), 'an invalid filter stays open');
      await value.fill('');
      await page.getByRole('alert').filter({ hasText: problem }).waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('button', { name: 'Remove Filter' }).count(), 0, 'there is no filter');
      await page.keyboard.press('Escape');
    }
  });

  it('marks the bound of a range that is invalid', async () => {
    await show();
    await press('ArrowUp', 'ArrowRight');
    await choose('Filter…');
    const condition = page.getByRole('combobox', { name: 'Condition' });
    await condition.selectOption('is between');
    const [value, to] = ['Value', 'Up to'].map((name) => page.getByRole('textbox', { name }));
    await value!.fill('1');
    await to!.fill('abc');
    const alert = page.getByRole('alert').filter({ hasText: 'Enter a number.' });
    await alert.waitFor();
    assert.deepEqual(await Promise.all([value, to].map((field) => field!.getAttribute('aria-invalid'))), [
      'false',
      'true',
    ]);
    // The hidden field does not count.
    await value!.fill('');
    await condition.selectOption('is greater than');
    await alert.waitFor({ state: 'detached' });
  });

  it('takes an operator in the value, and removes every condition', async () => {
    await show();
    const open = async (): Promise<void> => {
      await press('ArrowUp');
      await choose('Filter…');
    };
    await press('ArrowRight');
    await open();
    await page.keyboard.type('>=0.1');
    await page.keyboard.press('Enter');
    assert.deepEqual(await firstColumn(), ['Berlin', '']);
    await open();
    assert.equal(await page.getByRole('combobox', { name: 'Condition' }).inputValue(), 'atLeast');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('is empty');
    await page.getByText('1 of 4 rows matches').waitFor();
    await page.getByRole('button', { name: 'Remove Filter' }).click();
    assert.equal((await cells()).length, 4);
  });

  it('leaves a column that is dropped on its own edge where it is', async () => {
    await show();
    for (const [name, at] of [
      ['created_at', -0.9],
      ['meta', -0.9],
    ] as const) {
      const own = (await page.getByRole('columnheader', { name }).boundingBox())!;
      const middle = own.y + own.height / 2;
      await page.mouse.move(own.x + own.width / 2, middle);
      await page.mouse.down();
      await page.mouse.move(own.x + 10 * at, middle, { steps: 4 });
      await page.mouse.up();
      assert.deepEqual(await names(), ['city', 'amount', 'created_at', 'meta']);
    }
  });

  it('filters by a value that its column can’t compare', async () => {
    for (const [type, value] of [
      ['number', 'NaN'],
      ['timestamp', 'infinity'],
    ] as const) {
      await show({ columns: [{ name: 'value', type }], rows: [[value], ['1'], [null]] });
      await press('Shift+F10');
      await menuItem('Filter by This Value').click();
      await page.getByText('1 of 3 rows matches').waitFor();
      assert.deepEqual(await firstColumn(), [value]);
    }
  });

  it('opens the whole value of a cell, and gives the focus back', async () => {
    await show();
    await press('End', 'Enter');
    const dialog = page.getByRole('dialog', { name: 'meta, row 1' });
    assert.equal(await dialog.locator('pre').textContent(), JSON.stringify({ a: [1, 2] }, null, 2));
    await dialog.getByRole('button', { name: 'Copy value' }).click();
    assert.equal((await copied())[0], '{"a":[1,2]}');
    assert.ok(await dialog.isVisible(), 'only a click beside it closes it');
    await page.keyboard.press('Escape');
    assert.equal(await focused(), '2/5 {"a":[1,2]}');
    await page.getByText('Berlin').dblclick();
    const value = page.getByRole('dialog', { name: 'city, row 1' }).getByText('Berlin');
    await value.hover();
    await page.mouse.down();
    await page.mouse.move(2, 2, { steps: 3 });
    await page.mouse.up();
    assert.ok(await value.isVisible(), 'text can be selected by dragging to the outside');
    await page.mouse.click(2, 2);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await becomes(focused, '2/2 Berlin');
  });

  it('opens its menus with the right mouse button, and keeps them open when it is released', async () => {
    await show();
    for (const [place, name] of [
      [page.getByRole('gridcell').first(), 'Actions for the selection'],
      [page.getByRole('columnheader').nth(1), /^Actions for column/],
    ] as const) {
      await place.click({ button: 'right' });
      const menu = page.getByRole('menu', { name });
      await menu.waitFor();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      assert.ok(await menu.isVisible());
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
    await press('Control+Home', 'Shift+ArrowDown');
    await page.getByRole('gridcell').first().click({ button: 'right' });
    assert.equal(await page.locator('[aria-selected=true]').count(), 2, 'the selection stays');
    await page.keyboard.press('Escape');
    await page.getByText('2024-02-01').click({ button: 'right' });
    assert.deepEqual(await page.locator('[aria-selected=true]').allTextContents(), ['2024-02-01'], 'it is elsewhere');
    for (const name of ['Copy', 'Copy with Headers']) {
      await page.keyboard.press('c');
      assert.equal(await page.evaluate(() => document.activeElement?.querySelector('.menu-label')?.textContent), name);
    }
    await page.keyboard.press('Escape');
  });

  it('opens its menus above cells at the bottom of the window', async () => {
    await showBig(1000, 3);
    await press('Control+End', 'Shift+F10');
    const menu = page.getByRole('menu');
    const box = await menu.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 480, JSON.stringify(box));
    await page.keyboard.press('Tab');
    await menu.waitFor({ state: 'detached' });
    assert.match(await focused(), /^1001\/4/);
  });

  it('opens the menu of a column with a button, which is in the header under the pointer or with the focus', async () => {
    await show();
    await press('ArrowUp');
    const buttons = page.locator('[role=columnheader] button:visible');
    const labels = (): Promise<(string | null)[]> =>
      buttons.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    assert.deepEqual(await labels(), ['Actions for column city']);
    await page.getByRole('columnheader', { name: 'amount' }).hover();
    assert.deepEqual(await labels(), ['Actions for column city', 'Actions for column amount']);
    const button = page.getByRole('button', { name: 'Actions for column amount' });
    const { width, height } = (await button.boundingBox()) ?? assert.fail('not laid out');
    assert.ok(width >= 24 && height >= 24, `${width} × ${height}`);
    await button.click();
    await menuItem('Sort Descending').click();
    assert.deepEqual(await firstColumn(), ['Berlin', '', 'NULL', "=O'Hara"]);
    assert.match(await focused(), /^1\/3 amount/);
    // Screen readers can focus the button.
    await button.press('Enter');
    await menuItem('Sort Descending').waitFor();
    await page.keyboard.press('Escape');
    await button.click();
    await menuItem('Sort Descending').waitFor();
    await button.click({ position: { x: 4, y: 4 } });
    await menuItem('Sort Descending').waitFor({ state: 'detached' });
    assert.match(await focused(), /^1\/3 amount/);
  });

  it('shows the sort order beside the menu button, however narrow the column is', async () => {
    await show();
    for (const name of ['city', 'amount']) {
      await page.getByRole('columnheader', { name }).click();
      const isCovered = await page.locator(`[role=columnheader][title=${name}]`).evaluate((heading) => {
        const [label, button] = [...heading.children].map((child) => child.getBoundingClientRect());
        const isBefore = getComputedStyle(heading, '::before').order === '-1';
        const arrow = isBefore ? label!.left - 8 : label!.right + 8;
        return arrow > button!.left - 6 && arrow < button!.right + 6;
      });
      assert.equal(isCovered, false, name);
    }
  });

  it('moves, resizes, hides, shows and freezes columns by keyboard, and sums up those that are shown', async () => {
    await show();
    const width = (): Promise<number> =>
      page.getByRole('columnheader', { name: 'city' }).evaluate((e) => e.clientWidth);
    await press('ArrowUp', 'Control+Shift+ArrowRight');
    assert.deepEqual(await names(), ['amount', 'city', 'created_at', 'meta']);
    assert.match(await focused(), /^1\/3 city/);
    const before = await width();
    await press('Alt+Shift+ArrowRight');
    assert.ok((await width()) > before);
    await choose('Freeze Column');
    assert.deepEqual(await names(), ['city', 'amount', 'created_at', 'meta']);
    await choose('Hide Column');
    assert.deepEqual(await names(), ['amount', 'created_at', 'meta']);
    await press('Control+Space');
    assert.match(await page.locator('.grid-summary').innerText(), /Sum 9,007,199,254,740,988.10/);
    await choose('Show and Hide Columns…');
    const item = page.getByRole('menuitemcheckbox', { name: 'city' });
    assert.equal(await item.getAttribute('aria-checked'), 'false');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    assert.equal(await item.getAttribute('aria-checked'), 'true');
    assert.ok(await item.evaluate((focused) => focused === document.activeElement), 'the next one can be chosen');
    await page.keyboard.press('Escape');
    assert.deepEqual(await names(), ['city', 'amount', 'created_at', 'meta']);
  });

  it('does to a column what its menu says, but never hides the last one', async () => {
    await show();
    await press('ArrowUp', 'ArrowRight');
    const amount = page.getByRole('columnheader', { name: 'amount' });
    const width = (): Promise<number> => amount.evaluate((heading: HTMLElement) => heading.offsetWidth);
    const fitting = await width();
    const [usual, moved] = ['city,amount,created_at,meta', 'amount,city,created_at,meta'];
    for (const [item, expected] of [
      ['Move Left', `${moved} 0 none 0`],
      ['Move Right', `${usual} 0 none 0`],
      ['Make Wider', `${usual} 16 none 0`],
      ['Fit to Content', `${usual} 0 none 0`],
      ['Make Narrower', `${usual} -16 none 0`],
      ['Sort Descending', `${usual} -16 descending 0`],
      ['Sort Ascending', `${usual} -16 ascending 0`],
      ['Remove Sort', `${usual} -16 none 0`],
      ['Freeze Column', `${moved} -16 none 1`],
      ['Unfreeze Column', `${usual} -16 none 0`],
      ['Select Column', `${usual} -16 none 0`],
    ] as const) {
      await choose(item);
      const [order, wider, frozen] = [await names(), await width(), page.locator('.grid-heading.is-frozen')];
      const sort = await amount.getAttribute('aria-sort');
      assert.equal(`${order.join()} ${wider - fitting} ${sort} ${await frozen.count()}`, expected, item);
    }
    assert.equal(await page.locator('[role=gridcell][aria-selected=true]').count(), 4);
    for (const left of [3, 2, 1]) {
      await choose('Hide Column');
      assert.equal((await names()).length, left);
    }
    await choose('Show and Hide Columns…');
    await page.getByRole('menuitemcheckbox', { name: 'city' }).click();
    assert.deepEqual(await names(), ['city']);
    await page.keyboard.press('Escape');
  });

  it('keeps the header and frozen columns in view while the others scroll', async () => {
    await showBig(1000, 30);
    for (const keys of [['ArrowUp'], ['ArrowRight']]) {
      await press(...keys);
      await choose('Freeze Column');
    }
    const lines = await page
      .locator('[aria-rowindex="3"] > [role=gridcell]')
      .evaluateAll((all) => all.map((cell) => getComputedStyle(cell).borderRightColor));
    assert.deepEqual([new Set(lines).size, lines.indexOf(lines[1]!)], [2, 1], 'another line ends the frozen columns');
    const grid = page.getByRole('grid');
    const box = async (row: number, column: number) => {
      const cell = page.locator(`[role=row][aria-rowindex="${row}"] > [aria-colindex="${column}"]`);
      return (await cell.boundingBox()) ?? assert.fail(`no cell at ${row}/${column}`);
    };
    const [frozen, outer] = [await box(1, 2), await grid.boundingBox()];
    assert.ok(outer && frozen.y >= outer.y && frozen.x >= outer.x);
    await grid.evaluate((element) => element.scrollTo(2000, 11_000));
    await page.locator('[role=row][aria-rowindex="510"]').waitFor();
    assert.deepEqual(await box(1, 2), frozen);
    const [first, body] = [await box(510, 2), await page.locator('[role=row][aria-rowindex="510"]').innerText()];
    assert.equal(first.x, frozen.x);
    assert.match(body, /508:0/);
    assert.deepEqual(
      await grid.evaluate((element) => [document.scrollingElement?.scrollTop, element.scrollTop]),
      [0, 11_000],
    );
  });

  it('keeps frozen columns beside wider row numbers, the cursor beside them, and the focus elsewhere', async () => {
    const update = (count: number): Promise<void> =>
      page.evaluate((height) => {
        const names = Array.from({ length: 30 }, (_, at) => ({ name: `c${at}`, type: 'string' }));
        const all = Array.from({ length: height }, (_, row) => names.map((_name, at) => `${row}:${at}`));
        if (window.gridPage.grid) window.gridPage.grid.update({ columns: names, rows: all });
      }, count);
    await showBig(0, 0);
    await update(20);
    await press('ArrowUp');
    await choose('Freeze Column');
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    const box = async (column: number) => {
      const cell = page.locator(`[role=row][aria-rowindex="2"] > [aria-colindex="${column}"]`);
      return (await cell.boundingBox()) ?? assert.fail(`no cell in column ${column}`);
    };
    const narrow = await box(1);
    await page.getByRole('grid').evaluate((element) => element.scrollTo(600, 0));
    await update(20_000);
    assert.ok(await page.evaluate(() => document.activeElement === document.body), 'the grid took the focus');
    const [numbers, frozen] = [await box(1), await box(2)];
    assert.ok(numbers.width > narrow.width);
    assert.equal(frozen.x, numbers.x + numbers.width);
    await press('ArrowDown', 'End', ...Array.from({ length: 15 }, () => 'ArrowLeft'));
    assert.equal(await focused(), '2/16 0:14');
    const cursor = await box(16);
    assert.ok(cursor.x >= frozen.x + frozen.width, 'the cursor is behind the frozen column');
  });

  it('marks no cell in high-contrast themes until it has the focus', async () => {
    await site.useTheme('contrast');
    await show();
    const cell = page.getByRole('gridcell').first();
    const line = (): Promise<string> => cell.evaluate((element) => getComputedStyle(element).outlineStyle);
    assert.equal(await line(), 'none');
    await cell.focus();
    assert.notEqual(await line(), 'none');
    await site.useTheme('dark');
  });

  it('has a line below its header, also with the colors of the system', async () => {
    await show();
    await page.emulateMedia({ forcedColors: 'active' });
    const line = await page.locator('.grid-header').evaluate((header) => {
      const { borderBottomStyle, borderBottomColor, backgroundColor } = getComputedStyle(header);
      return borderBottomStyle === 'solid' && borderBottomColor !== backgroundColor;
    });
    await page.emulateMedia({ forcedColors: 'none' });
    assert.ok(line);
  });

  it('moves and resizes columns by dragging', async () => {
    await show();
    const box = async (name: string) => (await page.getByRole('columnheader', { name }).boundingBox())!;
    const [city, amount] = [await box('city'), await box('amount')];
    const middle = city.y + city.height / 2;
    await page.mouse.move(city.x + 10, middle);
    await page.mouse.down();
    await page.mouse.move(amount.x + amount.width - 20, middle, { steps: 5 });
    await page.mouse.up();
    assert.deepEqual(await names(), ['amount', 'city', 'created_at', 'meta']);
    assert.equal((await firstColumn())[0], '9,007,199,254,740,993.00', 'the rows are not sorted');
    const moved = await box('amount');
    await page.mouse.move(moved.x + moved.width - 2, middle);
    await page.mouse.down();
    await page.mouse.move(moved.x + moved.width + 48, middle, { steps: 5 });
    await page.mouse.up();
    assert.equal((await box('amount')).width, moved.width + 50);
    await page.mouse.dblclick(moved.x + moved.width + 48, middle);
    assert.equal((await box('amount')).width, amount.width, 'as wide as its content');
  });

  it('moves a column that is dragged beyond an edge, where it scrolls', async () => {
    await showBig(3, 20);
    const heading = (name: string) => page.locator(`[role=columnheader][title="${name}"]`);
    const drag = async (name: string, x: number, isThere: () => Promise<boolean>): Promise<void> => {
      const box = (await heading(name).boundingBox())!;
      const middle = box.y + box.height / 2;
      await page.mouse.move(box.x + 10, middle);
      await page.mouse.down();
      await page.mouse.move(x, middle, { steps: 5 });
      await becomes(isThere, true);
      await page.mouse.up();
    };
    const grid = page.getByRole('grid');
    const { x: left, width } = (await grid.boundingBox())!;
    await drag('c0', left + width + 4, () => grid.evaluate((e) => e.scrollLeft === e.scrollWidth - e.clientWidth));
    assert.deepEqual((await names()).slice(-2), ['c19', 'c0']);
    await drag('c0', left - 4, () => grid.evaluate((e) => e.scrollLeft === 0));
    assert.deepEqual((await names()).slice(0, 2), ['c0', 'c1']);
    assert.equal(await grid.evaluate((e) => e.scrollTop), 0);
    // Columns that don't fill the grid.
    await showBig(3, 3);
    await drag('c0', left + width - 4, () => Promise.resolve(true));
    assert.deepEqual(await names(), ['c1', 'c2', 'c0']);
  });

  it('resizes a column that is partly out of view without scrolling', async () => {
    await showBig(3, 30);
    const heading = page.locator('[role=columnheader][aria-colindex="4"]');
    const edge = async (): Promise<number> => {
      const { x, width } = (await heading.boundingBox())!;
      return Math.round(x + width);
    };
    const { y } = (await heading.boundingBox())!;
    const dragEdge = async (by: number): Promise<void> => {
      const from = (await edge()) - 2;
      await page.mouse.move(from, y + 12);
      await page.mouse.down();
      await page.mouse.move(from + by, y + 12, { steps: 3 });
      await page.mouse.up();
    };
    await dragEdge(300);
    await page.getByRole('grid').evaluate((element) => element.scrollTo(200, 0));
    const before = await edge();
    await dragEdge(30);
    assert.equal(await edge(), before + 30);
    assert.match(await focused(), /^1\/4 c2/);
    await page.mouse.dblclick(before + 28, y + 12);
    assert.equal(await heading.getAttribute('aria-sort'), 'none');
    assert.ok((await heading.boundingBox())!.width < 100, 'as wide as its content');
  });

  it('scrolls through 100,000 rows and 50 columns, rendering only visible cells', async () => {
    await showBig(100_000, 50);
    const grid = page.getByRole('grid');
    for (const [top, left] of [
      [1_100_000, 0],
      [500_000, 1500],
      [99_999 * 22, 9999],
    ] as const) {
      await grid.evaluate((element, [y, x]) => element.scrollTo(x, y), [top, left] as const);
      const wanted = await grid.evaluate((element) => Math.floor(element.scrollTop / 22) + 5);
      const row = page.locator(`.grid-body [role=row][aria-rowindex="${wanted + 2}"]`);
      await row.waitFor();
      const found = await row.evaluate((element) =>
        [...element.querySelectorAll('[role=gridcell]')]
          .filter((cell) => Number(cell.ariaColIndex) !== 3)
          .map((cell) => `${Number(element.ariaRowIndex) - 2}:${Number(cell.ariaColIndex) - 2} ${cell.textContent}`),
      );
      assert.ok(found.length > 2);
      for (const cell of found) assert.equal(cell.split(' ')[0], cell.split(' ')[1]);
    }
    assert.ok((await page.locator('[role=gridcell]').count()) < 600);
    await press('Control+End');
    assert.equal(await focused(), '100001/51 99999:49');
    await press('PageUp', 'Control+Home');
    assert.equal(await focused(), '2/2 0:0');
    // Sideways and back: the cells of every row are still side by side.
    const second = page.locator('[role=columnheader][aria-colindex="3"]');
    for (const [left, count] of [
      [600, 0],
      [0, 1],
    ] as const) {
      await grid.evaluate((element, x) => element.scrollTo(x, 0), left);
      await becomes(() => second.count(), count);
    }
    const gaps = await page.locator('[role=row]').evaluateAll((all) =>
      all.flatMap((row) => {
        const boxes = [...row.children].map((cell) => cell.getBoundingClientRect());
        return boxes.slice(1).filter((box, at) => Math.abs(box.left - boxes[at]!.right) > 1);
      }),
    );
    assert.equal(gaps.length, 0);
  });

  it('keeps the focus while its cell is scrolled out of view', async () => {
    await showBig(1000, 30);
    await press(...Array<string>(40).fill('ArrowDown'), 'ArrowRight', 'ArrowRight');
    await page.getByRole('grid').evaluate((element) => element.scrollTo(2000, 15_000));
    await page.locator('[role=row][aria-rowindex="690"]').waitFor();
    assert.equal(await focused(), '42/4 40:2');
    await press('Control+a', 'Escape');
    assert.equal(await page.getByRole('grid').evaluate((element) => element.scrollTop), 15_000, 'nothing scrolls');
    await press('ArrowDown');
    assert.equal(await focused(), '43/4 41:2');
    await page.locator('[role=row][aria-rowindex="42"]').waitFor();
  });

  it('sorts and copies 100,000 rows', async () => {
    await showBig(100_000, 5);
    await press('ArrowUp', 'ArrowRight', 'Enter', 'Enter');
    await page.locator('[role=columnheader][aria-colindex="3"][aria-sort=descending]').waitFor();
    const descending = Array.from({ length: 100_000 }, (_, row) => (row * 7919) % 100_003).sort((a, b) => b - a);
    const shown = (await cells()).slice(0, 10).map((row) => Number(row[1]?.replaceAll(',', '')));
    assert.deepEqual(shown, descending.slice(0, 10));
    await press('Control+a', 'Control+c');
    await page.waitForFunction(() => window.gridPage.copied.length === 1);
    const lines = (await copied())[0]?.split('\n') ?? [];
    assert.equal(lines.length, 100_001);
  });

  it('appends arriving rows, and keeps sort, filter and scroll position', async () => {
    await show();
    await press('ArrowRight', 'Shift+ArrowDown');
    await page.evaluate(
      ({ columns: names, rows: first }) => {
        const all = [...first];
        const table = { columns: names, rows: all };
        for (let at = 0; at < 500; at++) {
          all.push([`more ${at}`, String(at), null, null]);
          window.gridPage.grid?.update(table);
        }
      },
      { columns, rows },
    );
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '505');
    assert.equal(await focused(), '3/3 0.10');
    assert.equal(await page.locator('[aria-selected=true]').count(), 2, 'what is selected');
    await press('Control+End', 'Home');
    assert.equal(await focused(), '505/2 more 499');
    const number = { columns: [{ name: 'n', type: 'number' }], rows: [['1']] };
    await show(number);
    await page.evaluate((table) => window.gridPage.grid?.update(table), { ...number, rows: [['1'], ['2.25']] });
    assert.deepEqual(await firstColumn(), ['1.00', '2.25'], 'all have the decimals that the new rows need');
  });

  it('accepts no rows and no columns', async () => {
    await show({ rows: [], columns });
    await press('ArrowRight', 'Control+a', 'Control+c', 'Enter', 'Control+End', 'Delete');
    assert.match(await focused(), /^1\/5 meta/);
    await show({ rows: [], columns: [] });
    await press('ArrowRight', 'Control+a', 'Enter');
    assert.deepEqual(await copied(), []);
  });

  it('shows everything that looks like markup as text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    await show({ columns: [{ name, type: 'string' }], rows: [[`${name}&amp;`]] } as never);
    assert.deepEqual(await cells(), [[`${name}&amp;`]]);
    await press('Enter');
    assert.equal(await page.getByRole('dialog').locator('pre').textContent(), `${name}&amp;`);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('main img').count(), 0);
  });

  it('tells screen readers about its cells, their order, filters and selection', async () => {
    await show();
    const filter = { condition: 'notEmpty', value: '', to: '' } as const;
    await page.evaluate((shown) => window.gridPage.grid?.arrange(shown), {
      columns: [2, 1, 0],
      sorting: { column: 1, direction: 'descending' },
      filters: [[0, filter]],
    } as const);
    await press('ArrowUp');
    await choose('Freeze Column');
    await press('ArrowDown', 'ArrowRight', 'Shift+ArrowRight');
    const attributes = ['rowindex', 'colindex', 'rowcount', 'colcount', 'multiselectable'];
    const found = `${await outline(page.locator('main'))}\n\n${await looks(page.locator('main'), attributes)}`;
    assert.equal(
      found,
      `main "Results"
  grid "Results: Orders"
    rowgroup [row ^# | ^created_at | ^amount | ^city]
    rowgroup
      row #1 | 2024-03-01 | 9,007,199,254,740,993.00 selected | Berlin selected
      row #4 | NULL | NULL | =O'Hara
  "2 of 4 rows match Count 2 Sum 9,007,199,254,740,993.00 Average 9,007,199,254,740,993.00"

Results: Orders: rowcount=3, colcount=4, multiselectable=true | div: “2 of 4 rows match · Count 2 · Sum 9,007,199,254,740,993.00 · Average 9,007,199,254,740,993.00”, quiet
#created_atamountcity: rowindex=1 | Row: colindex=1 | created_at: “created_at”, no tab stop, sort=none, colindex=2 | amount: “amount”, no tab stop, sort=descending, colindex=3 | city: “city”, no tab stop, sort=none, description=filtered, colindex=4
div: rowindex=2 | 1: colindex=1 | 2024-03-01: no tab stop, colindex=2 | 9,007,199,254,740,993.00: no tab stop, colindex=3 | Berlin: tab stop, colindex=4
4NULLNULL=O'Hara: rowindex=3 | 4: colindex=1 | NULL: no tab stop, quiet, colindex=2 | NULL: no tab stop, quiet, colindex=3 | =O'Hara: no tab stop, colindex=4`,
    );
  });

  it('shows numbers, nulls, order, filters and the selection to the eye, and no longer than they last', async () => {
    /** Icons and sides of headers; of rows the background, and the sides, fonts and backgrounds of their cells. */
    const appearance = () =>
      page.evaluate(() => {
        const icons: Record<string, string> = { '\ueaa1': '↑', '\uea9a': '↓', '\uebce': '▽' };
        const all = (part: ParentNode, what: string) => [...part.querySelectorAll<HTMLElement>(what)];
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = 'var(--vscode-editorLineNumber-activeForeground)';
        const active = getComputedStyle(probe).color;
        probe.remove();
        const heads = all(document, '.grid-heading').map((heading) => {
          const shown = ['::before', '::after'].map((part) => getComputedStyle(heading, part).content[1] ?? '');
          const side = getComputedStyle(heading).justifyContent === 'flex-end' ? '>' : '';
          return heading.title + side + shown.map((icon) => icons[icon] ?? '').join('');
        });
        const rows = all(document, '.grid-body [role=row]')
          .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
          .map((row) => {
            const number = row.querySelector<HTMLElement>('[role=rowheader]')!;
            const isMarked = getComputedStyle(number).color === active;
            const isOdd = getComputedStyle(row).backgroundColor !== 'rgba(0, 0, 0, 0)';
            const cells = all(row, '[role=gridcell]').map((cell) => {
              const { textAlign, fontStyle, backgroundImage } = getComputedStyle(cell);
              return [textAlign === 'right' ? '>' : '·', fontStyle === 'italic' ? '∅' : '']
                .concat(backgroundImage === 'none' ? '' : '■')
                .join('');
            });
            return `${number.textContent}${isMarked ? '*' : ''}${isOdd ? '~' : ''} ${cells.join(' ')}`;
          });
        return [heads.join(' '), ...rows];
      });
    const seen: unknown[] = [];
    await show();
    await page.mouse.move(0, 0);
    await press('ArrowDown');
    seen.push(await appearance());
    await page.evaluate(() =>
      window.gridPage.grid?.arrange({
        columns: [0, 1, 2, 3],
        sorting: { column: 1, direction: 'descending' },
        filters: [0, 1].map((column) => [column, { condition: 'notEmpty', value: '', to: '' }] as const),
      }),
    );
    await press('Control+Home', 'ArrowRight', 'Shift+ArrowRight');
    seen.push(await appearance());
    await press('Control+Home', 'ArrowUp');
    await choose('Remove Filter');
    seen.push(await appearance());
    await press('ArrowRight');
    for (const item of ['Sort Ascending', 'Remove Filter', 'Remove Sort', 'Move Left']) {
      await choose(item);
      if (item === 'Sort Ascending') seen.push((await appearance())[0]);
    }
    await press('ArrowDown', 'ArrowDown', 'Shift+Space');
    seen.push(await appearance());
    // What is opened and filtered by is the value in its new place.
    await press('Enter');
    await page.getByRole('region', { name: 'amount, row 2' }).getByText('0.10', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(seen, [
      ['city amount> created_at meta', '1 · > · ·', '2*~ ·■ > · ·∅', '3 ·∅ > · ·∅', '4~ · >∅ ·∅ ·∅'],
      ['city▽ amount>↓▽ created_at meta', '1* · >■ ·■ ·'],
      ['city amount>↓▽ created_at meta', '1 · > · ·', '2~ · > · ·∅', '3 ·∅ > · ·∅'],
      'city amount>↑▽ created_at meta',
      ['amount> city created_at meta', '1 > · · ·', '2*~ >■ ·■ ·■ ·∅■', '3 > ·∅ · ·∅', '4~ >∅ · ·∅ ·∅'],
    ]);
  });

  it('fits its columns to their names and values, in their fonts', async () => {
    const given = {
      'a name that is longer': ['x', null],
      amount: ['1234567890123.25', '12345678.5'],
      text: ['The quick brown fox', 'jumps over the lazy dog'],
      flag: [null, null],
    };
    await show({
      columns: Object.keys(given).map((name) => ({ name, type: name === 'amount' ? 'number' : 'string' })),
      rows: [0, 1].map((row) => Object.values(given).map((values) => values[row])),
    });
    const left = await page.locator('.grid-heading').evaluateAll((headings) =>
      headings.map((heading) => {
        const cells = document.querySelectorAll(`[role=gridcell][aria-colindex="${heading.ariaColIndex}"]`);
        const rooms = [heading.querySelector('.grid-name')!, ...cells].map((part) => {
          const range = new Range();
          range.selectNodeContents(part);
          return heading.clientWidth - range.getBoundingClientRect().width;
        });
        return Math.round(Math.min(...rooms));
      }),
    );
    assert.ok(
      left.every((room) => room >= 17 && room <= 40),
      left.join(),
    );
    // Long ones are cut, so that the next columns stay in view.
    const long = 'long '.repeat(30);
    await show({
      columns: ['short', long, 'value'].map((name) => ({ name, type: 'string' })),
      rows: [['x', 'x', long]],
    });
    const widths = page
      .getByRole('columnheader')
      .evaluateAll((heads) => heads.slice(1).map((head) => head.getBoundingClientRect().width));
    assert.deepEqual((await widths).slice(1), [320, 320]);
  });

  it('has the commands for a column or a selection in its menus, with their keys', async () => {
    const menus: string[] = [];
    const menu = async (): Promise<void> => {
      const items = page.locator('[role=menu] > *');
      const texts = (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim() || '—');
      menus.push(`${await page.getByRole('menu').getAttribute('aria-label')}: ${texts.join(' · ')}`);
      await page.keyboard.press('Escape');
      // Also hidden: it is removed after it has closed.
      await page.locator('[role=menu]').waitFor({ state: 'detached' });
    };
    await show();
    await press('ArrowUp', 'ArrowRight', 'Enter');
    await choose('Freeze Column');
    await choose('Filter…');
    await page.getByRole('textbox', { name: 'Value' }).fill('<1');
    await page.keyboard.press('Enter');
    await press('Alt+ArrowDown');
    await menu();
    await press('ArrowRight');
    await choose('Hide Column');
    await press('Alt+ArrowDown');
    await menu();
    await choose('Show and Hide Columns…');
    menus.push(await outline(page.getByRole('menu')));
    await page.keyboard.press('Escape');
    await page.locator('[role=menu]').waitFor({ state: 'detached' });
    await press('ArrowDown', 'Shift+F10');
    await menu();
    await show({ columns: columns.slice(0, 1), rows });
    await press('ArrowUp', 'Alt+ArrowDown');
    await menu();
    const found = menus.join('\n');
    assert.equal(
      found,
      `Actions for column amount: Sort Ascending · Sort Descending · Remove Sort · — · Filter… · Remove Filter · — · Unfreeze Column · Hide Column · Show and Hide Columns… · — · Move Left Ctrl+Shift+← · Move Right Ctrl+Shift+→ · Make Wider Shift+Alt+→ · Make Narrower Shift+Alt+← · Fit to Content · — · Select Column Ctrl+Space
Actions for column created_at: Sort Ascending · Sort Descending · — · Filter… · — · Freeze Column · Hide Column · Show and Hide Columns… · — · Move Left Ctrl+Shift+← · Move Right Ctrl+Shift+→ · Make Wider Shift+Alt+→ · Make Narrower Shift+Alt+← · Fit to Content · — · Select Column Ctrl+Space
menu "Show and Hide Columns…"
  menuitemcheckbox "city", menuitemcheckbox "amount" checked, menuitemcheckbox "created_at" checked
  menuitemcheckbox "meta" checked
Actions for the selection: Show Value Enter · — · Copy Ctrl+C · Copy with Headers · Copy as CSV · Copy as JSON · Copy as Markdown · Copy as SQL IN List · — · Filter by This Value · — · Select All Ctrl+A
Actions for column city: Sort Ascending · Sort Descending · — · Filter… · — · Freeze Column · Show and Hide Columns… · — · Move Left Ctrl+Shift+← · Move Right Ctrl+Shift+→ · Make Wider Shift+Alt+→ · Make Narrower Shift+Alt+← · Fit to Content · — · Select Column Ctrl+Space`,
    );
  });

  it('edits the filter of each kind of column, with the fields that its condition needs', async () => {
    const panels: string[] = [];
    const panel = async (condition = ''): Promise<void> => {
      const shown = page.getByRole('dialog', { name: /^Filter / });
      if (condition !== '') await shown.getByRole('combobox').selectOption(condition);
      const focus = await page.evaluate(() => document.activeElement?.ariaLabel);
      panels.push(`${await outline(shown)}\nfocus: ${focus}`);
    };
    const open = async (name: string): Promise<void> => {
      await page.getByRole('columnheader', { name }).click({ button: 'right' });
      await menuItem('Filter…').click();
    };
    await show();
    for (const { name } of columns) {
      await open(name);
      await panel();
      if (name === 'amount') await panel('is between');
      if (name === 'city') {
        await page.getByRole('combobox', { name: 'Condition' }).selectOption('is empty');
        await page.getByRole('button', { name: 'Remove Filter' }).waitFor();
        await panel();
        await page.keyboard.press('Escape');
        await open(name);
        await panel();
      }
      await page.keyboard.press('Escape');
    }
    const found = panels.join('\n');
    assert.equal(
      found,
      `dialog "Filter city"
  combobox "Condition"
    option "contains" selected, option "equals", option "does not equal", option "is empty", option "is not empty"
  textbox "Value"
focus: Value
dialog "Filter city"
  combobox "Condition"
    option "contains", option "equals", option "does not equal", option "is empty" selected, option "is not empty"
  button "Remove Filter"
focus: null
dialog "Filter city"
  combobox "Condition"
    option "contains", option "equals", option "does not equal", option "is empty" selected, option "is not empty"
  button "Remove Filter"
focus: Condition
dialog "Filter amount"
  combobox "Condition"
    option "contains", option "equals" selected, option "does not equal", option "is greater than"
    option "is at least", option "is less than", option "is at most", option "is between", option "is empty"
    option "is not empty"
  textbox "Value"
focus: Value
dialog "Filter amount"
  combobox "Condition"
    option "contains", option "equals", option "does not equal", option "is greater than", option "is at least"
    option "is less than", option "is at most", option "is between" selected, option "is empty", option "is not empty"
  textbox "Value", textbox "Up to"
focus: Value
dialog "Filter created_at"
  combobox "Condition"
    option "contains" selected, option "equals", option "does not equal", option "is greater than"
    option "is at least", option "is less than", option "is at most", option "is between", option "is empty"
    option "is not empty"
  textbox "Value"
focus: Value
dialog "Filter meta"
  combobox "Condition"
    option "contains" selected, option "equals", option "does not equal", option "is empty", option "is not empty"
  textbox "Value"
focus: Value`,
    );
    await open('city');
    await page.getByRole('button', { name: 'Remove Filter' }).press('Enter');
    assert.equal((await cells()).length, 4);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.match(await focused(), /^1\/2 city/);
  });

  it('shows a value in a dialog of its own, which keeps its keys and gives the focus back', async () => {
    await show();
    const dialogs: string[] = [];
    for (const keys of [['Enter'], ['ArrowDown', 'F2'], ['ArrowDown', 'Shift+F10', 'Enter'], ['End', 'Enter']]) {
      await press(...keys);
      const dialog = page.getByRole('dialog');
      dialogs.push(
        `${await outline(dialog)}\n${await looks(dialog)}\nfocus: ${await page.evaluate(() => document.activeElement?.role)}`,
      );
      await page.keyboard.press('ArrowDown');
      if (keys.length === 1) await dialog.getByRole('button', { name: 'Close' }).click();
      else await page.keyboard.press('Escape');
    }
    const found = dialogs.join('\n');
    assert.equal(
      found,
      `dialog "city, row 1" ["city, row 1", button "Copy value", button "Close", region "city, row 1" (Berlin)]
<copy>: titled | <close>: titled | city, row 1: tab stop
focus: region
dialog "city, row 2" ["city, row 2", button "Copy value", button "Close", region "city, row 2"]
<copy>: titled | <close>: titled | city, row 2: tab stop
focus: region
dialog "city, row 3" ["city, row 3", button "Copy value", button "Close", region "city, row 3" (NULL)]
<copy>: titled | <close>: titled | city, row 3: tab stop, quiet
focus: region
dialog "meta, row 3" ["meta, row 3", button "Copy value", button "Close", region "meta, row 3" (NULL)]
<copy>: titled | <close>: titled | meta, row 3: tab stop, quiet
focus: region`,
    );
    assert.equal(await focused(), '4/5 NULL', 'the keys in the dialog have moved nothing');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('moves in its menus with keys and first letters, and closes them by the wheel beside them', async () => {
    await show();
    await press('ArrowUp', 'Alt+ArrowDown');
    const found: (string | null)[] = [];
    for (const key of ['End', 'ArrowDown', 'ArrowUp', 'Home', 's', 's', 'S', 's', 'm', 'x']) {
      await page.keyboard.press(key);
      found.push(await page.evaluate(() => document.activeElement!.querySelector('span:nth-child(2)')!.textContent));
    }
    const [first, second, columnsItem, last] = [
      ...['Sort Ascending', 'Sort Descending', 'Show and Hide Columns…', 'Select Column'],
    ];
    assert.deepEqual(found, [
      ...[last, first, last, first, second, columnsItem, last, first],
      ...['Move Left', 'Move Left'],
    ]);
    for (const [where, isOpen] of [
      [menuItem('Sort Ascending'), true],
      [page.getByRole('grid'), false],
    ] as const) {
      await where.dispatchEvent('wheel', { deltaY: 10 });
      assert.equal((await page.getByRole('menu').count()) === 1, isOpen);
    }
  });

  it('opens its popups inside of the window, each as wide as what it shows, with room around it', async () => {
    const boxes: string[] = [];
    /** Whether it is in the window, its width if that is fixed, and the room between its edge and its content. */
    const box = async (role: 'menu' | 'dialog'): Promise<void> => {
      const popup = page.getByRole(role);
      const found = await popup.evaluate((shown) => {
        const { left, top, right, bottom, width } = shown.getBoundingClientRect();
        const isInside = left >= 4 && top >= 4 && right <= innerWidth - 4 && bottom <= innerHeight - 4;
        const { padding, display, backgroundColor } = getComputedStyle(shown);
        const isOpaque = backgroundColor !== 'rgba(0, 0, 0, 0)';
        const lines = [...shown.children].filter(({ role: of }) => of === 'separator');
        const heights = new Set(lines.map((line) => line.clientHeight));
        return [
          `${display} ${[220, 600].includes(width) ? width : 'fits'}, padding ${padding}`,
          ...(lines.length > 0 ? [`lines ${[...heights].join()}`] : []),
          ...(isInside ? [] : ['outside']),
          ...(isOpaque ? [] : ['transparent']),
        ].join(', ');
      });
      boxes.push(`${role}: ${found}`);
      await page.keyboard.press('Escape');
      await popup.waitFor({ state: 'detached' });
    };
    await showBig(100, 30);
    for (const keys of [['Control+Home'], ['Control+End']]) {
      await press(...keys, 'Shift+F10');
      await box('menu');
      await press('Enter');
      await box('dialog');
      await press('Control+Home', ...(keys[0] === 'Control+End' ? ['End'] : []), 'ArrowUp');
      await choose('Filter…');
      await box('dialog');
    }
    // At the right edge, by the pointer.
    const last = (await page.getByRole('gridcell').last().boundingBox())!;
    await page.mouse.click(Math.min(last.x + 20, 630), 100, { button: 'right' });
    await box('menu');
    const [menu, filter, value] = [
      'menu: block fits, padding 4px 0px, lines 1',
      'dialog: grid 220, padding 8px',
      'dialog: flex 600, padding 0px',
    ];
    assert.deepEqual(boxes, [menu, value, filter, menu, value, filter, menu]);
  });

  it('passes no key in its filter or in the dialog of a value on to the page', async () => {
    await show();
    await page.evaluate(() => {
      const heard: string[] = [];
      document.querySelector('main')!.addEventListener('keydown', ({ key }) => heard.push(key));
      Object.assign(window, { heard });
    });
    await press('Enter');
    for (const key of ['ArrowDown', 'x', 'Delete']) await page.keyboard.press(key);
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'city' }).click({ button: 'right' });
    await menuItem('Filter…').click();
    for (const key of ['x', 'Delete', 'Enter']) await page.getByRole('textbox', { name: 'Value' }).press(key);
    assert.deepEqual(await page.evaluate(() => (window as unknown as { heard: string[] }).heard), []);
  });

  it('announces what sorting and copying have done, once', async () => {
    await show();
    await press(
      'ArrowUp',
      'Enter',
      'Enter',
      'Enter',
      'ArrowDown',
      'Control+c',
      'Control+a',
      'Control+c',
      'ArrowUp',
      'Control+c',
    );
    assert.deepEqual(await page.evaluate(() => window.gridPage.announced), [
      'Sorted by city, ascending',
      'Sorted by city, descending',
      'Sort removed',
      '1 cell copied',
      '16 cells copied',
    ]);
    assert.equal((await copied()).length, 2, 'there is nothing to copy in the header');
  });

  it('selects by pointer from the cursor with Shift, whole rows by their numbers, and with the main button only', async () => {
    const selection = () =>
      page.evaluate(() => {
        const selected = [...document.querySelectorAll('[aria-selected=true]')];
        const place = (cell: Element | undefined) =>
          `${cell?.closest('[role=row]')?.ariaRowIndex}/${cell?.ariaColIndex}`;
        return `${place(selected[0])} to ${place(selected.at(-1))}, ${selected.length}`;
      });
    await show();
    const number = (row: number) => page.getByRole('rowheader').nth(row);
    const cell = (row: number, column: number) => page.getByRole('gridcell').nth(row * 4 + column);
    for (const [act, expected, focus] of [
      [() => cell(1, 1).click(), '3/3 to 3/3, 1', '3/3'],
      [() => cell(2, 2).click({ modifiers: ['Shift'] }), '3/3 to 4/4, 4', '4/4'],
      [() => cell(0, 0).click({ button: 'middle' }), '3/3 to 4/4, 4', undefined],
      [() => number(1).click(), '3/2 to 3/5, 4', '3/4'],
      [() => number(3).click({ modifiers: ['Shift'] }), '3/2 to 5/5, 12', '5/4'],
      [() => number(0).click({ button: 'right' }), '2/2 to 2/2, 1', undefined],
      [() => page.keyboard.press('Escape'), '2/2 to 2/2, 1', '2/2'],
      [() => number(1).dblclick(), '3/2 to 3/5, 4', '3/2'],
      [
        () => page.getByRole('columnheader', { name: 'city' }).click({ modifiers: ['Control'] }),
        '2/2 to 5/2, 4',
        '1/2',
      ],
      [() => page.getByRole('columnheader', { name: 'amount' }).click({ modifiers: ['Meta'] }), '2/3 to 5/3, 4', '1/3'],
      [() => page.getByRole('columnheader', { name: 'meta' }).click({ modifiers: ['Shift'] }), '2/3 to 5/5, 12', '1/5'],
      [() => page.getByRole('columnheader', { name: 'city' }).click({ button: 'middle' }), '2/3 to 5/5, 12', undefined],
    ] as const) {
      await act();
      assert.equal(await selection(), expected, String(act));
      if (focus) assert.equal((await focused()).split(' ')[0], focus, String(act));
    }
    assert.equal(await page.getByRole('dialog').count(), 0, 'a row has no value of its own');
    await number(0).hover();
    await page.mouse.down();
    await cell(2, 3).hover();
    assert.equal(await selection(), '2/2 to 4/5, 12', 'dragged from a row number');
    await page.mouse.up();
    await cell(0, 0).hover();
    assert.equal(await selection(), '2/2 to 4/5, 12', 'released');
  });

  it('marks where a dragged column goes, until it is dropped or the drag is canceled', async () => {
    await show();
    const marks = () =>
      page.locator('.grid-heading').evaluateAll((all) =>
        all.flatMap((one) => {
          const [, side] = /^.*?(-?\d)px 0px 0px 0px inset/.exec(getComputedStyle(one).boxShadow) ?? [];
          return side ? [`${side} ${one.querySelector('.grid-name')?.textContent}`] : [];
        }),
      );
    const at = async (name: string, part: number): Promise<void> => {
      const { x, y, width, height } = (await page.getByRole('columnheader', { name }).boundingBox())!;
      await page.mouse.move(x + width * part, y + height / 2);
    };
    await at('amount', 0.5);
    await page.mouse.down();
    await at('amount', 0.51);
    assert.deepEqual(await marks(), [], 'the pointer has hardly moved');
    await at('created_at', 0.7);
    assert.deepEqual(await marks(), ['-2 created_at']);
    await at('created_at', 0.3);
    assert.deepEqual(await marks(), ['2 created_at']);
    await page.evaluate(() => {
      const grid = document.querySelector('[role=grid]')!;
      for (let id = 0; id < 9; id += 1) if (grid.hasPointerCapture(id)) grid.releasePointerCapture(id);
    });
    // The browser tells it with the next event of the pointer.
    await at('meta', 0.3);
    await becomes(marks, []);
    await page.mouse.up();
    assert.deepEqual(await names(), ['city', 'amount', 'created_at', 'meta']);
    await at('amount', 0.5);
    await page.mouse.down();
    await at('meta', 0.3);
    await page.mouse.up();
    assert.deepEqual([await names(), await marks()], [['city', 'created_at', 'amount', 'meta'], []]);
    assert.match(await focused(), /^1\/4 amount/);
    assert.deepEqual(await page.evaluate(() => window.gridPage.announced), [], 'nothing was sorted');
  });

  const pressed = (place: readonly [number, number], keys: string, isLarge = true): Promise<string> =>
    page.evaluate((given) => window.gridPage.pressed(...given), [place, keys, isLarge] as const);

  it('moves, selects, copies and opens with the keys in the body', async () => {
    for (const [keys, expected] of [
      ['ArrowUp', 'to 19/2'],
      ['ArrowDown', 'to 21/2'],
      ['ArrowLeft', 'to 20/1'],
      ['ArrowRight', 'to 20/3'],
      ['Shift+ArrowDown', 'to 21/2 extend'],
      ['Ctrl+ArrowUp', 'to 0/2'],
      ['Meta+ArrowDown', 'to 49/2'],
      ['Ctrl+ArrowLeft', 'to 20/0'],
      ['Ctrl+Shift+ArrowRight', 'to 20/3 extend'],
      ['Home', 'to 20/0'],
      ['End', 'to 20/3'],
      ['Ctrl+Home', 'to 0/0'],
      ['Ctrl+End', 'to 49/3'],
      ['PageUp', 'to 10/2'],
      ['PageDown', 'to 30/2'],
      ['Alt+ArrowDown', 'not handled'],
      ['Alt+PageDown', 'not handled'],
      ['Space', 'not handled'],
      ['Shift+Space', 'select "rows"'],
      ['Ctrl+Space', 'select "columns"'],
      ['Ctrl+Shift+Space', 'select "all"'],
      ['a', 'not handled'],
      ['Ctrl+a', 'select "all"'],
      ['c', 'not handled'],
      ['Meta+c', 'copy "tsv"'],
      ['Ctrl+Shift+c', 'not handled'],
      ['Ctrl+Alt+c', 'not handled'],
      ['Enter', 'open'],
      ['F2', 'open'],
      ['Escape', 'collapse'],
      ['ContextMenu', 'menu'],
      ['Shift+F10', 'menu'],
      ['F10', 'not handled'],
      ['x', 'not handled'],
      ['Ctrl+Shift+ArrowLeft', 'to 20/0 extend'],
      ['Alt+Shift+ArrowLeft', 'not handled'],
    ] as const)
      assert.equal(await pressed([20, 2], keys), expected, keys);
    assert.equal(await pressed([3, 2], 'PageUp'), 'to 0/2');
    assert.equal(await pressed([0, 2], 'ArrowUp'), 'to -1/2');
    assert.equal(await pressed([20, 2], 'Escape', false), 'collapse, not handled', 'nothing was selected');
  });

  it('sorts, moves and resizes the column with the keys in the header, and leaves the keys of the editor alone', async () => {
    for (const [keys, expected] of [
      ['Enter', 'sort'],
      ['Space', 'sort'],
      ['Ctrl+Enter', 'not handled'],
      ['Shift+Enter', 'not handled'],
      ['Ctrl+Space', 'select "columns"'],
      ['Shift+Space', 'select "rows"'],
      ['F2', 'not handled'],
      ['Ctrl+Shift+ArrowLeft', 'move -1'],
      ['Meta+Shift+ArrowRight', 'move 1'],
      ['Alt+Shift+ArrowLeft', 'widen -16'],
      ['Alt+Shift+ArrowRight', 'widen 16'],
      ['Alt+ArrowDown', 'menu'],
      ['Ctrl+Alt+ArrowDown', 'not handled'],
      ['Ctrl+Alt+ArrowLeft', 'not handled'],
      ['Ctrl+ArrowDown', 'not handled'],
      ['Ctrl+ArrowLeft', 'not handled'],
      ['Alt+ArrowLeft', 'not handled'],
      ['ArrowLeft', 'to -1/1'],
      ['Shift+ArrowRight', 'to -1/3 extend'],
      ['ArrowUp', 'to -2/2'],
      ['ArrowDown', 'to 0/2'],
      ['Ctrl+Home', 'to 0/0'],
      ['PageUp', 'to -1/2'],
      ['PageDown', 'to 9/2'],
    ] as const)
      assert.equal(await pressed([-1, 2], keys), expected, keys);
  });

  it('has the keys of macOS in its menus there', async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'MacIntel' }));
    await page.reload();
    await page.waitForFunction(() => 'gridPage' in window);
    await show();
    const found: string[][] = [];
    for (const keys of ['Shift+F10', 'ArrowUp']) {
      await press(keys);
      if (keys === 'ArrowUp') await press('Alt+ArrowDown');
      found.push(await page.locator('.menu-keys').allInnerTexts());
      await page.keyboard.press('Escape');
      await page.locator('[role=menu]').waitFor({ state: 'detached' });
    }
    assert.deepEqual(found, [
      ['Enter', '⌘C', '⌘A'],
      ['⇧⌘←', '⇧⌘→', '⌥⇧→', '⌥⇧←', '⌘Space'],
    ]);
  });
});

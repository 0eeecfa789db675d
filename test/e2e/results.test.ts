/** Results and charts in the real VS Code. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { until } from '../support/until.ts';
import { resultLines } from '../support/answers.ts';
import {
  nameFile,
  notification,
  quickInput,
  quickPickItem,
  reloadWindow,
  runCommand,
  setSideBarWidth,
  webview,
} from './support/editor.ts';
import { forwardTo } from '../support/forward.ts';
import { launch, type Launched } from './support/launch.ts';
import {
  scriptedService,
  writeInPieces,
  type ReceivedRequest,
  type ScriptedService,
} from '../support/scriptedService.ts';

const MONTHS = 'revenue by month in 2024';
const DAYS = 'orders by day in 2024';

const hostileSpec = {
  $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
  usermeta: { embedOptions: { ast: false, actions: true, editorUrl: 'https://evil.example/' } },
  layer: [
    { data: { url: 'https://evil.example/rows.json' }, mark: 'bar' },
    { mark: { type: 'image', url: 'https://evil.example/pixel.png' } },
  ],
};

describe('Results', function () {
  this.timeout(90_000);
  let sandbox: Sandbox;
  let service: ScriptedService;
  let editor: Launched;
  let page: Page;
  let chat: FrameLocator;
  /** Whether the data query API ignores the branch. */
  let ignoresBranch = false;
  const requests: string[] = [];
  const violations: string[] = [];

  before(async () => {
    sandbox = await startSandbox({ pace: 0 });
    service = await scriptedService(async (request, response) => {
      const { input, messageId } = request.body;
      if (input === 'hostile') writeInPieces(response, resultLines(messageId, input, { vegaSpec: hostileSpec }), 64);
      else if (input === 'empty') writeInPieces(response, resultLines(messageId, input, { data: [] }), 64);
      else await forwardTo(sandbox, ignoresBranch ? withoutBranch(request) : request, response);
    });
    const { origin } = new URL(service.chatApiUrl);
    const dataQueryUrl = origin + new URL(sandbox.dataQueryUrl).pathname;
    editor = await launch({
      workspace: 'model',
      env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey },
      settings: { 'analyticsChat.dataQueryUrl': dataQueryUrl },
      viewport: { width: 1400, height: 900 },
    });
    ({ page } = editor);
    page.on('request', (request) => {
      if (request.url().includes('evil')) requests.push(request.url());
    });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy directive')) violations.push(message.text());
    });
    await runCommand(page, 'Analytics Chat: Open Chat');
    chat = webview(page);
    await chat.getByRole('textbox', { name: 'Message' }).waitFor();
    // Wide enough for all actions of a card.
    await setSideBarWidth(page, 500);
  });
  afterEach(() => sandbox.faults());
  after(async () => {
    await editor.stop();
    await service.stop();
    await sandbox.stop();
  });

  /** Asks and waits for the result. @returns its card */
  const ask = async (question: string): Promise<Locator> => {
    const turns = chat.locator('.turn');
    const keys = (): Promise<(string | undefined)[]> =>
      turns.evaluateAll((all) => all.map((turn) => (turn as HTMLElement).dataset['turn']));
    const before = (await keys()).at(-1) ?? '';
    await chat.getByRole('textbox', { name: 'Message' }).fill(question);
    await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
    const card = { name: /^SQL query/ };
    await chat.locator(`.turn:not([data-turn="${before}"]):last-child`).getByRole('group', card).waitFor();
    await chat.getByRole('status').filter({ hasText: 'Answer finished' }).waitFor();
    return chat.locator(`[data-turn="${(await keys()).at(-1)}"]`).getByRole('group', card);
  };
  const path = (name: string): string => join(editor.workspace ?? '', name);
  /** Accepts the file name that the save dialog proposes. */
  const save = (name: string): Promise<void> => nameFile(page, `/${name}`);
  const written = async (name: string): Promise<Buffer> => {
    await until(
      () => existsSync(path(name)),
      () => `${name} was not written; there is ${readdirSync(path('.')).join(', ')}`,
    );
    return readFileSync(path(name));
  };
  const useTheme = async (name: string): Promise<void> => {
    await runCommand(page, 'Preferences: Color Theme');
    await page.locator('.quick-input-widget:visible').getByPlaceholder(/Theme/).waitFor();
    await quickInput(page).fill(name);
    await quickPickItem(page, name).click();
  };
  /** Clipboard text, once it has this many lines. */
  const copied = async (lines: number, end: string): Promise<string> => {
    let text = '';
    await until(
      async () => {
        text = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd();
        return text.split(end).length === lines;
      },
      () => text,
    );
    return text;
  };
  const chartIn = (card: Locator): Locator => card.getByRole('img', { name: /^Chart/ });
  /** Marks of the chart, without axes and legends. */
  const marks = (card: Locator, kind: string): Locator => card.locator(`.role-mark.mark-${kind} > *`);

  let months: Locator;

  it('name a chart once, and keep its height when rows take its place', async () => {
    months = await ask(MONTHS);
    await chartIn(months).waitFor();
    assert.equal(await months.locator('.role-title').count(), 0);
    const height = (await months.boundingBox())?.height ?? 0;
    await months.getByRole('button', { name: 'Show table' }).click();
    await months.getByRole('grid', { name: /^Results/ }).waitFor();
    assert.ok(Math.abs(((await months.boundingBox())?.height ?? 0) - height) <= 2);
  });

  it('are navigated, summed up and copied by keyboard', async () => {
    const grid = months.getByRole('grid', { name: /^Results/ });
    await grid.getByRole('gridcell').first().focus();
    await page.keyboard.press('Control+End');
    const last = grid.locator('[role=gridcell]:focus');
    assert.equal(await last.getAttribute('aria-colindex'), '3');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await months.getByText('Count 4').waitFor();
    await page.keyboard.press('Control+c');
    await chat.getByRole('status').filter({ hasText: '4 cells copied' }).waitFor();
    assert.match(await copied(2, '\n'), /^2024-01-01\S*\t\d+(\.\d+)?\n2024-02-01\S*\t\d+(\.\d+)?$/);
    // Row numbers are not truncated: 10 to 12 are readable.
    const clipped = await grid
      .locator('[role=rowheader]')
      .evaluateAll((cells) => cells.some((cell) => cell.scrollWidth > cell.clientWidth));
    assert.equal(clipped, false);
  });

  it('save a chart as SVG and as PNG', async () => {
    await months.getByRole('button', { name: 'Show chart' }).click();
    await chartIn(months).waitFor();
    for (const [item, name] of [
      ['SVG on White', 'Revenue by month, 2024.svg'],
      ['PNG', 'Revenue by month, 2024.png'],
    ] as const) {
      await months.getByRole('button', { name: 'Save chart' }).click();
      await chat.getByRole('menuitem', { name: item, exact: true }).click();
      await save(name);
    }
    assert.match((await written('Revenue by month, 2024.svg')).toString(), /^<svg[\s\S]*Revenue[\s\S]*<\/svg>$/i);
    assert.deepEqual([...(await written('Revenue by month, 2024.png')).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  });

  it('apply the colors of another theme at once', async () => {
    const color = (): Promise<string | null> => months.locator('.role-axis-label text').first().getAttribute('fill');
    const dark = await color();
    await useTheme('Light Modern');
    await months.locator(`.role-axis-label text:not([fill="${dark}"])`).first().waitFor();
    await useTheme('Dark Modern');
    await months.locator(`.role-axis-label text[fill="${dark}"]`).first().waitFor();
  });

  it('redraw a chart with each change in the studio', async () => {
    await months.getByRole('button', { name: 'Change chart' }).click();
    const studio = months.getByRole('group', { name: 'Change chart' });
    await studio.getByLabel('Mark').selectOption('bar');
    await marks(months, 'rect').nth(11).waitFor();
    await studio.getByLabel('Show').selectOption('5');
    await months.locator('.role-mark.mark-rect > :nth-child(6)').waitFor({ state: 'detached' });
    assert.equal(await marks(months, 'rect').count(), 5);
    await studio.getByLabel('Show').selectOption('');
    await marks(months, 'rect').nth(11).waitFor();
    await studio.getByLabel('Show').press('Escape');
    await studio.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await studio.getByLabel('Mark').waitFor();
  });

  it('update a chart from its specification in the editor, and report its errors', async () => {
    const studio = months.getByRole('group', { name: 'Change chart' });
    await studio.getByRole('button', { name: 'Open in editor' }).click();
    const text = page.locator('.editor-group-container.active .monaco-editor');
    await text.locator('.view-lines').filter({ hasText: '"mark"' }).waitFor();
    const type = async (spec: string): Promise<void> => {
      await text.locator('.view-lines').click();
      await page.keyboard.press('Control+a');
      await page.evaluate((content) => navigator.clipboard.writeText(content), spec);
      await page.keyboard.press('Control+v');
    };
    const encoding =
      '"encoding":{"x":{"field":"month","type":"temporal"},"y":{"field":"revenue","type":"quantitative"}}';
    await type(`{"mark":"point",${encoding}}`);
    await marks(months, 'symbol').nth(11).waitFor();
    await type(`{"mark":"point",${encoding}`);
    await months.getByText(/not valid JSON/).waitFor();
    assert.equal(await marks(months, 'symbol').count(), 12, 'the last good chart stays');
    await type(`{"mark":"area",${encoding}}`);
    await marks(months, 'area').first().waitFor();
    await months.getByText(/not valid JSON/).waitFor({ state: 'detached' });
    await studio.getByRole('button', { name: 'Original chart' }).click();
    await text.locator('.view-lines').filter({ hasText: '"title"' }).waitFor();
  });

  it('load all rows, and export them unchanged', async () => {
    const days = await ask(DAYS);
    await days.getByText('100 of 366 rows', { exact: true }).waitFor();
    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
    assert.equal(await days.getByRole('grid', { name: /^Results/ }).getAttribute('aria-rowcount'), '367');

    await days.getByRole('button', { name: 'Export results' }).click();
    await quickPickItem(page, 'All 366 rows').click();
    await quickPickItem(page, 'CSV').click();
    await save('Orders by day, 2024.csv');
    await notification(page, '366 rows were exported').waitFor();
    const rows = parse(await written('Orders by day, 2024.csv')) as string[][];
    const all = await allRows(sandbox);
    assert.equal(all.length, 366);
    assert.deepEqual(rows.slice(1), all);

    await days.getByRole('button', { name: 'Export results' }).click();
    await quickPickItem(page, 'All 366 rows').click();
    await quickPickItem(page, 'CSV, UTF-8 with BOM').click();
    await nameFile(page, '/Orders by day, 2024.csv', path('With BOM.csv'));
    assert.equal(String(await written('With BOM.csv')), `\ufeff${String(await written('Orders by day, 2024.csv'))}`);
  });

  it('show a notice above the table and after an export if the rows differ from the answer', async () => {
    await runCommand(page, 'Analytics Chat: Switch Branch…');
    await quickInput(page).fill('dev-net-revenue');
    await quickPickItem(page, 'dev-net-revenue').click();
    const days = await ask('revenue by day in 2024');
    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
    const notice = days.getByRole('note');
    assert.equal(await notice.count(), 0);

    ignoresBranch = true;
    await days.getByRole('button', { name: 'Open results' }).click();
    const tab = webview(page, 'editor');
    await tab.getByRole('button', { name: 'Load all' }).click();
    await tab.getByRole('note').getByText('These rows differ from those in the answer.').waitFor();
    await tab.getByRole('button', { name: 'Export results' }).click();
    await quickPickItem(page, 'All 366 rows').click();
    await quickPickItem(page, 'CSV').click();
    await save('Net revenue by day, 2024.csv');
    await notification(page, '366 rows were exported. These rows differ from those in the answer.').waitFor();
    await runCommand(page, 'View: Close Editor');
    ignoresBranch = false;
    await runCommand(page, 'Analytics Chat: Switch Branch…');
    await quickPickItem(page, 'main').click();
  });

  it('never show a part of the rows as all of them', async () => {
    sandbox.faults({ endpoint: 'query', bytesPerSecond: 1500 });
    const days = await ask(DAYS);
    await days.getByRole('button', { name: 'Load all' }).click();
    const progress = notification(page, /\d+ of 366 rows/);
    await progress.waitFor();
    await runCommand(page, 'View: Show Explorer');
    await runCommand(page, 'Analytics Chat: Open Chat');
    // The page was replaced while rows were loading.
    await progress.waitFor({ state: 'detached' });
    await days.getByText('100 of 366 rows', { exact: true }).waitFor();
    await days.getByRole('button', { name: 'Load all' }).click();
    await days.getByText('All 366 rows', { exact: true }).waitFor();
  });

  it('leave no file after a canceled export', async () => {
    sandbox.faults({ endpoint: 'query', bytesPerSecond: 500 });
    const days = chat.getByRole('group', { name: /^SQL query/ }).nth(1);
    await days.getByRole('button', { name: 'Export results' }).click();
    await quickPickItem(page, 'All 366 rows').click();
    await quickPickItem(page, 'JSON').click();
    await save('Orders by day, 2024.json');
    const progress = notification(page, 'Exporting all rows');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached' });
    const left = (): string[] => readdirSync(path('.')).filter((name) => name.includes('.json'));
    await until(
      () => left().length === 0,
      () => `${left().join()} was left behind`,
    );
  });

  it('open in their own tab, with all rows and every format', async () => {
    const days = chat.getByRole('group', { name: /^SQL query/ }).nth(1);
    await days.getByRole('button', { name: 'Open results' }).click();
    const tab = webview(page, 'editor');
    await tab.getByText('100 of 366 rows', { exact: true }).waitFor();
    await tab.getByRole('button', { name: 'Load all' }).press('Enter');
    await tab.getByText('All 366 rows', { exact: true }).waitFor();
    const grid = tab.getByRole('grid', { name: /^Results/ });
    // The focused button was removed, and the rows have the focus.
    await grid.locator('[role=gridcell]:focus').press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await tab.getByRole('status').filter({ hasText: '2 cells copied' }).waitFor();
    assert.equal(await grid.getAttribute('aria-rowcount'), '367');
    await tab.getByRole('button', { name: 'Copy results' }).click();
    await tab.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    const all = await allRows(sandbox);
    assert.deepEqual((parse(await copied(367, '\r\n')) as string[][]).slice(1), all);
    for (let clicks = 0; clicks < 2; clicks += 1) await grid.getByRole('columnheader').nth(1).click();
    await grid.locator('[aria-sort=descending]').waitFor();
    await tab.getByRole('button', { name: 'Copy results' }).click();
    await tab.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    // In display order: the last day is first now.
    const last = all.at(-1)?.[0] ?? '';
    await page.waitForFunction(
      async (first) => (await navigator.clipboard.readText()).split('\r\n')[1]?.startsWith(first),
      last,
    );
  });

  it('accept the formats of different services', async () => {
    const payload = ['columnType', 'stringNumbers', 'rowObjects', 'queryKey', 'toolSuffix', 'parsed'] as const;
    sandbox.faults({ payload });
    const card = await ask(MONTHS);
    await chartIn(card).waitFor();
    await card.getByText('12 rows', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Copy SQL' }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('MEASURE('));
  });

  it('show the rows and the reason if a chart would load data, without a request', async () => {
    const card = await ask('hostile');
    await card.getByText(/Can’t draw the chart: .*URL/).waitFor();
    await card.getByRole('grid', { name: /^Results/ }).waitFor();
    const none = await ask('empty');
    await none.getByText('The query returned no rows.').waitFor();
    assert.deepEqual(requests, []);
    assert.deepEqual(violations, []);
  });

  it('are restored with their tab after a window reload', async () => {
    await reloadWindow(page);
    await webview(page, 'editor').getByText('100 of 366 rows', { exact: true }).waitFor();
    await webview(page, 'editor')
      .getByRole('grid', { name: /^Results: Orders by day/ })
      .waitFor();
  });
});

/** A data query as seen by a service that ignores branches. */
const withoutBranch = ({ path, headers, body }: ReceivedRequest): ReceivedRequest => {
  const { query, sessionSettings } = body;
  return { path, headers, body: path.endsWith('/query') ? { query, sessionSettings } : body };
};

/** The rows of the question by day, requested directly from the sandbox. */
async function allRows(sandbox: Sandbox): Promise<string[][]> {
  const { body, headers } = sandbox.requests.findLast(({ path }) => path.endsWith('/query'))!;
  const authorization = String(headers.authorization);
  const response = await fetch(sandbox.dataQueryUrl, {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': 'application/json' },
  });
  const lines = (await response.text()).trim().split('\n').slice(1);
  return lines.flatMap((line) => (JSON.parse(line) as { data: unknown[][] }).data.map((row) => row.map(String)));
}

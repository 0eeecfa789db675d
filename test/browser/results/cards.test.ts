/** Results and charts in the cards of the chat page. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import { until } from '../../support/until.ts';
import { MONTHS, useResults } from './support.ts';

const chartIn = (card: Locator): Locator => card.getByRole('img', { name: /^Chart/ });
/** Marks of the chart, without axes and legends. */
const marks = (card: Locator, kind: string): Locator => card.locator(`.role-mark.mark-${kind} > *`);

describe('Results', () => {
  const setup = useResults();
  let page: Page;
  let chat: Chat;
  let months: Locator;

  before(() => ({ page, chat } = setup));

  it('name a chart once, and keep its height when rows take its place', async () => {
    months = await setup.ask(MONTHS);
    await chartIn(months).waitFor();
    assert.equal(await months.locator('.role-title').count(), 0);
    const height = (await months.boundingBox())?.height ?? 0;
    await months.getByRole('button', { name: 'Show table' }).click();
    await months.getByRole('grid', { name: /^Results/ }).waitFor();
    await until(async () => Math.abs(((await months.boundingBox())?.height ?? 0) - height) <= 2);
    const clipped = await months
      .getByRole('rowheader')
      .evaluateAll((cells) => cells.some((cell) => cell.scrollWidth > cell.clientWidth));
    assert.equal(clipped, false, '10 to 12 are readable');
  });

  it('leave no space below a few rows that replace a chart', async () => {
    const years = await setup.ask('revenue by year');
    await chartIn(years).waitFor();
    const height = async (part: string): Promise<number> => (await years.locator(part).boundingBox())?.height ?? 0;
    const charted = await height('.card-body');
    await years.getByRole('button', { name: 'Show table' }).click();
    await years.getByRole('grid', { name: /^Results/ }).waitFor();
    assert.equal(await height('.card-body'), await height('.card-rows'));
    assert.ok((await height('.card-body')) < charted);
    await years.getByRole('button', { name: 'Show chart' }).click();
    await chartIn(years).waitFor();
    assert.equal(await height('.card-body'), charted);
  });

  it('save a chart as SVG and as PNG', async () => {
    await months.getByRole('button', { name: 'Show chart' }).click();
    await chartIn(months).waitFor();
    const save = months.getByRole('button', { name: 'Save chart' });
    assert.equal(await save.getAttribute('aria-haspopup'), 'menu');
    for (const [item, name] of [
      ['SVG on White', 'Revenue by month, 2024.svg'],
      ['PNG', 'Revenue by month, 2024.png'],
    ] as const) {
      await save.click();
      await chat.view.getByRole('menuitem', { name: item, exact: true }).click();
      await setup.save(name);
    }
    const svg = (await setup.written('Revenue by month, 2024.svg')).toString();
    assert.match(svg, /^<svg[\s\S]*Revenue[\s\S]*<\/svg>$/i);
    assert.match(svg, /fill="#ffffff"/);
    assert.deepEqual([...(await setup.written('Revenue by month, 2024.png')).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    await save.click();
    await chat.view.getByRole('menuitem', { name: 'PNG on White' }).click();
    await setup.prompts.file(setup.path('White.png'));
    const bytes = [...(await setup.written('White.png'))];
    const corner = await page.evaluate(async (file) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d')!;
      context.drawImage(await createImageBitmap(new Blob([new Uint8Array(file)])), 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data];
    }, bytes);
    assert.deepEqual(corner, [255, 255, 255, 255]);
  });

  it('apply the colors of another theme at once', async () => {
    const color = (): Promise<string | null> => months.locator('.role-axis-label text').first().getAttribute('fill');
    const dark = await color();
    await setup.editor.setTheme('light');
    await months.locator(`.role-axis-label text:not([fill="${dark}"])`).first().waitFor();
    await setup.editor.setTheme('dark');
    await months.locator(`.role-axis-label text[fill="${dark}"]`).first().waitFor();
    // VS Code keeps the class for another dark theme.
    const useDarkTheme = (name: string, muted: string): Promise<void> =>
      page.evaluate(
        ([id, color]) => {
          document.documentElement.style.setProperty('--vscode-descriptionForeground', color);
          document.body.dataset.vscodeThemeId = id;
        },
        [name, muted] as const,
      );
    await useDarkTheme('another', '#123456');
    await months.locator('.role-axis-label text[fill="#123456"]').first().waitFor();
    await useDarkTheme('first', '');
    await months.locator(`.role-axis-label text[fill="${dark}"]`).first().waitFor();
  });

  it('redraw a chart with each change in the studio', async () => {
    await months.getByRole('button', { name: 'Change chart' }).click();
    const studio = months.getByRole('group', { name: 'Change chart' });
    await studio.getByLabel('Chart type').waitFor();
    const original = studio.getByRole('button', { name: 'Original chart' });
    assert.equal(await original.count(), 0);
    await studio.getByLabel('Chart type').selectOption('bar');
    await marks(months, 'rect').nth(11).waitFor();
    await original.waitFor();
    for (const close of [
      () => studio.getByLabel('Show').press('Escape'),
      () => studio.getByRole('button', { name: 'Done' }).click(),
    ]) {
      await close();
      await studio.waitFor({ state: 'detached' });
      // The focus is on the button that opened it.
      await page.keyboard.press('Enter');
      await studio.getByLabel('Chart type').waitFor();
    }
  });

  it('accept the formats of different services', async () => {
    const payload = ['columnType', 'stringNumbers', 'rowObjects', 'queryKey', 'toolSuffix', 'parsed'] as const;
    setup.sandbox.faults({ payload });
    const card = await setup.ask(MONTHS);
    await chartIn(card).waitFor();
    await card.getByText('12 rows', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Copy SQL' }).click();
    await until(() => setup.editor.clipboard.includes('MEASURE('));
  });

  it('show the rows and the reason if a chart would load data, without a request', async () => {
    const card = await setup.ask('hostile');
    await card.getByText(/Can’t draw the chart: .*URL/).waitFor();
    await card.getByRole('grid', { name: /^Results/ }).waitFor();
    const none = await setup.ask('empty');
    await none.getByText('The query returned no rows.').waitFor();
    assert.deepEqual(setup.editor.problems, []);
  });
});

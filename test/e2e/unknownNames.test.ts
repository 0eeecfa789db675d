/** Names that the data model does not have, in the real VS Code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { openFile, runCommand } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { screenshot } from './support/screenshot.ts';

describe('unknown names of the data model', function () {
  this.timeout(180_000);
  let editor: Launched;
  let page: Page;
  const problems = (): Locator => page.locator('.markers-panel');
  const count = (text: RegExp): Promise<void> =>
    page.locator('.panel .action-item', { hasText: text }).first().waitFor();

  before(async () => {
    editor = await launch({ workspace: 'model', viewport: { width: 1200, height: 760 } });
    ({ page } = editor);
  });
  after(() => editor.stop());

  it('are listed after a member was renamed on disk; one fix changes them all, and one Undo reverts it', async () => {
    await openFile(page, 'sales.yml');
    await runCommand(page, 'Problems: Focus on Problems View');
    const file = join(editor.workspace ?? '', 'model/cubes/line_items.yml');
    const text = readFileSync(file, 'utf8');
    const renameTo = (name: string): void => writeFileSync(file, text.replace('- name: units_sold', `- name: ${name}`));
    // Only a change of names that were checked before is a rename.
    renameTo('other');
    await count(/^Problems ?6$/);
    // The list follows its count with a delay.
    await problems().getByText('There is no member “units_sold”').first().waitFor();
    renameTo('units_sold');
    await problems().getByText('No problems have been detected').waitFor();
    renameTo('pieces_sold');
    await count(/^Problems ?6$/);
    await problems()
      .getByText('There is no member “units_sold” in “line_items”. Did you mean “pieces_sold”')
      .first()
      .waitFor();
    await screenshot(page, 'unknown names');
    await page.locator('.view-lines').getByText('units_sold', { exact: true }).first().click();
    // The editor shows it once it has the fixes of this line; a menu that is opened before can close again.
    await page.getByTitle('Preferred Quick Fix Available').waitFor();
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget').first().getByText('Rename “units_sold” to “pieces_sold” everywhere…').click();
    await page.getByRole('tab', { name: /^Rename “units_sold” to “pieces_sold”/ }).waitFor();
    await screenshot(page, 'rename everywhere');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await problems().getByText('No problems have been detected').waitFor();
    await openFile(page, 'sales.yml');
    await page.locator('.view-lines').getByText('pieces_sold').first().click();
    await page.keyboard.press('Control+z');
    await count(/^Problems ?6$/);
  });
});

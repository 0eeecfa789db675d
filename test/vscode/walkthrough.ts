// Takes the screenshots of the walkthrough in VS Code: npx node test/vscode/walkthrough.ts [check]
// With `check`, only those of *Check My Change*.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openChat } from '../e2e/support/chat.ts';
import { chatIn } from '../support/chat.ts';
import { dialog, openFile, quickInput, runCommand, setSideBarWidth, webview } from '../e2e/support/editor.ts';
import { openTestExplorer, runEnd, switchBranch } from '../e2e/support/testExplorer.ts';
import { closeAll, launch } from '../e2e/support/launch.ts';
import { browser } from '../support/browser.ts';
import { loadModelFiles } from '../sandbox/semantic/branchFiles.ts';
import { demoIdentities } from '../sandbox/identities.ts';
import { startSandbox } from '../sandbox/server.ts';
import { makeDemoRepository, publishDemoRepository } from './demoRepository.ts';
import { repoRoot } from './paths.ts';
import { copyWorkspace, removeWorkspace } from './workspace.ts';

const folder = join(repoRoot, 'media', 'walkthrough');
/** High enough to show the question above its answer. */
const viewport = { width: 1000, height: 820 };
const QUALITY = 0.5;

/** Saves a part of the window as WebP, which is much smaller than PNG. */
async function keep(page: Page, name: string, clip: { x: number; y: number; width: number; height: number }) {
  const png = await page.screenshot({ clip, animations: 'disabled' });
  const blank = await (await browser()).newPage();
  const webp = await blank.evaluate(
    async ([data, quality]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [png.toString('base64'), QUALITY] as const,
  );
  await blank.close();
  writeFileSync(join(folder, `${name}.webp`), Uint8Array.from(webp));
}

/** Changed answers in the Problems view, on the demo's git repository. */
async function checkPicture(theme: 'dark' | 'light', env: Record<string, string>): Promise<void> {
  const repository = copyWorkspace('model');
  makeDemoRepository(repository, await loadModelFiles());
  publishDemoRepository(repository);
  execFileSync('git', ['checkout', '--quiet', 'dev-net-revenue'], { cwd: repository });
  const settings = { 'editor.minimap.enabled': false, 'problems.autoReveal': false };
  const { page, stop } = await launch({ workspace: repository, env, theme, viewport, settings });
  await openFile(page, 'line_items.yml');
  await runCommand(page, 'Analytics Chat: Check My Change');
  await dialog(page).getByRole('button', { name: 'Ask', exact: true }).click();
  await webview(page, 'editor')
    .getByRole('paragraph')
    .filter({ hasText: /^8 changed · / })
    .waitFor();
  await runCommand(page, 'View: Close Editor');
  await runCommand(page, 'Problems: Focus on Problems View');
  await page
    .locator('.markers-panel')
    .getByText(/^• revenue by month in 2024: /)
    .dblclick();
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await keep(page, `check-${theme}`, { x: 0, y: 36, width: 1000, height: 784 });
  await stop();
  removeWorkspace(repository);
}

mkdirSync(folder, { recursive: true });
const sandbox = await startSandbox();
try {
  for (const theme of ['dark', 'light'] as const) {
    const env = { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey };
    await checkPicture(theme, env);
    if (process.argv[2] === 'check') continue;
    const settings = {
      'analyticsChat.dataQueryUrl': sandbox.dataQueryUrl,
      'analyticsChat.identities': demoIdentities,
      'testing.automaticallyOpenTestResults': 'neverOpen',
      'editor.minimap.enabled': false,
    };
    const { page, stop } = await launch({ workspace: 'model', env, theme, viewport, settings });
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    const chat = await openChat(page);
    await setSideBarWidth(page, 400);
    // Away from the sash, which is highlighted under the pointer.
    await page.mouse.move(700, 600);
    const view = { x: 0, y: 36, width: 450, height: 784 };
    await chat.button('Open a sample conversation').waitFor();
    await keep(page, `sample-${theme}`, view);
    await chat.ask('revenue by month in 2024');
    await chat.told('Answer finished');
    await chat.view.getByRole('img', { name: /^Chart/ }).waitFor();
    await chat.button('Dismiss').click();
    await chat.view.getByRole('article', { name: 'You' }).scrollIntoViewIfNeeded();
    await keep(page, `ask-${theme}`, view);
    await chat.button('Insert SQL').click();
    await page.locator('.monaco-editor .view-line').filter({ hasText: 'MEASURE(sales.revenue)' }).waitFor();
    await keep(page, `insert-${theme}`, { x: 0, y: 36, width: 1000, height: 500 });
    await chat.button(/^Branch:/).click();
    await quickInput(page).waitFor();
    await keep(page, `branch-${theme}`, { x: 150, y: 0, width: 700, height: 320 });
    await page.keyboard.press('Escape');
    await runCommand(page, 'Analytics Chat: Connect…');
    await quickInput(page).waitFor();
    await keep(page, `connect-${theme}`, { x: 150, y: 0, width: 700, height: 320 });
    await page.keyboard.press('Escape');
    await runCommand(page, 'Analytics Chat: Open a Sample Conversation');
    await chat.button('Show the rest').click();
    await chat.button('Compare answers').click();
    await chatIn(webview(page, 'editor')).view.getByText('12 changed', { exact: true }).waitFor();
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await keep(page, `compare-${theme}`, { x: 0, y: 36, width: 1000, height: 664 });
    if (theme === 'dark') {
      await runCommand(page, 'Analytics Chat: Ask as Everyone…');
      await quickInput(page).fill('revenue and orders by region in 2024');
      await page.keyboard.press('Enter');
      await webview(page, 'editor')
        .getByRole('paragraph')
        .filter({ hasText: /identities answered/ })
        .waitFor();
      await keep(page, 'everyone-dark', { x: 0, y: 36, width: 1000, height: 400 });
    }
    await switchBranch(page, 'dev-net-revenue');
    await openFile(page, 'eval_questions.yml');
    await openTestExplorer(page);
    await setSideBarWidth(page, 240);
    await runCommand(page, 'Test: Run Tests in Current File');
    await runEnd(page);
    await page.locator('.test-error-content-widget').nth(2).click();
    await page.locator('.zone-widget .view-lines').first().waitFor();
    // From the changed row to all rows.
    await page.keyboard.press('Alt+F8');
    await page
      .locator('.zone-widget .view-lines')
      .filter({ hasText: /^region/ })
      .first()
      .waitFor();
    await keep(page, `test-${theme}`, { x: 0, y: 36, width: 1000, height: 664 });
    await stop();
  }
} finally {
  await closeAll();
  await sandbox.stop();
}

// Takes the screenshot of the README in VS Code: npx node test/vscode/screenshots.ts
import { join } from 'node:path';
import { closeAll, launch } from '../e2e/support/launch.ts';
import { openFile, runCommand, setSideBarWidth, webview } from '../e2e/support/editor.ts';
import { startSandbox } from '../sandbox/server.ts';
import { repoRoot } from './paths.ts';

const QUESTION = 'revenue by month in 2024';
/** High enough to show the question above its answer. */
const viewport = { width: 1280, height: 880 };
const SIDE_BAR_WIDTH = 460;
const ANSWER_TIMEOUT_MS = 60_000;

const sandbox = await startSandbox();
try {
  const env = { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey };
  const { page } = await launch({ workspace: 'model', env, viewport, scale: 2 });
  await openFile(page, 'orders.yml');
  await runCommand(page, 'Analytics Chat: Open Chat');
  await setSideBarWidth(page, SIDE_BAR_WIDTH);
  const chat = webview(page);
  await chat.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
  await chat.getByRole('button', { name: 'Send' }).click();
  await chat.getByRole('status').filter({ hasText: 'Answer finished' }).waitFor({ timeout: ANSWER_TIMEOUT_MS });
  await chat.getByRole('img', { name: /^Chart/ }).waitFor();
  await chat.getByRole('button', { name: 'Dismiss' }).click();
  await chat.getByRole('article', { name: 'You' }).scrollIntoViewIfNeeded();
  const path = join(repoRoot, 'media', 'screenshot-dark.jpg');
  // Low quality, to keep the package small.
  await page.screenshot({ path, type: 'jpeg', quality: 58, animations: 'disabled' });
} finally {
  await closeAll();
  await sandbox.stop();
}

/** Opens the chat in the real editor. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chatIn, type Chat } from '../../support/chat.ts';
import { until } from '../../support/until.ts';
import type { EditorServer } from '../../vscode/server.ts';
import { runCommand, webview } from './editor.ts';

/** Opens the chat in the side bar, and waits for its focus, which comes later than the view. */
export async function openChat(page: Page): Promise<Chat> {
  await runCommand(page, 'Analytics Chat: Open Chat');
  const chat = chatIn(webview(page));
  await chat.field.waitFor();
  try {
    await chat.view.locator('textarea:focus').waitFor();
  } catch (error) {
    throw new Error(`The message field has no focus, but ${await focusOf(page)}`, { cause: error });
  }
  return chat;
}

/** @returns for the window and each frame whether it has the focus, and its active element */
async function focusOf(page: Page): Promise<string> {
  const focus = page
    .frames()
    .map((frame) =>
      frame
        .evaluate(() => `${String(document.hasFocus())}: ${document.activeElement?.outerHTML.slice(0, 160)}`)
        .catch(String),
    );
  return (await Promise.all(focus)).join('\n');
}

/**
 * Starts a new chat in the side bar, waits until it has replaced the one that was shown before, and clicks its field:
 * once in a thousand times, VS Code gives the focus to the frame around the page after the page has taken it.
 */
export async function openNewChat(page: Page): Promise<Chat> {
  await runCommand(page, 'Analytics Chat: New Chat');
  const chat = chatIn(webview(page));
  await chat.view.getByText('Ask about your data.').waitFor();
  await chat.field.click();
  return chat;
}

/** Waits until the history on disk contains a text: a host that exits before has lost it. */
export async function saved({ server }: { server: EditorServer }, text: string): Promise<void> {
  const storage = join(server.dataDir, 'data', 'User', 'globalStorage');
  await until(() =>
    readdirSync(storage, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.includes('threads') && path.endsWith('.json'))
      .some((path) => readFileSync(join(storage, path), 'utf8').includes(text)),
  );
}

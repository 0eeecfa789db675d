/** Moves the focus in the chat's page, and reads which element has it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { innerFrame, type Chat } from './chat.ts';
import { until } from './until.ts';

/** Accessible name of the focused element in the chat; empty if there is none. */
export const focusedName = async (chat: Chat): Promise<string> =>
  (await innerFrame(chat)).evaluate(() => {
    const active = document.activeElement;
    if (active === null || active === document.body) return '';
    return active.getAttribute('aria-label') ?? active.textContent?.trim() ?? '';
  });

/** Waits until the control with this name has the focus. */
export async function focuses(chat: Chat, name: RegExp): Promise<void> {
  let last = '';
  await until(
    async () => name.test((last = await focusedName(chat))),
    () => `“${last}” has the focus, not ${name}.`,
  );
}

/** Composes text with an input method, does something, then accepts the text. */
export async function whileComposing(page: Page, text: string, work: () => Promise<unknown>): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await work();
  await cdp.send('Input.insertText', { text });
  await cdp.detach();
}

/** Presses a key until the control with this name is focused; waits until the chat has the focus. */
export async function tabTo(page: Page, chat: Chat, name: RegExp, key = 'Tab'): Promise<void> {
  await (await innerFrame(chat)).waitForFunction(() => document.hasFocus());
  const passed: string[] = [];
  while (!name.test(await focusedName(chat))) {
    assert.ok(passed.length < 40, `${name} is not reached: ${passed.join(', ')}`);
    await page.keyboard.press(key);
    passed.push(await focusedName(chat));
  }
}

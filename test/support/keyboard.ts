/** Moves the focus in the chat's page, and reads where it is. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { innerFrame, type Chat } from './chat.ts';

/** Accessible name of the focused element in the chat; empty if there is none. */
export const focusedName = async (chat: Chat): Promise<string> =>
  (await innerFrame(chat)).evaluate(() => {
    const active = document.activeElement;
    if (active === null || active === document.body) return '';
    return active.getAttribute('aria-label') ?? active.textContent?.trim() ?? '';
  });

/** Presses a key until the control with this name is focused. */
export async function tabTo(page: Page, chat: Chat, name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  while (!name.test(await focusedName(chat))) {
    assert.ok(passed.length < 40, `${name} is not reached: ${passed.join(', ')}`);
    await page.keyboard.press(key);
    passed.push(await focusedName(chat));
  }
}

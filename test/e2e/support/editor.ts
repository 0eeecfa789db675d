import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Launched } from './launch.ts';

const PATIENCE_MS = 45_000;
const LOOK_MS = 2_000;

/**
 * Runs a command by its full title in the command palette, e.g. `Analytics Chat: New Chat`. Reopens the palette until
 * it lists the command, because extensions register theirs with a delay.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  await choose(page, 'F1', `>${title}`, title);
}

/** Opens a file of the workspace by name with Quick Open, and focuses its text. */
export async function openFile(page: Page, name: string): Promise<void> {
  await choose(page, 'Control+p', name, name);
  await page.getByRole('tab', { name: new RegExp(`^${escape(name)}`), selected: true }).waitFor();
  await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
}

async function choose(page: Page, key: string, query: string, label: string): Promise<void> {
  const input = quickInput(page);
  // Wait longer with each try, for busy machines.
  for (let look = LOOK_MS, deadline = Date.now() + PATIENCE_MS; ; look *= 1.5) {
    await page.keyboard.press(key);
    try {
      // Typed text would go to any element that still takes the focus.
      await page.locator('.quick-input-widget:visible .quick-input-box input:focus').waitFor({ timeout: look });
      await input.fill(query, { timeout: look });
      await clickInPalette(page, quickPickItem(page, label), look);
      break;
    } catch (error) {
      if (Date.now() > deadline) {
        const offered = (await page.locator('.quick-input-widget:visible').allInnerTexts()).join();
        const focus = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
        throw new Error(`"${label}" is not offered by the palette: "${offered}"; the focus is in ${focus}`, {
          cause: error,
        });
      }
      await page.keyboard.press('Escape');
    }
  }
  // The palette closes with a delay; the next input is for what the command opens.
  await page.waitForFunction((palette) => {
    const box = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
    return box === null || !box.checkVisibility() || box.value !== palette;
  }, query);
}

/**
 * Clicks an item of the palette.
 * @throws Error if the palette did not get the click: it closes when the editor takes the focus, as it does after a reload
 *   and an insertion
 */
async function clickInPalette(page: Page, item: Locator, timeout: number): Promise<void> {
  await page.evaluate(() => {
    const isIn = (target: unknown): boolean =>
      target instanceof Element && target.closest('.quick-input-widget') !== null;
    Object.assign(window, { isPicked: false });
    window.addEventListener('click', ({ target }) => Object.assign(window, { isPicked: isIn(target) }), {
      capture: true,
      once: true,
    });
  });
  const isPicked = (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'isPicked')).catch(() => undefined);
  try {
    await item.click({ timeout });
  } catch (error) {
    // A command that opens a window may take longer than the click may take.
    if ((await isPicked()) === true) return;
    throw error;
  }
  // A command that reloads the window leaves no answer.
  if ((await isPicked()) === false) throw new Error('The palette closed before it was clicked.');
}

/** The input box of the palette, a quick pick or an input box. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible .quick-input-box input');
}

/** Reloads the window with VS Code's command, which first saves the state of views and tabs. */
export async function reloadWindow(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
  await page.locator('.monaco-workbench').waitFor();
}

/**
 * Answers VS Code's file dialog, which fills in its own proposal after a delay.
 * @param proposal part of the proposed name
 * @param path path of the file; defaults to the proposal
 */
export async function nameFile(page: Page, proposal: string, path?: string): Promise<void> {
  await page.waitForFunction((part) => {
    const box = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
    return box?.checkVisibility() && box.value.includes(part);
  }, proposal);
  if (path !== undefined) {
    await quickInput(page).fill(path);
    // While the dialog reads the folder of the path, it ignores Enter.
    if (existsSync(path)) await quickPickItem(page, basename(path)).waitFor();
  }
  await quickInput(page).press('Enter');
}

/** Selects from the open menu with the keyboard, because a menu ignores clicks at first. */
export async function chooseFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('menuitem', { name }).hover();
  await page.keyboard.press('Enter');
}

/** The item of an open quick pick that has this label. */
export function quickPickItem(page: Page, label: string): Locator {
  const name = page.locator('.label-name').filter({ hasText: new RegExp(`^\\s*${escape(label)}$`) });
  return page.locator('.quick-input-widget:visible .monaco-list-row', { has: name }).first();
}

/**
 * The extension's webview: the chat view in the side bar, or the active editor tab. A webview is a frame within a
 * frame; the locators start in the inner one.
 */
export function webview(page: Page, where: 'view' | 'editor' = 'view'): FrameLocator {
  // VS Code sets the purpose of a view's frame only when it is first shown.
  const ofView = ':is([src*="purpose=webviewView"], :left-of(.part.editor))';
  const which = where === 'view' ? ofView : `:not(${ofView})`;
  return page.locator(`iframe.webview${which}:visible`).first().contentFrame().frameLocator('#active-frame');
}

/** Drags the sash until the side bar has this width in CSS pixels; VS Code allows 170 and more. */
export async function setSideBarWidth(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) {
    throw new Error('The side bar is not open.');
  }
  const y = box.y + box.height / 2;
  // The sash is within a few pixels of the border between the side bar and the editors.
  const handle = page.locator('.monaco-sash.vertical:not(.disabled)');
  const boxes = await Promise.all((await handle.all()).map((sash) => sash.boundingBox()));
  const edge = box.x + box.width;
  const distance = (sash: { x: number; width: number } | null) =>
    sash === null ? Infinity : Math.abs(sash.x + sash.width / 2 - edge);
  const sash = boxes.sort((a, b) => distance(a) - distance(b))[0];
  const x = sash ? sash.x + sash.width / 2 : edge;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + width - box.width, y, { steps: 5 });
  await page.mouse.up();
}

/** The notification toast with this text. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notification-toast').filter({ hasText: text });
}

/** The modal dialog that the editor shows. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** An entry of the status bar by its text. */
export function statusBarItem(page: Page, text: string | RegExp): Locator {
  return page.locator('.statusbar-item').filter({ hasText: text });
}

/** Saves all files and returns the text of one of them on disk. */
export async function savedText({ page, workspace }: Launched, file: string): Promise<string> {
  // An insertion reveals its editor, so wait before opening the palette. A notebook cell may keep the focus.
  const focused = page.locator('.monaco-editor.focused').waitFor({ timeout: 2 * LOOK_MS });
  await focused.catch(() => undefined);
  await runCommand(page, 'File: Save All Files');
  await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
  return readFileSync(join(workspace ?? '', file), 'utf8');
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

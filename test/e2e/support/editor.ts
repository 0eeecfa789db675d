import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Launched } from './launch.ts';

const PATIENCE_MS = 45_000;
const LOOK_MS = 2_000;

/**
 * Runs a command by its full title in the command palette, e.g. `Analytics Chat: New Chat`.
 * The palette is opened anew until the command is listed: extensions register theirs a moment after the page is drawn.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  await choose(page, `>${title}`, title);
}

/** Opens a file of the workspace by its name, as quick open does; the keyboard is then in its text. */
export async function openFile(page: Page, name: string): Promise<void> {
  await choose(page, name, name);
  await page.getByRole('tab', { name: new RegExp(`^${escape(name)}`), selected: true }).waitFor();
  await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
}

async function choose(page: Page, query: string, label: string): Promise<void> {
  const input = quickInput(page);
  // A busy machine gets more time with each try.
  for (let look = LOOK_MS, deadline = Date.now() + PATIENCE_MS; ; look *= 1.5) {
    await page.keyboard.press('F1');
    try {
      // Whatever still takes the focus would take the text, too.
      await page.locator('.quick-input-widget:visible .quick-input-box input:focus').waitFor({ timeout: look });
      await input.fill(query, { timeout: look });
      await quickPickItem(page, label).click({ timeout: look });
      break;
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error(`"${label}" is not offered by the palette`, { cause: error });
      }
      await page.keyboard.press('Escape');
    }
  }
  // The palette stays up for a moment; what is typed next is for what the command opens.
  await page.waitForFunction((palette) => {
    const box = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
    return box === null || !box.checkVisibility() || box.value !== palette;
  }, query);
}

/** The input box of the palette, of a quick pick and of an input box. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible .quick-input-box input');
}

/** Loads the window anew by the editor's own command: it first saves what views and tabs remember. */
export async function reloadWindow(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await runCommand(page, 'Developer: Reload Window');
  await loaded;
  await page.locator('.monaco-workbench').waitFor();
}

/**
 * Answers the editor's dialog for a file, which puts a proposal of its own in once it has looked at the folder.
 * @param proposal a part of it
 * @param path of the file; the proposal when absent
 */
export async function nameFile(page: Page, proposal: string, path?: string): Promise<void> {
  await page.waitForFunction((part) => {
    const box = document.querySelector<HTMLInputElement>('.quick-input-widget .quick-input-box input');
    return box?.checkVisibility() && box.value.includes(part);
  }, proposal);
  if (path !== undefined) await quickInput(page).fill(path);
  await quickInput(page).press('Enter');
}

/** Chooses from the menu that is open, as the keyboard does: a menu takes no click in its first moment. */
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
 * What the extension draws in its webview: the chat view in the side bar, or the active editor tab.
 * A webview is a frame in a frame; locators that start here look into the inner one.
 */
export function webview(page: Page, where: 'view' | 'editor' = 'view'): FrameLocator {
  // The editor tells the purpose of a view's frame only at its first showing.
  const ofView = ':is([src*="purpose=webviewView"], :left-of(.part.editor))';
  const which = where === 'view' ? ofView : `:not(${ofView})`;
  return page.locator(`iframe.webview${which}:visible`).first().contentFrame().frameLocator('#active-frame');
}

/** Drags the side bar's edge until the side bar is this wide, in CSS pixels; VS Code allows 170 and more. */
export async function setSideBarWidth(page: Page, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) {
    throw new Error('The side bar is not open.');
  }
  const y = box.y + box.height / 2;
  // The handle lies between the side bar and the editors, a few pixels beside the one or the other.
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

/** Saves all files of the window and returns the text that one of them then has on disk. */
export async function savedText({ page, workspace }: Launched, file: string): Promise<string> {
  // What was inserted brings its editor to the front; the palette must not open before.
  // A notebook's cell may keep the focus to itself.
  const focused = page.locator('.monaco-editor.focused').waitFor({ timeout: 2 * LOOK_MS });
  await focused.catch(() => undefined);
  await runCommand(page, 'File: Save All Files');
  await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
  return readFileSync(join(workspace ?? '', file), 'utf8');
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

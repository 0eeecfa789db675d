/**
 * Measures how long a user waits in a window that has just started: from the click on the icon of the chat until its
 * composer has taken a key, and until the whole first screen is shown with it. VS Code's own chat and a bare webview
 * with one text field are measured by turns, each in a new window of the same server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../vscode/chromium.ts';
import { newContext, openEditor } from '../../vscode/page.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { startServer, type EditorServer } from '../../vscode/server.ts';
import { compared, profileOf, type Parts, type Result } from '../result.ts';
import { pack } from '../support/pack.ts';
import { packPeer } from '../support/peer.ts';
import { inTurn } from '../support/turns.ts';
import { bareView, startedText, startNotice } from './bareView.ts';
import { watchComposer, type Mark } from './watch.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 12);

/** The accessible name of each chat's icon. */
const icons = { ours: 'Analytics Chat', 'bare webview': 'Bare', 'VS Code’s chat': 'Toggle Chat' } as const;
type Chat = keyof typeof icons;
const chats = Object.keys(icons) as Chat[];

/** @returns the medians of `BENCH_ROUNDS` windows of each */
export default async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cold-'));
  try {
    const ours = join(folder, 'ours.vsix');
    pack(repoRoot, ours);
    const server = await startServer({ packages: [ours, packPeer(folder, bareView), packPeer(folder, startNotice)] });
    const browser = await launchBrowser();
    try {
      return await measure(browser, server);
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function measure(browser: Browser, server: EditorServer): Promise<Result[]> {
  const waits: Record<Chat, number[]> = { ours: [], 'bare webview': [], 'VS Code’s chat': [] };
  const whole: Record<Chat, number[]> = { ours: [], 'bare webview': [], 'VS Code’s chat': [] };
  const parts: Record<Chat, Parts[]> = { ours: [], 'bare webview': [], 'VS Code’s chat': [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    // The first window of each is slower and not counted.
    for (const chat of inTurn(chats, round)) {
      const { clicked, page, shown, typed, complete } = await openIn(browser, server, chat);
      if (round === 0) continue;
      waits[chat].push(typed - clicked);
      whole[chat].push(complete - clicked);
      parts[chat].push({
        'from the click to the page': page - clicked,
        'from there to the composer': shown - page,
        'from there to the key': typed - shown,
        'from there to the whole screen': complete - typed,
      });
    }
  }
  return [
    { ...compared('click to a composer that takes a key', 'ms', waits), profile: profileOf('ms', parts) },
    compared('click to the whole first screen', 'ms', whole),
  ];
}

/** Opens a chat in a new window and types a key into its composer. */
async function openIn(browser: Browser, server: EditorServer, chat: Chat): Promise<Record<Mark, number>> {
  const context = await newContext(browser);
  try {
    const times: Partial<Record<Mark, number>> = {};
    const ended = Promise.withResolvers<undefined>();
    await context.exposeFunction('benchMark', (mark: Mark, time: number) => {
      times[mark] ??= time;
      if (mark === 'shown') void page.keyboard.press('x').catch(ended.reject);
      if (mark === 'complete') ended.resolve(undefined);
    });
    await context.addInitScript(watchComposer);
    const page = await openEditor(context, server, { extensions: [] });
    const icon = page
      .getByRole(chat === 'VS Code’s chat' ? 'button' : 'tab', { name: icons[chat], exact: true })
      .first();
    await page.locator('.statusbar-item').filter({ hasText: startedText }).waitFor();
    await icon.click();
    await ended.promise;
    const { clicked = NaN, page: loaded = clicked, shown = NaN, typed = NaN, complete = NaN } = times;
    const marks = { clicked, page: loaded, shown, typed, complete };
    if (Object.values(marks).some(Number.isNaN)) throw new Error(`The page of ${chat} reports no time.`);
    return marks;
  } finally {
    await context.close();
  }
}

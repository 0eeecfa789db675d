/**
 * Streams twenty thousand deltas into the real VS Code while a user types, into our composer and into an editor.
 * Measures the time from key press to paint, compared with an idle editor and with VS Code's own chat view that
 * receives the same deltas.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { openChat } from '../../e2e/support/chat.ts';
import { innerFrame, type Chat } from '../../support/chat.ts';
import { openFile, runCommand } from '../../e2e/support/editor.ts';
import { closeAll, launch, type Launched } from '../../e2e/support/launch.ts';
import { writtenService, type Written, type WrittenService } from '../../support/service/writtenService.ts';
import { startServer } from '../../vscode/server.ts';
import { compared, type Result } from '../result.ts';
import { packPeer } from '../support/peer.ts';
import { chatPeer, peerCommand } from './peer.ts';
import { watch } from './watch.ts';

const DELTAS = 20_000;
/** A thousand deltas a second, far more than any model writes. */
const PER_TICK = 10;
const TICK_MS = 10;
const KEYS = 60;
const KEY_MS = 60;
/** A word that must appear soon. */
const EARLY = 'w100 ';
/** Milliseconds to wait for the end of an answer on a busy machine. */
const PATIENCE = 60_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);

const words = Array.from({ length: DELTAS }, (_, index) => `w${index}${index % 40 === 39 ? '\n\n' : ' '}`);

type Samples = Record<string, number[]>;

/** @returns the 95th percentile from key press to paint, and posts per frame */
export default async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-flood-'));
  const dataDir = join(folder, 'data');
  const service = await writtenService();
  const packages = [packPeer(folder, chatPeer(service.chatApiUrl))];
  const env = { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' };
  const server = await startServer({ dataDir, env, packages });
  try {
    const editor = await launch({ workspace: 'model', server, viewport: { width: 1400, height: 800 } });
    return await measure(editor, service);
  } finally {
    await closeAll();
    await server.stop();
    await service.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function measure({ page }: Launched, service: WrittenService): Promise<Result[]> {
  await openFile(page, 'scratch.sql');
  const chat = await openChat(page);
  const frame = await innerFrame(chat);
  await page.evaluate(watch);
  await frame.evaluate(watch);
  const keys: Record<string, Samples> = {
    composer: { ours: [], 'at rest': [], 'VS Code’s chat': [] },
    editor: { ours: [], 'at rest': [], 'VS Code’s chat': [] },
  };
  const posts: number[] = [];
  const note = (place: string, name: string, times: readonly number[]): void => {
    keys[place]?.[name]?.push(...times);
  };
  const text = page.locator('.editor-group-container.active .view-lines');
  for (let round = 0; round < ROUNDS; round += 1) {
    // Only for comparison, so once is enough.
    if (round === 0) {
      note('composer', 'at rest', await typed(page, chat.field, frame));
      note('editor', 'at rest', await typed(page, text, page.mainFrame()));
    }
    await runCommand(page, 'Analytics Chat: New Chat');
    await chat.view.getByText('Ask about your data.').waitFor();
    await chat.ask('flood');
    const ours = flooded(await service.next());
    const before = await counts(frame);
    note('composer', 'ours', await typed(page, chat.field, frame, ours.isOver));
    note('editor', 'ours', await typed(page, text, page.mainFrame(), ours.isOver));
    const after = await counts(frame);
    posts.push((after.posts - before.posts) / (after.frames - before.frames));
    await ours.done;
    await chat.button('Copy answer').waitFor({ timeout: PATIENCE });
    await checkWords(chat);
  }
  await runCommand(page, peerCommand);
  const theirs = flooded(await service.next());
  await page.locator('.interactive-session').getByText(EARLY).first().waitFor();
  const input = page.locator('.interactive-input-part .view-lines').first();
  note('composer', 'VS Code’s chat', await typed(page, input, page.mainFrame(), theirs.isOver));
  note('editor', 'VS Code’s chat', await typed(page, text, page.mainFrame(), theirs.isOver));
  const results = Object.entries(keys).map(([place, samples]) =>
    compared(`key to paint in the ${place}, p95`, 'ms', samples, 0.95),
  );
  return [...results, { name: 'posts per frame', value: Math.max(...posts), unit: 'posts' }];
}

/** Writes the deltas at an even rate, then the whole answer. */
function flooded(written: Written): { done: Promise<void>; isOver: () => boolean } {
  let at = 0;
  const done = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      for (const end = at + PER_TICK; at < end; at += 1) written.say(words[at] ?? '');
      if (at < DELTAS) return;
      clearInterval(timer);
      written.answer(words.join(''), 'final');
      resolve();
    }, TICK_MS);
  });
  return { done, isOver: () => at >= DELTAS };
}

/** Types at human speed until the flood is over. @returns the milliseconds of each key */
async function typed(page: Page, field: Locator, frame: Frame, isOver = (): boolean => false): Promise<number[]> {
  await field.click();
  await frame.evaluate(() => (window.floodWatch.keys.length = 0));
  let count = 0;
  for (; count < KEYS && !isOver(); count += 1)
    await page.keyboard.type('selectfromwhere'[count % 15] ?? '', { delay: KEY_MS });
  assert.ok(count >= KEYS / 2, 'the flood was over before the typing');
  await frame.waitForFunction((keys) => window.floodWatch.keys.length >= keys, count);
  return frame.evaluate(() => window.floodWatch.keys);
}

const counts = (frame: Frame): Promise<{ posts: number; frames: number }> =>
  frame.evaluate(() => ({ posts: window.floodWatch.posts, frames: window.floodWatch.frames }));

async function checkWords(chat: Chat): Promise<void> {
  const answer = await chat.answers().locator('.md').last().textContent();
  const arrived = answer?.match(/w\d+/g) ?? [];
  assert.ok(arrived.length === DELTAS && arrived.every((word, index) => word === `w${index}`), 'words are missing');
}

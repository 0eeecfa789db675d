/** Asks in the real VS Code and measures when the first words of the answer are painted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { openChat } from '../../e2e/support/chat.ts';
import { innerFrame } from '../../support/chat.ts';
import { runCommand, webview } from '../../e2e/support/editor.ts';
import { closeAll, launch } from '../../e2e/support/launch.ts';
import { connect } from '../../e2e/support/wizard.ts';
import { packPeer } from '../support/peer.ts';
import { bareCommand, bareExtension, bareField } from './bareExtension.ts';

/** When each step happened, in Unix milliseconds. */
export interface Answered {
  /** The key press that sends the question. */
  sent: number;
  /** The first words of the answer arrive in the page. */
  heard: number;
  /** The first words are painted. */
  painted: number;
}

export interface AskingEditor {
  ours(): Promise<Answered>;
  /** Asks with an extension that only sends the request. */
  'bare extension'(): Promise<Answered>;
  stop(): Promise<void>;
}

declare global {
  interface Window {
    answered: Promise<Answered>;
  }
}

/** @param words the start of each answer */
export async function askingEditor(chatApiUrl: string, words: string): Promise<AskingEditor> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-answer-'));
  const packages = [packPeer(folder, bareExtension(`${chatApiUrl}/chat/stream-chat-state`))];
  const { page } = await launch({ packages });
  // Like users, with a key in the keyring.
  await connect(page, chatApiUrl, 'any-key');
  const chat = await openChat(page);
  const frame = await innerFrame(chat);
  const bare = await openBare(page);
  let asked = 0;
  const nextQuestion = (): string => `question ${(asked += 1)}.`;
  return {
    async ours() {
      const question = nextQuestion();
      const places = { question: '.turn:last-child', words: '.turn:last-child .answer .prose' };
      const time = await timed(frame, chat.field, places, question, words);
      await chat.button('Send').waitFor();
      return time;
    },
    'bare extension': () =>
      timed(bare.frame, bare.field, { question: '.bare b', words: '.bare i' }, nextQuestion(), words),
    async stop() {
      await closeAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openBare(page: Page): Promise<{ frame: Frame; field: Locator }> {
  await runCommand(page, bareCommand);
  const field = webview(page, 'editor').getByRole('textbox', { name: bareField });
  const frame = await (await field.elementHandle())?.ownerFrame();
  if (!frame) throw new Error('The bare extension has no page.');
  return { frame, field };
}

/** @param places elements that show the question and the first words of its answer */
async function timed(
  frame: Frame,
  field: Locator,
  places: { question: string; words: string },
  question: string,
  words: string,
): Promise<Answered> {
  await field.fill(question);
  await frame.evaluate(
    ([at, own, begin]) => {
      const shows = (place: string, text: string): boolean =>
        document.querySelector(place)?.textContent.includes(text) ?? false;
      const isThere = (): boolean => shows(at.question, own) && shows(at.words, begin);
      window.answered = new Promise((resolve) => {
        const now = (): number => performance.timeOrigin + performance.now();
        const watch = (timeStamp: number): void => {
          const sent = performance.timeOrigin + timeStamp;
          let heard = 0;
          const hear = ({ data }: MessageEvent<unknown>): void => {
            if (heard === 0 && JSON.stringify(data).includes(begin)) heard = now();
          };
          addEventListener('message', hear, { capture: true });
          let inFrame = false;
          let isDue = false;
          // This task runs after the frame is painted.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            inFrame = false;
            if (!isDue) return;
            observer.disconnect();
            removeEventListener('message', hear, { capture: true });
            resolve({ sent, heard, painted: now() });
          };
          // Changes made in the frame after this callback are painted with it.
          const observer = new MutationObserver(() => (isDue ||= inFrame && isThere()));
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
          const frame = (): void => {
            inFrame = true;
            isDue ||= isThere();
            port2.postMessage(undefined);
            if (!isDue) requestAnimationFrame(frame);
          };
          requestAnimationFrame(frame);
        };
        addEventListener('keydown', ({ timeStamp }) => watch(timeStamp), { capture: true, once: true });
      });
    },
    [places, question, words] as const,
  );
  await field.press('Enter');
  return frame.evaluate(() => window.answered);
}

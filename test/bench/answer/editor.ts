/** Asks in the real VS Code and sees when the first words of the answer are painted. */
import { innerFrame, openChat } from '../../e2e/support/chat.ts';
import { closeAll, launch } from '../../e2e/support/launch.ts';

export interface AskingEditor {
  /** @returns milliseconds from the key that sends until the first words of its answer are painted */
  ask(): Promise<number>;
  stop(): Promise<void>;
}

declare global {
  interface Window {
    painted: Promise<number>;
  }
}

/** @param words with which each answer begins */
export async function askingEditor(chatApiUrl: string, words: string): Promise<AskingEditor> {
  const { page } = await launch({ env: { ANALYTICS_CHAT_API_URL: chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' } });
  const chat = await openChat(page);
  const frame = await innerFrame(chat);
  let asked = 0;
  return {
    async ask() {
      asked += 1;
      const question = `question ${asked}.`;
      await chat.field.fill(question);
      await frame.evaluate(
        ([begin, own]) => {
          window.painted = new Promise((resolve) => {
            const look = (sent: number): void => {
              const turn = document.querySelector('.turn:last-child');
              const prose = turn?.querySelector('.answer .prose');
              if (!turn?.textContent.includes(own) || !prose?.textContent.includes(begin)) {
                requestAnimationFrame(() => look(sent));
                return;
              }
              // The task after the frame's callbacks comes when the frame is painted.
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => resolve(performance.now() - sent);
              port2.postMessage(undefined);
            };
            addEventListener('keydown', ({ timeStamp }) => look(timeStamp), { capture: true, once: true });
          });
        },
        [words, question] as const,
      );
      await chat.field.press('Enter');
      const time = await frame.evaluate(() => window.painted);
      await chat.button('Send').waitFor();
      return time;
    },
    stop: closeAll,
  };
}

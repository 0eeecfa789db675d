/** Everything that the editor's webviews are sent, as they get it. */
import type { BrowserContext } from 'playwright-core';

/**
 * @param context whose pages have not been opened yet
 * @returns the messages as JSON; more are added as they come
 */
export async function recordWebviewMessages(context: BrowserContext): Promise<readonly string[]> {
  const messages: string[] = [];
  await context.exposeBinding('recordMessage', (_source, text: string) => messages.push(text));
  await context.addInitScript(() => {
    if (window === window.top) return;
    const { addEventListener } = EventTarget.prototype;
    const record = (event: Event): void => {
      const { recordMessage } = window as unknown as { recordMessage: (text: string) => void };
      recordMessage(JSON.stringify((event as MessageEvent<unknown>).data) ?? '');
    };
    // A webview's document is written anew after this script has run, and loses its listeners: so with each of its own.
    EventTarget.prototype.addEventListener = function (
      this: EventTarget,
      ...args: Parameters<typeof addEventListener>
    ) {
      if (args[0] === 'message') addEventListener.call(this, 'message', record);
      addEventListener.apply(this, args);
    };
  });
  return messages;
}

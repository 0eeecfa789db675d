/** Records everything that VS Code's webviews receive. */
import type { BrowserContext } from 'playwright-core';

/**
 * @param context a browser context without open pages
 * @returns the messages as JSON; grows as they arrive
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
    // A webview's document is rewritten after this script has run and loses its listeners, so add them to each
    // document.
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

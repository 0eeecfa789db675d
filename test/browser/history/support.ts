/** The history in the chat page, with three threads in it. */
import { before } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import { until } from '../../support/until.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { useWrittenExtension } from '../support/extension/written.ts';
import type { Editor } from '../support/extension/editor.ts';
import type { Prompts } from '../support/extension/prompts.ts';

export interface HistoryPage {
  readonly editor: Editor;
  readonly prompts: Prompts;
  readonly service: WrittenService;
  readonly page: Page;
  readonly chat: Chat;
  /** A folder for exported files. */
  readonly folder: string;
  newChat(): Promise<void>;
  panel(): Locator;
  search(): Locator;
  rows(): Locator;
  row(title: string): Locator;
  /** Waits until the list shows these threads in this order. */
  listed(...expected: string[]): Promise<void>;
  showHistory(): Promise<void>;
  /** Waits until an element has the focus whose accessible name or text starts with this. */
  focuses(name: string): Promise<void>;
}

/** For the tests of the suite that calls it. */
export function useHistory(): HistoryPage {
  const setup = useWrittenExtension();
  const newChat = async (): Promise<void> => {
    await setup.chat.button('New chat').click();
    await setup.chat.view.getByText('Ask about your data.').waitFor();
  };
  before(async () => {
    const { chat, service } = setup;
    for (const [question, answer] of [
      ['orders by month', 'Most of them in May.'],
      ['returns by region', 'The north returns least.'],
      ['top customers', 'A shop in the north.'],
    ] as const) {
      await chat.ask(question);
      (await service.next()).answer(answer);
      await chat.view.getByText(answer).waitFor();
      await newChat();
    }
  });
  const search = (): Locator => setup.chat.view.getByRole('textbox', { name: 'Search chats' });
  const rows = (): Locator => setup.chat.view.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  const focused = (): Promise<string> =>
    setup.page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );
  const focuses = async (name: string): Promise<void> => {
    let last = '';
    await until(
      async () => (last = await focused()).startsWith(name),
      () => `“${last}” has the focus, not “${name}”.`,
    );
  };
  return Object.assign(setup, {
    newChat,
    search,
    rows,
    panel: () => setup.chat.view.getByRole('region', { name: 'History' }),
    row: (title: string) => rows().filter({ hasText: title }),
    listed: async (...expected: string[]) => {
      await setup.page.waitForFunction(
        (wanted) => [...document.querySelectorAll('.thread-name')].map((name) => name.textContent).join() === wanted,
        expected.join(),
      );
    },
    showHistory: async () => {
      await setup.editor.run('analyticsChat.history');
      await rows().first().waitFor();
      await focuses('Search chats');
    },
    focuses,
  });
}

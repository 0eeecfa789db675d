/** The history where VS Code takes part: its buttons, badge, dialogs and tabs, and a user's own key binding. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'mocha';
import type { Locator } from 'playwright-core';
import { chatIn, type Chat } from '../../support/chat.ts';
import { becomes } from '../../support/until.ts';
import { openChat } from '../support/chat.ts';
import { dialog, nameFile, notification, quickPickItem, reloadWindow, runCommand, webview } from '../support/editor.ts';
import type { Launched } from '../support/launch.ts';
import type { WrittenChat } from '../support/writtenChat.ts';

/** Asks in one chat, by the service's chat id. */
const binding = {
  key: 'ctrl+alt+f9',
  command: 'analyticsChat.ask',
  args: { text: 'and by quarter', chatId: 'c1' },
};

/** Writes the key binding, and opens the empty history. */
export async function startWithHistory({ server, page }: Launched): Promise<void> {
  const file = join(server.dataDir, 'data', 'User', 'keybindings.json');
  writeFileSync(file, JSON.stringify([binding]));
  // As the first command: VS Code has not resolved the view yet.
  await runCommand(page, 'Analytics Chat: Show History');
  await webview(page).getByText('No chats yet').waitFor();
}

export const threads = (setup: WrittenChat): void => {
  it('are in the history, with a badge for unread answers, and in files, until it is cleared', async () => {
    const { service, page, chat } = setup;
    const rows = (view: Chat): Locator => view.view.getByRole('list', { name: 'Chats' }).getByRole('listitem');
    const showHistory = async (view = chat): Promise<void> => {
      await page.getByRole('button', { name: 'Show History' }).click();
      await rows(view).first().waitFor();
    };
    const badge = page
      .locator('.activitybar')
      .getByRole('tab', { name: /Analytics Chat/ })
      .locator('.badge-content');
    await chat.ask('orders by month');
    const slow = await service.next();
    await setup.newChat();
    assert.equal(await badge.filter({ hasText: '1' }).count(), 0);
    slow.answer('Most of them in May.');
    await badge.filter({ hasText: '1' }).waitFor();
    await showHistory();
    await rows(chat).getByText('orders by month').click();
    await chat.answers().getByText('Most of them in May.').waitFor();
    await badge.waitFor({ state: 'hidden' });

    const file = join(setup.editor.workspace ?? '', 'orders.json');
    await runCommand(page, 'Analytics Chat: Export Chat…');
    await quickPickItem(page, 'JSON').click();
    await nameFile(page, '.json', file);
    await notification(page, /exported/i).waitFor();

    await setup.newChat();
    await reloadWindow(page);
    const again = await openChat(page);
    await page.keyboard.press('Control+Alt+F9');
    const written = await service.next();
    assert.deepEqual([written.body.chatId, written.body.input], ['c1', 'and by quarter']);
    written.answer('Most of them in spring.');
    await again.answers().getByText('Most of them in spring.').waitFor();
    await again.answers().getByText('Most of them in May.').waitFor();
    await showHistory(again);
    await becomes(() => rows(again).count(), 1);

    await rows(again).first().hover();
    await rows(again).getByRole('button', { name: 'Open in editor' }).click();
    await chatIn(webview(page, 'editor')).answers().getByText('Most of them in May.').waitFor();
    await runCommand(page, 'View: Close Editor');

    await runCommand(page, 'Analytics Chat: Clear History…');
    await dialog(page).getByRole('button', { name: 'Delete all chats' }).click();
    await runCommand(page, 'Analytics Chat: Show History');
    await again.view.getByText('No chats yet').waitFor();
    await again.view.getByRole('textbox', { name: 'Search chats' }).press('Escape');
    await runCommand(page, 'Analytics Chat: Import Chat…');
    await nameFile(page, setup.editor.workspace ?? '', file);
    await again.answers().getByText('Most of them in May.').waitFor();
  });
};

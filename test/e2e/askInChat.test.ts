/** A user's own key binding that asks in one chat, by the service's chat id. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { openChat } from './support/chat.ts';
import { reloadWindow } from './support/editor.ts';
import { useWrittenChat } from './support/writtenChat.ts';

const binding = {
  key: 'ctrl+alt+f9',
  command: 'analyticsChat.ask',
  args: { text: 'and by quarter', chatId: 'c1' },
};

describe('Asking in a chat by its id', function () {
  this.timeout(90_000);
  const setup = useWrittenChat({ workspace: 'model' }, async ({ server }) => {
    const file = join(server.dataDir, 'data', 'User', 'keybindings.json');
    writeFileSync(file, JSON.stringify([binding]));
  });

  it('opens the chat from the history without creating a second one', async () => {
    const { service, page, chat } = setup;
    await chat.ask('orders by month');
    (await service.next()).answer('Most of them in May.');
    await chat.view.getByText('Most of them in May.').waitFor();
    await setup.newChat();
    await reloadWindow(page);
    const again = await openChat(page);
    await page.keyboard.press('Control+Alt+F9');
    const written = await service.next();
    assert.deepEqual([written.body.chatId, written.body.input], ['c1', 'and by quarter']);
    written.answer('Most of them in spring.');
    await again.answers().getByText('Most of them in spring.').waitFor();
    await again.answers().getByText('Most of them in May.').waitFor();
    await page.getByRole('button', { name: 'Show History' }).click();
    const rows = again.view.getByRole('list', { name: 'Chats' }).getByRole('listitem');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);
  });
});

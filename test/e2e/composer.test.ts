/** Writing and sending messages, with a service whose lines the test writes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { openChat, reloadPage } from './support/chat.ts';
import { chatIn, innerFrame, type Chat } from '../support/chat.ts';
import { openFile, quickInput, quickPickItem, runCommand, webview } from './support/editor.ts';
import { themes, type Launched } from './support/launch.ts';
import { useWrittenChat } from './support/writtenChat.ts';
import type { WrittenService } from '../support/writtenService.ts';

describe('Asking', function () {
  this.timeout(90_000);
  const setup = useWrittenChat({ workspace: 'model' });
  let service: WrittenService;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, editor, page, chat } = setup));

  describe('settings', () => {
    const reloadWith = async (settings: Record<string, unknown>): Promise<void> => {
      editor.server.writeSettings({ 'workbench.colorTheme': themes.dark, ...settings });
      chat = await reloadPage(page);
    };
    after(() => reloadWith({}));

    it('choose the key that sends, and expand the thinking', async () => {
      await reloadWith({ 'analyticsChat.sendKey': 'modEnter', 'analyticsChat.showThinking': 'expanded' });
      await chat.field.fill('two');
      await chat.field.press('Enter');
      await page.keyboard.type('lines');
      assert.equal(await chat.field.inputValue(), 'two\nlines');
      await chat.field.press('Control+Enter');
      const written = await service.next();
      assert.equal(written.body.input, 'two\nlines');
      written.think('m1', 'All in the open.');
      written.answer('Yes.');
      await chat.told('Answer finished');
      await chat.view.getByRole('group', { name: 'Thinking' }).getByText('All in the open.').waitFor();
    });
  });

  describe('composer', () => {
    it('attaches a file chosen with @, and the selection', async () => {
      await chat.field.pressSequentially('compare @');
      await quickInput(page).fill('scratch.sql');
      await quickPickItem(page, 'queries/scratch.sql').click();
      await innerFrame(chat).then((frame) =>
        frame.waitForFunction(() => document.querySelector('textarea')?.value.includes('scratch.sql')),
      );
      assert.match(await chat.field.inputValue(), /^About queries\/scratch\.sql:\n```sql\n[^]*\n```\n\ncompare $/);
      await chat.field.fill('');

      await openFile(page, 'scratch.sql');
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
      await chat.button('Attach context').click();
      await page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: 'Selection' }).click();
      await innerFrame(chat).then((frame) =>
        frame.waitForFunction(() => document.querySelector('textarea')?.value.includes('scratch.sql')),
      );
      await chat.field.fill('');
    });

    it('accepts a file that is dragged from the explorer to an editor tab', async () => {
      await runCommand(page, 'Analytics Chat: Open Chat in Editor');
      const tab = chatIn(webview(page, 'editor'));
      await tab.field.waitFor();
      await page.keyboard.press('Control+Shift+E');
      const [file, field] = [page.getByRole('treeitem', { name: 'dbt_project.yml' }), tab.field];
      await file.hover();
      await page.mouse.down();
      const { x, y } = (await field.boundingBox()) ?? assert.fail();
      // Without the key, VS Code would open the dropped file.
      await page.keyboard.down('Shift');
      for (const above of [100, 5, 0]) await page.mouse.move(x + 100, y + 10 - above, { steps: 5 });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await innerFrame(tab).then((frame) =>
        frame.waitForFunction(() => document.querySelector('textarea')?.value.startsWith('About dbt_project.yml:')),
      );
      await tab.field.fill('');
      await runCommand(page, 'View: Close All Editors');
      await openChat(page);
    });
  });
});

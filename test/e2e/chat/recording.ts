/** Recording a conversation and opening a recording in the real VS Code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { openNewChat } from '../support/chat.ts';
import type { Chat } from '../../support/chat.ts';
import {
  chooseFromMenu,
  nameFile,
  notification,
  openFile,
  quickInput,
  reloadWindow,
  runCommand,
  statusBarItem,
  webview,
} from '../support/editor.ts';
import type { Launched } from '../support/launch.ts';
import type { SandboxEditor } from '../support/sandboxEditor.ts';
import { becomes } from '../../support/until.ts';
import { step } from '../support/step.ts';

const QUESTION = 'revenue by month in 2024';

export const recordings = (setup: SandboxEditor): void => {
  let sandbox: Sandbox;
  let editor: Launched;
  let page: Page;
  let chat: Chat;
  let answered = '';

  before(async () => {
    ({ sandbox, editor, page } = setup);
    chat = await openNewChat(page);
  });

  const path = (name: string): string => join(editor.workspace ?? '', name);
  /** The visible content of the conversation: question, context, result, SQL and prose. */
  const conversation = async (): Promise<string> => {
    await chat.view.getByRole('img', { name: /^Chart/ }).waitFor();
    return (await chat.log.locator('.bubble, .question-context, .card, .prose').allInnerTexts()).join('\n');
  };
  const recordedBar = () => chat.view.getByRole('group', { name: 'Recorded chat' });
  const openRecording = async (file: string): Promise<void> => {
    await runCommand(page, 'Analytics Chat: Open Recording…');
    // The dialog starts in the folder of the file that was open last.
    await nameFile(page, '/queries/', file);
  };

  it('are made, replayed read-only and restored after a reload', async () => {
    await step('capture a conversation while the status bar shows it', async () => {
      await runCommand(page, 'Analytics Chat: Record This Chat');
      await statusBarItem(page, 'Recording chat').waitFor();
      await chat.ask(QUESTION);
      await chat.told('Answer finished');
      answered = await conversation();
      await statusBarItem(page, 'Recording chat').click();
      await nameFile(page, `/${QUESTION}.ndjson`);
      await statusBarItem(page, 'Recording saved').waitFor();
      assert.ok(existsSync(path(`${QUESTION}.ndjson`)));
      assert.ok(!readFileSync(path(`${QUESTION}.ndjson`), 'utf8').includes(sandbox.apiKey));
      await statusBarItem(page, 'Recording chat').waitFor({ state: 'detached' });
    });

    await step('replay the same conversation read-only, without a request', async () => {
      const asked = sandbox.requests.length;
      // With pauses so long that the test can skip them on any machine.
      const saved = readFileSync(path(`${QUESTION}.ndjson`), 'utf8');
      writeFileSync(path(`${QUESTION}.ndjson`), saved.replace(/(?<="at":\d+)(?=,)/g, '000'));
      await openRecording(path(`${QUESTION}.ndjson`));
      await chat.button('Show the rest').click();
      await chat.button('Show the rest').waitFor({ state: 'detached' });
      await becomes(conversation, answered);
      await recordedBar()
        .getByText('This chat is a recording. You can use its results, but you can’t continue it.')
        .waitFor();
      await chat.field.waitFor({ state: 'detached' });
      assert.equal(sandbox.requests.length, asked);
    });

    await step('offer their SQL for insertion', async () => {
      await runCommand(page, 'File: New Untitled Text File');
      const text = page.locator('.editor-group-container.active .monaco-editor');
      await text.and(page.locator('.focused')).waitFor();
      await chat.button('Insert SQL').click();
      await text.locator('.view-lines').filter({ hasText: 'MEASURE(sales.revenue)' }).waitFor();
    });

    await step(
      'are restored after a reload, and until the chat is opened, a lens and the branch are there',
      async () => {
        await runCommand(page, 'View: Show Explorer');
        await reloadWindow(page);
        await openFile(page, 'scratch.sql');
        await page.locator('.codelens-decoration').getByText(`Open chat: ${QUESTION}`).first().waitFor();
        await page.getByRole('button', { name: 'Analytics Chat branch: dev-net-revenue', exact: true }).waitFor();
        await runCommand(page, 'Analytics Chat: Open Chat');
        await recordedBar().waitFor();
        await becomes(conversation, answered);
      },
    );
  });

  it('are opened from files and from the sample, while questions go to other chats', async () => {
    await step('send new questions to a new chat', async () => {
      await runCommand(page, 'Analytics Chat: Ask…');
      await page.locator('.quick-input-widget:visible').getByPlaceholder(QUESTION).waitFor();
      await quickInput(page).fill('number of orders in 2024');
      await page.keyboard.press('Enter');
      await chat.told('Answer finished');
      await becomes(() => chat.view.getByRole('article', { name: 'You' }).count(), 1);
      await recordedBar().waitFor({ state: 'detached' });
    });

    await step('that are invalid are rejected with a message, and the chat stays open', async () => {
      writeFileSync(
        path('picture.ndjson'),
        Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256),
      );
      await page.keyboard.press('Control+Shift+E');
      await page.getByRole('treeitem', { name: 'picture.ndjson' }).click({ button: 'right' });
      await chooseFromMenu(page, 'Open Recording…');
      await notification(page, 'This file doesn’t contain a recorded chat.').waitFor();
      await runCommand(page, 'Analytics Chat: Open Chat');
      await chat.view.getByRole('article', { name: 'You' }).getByText('number of orders in 2024').waitFor();
    });

    await step('include a sample that shows everything, also the comparison of two branches', async () => {
      const asked = sandbox.requests.length;
      await runCommand(page, 'Analytics Chat: Open a Sample Conversation');
      await chat.button('Compare answers').click();
      const tab = webview(page, 'editor');
      for (const name of ['Left: main as ana', 'Right: dev-net-revenue as ana'])
        await tab.getByRole('region', { name }).getByText('12 rows', { exact: true }).waitFor();
      await tab.getByText('12 changed', { exact: true }).waitFor();
      assert.equal(sandbox.requests.length, asked);
    });
  });
};

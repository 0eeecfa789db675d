/**
 * The chat beside files, in one window: by keyboard, its commands, and writing messages with files, selections, many
 * key presses and frames of others.
 */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { becomes } from '../../support/until.ts';
import { chatIn, innerFrame, type Chat } from '../../support/chat.ts';
import type { Written, WrittenService } from '../../support/service/writtenService.ts';
import { openChat } from '../support/chat.ts';
import { openFile, runCommand, savedText, webview } from '../support/editor.ts';
import type { Launched } from '../support/launch.ts';
import { useWrittenChat, type WrittenChat } from '../support/writtenChat.ts';
import { accessibility } from './access.ts';
import { offers } from './offers.ts';

const DELTAS = 20_000;
/** Minimum milliseconds between two posts to the page. */
const FRAME = 16;
const WORDS = Array.from({ length: DELTAS }, (_, index) => `w${index}${index % 40 === 39 ? '\n\n' : ' '}`);
const TYPED = 'The quick brown fox jumps over the lazy dog while the answer comes.';

describe('In an editor', function () {
  this.timeout(180_000);
  const settings = { 'analyticsChat.mainBranch': 'feature/sales-pipeline-rework-2026' };
  const setup = useWrittenChat({ workspace: 'model', settings });

  describe('Accessibility', () => accessibility(setup));
  describe('Commands', () => offers(setup));
  describe('The composer', () => composer(setup));
});

function composer(setup: WrittenChat): void {
  let service: WrittenService;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(async () => {
    ({ service, editor, page, chat } = setup);
    // Editors with changes can't be closed without a question.
    await runCommand(page, 'File: Save All Files');
    await setup.newChat();
  });

  it('attaches a file chosen with @, and the selection', async () => {
    await chat.field.pressSequentially('compare @scratch');
    await chat.view.getByRole('option', { name: /^scratch\.sql/ }).click();
    await becomes(() => chat.field.inputValue(), 'compare ');
    const attached = chat.view.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await chat.button('Remove scratch.sql').click();
    await attached.first().waitFor({ state: 'detached' });
    await chat.field.fill('');

    await openFile(page, 'scratch.sql');
    // The file was open, so the chat may get the focus back after the palette.
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+End');
    await page.getByText(/^Ln 1, Col \d+ \(\d+ selected\)$/).waitFor();
    await chat.button('Attach image or context').click();
    await page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: 'Selection' }).click();
    await chat.button('Remove scratch.sql:1').click();
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
    await tab.button('Remove dbt_project.yml').click();
    await runCommand(page, 'View: Close All Editors');
    await openChat(page);
  });

  /** Streams all words, one delta each, as fast as the connection accepts them. */
  async function flood(written: Written): Promise<void> {
    for (let at = 0; at < DELTAS; at += 1) {
      written.say(WORDS[at] ?? '');
      if (at % 50 === 49) await turn();
    }
  }

  it('neither loses nor repeats a word or a key press in a flood of deltas', async () => {
    await setup.newChat();
    await openFile(page, 'scratch.sql');
    const frame = await innerFrame(chat);
    await frame.evaluate(() => {
      const counted = window as { posts?: number };
      counted.posts = 0;
      addEventListener('message', ({ data }: MessageEvent<{ type?: unknown }>) => {
        if (data.type === 'events') counted.posts = (counted.posts ?? 0) + 1;
      });
    });
    const begin = Date.now();
    await chat.ask('flood');
    const written = await service.next();
    const flooded = flood(written);
    await chat.field.click();
    await page.keyboard.type(TYPED);
    await page.locator('.editor-group-container.active .view-lines').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(TYPED);
    await flooded;
    written.answer(WORDS.join(''), 'final');
    await chat.told('Answer finished');
    const lasted = Date.now() - begin;

    const answer = await chat.answers().locator('.md').last().textContent();
    // Compared as one boolean, because a difference would print twenty thousand words.
    const arrived = answer?.match(/w\d+/g) ?? [];
    assert.equal(arrived.length, DELTAS);
    assert.ok(arrived.every((word, index) => word === `w${index}`));
    assert.equal(await chat.field.inputValue(), TYPED);
    assert.ok((await savedText(editor, 'queries/scratch.sql')).endsWith(TYPED));
    const posts = await frame.evaluate(() => (window as { posts?: number }).posts ?? 0);
    assert.ok(posts > 0 && posts <= lasted / FRAME + 1, `${posts} posts in ${lasted} ms`);
  });

  /** Posts from VS Code's window into every frame in it, and waits until the chat's page has received the message. */
  async function postFromOutside(message: object): Promise<void> {
    const frame = await innerFrame(chat);
    await frame.evaluate(() => {
      const seen = new Promise<void>((resolve) => {
        addEventListener('message', ({ data }: MessageEvent<{ foreign?: boolean }>) => data?.foreign && resolve());
      });
      Object.assign(window, { seen });
    });
    await page.evaluate((sent) => {
      const post = (to: Window): void => {
        to.postMessage(sent, '*');
        for (let index = 0; index < to.length; index += 1) post(to[index] as Window);
      };
      post(window);
    }, message);
    await frame.evaluate(() => (window as unknown as { seen: Promise<void> }).seen);
  }

  it('ignores messages from other frames, which can neither change the message nor the conversation', async () => {
    await setup.newChat();
    await chat.field.fill('mine');
    await postFromOutside({ type: 'compose', draft: { text: 'drop table', images: [] }, foreign: true });
    assert.equal(await chat.field.inputValue(), 'mine');
    await postFromOutside({ type: 'events', seq: 1, events: [{ type: 'nonsense' }], foreign: true });
    await chat.ask('revenue by month');
    (await service.next()).answer('It rose.');
    await chat.answers().getByText('It rose.').waitFor();
  });
}

/**
 * The life of a view in VS Code: hidden, unresponsive, reloaded, moved, and clicked while something else has the focus.
 * The window also shows the history and hostile text.
 */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { becomes } from '../../support/until.ts';
import { settled } from '../../support/settled.ts';
import { openChat, saved } from '../support/chat.ts';
import { chatIn, innerFrame, pasteFile, type Chat } from '../../support/chat.ts';
import { LONG, pixel } from '../../support/samples.ts';
import { pick } from '../support/compare.ts';
import { quickPickItem, reloadWindow, runCommand, webview } from '../support/editor.ts';
import type { Launched } from '../support/launch.ts';
import { useWrittenChat, type WrittenChat } from '../support/writtenChat.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';
import { BRANCH, hostileNames, hostileText, watchCalls } from './hostile.ts';
import { startWithHistory, threads } from './threads.ts';

const WORDS = Array.from({ length: 520 }, (_, index) => `w${index} `);
const HIDDEN = 500;

/** A message that the host posts to a page. */
interface Posted {
  type: string;
  /** An event of the thread, in a batch. */
  events?: readonly unknown[];
}

describe('In a window', function () {
  this.timeout(240_000);
  const posted: Posted[] = [];
  const setup = useWrittenChat({ workspace: 'model', settings: hostileNames }, async (editor) => {
    await watchCalls(editor);
    await watchPosts(editor, (message) => posted.push(message));
    await startWithHistory(editor);
  });

  describe('Threads', () => threads(setup));
  describe('Hostile text', () => hostileText(setup));
  describe('View', () => views(setup, posted));
});

function views(setup: WrittenChat, posted: Posted[]): void {
  let service: WrittenService;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(() => ({ service, editor, page, chat } = setup));
  beforeEach(async () => {
    await setup.newChat();
  });

  /** Opens and closes a prompt, which takes a message to the host and one back. */
  const seeBranches = async (): Promise<void> => {
    await runCommand(page, 'Analytics Chat: Switch Branch…');
    await quickPickItem(page, BRANCH).waitFor();
    await page.keyboard.press('Escape');
  };

  it('costs nothing while it is hidden, and is restored with one snapshot when it is shown again', async () => {
    await chat.ask('count');
    const written = await service.next();
    written.think('m1', 'One by one.');
    await chat.view.getByText('One by one.').waitFor();
    await runCommand(page, 'View: Show Explorer');
    await chat.field.waitFor({ state: 'detached' });
    posted.length = 0;
    // The host learns that the view is hidden before it opens a prompt.
    await seeBranches();
    const fromHost = await watchHost(editor);
    for (const word of WORDS.slice(0, HIDDEN)) written.say(word);
    await saved(editor, `w${HIDDEN - 1} `);
    // Wait for another message, to prove that the host posts at all.
    await seeBranches();
    assert.ok(fromHost.length > 0);
    assert.equal(fromHost.filter((message) => /w\d+ /.test(message)).length, 0);

    chat = await openChat(page);
    await chat
      .answers()
      .getByText(`w${HIDDEN - 1}`)
      .waitFor();
    for (const word of WORDS.slice(HIDDEN)) written.say(word);
    await chat.answers().getByText('w519').waitFor();
    const types = posted.map(({ type }) => type);
    assert.equal(types[0], 'snapshot');
    assert.equal(types.filter((type) => type === 'snapshot').length, 1);
    const events = posted.reduce((sum, batch) => sum + (batch.events?.length ?? 0), 0);
    assert.ok(events <= WORDS.length - HIDDEN, `${events} events`);
    const text = await chat.answers().locator('.md').last().textContent();
    assert.equal(text?.trim(), WORDS.join('').trim());
    written.answer(WORDS.join(''), 'final');
    await chat.told('Answer finished');
  });

  it('keeps its state when it was hidden or unresponsive, and with the queue, over a window reload', async () => {
    for (const question of ['first', 'second', 'third']) {
      await chat.ask(question);
      (await service.next()).answer(paragraphs(question));
      await chat.view.getByText(`${question} 60`).waitFor();
    }
    await chat.ask('goes on');
    const running = await service.next();
    running.say('It begins.');
    await chat.answers().getByText('It begins.').waitFor();
    await chat.ask('is next');
    await pasteFile(chat, pixel);
    const image = chat.view.getByRole('list', { name: 'Attached images' }).getByRole('img', { name: 'pixel.png' });
    await image.waitFor();
    const read = chat.view.getByText('second 30', { exact: true });
    const scrollTop = (): Promise<number> => chat.log.evaluate((log) => log.scrollTop);
    // Earlier turns are rendered when the reader scrolls near them.
    await chat.log.evaluate((log) => (log.scrollTop = 0));
    await read.evaluate((paragraph) => paragraph.scrollIntoView());
    await settled(read);
    const top = await scrollTop();
    await chat.log.hover();
    await page.mouse.wheel(0, -150);
    // A wheel scrolls later, on another thread.
    await becomes(scrollTop, top - 150);
    // Relative to the view, because VS Code may move the view by some pixels when it is shown again.
    const place = (): Promise<number> =>
      read.evaluate((paragraph) => Math.round(paragraph.getBoundingClientRect().top));
    await settled(read);
    const before = await place();
    const isBack = async (draft: string): Promise<void> => {
      chat = await openChat(page);
      await read.waitFor();
      await settled(read);
      await becomes(place, before);
      await becomes(() => chat.field.inputValue(), draft);
      await image.waitFor();
      await chat.view.getByRole('listitem').filter({ hasText: 'is next' }).waitFor();
      await becomes(() => chat.answers().getByText('first 1', { exact: true }).count(), 1);
    };

    await chat.field.pressSequentially('half');
    await runCommand(page, 'View: Show Explorer');
    await chat.field.waitFor({ state: 'detached' });
    await isBack('half');
    await chat.field.press('End');
    await chat.field.pressSequentially(' a');
    await page.locator('.statusbar').click();
    await (await innerFrame(chat)).goto('about:blank');
    // Without any interaction, the dead view is detected and reloaded.
    await chat.field.waitFor({ timeout: 45_000 });
    await isBack('half a');
    await reloadWindow(page);
    await isBack('half a');
    const resumed = await service.next();
    assert.equal(resumed.body.messageId, running.body.messageId);
    resumed.answer('Here.', 'final');
    const next = await service.next();
    assert.equal(next.body.input, 'is next');
    next.answer('There.');
    await chat.told('Answer finished');
    await chat.field.fill('');
    await chat.button('Remove image').click();
  });

  it('shows its own chat after a window reload, and goes on with it, while another one is active in an editor', async () => {
    await chat.ask('in the side bar');
    (await service.next()).say('It begins.');
    await chat.answers().getByText('It begins.').waitFor();
    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    const tab = chatIn(webview(page, 'editor'));
    await tab.button('New chat').click();
    await tab.view.getByText('Ask about your data.').waitFor();
    await tab.ask('in the editor');
    (await service.next()).answer('Here.');
    await tab.told('Answer finished');
    await reloadWindow(page);
    (await service.next()).answer('There.', 'final');
    await chat.answers().getByText('There.').waitFor();
    await tab.answers().getByText('Here.').waitFor();
    await runCommand(page, 'View: Close Editor');
  });

  it('receives clicks in the editor whatever had the focus before', async () => {
    await chat.ask('a long one');
    const first = await service.next();
    first.think('m1', 'Slowly.');
    first.answer(LONG.join('\n\n'));
    await chat.told('Answer finished');
    await chat.button(/^Steps/).click();
    await chat.ask('and a short one');
    const second = await service.next();
    const result = { schema: [{ name: 'n', columnType: 'number' }], data: [['1']], totalRows: '1' };
    second.tool('t1', 'svcSqlApi', { sqlQuery: 'SELECT n', queryTitle: 'Short' }, result);
    second.answer('Done.');
    await chat.answers().getByText('Done.').waitFor();
    await chat.button('Send').waitFor();
    // It has the focus, far above the clicked position.
    await chat
      .button(/^Steps/)
      .first()
      .focus();
    await chat.log.evaluate((log) => (log.scrollTop = log.scrollHeight));
    await runCommand(page, 'File: New Untitled Text File');
    await page.keyboard.type('select');
    const sql = chat.view
      .getByRole('group', { name: 'SQL query: Short' })
      .getByRole('button', { name: 'SQL', exact: true });
    const place = await chat.log.evaluate((log) => log.scrollTop);
    await sql.click();
    await chat.view.locator('button[aria-expanded=true]', { hasText: /^SQL$/ }).waitFor();
    assert.equal((await chat.log.evaluate((log) => Math.abs(log.scrollTop))) >= place, true, 'the log has moved');
    await runCommand(page, 'View: Revert and Close Editor');
  });

  it('keeps its conversation in the panel, and in an editor that is moved to a window of its own', async () => {
    const converses = async (where: Chat, question: string): Promise<void> => {
      await where.answers().getByText('Here.', { exact: true }).waitFor();
      await where.ask(question);
      (await service.next()).answer(`It is ${question}.`);
      await where.answers().getByText(`It is ${question}.`).waitFor();
    };
    await chat.ask('where are you?');
    (await service.next()).answer('Here.');
    await chat.told('Answer finished');
    await runCommand(page, 'View: Move View');
    await pick(page, 'Select a View to Move', 'Analytics Chat');
    await pick(page, /Select a Destination/, 'New Panel Entry');
    await page.locator('.part.panel').getByRole('tab', { name: 'Analytics Chat' }).waitFor();
    await converses(chat, 'the panel');

    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    await chatIn(webview(page, 'editor')).answers().getByText('It is the panel.').waitFor();
    const opened = editor.context.waitForEvent('page');
    await runCommand(page, 'View: Move Editor into New Window');
    const popUp = await opened;
    const frame = popUp.locator('iframe.webview').contentFrame().frameLocator('#active-frame');
    await converses(chatIn(frame), 'a window');
    await popUp.close();
    await chat.answers().getByText('It is a window.').waitFor();
  });
}

const paragraphs = (of: string): string => Array.from({ length: 60 }, (_, index) => `${of} ${index + 1}`).join('\n\n');

/** Calls back with each message that the host posts to the chat's page. */
async function watchPosts({ context }: Launched, onPost: (message: Posted) => void): Promise<void> {
  await context.exposeBinding('onPosted', (_source, message: Posted) => onPost(message));
  await context.addInitScript(() => {
    // VS Code rewrites the page and drops listeners added here, so watch those that the page adds.
    const { addEventListener } = EventTarget.prototype;
    const seen = new WeakSet<Event>();
    const watch = (event: Event): void => {
      const { data } = event as MessageEvent<Partial<Posted> | null>;
      if (seen.has(event) || typeof data?.type !== 'string') return;
      seen.add(event);
      const { onPosted } = globalThis as unknown as { onPosted(message: Posted): void };
      onPosted({ type: data.type, events: data.events });
    };
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (type === 'message' && this === window) addEventListener.call(this, type, watch);
      addEventListener.call(this, type, listener, options);
    };
  });
}

/** @returns the messages from the extension host to the window from now on; grows */
async function watchHost({ context, page }: Launched): Promise<readonly string[]> {
  const messages: string[] = [];
  const cdp = await context.newCDPSession(page);
  cdp.on('Network.webSocketFrameReceived', ({ response }) =>
    messages.push(Buffer.from(response.payloadData, 'base64').toString()),
  );
  await cdp.send('Network.enable');
  return messages;
}

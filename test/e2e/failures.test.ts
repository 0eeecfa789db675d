/** Failures: the alert says what to do, a button does it, and the user's text is kept. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator } from 'playwright-core';
import { quickInput, quickPickItem, runCommand, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { until } from '../support/until.ts';
import { scriptedService, writeInPieces, type Answer, type ScriptedService } from '../support/scriptedService.ts';

const QUESTION = 'how many orders 📦 today?';

const finalLines = (messageId: unknown, input: unknown, content: string): object[] => [
  { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c1', isStreaming: true } },
  { id: messageId, role: 'user', content: input, isDelta: false, sort: 1 },
  { id: 'f1', role: 'assistant', content, graphPath: ['final'], isDelta: false, isInProcess: false, sort: 2 },
  { id: '__state__', role: 'assistant', isDelta: false, sort: 3, state: { messages: [] } },
];

describe('Failures', function () {
  this.timeout(120_000);
  let service: ScriptedService;
  let answer: Answer;
  let editor: Launched | undefined;

  before(async () => {
    service = await scriptedService((request, response) => answer(request, response));
  });
  afterEach(async () => {
    await editor?.stop();
    editor = undefined;
  });
  after(() => service.stop());

  async function openChat(env: Record<string, string>): Promise<FrameLocator> {
    editor = await launch({ env });
    await runCommand(editor.page, 'Analytics Chat: Open Chat');
    const chat = webview(editor.page);
    await chat.getByRole('textbox', { name: 'Message' }).waitFor();
    return chat;
  }
  async function ask(chat: FrameLocator): Promise<void> {
    await chat.getByRole('textbox', { name: 'Message' }).fill(QUESTION);
    await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
  }
  const textOf = (chat: FrameLocator): Promise<string> => chat.getByRole('textbox', { name: 'Message' }).inputValue();

  it('offer to connect if there is no connection, and keep the text', async () => {
    const chat = await openChat({});
    await chat.getByRole('button', { name: 'Connect' }).waitFor();
    await ask(chat);
    await chat.getByRole('alert').getByRole('button', { name: 'Connect' }).click();
    assert.equal(await textOf(chat), QUESTION);
    await quickInput(editor!.page).waitFor();
  });

  it('return the text to the visible view, even if a hidden tab shows the same chat', async () => {
    answer = (_, response) => void response.writeHead(400).end();
    editor = await launch({
      env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' },
    });
    const { page } = editor;
    await runCommand(page, 'Analytics Chat: Open Chat in Editor');
    await webview(page, 'editor').getByRole('textbox', { name: 'Message' }).waitFor();
    await runCommand(page, 'File: New Untitled Text File');
    await runCommand(page, 'Analytics Chat: Open Chat');
    const chat = webview(page);
    await ask(chat);
    await chat.getByRole('alert').waitFor();
    await until(async () => (await textOf(chat)) === QUESTION);
  });

  it('name a URL that is not allowed', async () => {
    const chat = await openChat({
      ANALYTICS_CHAT_API_URL: 'http://example.com/chat',
      ANALYTICS_CHAT_API_KEY: 'k-1234',
    });
    await ask(chat);
    await chat.getByRole('alert').filter({ hasText: 'https://' }).getByRole('button', { name: 'Connect' }).waitFor();
    assert.equal(await textOf(chat), QUESTION);
  });

  it('ask for the key if the service rejects it, then ask the question again', async () => {
    answer = ({ headers, body }, response) => {
      if (headers.authorization === 'Api-Key right-key') {
        writeInPieces(response, finalLines(body.messageId, body.input, 'There are **seven** orders 📦 today.'), 3);
        return;
      }
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Invalid API key"}}');
    };
    const chat = await openChat({ ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'wrong-key' });
    await ask(chat);
    const alert = chat.getByRole('alert').filter({ hasText: 'does not accept the key' });
    assert.equal((await alert.textContent())?.includes('wrong-key'), false);
    await alert.getByRole('button', { name: 'Set API key' }).click();
    assert.equal(await textOf(chat), QUESTION);
    await quickInput(editor!.page).fill('right-key');
    await editor!.page.keyboard.press('Enter');
    await chat.getByRole('article', { name: 'Assistant' }).getByText('There are seven orders 📦 today.').waitFor();
    await chat.getByRole('article', { name: 'You' }).filter({ hasText: QUESTION }).waitFor();
    assert.equal(await chat.getByRole('article', { name: 'You' }).count(), 1);
    assert.equal(await textOf(chat), '');
    assert.equal(await chat.getByRole('alert').count(), 0);
  });

  it('name the owner of a chat if another identity asks in it, and move the question into a new chat', async () => {
    answer = ({ body }, response) => {
      const { externalId } = body.sessionSettings as { externalId: string };
      if (body.chatId !== undefined && externalId !== 'ann') response.writeHead(404).end();
      else writeInPieces(response, finalLines(body.messageId, body.input, `For ${externalId}.`), 50);
    };
    editor = await launch({
      env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'k-1234' },
      settings: {
        'analyticsChat.sessionSettings': { externalId: 'ann' },
        'analyticsChat.identities': { bob: { externalId: 'bob' } },
      },
    });
    await runCommand(editor.page, 'Analytics Chat: Open Chat');
    const chat = webview(editor.page);
    await ask(chat);
    await chat.getByRole('button', { name: 'Copy answer' }).waitFor();
    await chat.getByRole('button', { name: /^Identity/ }).click();
    await quickPickItem(editor.page, 'bob').click();
    await chat.getByRole('button', { name: /^Identity: bob/ }).waitFor();
    await ask(chat);
    const alert = chat.getByRole('alert').filter({ hasText: 'was started as ann' });
    await alert.getByRole('button', { name: 'New chat' }).click();
    await chat.getByText('Ask about your data.').waitFor();
    assert.equal(await textOf(chat), QUESTION);
    await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
    await chat.getByText('For bob.').waitFor();
  });

  it('ask a returned question as the user edited it, and start a new chat with it', async () => {
    const asked: unknown[] = [];
    answer = ({ body }, response) => {
      asked.push(body.input);
      if (body.input === 'how many') writeInPieces(response, finalLines(body.messageId, body.input, 'Seven.'), 50);
      else response.writeHead(body.input === 'lost' ? 404 : 400).end();
    };
    const chat = await openChat({ ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'k-1234' });
    const field = chat.getByRole('textbox', { name: 'Message' });
    const ended = chat.getByRole('button', { name: 'Copy answer' });
    await field.fill('how mnay');
    await field.press('Enter');
    await chat.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor();
    await field.fill('how many');
    await chat.getByRole('button', { name: 'Retry' }).click();
    await ended.waitFor();
    assert.deepEqual(asked, ['how mnay', 'how many']);
    assert.equal(await textOf(chat), '');
    await runCommand(editor!.page, 'Analytics Chat: New Chat');
    await ended.waitFor({ state: 'detached' });
    await field.fill('lost');
    await field.press('Enter');
    await chat.getByRole('alert').getByRole('button', { name: 'New chat' }).click();
    await chat.getByRole('alert').waitFor({ state: 'detached' });
    assert.equal(await textOf(chat), 'lost');
  });

  it('restore the focus in the view if a prompt is canceled', async () => {
    answer = (_request, response) => void response.writeHead(403).end();
    const chat = await openChat({ ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'k-1234' });
    await ask(chat);
    await chat.getByRole('alert').getByRole('button', { name: 'Set API key' }).click();
    await quickInput(editor!.page).waitFor();
    await editor!.page.keyboard.press('Escape');
    await quickInput(editor!.page).waitFor({ state: 'hidden' });
    await editor!.page.waitForFunction(() => document.activeElement?.matches('iframe.webview'));
  });

  it('show how long the service asks to wait, and retry automatically', async () => {
    let asked = 0;
    answer = ({ body }, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(429, { 'Retry-After': '4' }).end();
      else writeInPieces(response, finalLines(body.messageId, body.input, 'Seven orders.'), 50);
    };
    const chat = await openChat({ ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'k-1234' });
    await ask(chat);
    await chat.getByText('The service asked to wait. Retrying in 3 seconds…').waitFor();
    await chat.getByText('The service asked to wait. Retrying in 1 second…').waitFor();
    await chat.getByRole('article', { name: 'Assistant' }).getByText('Seven orders.').waitFor();
    assert.equal(await chat.getByText('asked to wait').count(), 0);
    assert.equal(asked, 2);
  });

  it('offer the branches if the service does not know one, then ask on the new branch', async () => {
    answer = ({ body }, response) => {
      if (body.activeBranchName === 'good-branch') {
        writeInPieces(response, finalLines(body.messageId, body.input, 'Nine.'), 1000);
        return;
      }
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"error":"BadRequestError: Bad branch"}\n');
    };
    const chat = await openChat({ ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'right-key' });
    await ask(chat);
    await chat.getByRole('alert').filter({ hasText: 'branch' }).getByRole('button', { name: 'Switch branch' }).click();
    await quickInput(editor!.page).fill('good-branch');
    await quickPickItem(editor!.page, 'good-branch').click();
    await chat.getByRole('article', { name: 'Assistant' }).getByText('Nine.').waitFor();
    await chat.getByText('good-branch · dev').waitFor();
    const ids = service.requests.slice(-2).map(({ body }) => body.messageId);
    assert.notEqual(ids[0], ids[1]);
  });
});

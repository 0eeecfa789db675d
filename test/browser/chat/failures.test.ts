/** Failures: the alert says what to do, a button does it, and the user's text is kept. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { pasteFile, type Chat } from '../../support/chat.ts';
import { pixel } from '../../support/samples.ts';
import { becomes } from '../../support/until.ts';
import {
  scriptedService,
  writeInPieces,
  type Answer,
  type ScriptedService,
} from '../../support/service/scriptedService.ts';
import { startExtension, type ExtensionOptions, type RunningExtension } from '../support/extension/extension.ts';

const QUESTION = 'how many orders 📦 today?';

const finalLines = (messageId: unknown, input: unknown, content: string): object[] => [
  { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c1', isStreaming: true } },
  { id: messageId, role: 'user', content: input, isDelta: false, sort: 1 },
  { id: 'f1', role: 'assistant', content, graphPath: ['final'], isDelta: false, isInProcess: false, sort: 2 },
  { id: '__state__', role: 'assistant', isDelta: false, sort: 3, state: { messages: [] } },
];

describe('Failures', () => {
  let service: ScriptedService;
  let answer: Answer;
  let abortStatus = 204;
  let extension: RunningExtension | undefined;

  before(async () => {
    service = await scriptedService(
      (request, response) => answer(request, response),
      () => abortStatus,
    );
  });
  afterEach(async () => {
    await extension?.stop();
    extension = undefined;
    abortStatus = 204;
  });
  after(() => service.stop());

  /** Starts the extension; without options, it is connected to the service. */
  async function openChat(options?: ExtensionOptions): Promise<Chat> {
    extension = await startExtension(options ?? { chatApiUrl: service.chatApiUrl, apiKey: 'k-1234' });
    return extension.chat;
  }
  const textOf = ({ field }: Chat): Promise<string> => field.inputValue();

  it('offer to connect if there is no connection, and keep the text', async () => {
    const chat = await openChat({});
    await chat.view.getByRole('button', { name: 'Connect' }).waitFor();
    await chat.ask(QUESTION);
    await chat.view.getByRole('alert').getByRole('button', { name: 'Connect' }).click();
    await becomes(() => textOf(chat), QUESTION);
    await extension!.prompts.cancel();
  });

  it('have the borders of secondary buttons on all buttons but the first', async () => {
    answer = (_, response) => void response.writeHead(200).end('{"error":"No warehouse"}\n');
    const chat = await openChat();
    await chat.ask(QUESTION);
    await chat.view.getByRole('alert').waitFor();
    const borders = await chat.view
      .getByRole('alert')
      .locator('vscode-button')
      .evaluateAll((buttons) => {
        document.documentElement.style.setProperty('--vscode-button-secondaryBorder', 'rgb(1, 2, 3)');
        return buttons.map((button) => {
          const control = button.shadowRoot?.querySelector('.control');
          return control && getComputedStyle(control).borderColor === 'rgb(1, 2, 3)';
        });
      });
    assert.deepEqual(borders, [false, true]);
  });

  it('return the text to the visible view, even if a hidden tab shows the same chat', async () => {
    answer = (_, response) => void response.writeHead(400).end();
    const chat = await openChat();
    const { editor } = extension!;
    await editor.run('analyticsChat.openInEditor');
    const hidden = await editor.tab();
    await hidden.getByRole('textbox', { name: 'Message' }).waitFor();
    await editor.hideTabs();
    await chat.ask(QUESTION);
    await chat.view.getByRole('alert').waitFor();
    await becomes(() => textOf(chat), QUESTION);
    assert.equal(await chat.view.getByText('Open a sample conversation').count(), 0);
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
    const chat = await openChat({ chatApiUrl: service.chatApiUrl, apiKey: 'wrong-key' });
    await chat.ask(QUESTION);
    const alert = chat.view.getByRole('alert').filter({ hasText: 'does not accept the key' });
    assert.equal((await alert.textContent())?.includes('wrong-key'), false);
    await alert.getByRole('button', { name: 'Set API key' }).click();
    await becomes(() => textOf(chat), QUESTION);
    await extension!.prompts.enter('right-key');
    await chat.view.getByRole('article', { name: 'Assistant' }).getByText('There are seven orders 📦 today.').waitFor();
    await chat.view.getByRole('article', { name: 'You' }).filter({ hasText: QUESTION }).waitFor();
    await becomes(() => chat.view.getByRole('article', { name: 'You' }).count(), 1);
    await becomes(() => textOf(chat), '');
    await chat.view.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('take a message that is only an image out of the composer when it is sent again', async () => {
    answer = (_, response) => void response.writeHead(400).end();
    const chat = await openChat();
    await pasteFile(chat, pixel);
    await chat.button('Send').click();
    const alert = chat.view.getByRole('alert');
    await alert.waitFor();
    answer = ({ body }, response) => writeInPieces(response, finalLines(body.messageId, body.input, 'A picture.'), 50);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await chat.told('Answer finished');
    await chat.view.getByRole('list', { name: 'Attached images' }).waitFor({ state: 'detached' });
    const { input, images } = service.requests.at(-1)?.body ?? {};
    assert.deepEqual([input, (images as unknown[]).length], ['', 1]);
  });

  it('name the owner of a chat if another identity asks in it, and move the question into a new chat', async () => {
    answer = ({ body }, response) => {
      const { externalId } = body.sessionSettings as { externalId: string };
      if (body.chatId !== undefined && externalId !== 'ann') response.writeHead(404).end();
      else writeInPieces(response, finalLines(body.messageId, body.input, `For ${externalId}.`), 50);
    };
    const chat = await openChat({
      chatApiUrl: service.chatApiUrl,
      apiKey: 'k-1234',
      settings: {
        'analyticsChat.sessionSettings': { externalId: 'ann' },
        'analyticsChat.identities': { bob: { externalId: 'bob' } },
      },
    });
    await chat.ask(QUESTION);
    await chat.view.getByRole('button', { name: 'Copy answer' }).waitFor();
    await chat.view.getByRole('button', { name: /^Identity/ }).click();
    await extension!.prompts.pick('bob');
    await chat.view.getByRole('button', { name: /^Identity: bob/ }).waitFor();
    await chat.ask(QUESTION);
    const alert = chat.view.getByRole('alert').filter({ hasText: 'was started as ann' });
    await alert.waitFor();
    await chat.view.getByText('ann started this chat').waitFor({ state: 'detached' });
    await alert.getByRole('button', { name: 'New chat' }).click();
    await chat.view.getByText('Ask about your data.').waitFor();
    await becomes(() => textOf(chat), QUESTION);
    await chat.view.getByRole('textbox', { name: 'Message' }).press('Enter');
    await chat.view.getByText('For bob.').waitFor();
  });

  it('ask a returned question as the user edited it, and start a new chat with it', async () => {
    const asked: unknown[] = [];
    answer = ({ body }, response) => {
      asked.push(body.input);
      if (body.input === 'how many') writeInPieces(response, finalLines(body.messageId, body.input, 'Seven.'), 50);
      else response.writeHead(body.input === 'lost' ? 404 : 400).end();
    };
    const chat = await openChat();
    const field = chat.view.getByRole('textbox', { name: 'Message' });
    const ended = chat.view.getByRole('button', { name: 'Copy answer' });
    await field.fill('how mnay');
    await field.press('Enter');
    await chat.view.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor();
    await field.fill('how many');
    await chat.view.getByRole('button', { name: 'Retry' }).click();
    await ended.waitFor();
    assert.deepEqual(asked, ['how mnay', 'how many']);
    await becomes(() => textOf(chat), '');
    await extension!.editor.run('analyticsChat.newChat');
    await ended.waitFor({ state: 'detached' });
    await field.fill('lost');
    await field.press('Enter');
    await chat.view.getByRole('alert').getByRole('button', { name: 'New chat' }).click();
    await chat.view.getByRole('alert').waitFor({ state: 'detached' });
    await becomes(() => textOf(chat), 'lost');
  });

  it('show how long the service asks to wait, and retry before that if the user wants so', async () => {
    let asked = 0;
    answer = ({ body }, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(429, { 'Retry-After': '50' }).end();
      else writeInPieces(response, finalLines(body.messageId, body.input, 'Seven orders.'), 50);
    };
    const chat = await openChat();
    await chat.ask(QUESTION);
    const told = chat.view.getByText(/^The service asked to wait\. Retrying in [1-5]\d seconds…$/);
    // At first, not only after a second.
    const first = await told.innerText();
    await becomes(async () => (await told.innerText()) < first, true);
    await chat.button('Retry now').click();
    await chat.view.getByRole('article', { name: 'Assistant' }).getByText('Seven orders.').waitFor();
    await chat.button('Retry now').waitFor({ state: 'detached' });
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
    const chat = await openChat({ chatApiUrl: service.chatApiUrl, apiKey: 'right-key' });
    await chat.ask(QUESTION);
    await chat.view
      .getByRole('alert')
      .filter({ hasText: 'branch' })
      .getByRole('button', { name: 'Switch branch' })
      .click();
    await extension!.prompts.pick('good-branch');
    await chat.view.getByRole('article', { name: 'Assistant' }).getByText('Nine.').waitFor();
    await chat.view.getByText('good-branch · dev').waitFor();
    const ids = service.requests.slice(-2).map(({ body }) => body.messageId);
    assert.notEqual(ids[0], ids[1]);
  });

  it('show what has become of a stop on the service', async () => {
    answer = ({ body }, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      for (const line of finalLines(body.messageId, body.input, 'Half').slice(0, 2))
        response.write(`${JSON.stringify(line)}\n`);
    };
    const chat = await openChat();
    for (const [status, note] of [
      [204, 'Stopped.'],
      [403, 'Stopped here, but not on the service: the chat belongs to another user.'],
      [404, 'Stopped here. The service no longer has this chat.'],
      [500, 'Stopped here, but not on the service, which may still be working.'],
    ] as const) {
      abortStatus = status;
      await chat.ask(QUESTION);
      await chat.button('Stop').click();
      await chat.view.getByText(note, { exact: true }).waitFor();
    }
  });

  it('offer to attach to an answer in progress, or to stop it and send', async () => {
    let isBusy = false;
    const before = service.requests.length;
    const hasAborted = (): boolean => service.requests.slice(before).some(({ path }) => path.endsWith('/chat/abort'));
    answer = ({ body }, response) => {
      if (body.input === undefined) {
        const cutoff = { id: '__cutoff__', role: 'assistant', state: { chatId: 'c1', isStreaming: false } };
        writeInPieces(response, [cutoff, ...finalLines('', '', 'Their answer.').slice(2)], 1000);
      } else if (isBusy) response.writeHead(409).end('{"error":"Streaming for thread is in progress"}');
      else writeInPieces(response, finalLines(body.messageId, body.input, `For ${String(body.input)}`), 1000);
    };
    const chat = await openChat();
    await chat.ask('first');
    await chat.answers().getByText('For first').waitFor();
    isBusy = true;
    await chat.ask('second');
    const alert = chat.view.getByRole('alert').filter({ hasText: 'still answering' });
    await becomes(() => textOf(chat), 'second');
    await alert.getByRole('button', { name: 'Attach' }).click();
    await chat.answers().getByText('Their answer.').waitFor();
    assert.equal(hasAborted(), false);

    await chat.field.press('Enter');
    await alert.getByRole('button', { name: 'Stop and send' }).waitFor();
    isBusy = false;
    await chat.field.fill('second, edited');
    await alert.getByRole('button', { name: 'Stop and send' }).click();
    await chat.answers().getByText('For second, edited').waitFor();
    assert.equal(hasAborted(), true);
    await becomes(() => textOf(chat), '');
  });
});

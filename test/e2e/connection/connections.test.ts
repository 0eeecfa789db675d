/** Several connections: each has its own key, and each thread stays on its own service. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { editorUrl } from '../../vscode/page.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { becomes } from '../../support/until.ts';
import { openChat } from '../support/chat.ts';
import type { Chat } from '../../support/chat.ts';
import { dialog, notification, quickInput, quickPickItem, runCommand, statusBarItem } from '../support/editor.ts';
import { launch, type Launched } from '../support/launch.ts';
import { step } from '../support/step.ts';
import { scriptedService, writeInPieces, type ScriptedService } from '../../support/service/scriptedService.ts';

const KEYS = { first: 'key-of-the-first', staging: 'key-of-staging' };

/** A service that answers every question with its own name. */
const echoing = (name: string): Promise<ScriptedService> =>
  scriptedService(({ body: { chatId, messageId, input } }, response) => {
    const final = { graphPath: ['final'], isInProcess: false, content: `${name} answers: ${String(input)}` };
    const asked = [
      { id: messageId, role: 'user', content: input, isDelta: false, sort: 1 },
      { id: `answer to ${String(messageId)}`, role: 'assistant', isDelta: false, sort: 2, ...final },
    ];
    const state = { chatId: chatId ?? `thread of ${name}`, isStreaming: true };
    const lines = [
      { id: '__cutoff__', role: 'assistant', sort: 0, state },
      ...(input === undefined ? [] : asked),
      { id: '__state__', role: 'assistant', isDelta: false, sort: 3, state: { messages: [] } },
    ];
    writeInPieces(response, lines, 1000);
  });

const questions = ({ requests }: ScriptedService): unknown[] =>
  requests.flatMap(({ body }) => (body.input === undefined ? [] : [body.input]));

describe('Connections', function () {
  this.timeout(240_000);
  let first: ScriptedService;
  let staging: ScriptedService;
  let host: string;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(async () => {
    [first, staging] = await Promise.all([echoing('first'), echoing('staging')]);
    ({ host } = new URL(first.chatApiUrl));
    const env = { ANALYTICS_CHAT_API_URL: first.chatApiUrl, ANALYTICS_CHAT_API_KEY: KEYS.first };
    editor = await launch({ workspace: 'model', env });
    ({ page } = editor);
    chat = await openChat(page);
  });
  after(async () => {
    await editor.stop();
    await Promise.all([first.stop(), staging.stop()]);
  });

  const enter = async (title: string, text: string): Promise<void> => {
    await page.locator('.quick-input-widget:visible').filter({ hasText: title }).waitFor();
    await quickInput(page).fill(text);
    await page.keyboard.press('Enter');
  };
  const answered = (text: string): Promise<void> => chat.answers().getByText(text, { exact: true }).waitFor();
  const goesTo = (name: string): Promise<void> => chat.button(`Connection: ${name}`).waitFor();
  const open = async (workspace: string | undefined): Promise<void> => {
    await page.goto(editorUrl(editor.server, { workspace, extensions: [repoRoot] }));
    await page.locator('.monaco-workbench').waitFor();
    chat = await openChat(page);
  };
  const pick = (label: string) => quickPickItem(page, label);
  /** The button that opens a chat of the history. */
  const past = (title: string) => chat.view.locator('.thread-open').filter({ hasText: title });

  it('have their own threads, and are selected per workspace', async () => {
    await step('are in the status bar only if there are several', async () => {
      await chat.ask('one');
      await answered('first answers: one');
      assert.equal(await chat.button(/^Connection:/).count(), 0);
      await statusBarItem(page, host).waitFor();
    });

    await step('are added by name; an open chat keeps its connection, and new chats use the new one', async () => {
      await runCommand(page, 'Analytics Chat: Switch Connection…');
      await pick('Add connection…').click();
      await enter('Connection name', 'Staging');
      await enter('Chat API URL (Staging)', staging.chatApiUrl);
      await pick('API key').click();
      await enter('API key (Staging)', KEYS.staging);
      await enter('Choose an identity (Staging)', 'ana');
      await notification(page, 'Connected to Staging').waitFor();
      await statusBarItem(page, 'Staging').waitFor();

      await goesTo(host);
      await chat.ask('two');
      await answered('first answers: two');
      assert.deepEqual(questions(staging), []);

      await runCommand(page, 'Analytics Chat: New Chat');
      await goesTo('Staging');
      await chat.ask('three');
      await answered('staging answers: three');
      assert.deepEqual(questions(first), ['one', 'two']);
      assert.deepEqual(staging.requests.at(-1)?.body.sessionSettings, { externalId: 'ana' });
      const sent = (service: ScriptedService): string => JSON.stringify(service.requests);
      assert.ok(staging.requests.every(({ headers }) => headers.authorization === `Api-Key ${KEYS.staging}`));
      assert.equal(sent(staging).includes(KEYS.first), false);
      assert.equal(sent(first).includes(KEYS.staging), false);
    });

    await step('are selected per workspace, and threads keep theirs after a restart', async () => {
      const folder = mkdtempSync(join(realpathSync(tmpdir()), 'other-folder-'));
      await open(folder);
      await chat.button('Connection: Staging').click();
      await pick(host).click();
      await goesTo(host);
      await open(editor.workspace);
      rmSync(folder, { recursive: true, force: true });
      await answered('staging answers: three');
      await goesTo('Staging');
      await statusBarItem(page, 'Staging').waitFor();

      await runCommand(page, 'Analytics Chat: Show History');
      await past('one').filter({ hasText: host }).click();
      await goesTo(host);
      await chat.ask('four');
      await answered('first answers: four');
      assert.equal(first.requests.at(-1)?.body.chatId, 'thread of first');
      assert.deepEqual(questions(staging), ['three']);
    });

    await step('that were removed leave their threads with an explanation, and no request is sent', async () => {
      await runCommand(page, 'Analytics Chat: Show History');
      await past('three').click();
      await goesTo('Staging');
      await runCommand(page, 'Analytics Chat: Switch Connection…');
      await pick('Staging').hover();
      await pick('Staging').getByRole('button', { name: 'Edit', exact: true }).waitFor();
      await pick('Staging').getByRole('button', { name: 'Remove' }).click();
      await dialog(page).getByRole('button', { name: 'Remove' }).click();
      await statusBarItem(page, 'Staging').waitFor({ state: 'detached' });
      const before = first.requests.length + staging.requests.length;
      await chat.ask('five');
      const alert = chat.view.getByRole('alert').filter({ hasText: 'which has no connection' });
      await alert.getByRole('button', { name: 'Add connection' }).waitFor();
      await becomes(() => chat.field.inputValue(), 'five');
      assert.equal(first.requests.length + staging.requests.length, before);
    });
  });
});

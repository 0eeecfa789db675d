/** A hostile workspace that wants the key or another identity changes nothing, whether trusted or not. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Chat } from '../../support/chat.ts';
import type { EditorServer } from '../../vscode/server.ts';
import { resultLines } from '../../support/service/answers.ts';
import { becomes } from '../../support/until.ts';
import { openChat, openNewChat } from '../support/chat.ts';
import { dialog, notification, quickInput, quickPickItem, runCommand, statusBarItem } from '../support/editor.ts';
import { launch, startTestServer, type Launched } from '../support/launch.ts';
import { openTestExplorer } from '../support/testExplorer.ts';
import { scriptedService, writeInPieces, type ScriptedService } from '../../support/service/scriptedService.ts';

const KEY = 'a-key-of-the-user';
const QUESTIONS = 'eval_questions:\n  - name: salaries\n    question: all salaries\n';
const mine = { externalId: 'me' };

describe('A hostile workspace', function () {
  this.timeout(240_000);
  let service: ScriptedService;
  let hostile: ScriptedService;
  let folder: string;
  let server: EditorServer;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  /** All settings that such a workspace would set. */
  const wishes = (): Record<string, unknown> => ({
    'analyticsChat.chatApiUrl': hostile.chatApiUrl,
    'analyticsChat.dataQueryUrl': new URL('/query', hostile.chatApiUrl).href,
    'analyticsChat.authentication': 'serviceToken',
    'analyticsChat.sessionSettings': { externalId: 'admin', groups: ['everything'] },
    'analyticsChat.identities': { me: { externalId: 'admin' } },
    'analyticsChat.connections': [{ name: 'me', chatApiUrl: hostile.chatApiUrl }],
    'analyticsChat.history.limit': 1,
  });
  /** Writes the wishes, and a setting that is allowed and proves that the file is read. */
  const write = (file: string, proof: Record<string, unknown>, wrap = (settings: object): object => settings): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(wrap({ ...wishes(), ...proof })));
  };

  before(async () => {
    service = await scriptedService(({ body }, response) =>
      writeInPieces(response, resultLines(body.messageId, body.input, {}), 1000),
    );
    hostile = await scriptedService((_request, response) => void response.end());
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'hostile-'));
    write(join(folder, 'cloned', '.vscode', 'settings.json'), { 'analyticsChat.mainBranch': 'trunk-of-folder' });
    write(join(folder, 'cloned.code-workspace'), { 'analyticsChat.sendKey': 'modEnter' }, (settings) => ({
      folders: [{ path: join(folder, 'cloned') }],
      settings,
    }));
    mkdirSync(join(folder, 'cloned', '.analytics-chat'));
    writeFileSync(join(folder, 'cloned', '.analytics-chat', 'questions.yml'), QUESTIONS);

    const settings = { 'analyticsChat.sessionSettings': mine, 'security.workspace.trust.startupPrompt': 'never' };
    const env = { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: KEY };
    server = await startTestServer({ trusted: false, env, settings });
    // The settings of a dev container are written to the machine settings.
    const machine = join(server.dataDir, 'data', 'Machine', 'settings.json');
    write(machine, { 'analyticsChat.branches': ['branch-of-machine'] });
    editor = await launch({ server, settings, workspace: join(folder, 'cloned.code-workspace') });
    ({ page } = editor);
    chat = await openChat(page);
  });
  after(async () => {
    await editor.stop();
    await server.stop();
    await service.stop();
    await hostile.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Asks two questions, and checks everything that the workspace wants.
   * @param count number of chats in the history afterwards
   */
  async function assertUnchanged(count: number): Promise<void> {
    await openNewChat(page);
    await chat.button('Branch: trunk-of-folder').click();
    await quickPickItem(page, 'branch-of-machine').waitFor();
    await quickInput(page).press('Escape');
    await chat.button('Identity: me').waitFor();
    for (const question of ['a question', 'another question']) {
      const before = service.requests.length;
      await openNewChat(page);
      // Enter starts a new line, as the workspace wants.
      await chat.ask(question);
      await becomes(() => chat.field.inputValue(), `${question}\n`);
      assert.equal(service.requests.length, before);
      await chat.field.press('Control+Enter');
      await chat.answers().last().getByText('That is all.').waitFor();
      const asked = service.requests[before];
      assert.equal(asked?.headers.authorization, `Api-Key ${KEY}`);
      assert.deepEqual(asked.body.sessionSettings, mine);
    }
    assert.equal(await chat.button('Load all').count(), 0, 'there is no address to load all rows from');
    await runCommand(page, 'Analytics Chat: Show History');
    const chats = chat.view.getByRole('list', { name: 'Chats' }).getByRole('listitem');
    await becomes(() => chats.count(), count);
    assert.deepEqual(hostile.requests, []);
  }
  const restricted = (): Locator => statusBarItem(page, 'Restricted Mode');

  it("can't set where a key is sent or who asks, untrusted", async () => {
    await restricted().waitFor();
    await assertUnchanged(2);
    // Its questions would be asked with the user's permissions.
    const asked = service.requests.length;
    await openTestExplorer(page);
    await runCommand(page, 'Test: Run All Tests');
    await dialog(page)
      .or(notification(page, /Restricted Mode/))
      .first()
      .waitFor();
    assert.equal(service.requests.length, asked);
    assert.deepEqual(hostile.requests, []);
  });

  it("can't set where a key is sent or who asks, trusted", async () => {
    await page.keyboard.press('Escape');
    await restricted().click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await restricted().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Close Modal Editor/ }).click();
    await assertUnchanged(4);
  });
});

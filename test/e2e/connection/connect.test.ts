/** Connecting with the wizard, from nothing to an answer; the key is stored only where it belongs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { BrowserContext, FrameLocator } from 'playwright-core';
import { openEditor } from '../../vscode/page.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { resultLines } from '../../support/service/answers.ts';
import { canaryKey } from '../../support/canary.ts';
import { scriptedService, writeInPieces, type ScriptedService } from '../../support/service/scriptedService.ts';
import { becomes } from '../../support/until.ts';
import { useSetup } from '../../support/useSetup.ts';
import { openNewChat } from '../support/chat.ts';
import { dialog, notification, openFile, reloadWindow, runCommand, statusBarItem, webview } from '../support/editor.ts';
import { launch } from '../support/launch.ts';
import { recordWebviewMessages } from '../support/webviewMessages.ts';
import { connect } from '../support/wizard.ts';
import { repeatedCredentials } from './canary.ts';

const KEY = canaryKey();

async function ask(chat: FrameLocator): Promise<void> {
  await chat.getByRole('textbox', { name: 'Message' }).fill('revenue by month in 2024');
  await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
  await chat
    .getByRole('group', { name: /^SQL query/ })
    .getByText('12 rows', { exact: true })
    .waitFor();
}

describe('Connecting', function () {
  this.timeout(240_000);
  const setup = useSetup(async () => {
    let toWebviews: readonly string[] = [];
    const prepare = async (context: BrowserContext): Promise<void> => {
      toWebviews = await recordWebviewMessages(context);
    };
    const editor = await launch({ workspace: 'model', prepare });
    return { editor, toWebviews, stop: editor.stop };
  });
  let sandbox: Sandbox;
  /** A service that allows requests of web pages only from one origin. */
  let distant: ScriptedService;
  let allowed: string | undefined;

  before(async () => {
    sandbox = await startSandbox({ pace: 0, apiKey: KEY });
    distant = await scriptedService(({ body, headers }, response) => {
      if (allowed) response.setHeader('Access-Control-Allow-Origin', allowed);
      response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type');
      if (headers['access-control-request-method']) response.writeHead(204).end();
      else writeInPieces(response, resultLines(body.messageId, body.input, {}), 1000);
    });
  });
  after(async () => {
    await sandbox.stop();
    await distant.stop();
  });

  it('gets from nothing to an answer with the wizard, and keeps the key until sign-out, in other windows too', async () => {
    const { page, context, server, workspace } = setup.editor;
    await connect(page, sandbox.chatApiUrl, KEY);
    await notification(page, 'Connected').waitFor();
    await ask(webview(page));
    assert.equal(sandbox.requests.at(-1)?.headers.authorization, `Api-Key ${KEY}`);

    // A window that is opened later reads the stored key.
    const other = await openEditor(context, server, { workspace, extensions: [repoRoot] });
    await openNewChat(other);
    await ask(webview(other));

    await runCommand(page, 'Analytics Chat: Sign Out');
    await notification(page, 'was removed').waitFor();
    const before = sandbox.requests.length;
    for (const [window, reason] of [
      [page, ''],
      [other, 'in another window'],
    ] as const) {
      const field = webview(window).getByRole('textbox', { name: 'Message' });
      await field.fill('and now?');
      await field.press('Enter');
      const alert = webview(window).getByRole('alert').filter({ hasText: reason });
      await alert.getByRole('button', { name: 'Set API key' }).waitFor();
      await becomes(() => field.inputValue(), 'and now?');
    }
    assert.equal(sandbox.requests.length, before);
    await other.close();
    // The same notifications appear once more.
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  repeatedCredentials(setup);

  it('explains a failing keyring, and continues for the session if the user agrees', async () => {
    const forgetful = await launch({ server: setup.editor.server, persistSecrets: false });
    const { page } = forgetful;
    await connect(page, sandbox.chatApiUrl, KEY);
    const modal = dialog(page).filter({ hasText: 'keyring' });
    const kept = notification(page, 'Connected');
    await modal.or(kept).waitFor();
    if (await modal.isVisible()) await modal.getByRole('button', { name: 'Use for this session' }).click();
    await kept.waitFor();
    await ask(webview(page));
    await page.reload();
    await openNewChat(page);
    await webview(page).getByRole('textbox', { name: 'Message' }).fill('again');
    await webview(page).getByRole('textbox', { name: 'Message' }).press('Enter');
    const alert = webview(page).getByRole('alert');
    await alert.getByRole('button', { name: 'Set API key' }).waitFor();
    await forgetful.stop();
  });

  it('works in the web extension host: answer, history after a reload, insertion, and explains CORS', async () => {
    const online = await launch({ server: setup.editor.server, workspace: 'model', host: 'web' });
    const { page } = online;
    await connect(page, sandbox.chatApiUrl, KEY);
    await notification(page, 'Connected').waitFor();
    await ask(webview(page));
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await webview(page).getByRole('button', { name: 'Insert SQL' }).click();
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();
    await reloadWindow(page);
    // VS Code may lose the state of a web window that is reloaded soon after a change, and with it which chat was shown.
    await runCommand(page, 'Analytics Chat: Show History');
    await webview(page)
      .getByRole('button', { name: /^revenue by month in 2024/ })
      .first()
      .click();
    await webview(page).getByRole('article', { name: 'You' }).getByText('revenue by month in 2024').waitFor();

    // A service that does not allow the editor's origin can't be reached from there, and the user sees why.
    const site = `http://${online.server.authority}`;
    const words = `allow requests from ${site} (CORS)`;
    await connect(page, distant.chatApiUrl, KEY);
    await notification(page, words).getByRole('button', { name: 'Save anyway' }).click();
    await statusBarItem(page, new URL(distant.chatApiUrl).host).waitFor();
    const chat = await openNewChat(page);
    await chat.ask('how many orders today?');
    const alert = chat.view.getByRole('alert').filter({ hasText: words });
    await alert.waitFor();
    await becomes(() => chat.field.inputValue(), 'how many orders today?');
    allowed = site;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await chat.answers().getByText('That is all.').waitFor();
    await becomes(() => chat.field.inputValue(), '');
    await online.stop();
  });
});

/** The VSIX as users get it, installed into a new editor. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { packageVsix } from '../release/package.mjs';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { repoRoot } from '../vscode/paths.ts';
import { openChat } from './support/chat.ts';
import { notification, openFile } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { connect } from './support/wizard.ts';

const QUESTION = 'revenue by month in 2024';

describe('The package', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  const file = join(folder, 'analytics-chat.vsix');
  const connections = join(folder, 'connections');
  let sandbox: Sandbox;
  const requests: string[] = [];
  let editor: Launched;

  before(async () => {
    packageVsix(file);
    sandbox = await startSandbox({ pace: 0 });
  });
  after(async () => {
    await editor?.stop();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is installed, connected by the wizard, and does the main job without any other connection', async () => {
    editor = await launch({
      workspace: 'model',
      packages: [file],
      // This observer is the only extension under development.
      extensions: [join(repoRoot, 'test', 'fixtures', 'recorder')],
      env: { CONNECTIONS_FILE: connections },
    });
    editor.context.on('request', (request) => requests.push(request.url()));
    const { page } = editor;
    await connect(page, sandbox.chatApiUrl, sandbox.apiKey);
    await notification(page, 'Connected').waitFor();
    const chat = await openChat(page);
    await chat.ask(QUESTION);
    await chat.told('Answer finished');
    const card = chat.answers().getByRole('group', { name: /^SQL query/ });
    await card.getByRole('img', { name: /^Chart/ }).waitFor();
    await card.getByText('12 rows', { exact: true }).waitFor();
    await openFile(page, 'scratch.sql');
    await page.keyboard.press('Control+End');
    await chat.button('Insert SQL').click();
    await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();

    // It connects only to the service.
    const hosts = new Set(readFileSync(connections, 'utf8').trim().split('\n'));
    assert.deepEqual([...hosts], [`127.0.0.1:${sandbox.port}`]);
    // VS Code itself, its gallery, and webview files, which never leave the browser.
    const editorsOwn = new RegExp(
      `^(${editor.server.authority}|open-vsx\\.org|.*\\.vscode-resource\\.vscode-cdn\\.net)$`,
    );
    const others = requests
      .map((url) => new URL(url))
      .filter(({ protocol, host }) => /^(http|ws)/.test(protocol) && !editorsOwn.test(host));
    assert.deepEqual(others.map(String), []);
  });
});

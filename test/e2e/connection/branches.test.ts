/** The branch belongs to the current folder and is kept over a restart. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { openChat } from '../support/chat.ts';
import { openFile, quickInput, quickPickItem, reloadWindow, runCommand, webview } from '../support/editor.ts';
import { launch, type Launched } from '../support/launch.ts';

const FOLDERS = ['sales', 'finance'];

describe('Branches', function () {
  this.timeout(240_000);
  let folder: string;
  let editor: Launched;

  const git = (name: string, ...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...words], {
      cwd: join(folder, name),
    });
  const writeWorkspace = (file: string, settings = {}): void =>
    writeFileSync(file, JSON.stringify({ folders: FOLDERS.map((name) => ({ path: join(folder, name) })), settings }));

  before(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'two-folders-'));
    for (const name of FOLDERS) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'sales', 'orders.sql'), 'select 1\n');
    writeFileSync(join(folder, 'finance', 'invoices.sql'), 'select 2\n');
    mkdirSync(join(folder, 'finance', '.vscode'));
    const settings = { 'analyticsChat.mainBranch': 'trunk', 'analyticsChat.branches': ['ledger'] };
    writeFileSync(join(folder, 'finance', '.vscode', 'settings.json'), JSON.stringify(settings));
    for (const name of FOLDERS) {
      git(name, 'init', '-q', '-b', `${name}-work`);
      git(name, 'commit', '-q', '--allow-empty', '-m', 'Begin');
    }
    git('sales', 'branch', 'sales-idea');
    const workspace = join(folder, 'two.code-workspace');
    writeWorkspace(workspace);
    editor = await launch({
      workspace,
      env: { ANALYTICS_CHAT_API_URL: 'http://127.0.0.1:9/agent', ANALYTICS_CHAT_API_KEY: 'any-key' },
    });
    await openChat(editor.page);
  });
  after(async () => {
    await editor.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function pickBranch(): Promise<void> {
    await runCommand(editor.page, 'Analytics Chat: Switch Branch…');
    await editor.page
      .locator('.quick-input-widget:visible')
      .getByPlaceholder(/type a name$/)
      .waitFor();
  }
  async function switchTo(branch: string): Promise<void> {
    await pickBranch();
    await quickInput(editor.page).fill(branch);
    await quickPickItem(editor.page, branch).click();
    await shows(branch);
  }
  async function shows(branch: string): Promise<void> {
    await editor.page.getByRole('button', { name: `Analytics Chat branch: ${branch}`, exact: true }).waitFor();
    await webview(editor.page)
      .getByRole('button', { name: `Branch: ${branch}` })
      .waitFor();
  }

  it('are stored per workspace folder, also over a reload', async () => {
    const { page } = editor;
    await openFile(page, 'orders.sql');
    await switchTo('dev-orders');
    await openFile(page, 'invoices.sql');
    // The main branch of this folder.
    await shows('trunk');
    await pickBranch();
    await quickPickItem(page, 'ledger').waitFor();
    await page.keyboard.press('Escape');
    await switchTo('dev-invoices');
    await openFile(page, 'orders.sql');
    await shows('dev-orders');
    await reloadWindow(page);
    await shows('dev-orders');
    await openFile(page, 'invoices.sql');
    await shows('dev-invoices');
    await openFile(page, 'orders.sql');
    await shows('dev-orders');
  });

  it('are read from git, and followed in each folder if the setting is on', async () => {
    const { page } = editor;
    await pickBranch();
    await quickPickItem(page, 'sales-idea').waitFor();
    await page.keyboard.press('Escape');
    writeWorkspace(editor.workspace ?? '', { 'analyticsChat.followGitBranch': true });
    await shows('sales-work');
    await openFile(page, 'invoices.sql');
    await shows('finance-work');
    await openFile(page, 'orders.sql');
    await shows('sales-work');
    git('sales', 'checkout', '-q', 'sales-idea');
    await runCommand(page, 'Git: Refresh');
    await shows('sales-idea');
    await openFile(page, 'invoices.sql');
    await shows('finance-work');
  });
});

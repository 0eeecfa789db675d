/** *Check My Change* in the real VS Code, on the demo's git repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { loadModelFiles } from '../sandbox/semantic/branchFiles.ts';
import { startSandbox, type Sandbox } from '../sandbox/server.ts';
import { becomes, until } from '../support/until.ts';
import { makeDemoRepository, publishDemoRepository } from '../vscode/demoRepository.ts';
import { repoRoot } from '../vscode/paths.ts';
import { dialog, openFile, quickPickItem, reloadWindow, runCommand, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { screenshot } from './support/screenshot.ts';

const LINE_ITEMS = 'model/cubes/line_items.yml';

describe('Check My Change', function () {
  this.timeout(180_000);
  let sandbox: Sandbox;
  let source: string;
  let editor: Launched;
  let page: Page;

  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...words], {
      cwd: editor.workspace ?? source,
      encoding: 'utf8',
    });
  const path = (name: string): string => join(editor.workspace ?? '', name);
  const asked = (): number => sandbox.requests.filter((each) => each.path.endsWith('/stream-chat-state')).length;
  const problem = (text: string | RegExp): Locator => page.locator('.markers-panel').getByText(text).first();
  const summary = (text: RegExp): Promise<void> =>
    webview(page, 'editor').getByRole('paragraph').filter({ hasText: text }).waitFor();
  const choose = (name: string): Promise<void> => dialog(page).getByRole('button', { name, exact: true }).click();

  before(async () => {
    sandbox = await startSandbox({ pace: 0 });
    source = join(mkdtempSync(join(realpathSync(tmpdir()), 'check-')), 'shop');
    cpSync(join(repoRoot, 'test', 'fixtures', 'workspaces', 'model'), source, { recursive: true });
    assert.ok(makeDemoRepository(source, await loadModelFiles()));
    publishDemoRepository(source);
    execFileSync('git', ['checkout', '--quiet', 'dev-net-revenue'], { cwd: source });
    const env = { ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl, ANALYTICS_CHAT_API_KEY: sandbox.apiKey };
    editor = await launch({ workspace: source, viewport: { width: 1300, height: 900 }, env });
    ({ page } = editor);
  });
  after(async () => {
    await editor.stop();
    await sandbox.stop();
    rmSync(join(source, '..'), { recursive: true, force: true });
  });

  it('shows at a member how many questions use it, and asks about it', async () => {
    await openFile(page, 'line_items.yml');
    await page.locator('.codelens-decoration a', { hasText: 'Ask · 8 questions use it' }).last().click();
    await quickPickItem(page, 'revenue by month in 2024').waitFor();
    await quickPickItem(page, 'Ask about line_items.revenue').click();
    const message = webview(page).getByRole('textbox', { name: 'Message' });
    await becomes(() => message.inputValue(), 'What is line_items.revenue, and how is it calculated?');
  });

  it('asks only the questions that use the change; its problems vanish when it is reverted', async () => {
    await runCommand(page, 'Source Control: Focus on Changes View');
    await page.locator('.pane-header', { hasText: 'Changes' }).hover();
    await page.getByRole('button', { name: /^Check My Change/ }).click();
    await dialog(page).getByText('Ask 8 questions on “main” and on “dev-net-revenue”?').waitFor();
    assert.doesNotMatch(await dialog(page).innerText(), /old model/);
    assert.equal(asked(), 0);
    await choose('Ask');
    await summary(/^8 changed · /);
    assert.equal(asked(), 48, 'the answers differ, so each question is asked three times on each branch');
    await runCommand(page, 'Problems: Focus on Problems View');
    const change = problem(/^• revenue by month in 2024: 12 of 12 rows changed, −\d/);
    await change.waitFor();
    await screenshot(page, 'check my change problems');
    await reloadWindow(page);
    await runCommand(page, 'Problems: Focus on Problems View');
    await change.waitFor();
    writeFileSync(path(LINE_ITEMS), git('show', `main:${LINE_ITEMS}`));
    await problem(/^No problems/).waitFor();
    assert.equal(asked(), 48, 'the answers differ, so each question is asked three times on each branch');
  });

  it('reads a renamed segment as renamed, and warns of what is not pushed before it asks', async () => {
    git('checkout', '--quiet', '--force', 'dev-customer-groups');
    appendFileSync(path('README.md'), '\nMore\n');
    git('commit', '--quiet', '--all', '--message', 'More');
    appendFileSync(path('model/views/sales.yml'), '# more\n');
    const before = asked();
    await runCommand(page, 'Analytics Chat: Check My Change');
    await dialog(page).getByText('Renamed: sales.segment → sales.customer_group').waitFor();
    const text = await dialog(page).innerText();
    assert.match(text, /Commit and push, then check again\./);
    assert.match(text, /Not committed: model\/views\/sales\.yml\s+Not pushed: 1 commit/);
    await screenshot(page, 'check my change warning');
    await choose('Cancel');
    assert.equal(asked(), before);
    await runCommand(page, 'Analytics Chat: Check My Change');
    await choose('Ask anyway');
    await summary(/^\d+ changed · /);
    await runCommand(page, 'Problems: Focus on Problems View');
    await problem(/^Renamed from “sales\.segment”\. \d+ questions use it: /).waitFor();
  });

  it('names a changed rule, access policy and macro, and files that it can’t follow', async () => {
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    };
    const commit = (message: string): void => {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    };
    const taxes = (role: string): string =>
      `{% from 'money.jinja' import rounded %}
cubes:
  - name: taxes
    sql_table: taxes
    access_policy: [{role: ${role}, row_level: {allow_all: true}}]
    measures:
      - {name: vat, type: number, sql: "{{ rounded('vat') }}"}
`;
    const macro = (digits: number): string =>
      `{% macro rounded(column) %}ROUND({{ column }}, ${digits}){% endmacro %}\n`;
    git('checkout', '--quiet', '--force', 'main');
    write('model/cubes/taxes.yml', taxes('sales'));
    write('model/macros/money.jinja', macro(2));
    write('model/globals.py', 'RATE = 1\n');
    write('agents/rules/style.md', '---\nname: style\ntype: agent_requested\n---\nBe brief.\n');
    commit('Taxes');
    git('push', '--quiet', 'origin', 'main');
    git('checkout', '--quiet', '-B', 'dev-net-revenue', 'main');
    write('model/cubes/taxes.yml', taxes('finance').replace("'money.jinja'", "'../macros/money.jinja'"));
    write('model/macros/money.jinja', macro(4));
    write('model/globals.py', 'RATE = 2\n');
    write('agents/rules/style.md', '---\nname: style\ntype: agent_requested\n---\nBe polite.\n');
    commit('Other taxes');
    git('push', '--quiet', '--force', '--set-upstream', 'origin', 'dev-net-revenue');
    await runCommand(page, 'Analytics Chat: Check My Change');
    await dialog(page).getByText('globals.py').waitFor();
    const text = await dialog(page).innerText();
    await screenshot(page, 'check my change followed and not');
    assert.doesNotMatch(text, /Changed: taxes\n/);
    for (const line of [
      'Changed: taxes.access_policy',
      'Changed: taxes.vat',
      'agents/rules/style.md: applied where the agent sees fit',
      'model/globals.py: code that can’t be followed',
    ])
      assert.ok(text.includes(line), text);
    await choose('Cancel');
    write('agents/rules/style.md', 'Be polite.\n');
    await runCommand(page, 'Analytics Chat: Check My Change');
    await dialog(page).getByText('Changed rule: agents/rules/style.md').waitFor();
    await screenshot(page, 'check my change rule');
    const before = asked();
    await choose('Ask anyway');
    // A rule that always applies concerns every question.
    await until(() => asked() - before >= 66);
    await summary(/^\d+ changed · \d+ the same · /);
    await screenshot(page, 'check my change rule answers');
  });
});

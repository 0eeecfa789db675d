/** Files of the extension that cannot be read for a while: it says so, goes on, and has no memory of it after. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Page } from 'playwright-core';
import { repoRoot } from '../vscode/paths.ts';
import { openChat, type Chat } from './support/chat.ts';
import { compare } from './support/compare.ts';
import { notification, runCommand, webview } from './support/editor.ts';
import { launch } from './support/launch.ts';
import { useSetup } from './support/useSetup.ts';
import { writtenService, type WrittenService } from './support/writtenService.ts';

const QUERY = {
  sqlQuery: 'SELECT status, MEASURE(orders.count) FROM orders GROUP BY 1',
  queryTitle: 'Orders by status',
  schema: [
    { name: 'status', column_type: 'string' },
    { name: 'orders_count', column_type: 'number' },
  ],
};

describe('Parts of the extension that cannot be read', function () {
  this.timeout(120_000);
  const extension = mkdtempSync(join(tmpdir(), 'missing-parts-'));
  const setup = useSetup(async () => {
    for (const name of ['package.json', 'package.nls.json', 'dist', 'l10n', 'media'])
      cpSync(join(repoRoot, name), join(extension, name), { recursive: true });
    const service = await writtenService();
    const editor = await launch({
      workspace: 'model',
      extensions: [extension],
      settings: { 'analyticsChat.branches': ['dev-branch'] },
      env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' },
    });
    return { editor, service, stop: () => Promise.all([editor.stop(), service.stop()]).then(() => undefined) };
  });
  let page: Page;
  let service: WrittenService;
  let chat: Chat;

  before(() => {
    ({ service } = setup);
    ({ page } = setup.editor);
  });
  after(() => rmSync(extension, { recursive: true, force: true }));

  const dist = join(extension, 'dist');
  const away: string[] = [];
  const takeAway = (part: string): void => {
    const name = readdirSync(dist).find((each) => each.startsWith(part));
    assert.ok(name, `${part} is no file of its own`);
    renameSync(join(dist, name), join(extension, name));
    away.push(name);
  };
  const bringBack = (): void => {
    for (const name of away.splice(0)) renameSync(join(extension, name), join(dist, name));
  };
  afterEach(bringBack);
  const answer = async (count: number): Promise<void> => {
    const written = await service.next();
    const result = { ...QUERY, data: [['open', count]], totalRows: 1 };
    written.tool(`t${count}`, 'svcSqlApi', QUERY, result);
    written.answer(`There are ${count}.`);
  };

  it('keep answers coming and the history closed, which opens once they are there', async () => {
    takeAway('historyPart');
    chat = await openChat(page);
    await chat.ask('how many orders are open?');
    await answer(12);
    await chat.answers().getByText('There are 12.').waitFor();
    await runCommand(page, 'Analytics Chat: Show History');
    await notification(page, /historyPart/)
      .first()
      .waitFor();
    assert.equal(await chat.view.getByRole('list', { name: 'Chats' }).count(), 0);
    await chat.button('Close history').click();
    bringBack();
    await chat.ask('and how many are shipped?');
    await answer(34);
    await chat.answers().getByText('There are 34.').waitFor();
    await runCommand(page, 'Analytics Chat: Show History');
    await chat.view.getByRole('list', { name: 'Chats' }).getByText('how many orders are open?').waitFor();
    await chat.button('Close history').click();
  });

  it('keep both answers of a comparison, which are compared once they are there', async () => {
    takeAway('sqlPart');
    const tab: FrameLocator = webview(page, 'editor');
    await compare(page, 'how many orders are open?', ['main', 'dev-branch']);
    for (const count of [12, 34]) {
      await answer(count);
      await tab.getByText(`There are ${count}.`).waitFor();
    }
    await notification(page, /sqlPart/)
      .first()
      .waitFor();
    assert.equal(await tab.getByRole('table', { name: 'Results compared' }).count(), 0);
    bringBack();
    await runCommand(page, 'File: New Untitled Text File');
    await runCommand(page, 'View: Close Editor');
    await tab.getByRole('table', { name: 'Results compared' }).waitFor();
  });
});

/** The main job in the real VS Code: ask, see the chart, insert the SQL, switch the branch, stop; then recordings. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.ts';
import { openChat } from '../support/chat.ts';
import type { Chat } from '../../support/chat.ts';
import { openFile, quickInput, quickPickItem, runCommand, savedText, statusBarItem } from '../support/editor.ts';
import type { Launched } from '../support/launch.ts';
import { useSandboxEditor, type SandboxEditor } from '../support/sandboxEditor.ts';
import { until } from '../../support/until.ts';
import { step } from '../support/step.ts';
import { recordings } from './recording.ts';

const QUESTION = 'revenue by month in 2024';

/** Milliseconds between the lines of an answer, so that a recording of it takes its time. */
const PACE = 30;

describe('In a workspace', function () {
  this.timeout(240_000);
  const settings = { 'analyticsChat.insert.provenance': true, 'analyticsChat.insert.format': true };
  const setup = useSandboxEditor({ settings }, PACE);

  describe('The main job', () => mainJob(setup));
  describe('Recordings', () => recordings(setup));
});

function mainJob(setup: SandboxEditor): void {
  let sandbox: Sandbox;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(async () => {
    ({ sandbox, editor, page } = setup);
    chat = await openChat(page);
  });

  const lastRequest = (): Record<string, unknown> => {
    const streams = sandbox.requests.filter(({ path }) => path.endsWith('/chat/stream-chat-state'));
    return JSON.parse(streams.at(-1)?.body ?? '{}') as Record<string, unknown>;
  };

  it('answers with a chart, and inserts the SQL with a comment that leads back to the chat', async () => {
    await step('answers with steps, a chart, a table and text in the conversation', async () => {
      await chat.ask(QUESTION);
      await chat.told('Answer finished');
      await chat.log.getByRole('article', { name: 'You' }).filter({ hasText: QUESTION }).waitFor();
      const answer = chat.answers();
      const card = answer.getByRole('group', { name: /^SQL query/ });
      await card.getByRole('img', { name: /^Chart/ }).waitFor();
      await card.getByText('12 rows', { exact: true }).waitFor();
      await card.getByRole('button', { name: 'Show table' }).click();
      await card.getByRole('grid', { name: /^Results/ }).waitFor();
      await card.getByRole('button', { name: 'Show chart' }).click();
      await card.getByRole('img', { name: /^Chart/ }).waitFor();

      const steps = answer.getByRole('button', { name: /^Steps/ });
      assert.equal(await steps.getAttribute('aria-expanded'), 'false');
      await steps.click();
      await answer.getByRole('group', { name: 'Thinking' }).first().waitFor();
      await answer
        .getByRole('group', { name: /^Model search/ })
        .first()
        .waitFor();
      await steps.click();
    });

    await step('inserts the generated SQL into the open model file', async () => {
      await openFile(page, 'scratch.sql');
      await page.keyboard.press('Control+End');
      await chat.button('Insert SQL').last().click();
      await page.locator('.editor-group-container.active .view-lines').filter({ hasText: 'MEASURE' }).waitFor();
      const text = await savedText(editor, 'queries/scratch.sql');
      assert.match(text, /MEASURE\(/);
      assert.match(text, new RegExp(`^-- Analytics Chat: question="${QUESTION}" branch="main" as="dev"`, 'm'));
      assert.match(text, /^SELECT\n {2}/m);
    });
    await step('opens its chat with a lens above the SQL', async () => {
      const lens = page.locator('.codelens-decoration').getByText(`Open chat: ${QUESTION}`).last();
      await lens.waitFor();
      await runCommand(page, 'Analytics Chat: New Chat');
      await chat.view.getByText('Ask about your data. Answers come').waitFor();
      await lens.click();
      await chat.view.getByRole('article', { name: 'You' }).filter({ hasText: QUESTION }).waitFor();
    });
  });

  it('asks on another branch, what the model offers, and until it is stopped', async () => {
    await step('asks the next question on the new branch', async () => {
      await runCommand(page, 'Analytics Chat: Switch Branch…');
      await quickInput(page).fill('dev-net-revenue');
      await quickPickItem(page, 'dev-net-revenue').click();
      await statusBarItem(page, 'dev-net-revenue').waitFor();
      await chat.button('Branch: dev-net-revenue').waitFor();
      await chat.ask(QUESTION);
      await chat.told('Answer finished');
      await chat.answers().nth(1).getByText('12 rows', { exact: true }).waitFor();
      assert.equal(lastRequest().activeBranchName, 'dev-net-revenue');
      assert.equal(lastRequest().isDefaultBranch, false);
      await chat.view.getByText('dev-net-revenue · dev').waitFor();
    });

    await step('suggests questions in a new chat, based on the model in the answers', async () => {
      await runCommand(page, 'Analytics Chat: New Chat');
      await chat.view.getByText('Ask about your data.').waitFor();
      const examples = chat.view.getByRole('listitem').getByRole('button');
      await until(async () =>
        /^[\w ]+ by month,[\w ]+ by [\w ]+,[\w ]+ by [\w ]+$/.test((await examples.allTextContents()).join()),
      );
      await examples.first().click();
      await chat.told('Answer finished');
      await chat.view.getByRole('group', { name: /^SQL query/ }).waitFor();
    });

    await step('stops a running answer here and on the service', async () => {
      sandbox.faults({ latency: 2000 });
      await chat.ask('top 10 products by revenue');
      await chat.button('Stop').click();
      await chat.told('Stopped');
      await chat.view.getByText('Stopped.', { exact: true }).waitFor();
      await chat.button('Stop').waitFor({ state: 'detached' });
    });
  });
}

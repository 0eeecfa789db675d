/** An answer survives reloads and killed hosts, and is shown complete and once. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { WHOLE, type AnsweringService } from '../../support/service/answeringService.ts';
import type { Chat } from '../../support/chat.ts';
import { becomes } from '../../support/until.ts';
import { openChat, openNewChat, saved } from '../support/chat.ts';
import { runCommand } from '../support/editor.ts';
import { launch, type Launched } from '../support/launch.ts';

export interface AnsweringEditor {
  service: AnsweringService;
  editor: Launched;
}

export const runningAnswer = (setup: AnsweringEditor): void => {
  let service: AnsweringService;
  let page: Page;

  before(() => {
    ({ service } = setup);
    ({ page } = setup.editor);
  });

  const answerOf = (chat: Chat): Locator => chat.answers().getByText(/^word1 /);
  /** Asks in a new chat, and waits for the first words, and for the question in the history. */
  async function begin(question = 'count for me'): Promise<Chat> {
    service.clear();
    const chat = await openNewChat(page);
    await chat.ask(question);
    await becomes(() => service.questions, 1);
    await chat.view.getByText('Working…').waitFor();
    service.say(0, 10);
    await answerOf(chat).filter({ hasText: 'word10' }).waitFor();
    await saved(setup.editor, question);
    return chat;
  }
  /** Waits for the end of the answer. @throws unless the view shows the question and the whole answer once */
  async function assertWhole(chat: Chat): Promise<void> {
    await chat.button('Copy answer').waitFor();
    await becomes(async () => (await answerOf(chat).textContent())?.trim(), WHOLE);
    for (const name of ['You', 'Assistant']) await becomes(() => chat.view.getByRole('article', { name }).count(), 1);
  }

  /** Opens the chat with this question from the history. */
  async function openPast(chat: Chat, question: string): Promise<void> {
    await chat.view
      .getByRole('list', { name: 'Chats' })
      .getByRole('listitem')
      .filter({ hasText: question })
      .first()
      .click();
  }

  it('is shown complete and once in two windows, of which one was reloaded meanwhile', async () => {
    await begin();
    const second = await launch({ server: setup.editor.server });
    const other = await openChat(second.page);
    await second.page.getByRole('button', { name: 'Show History' }).click();
    await openPast(other, 'count for me');
    await answerOf(other).filter({ hasText: 'word10' }).waitFor();
    await page.reload();
    service.say(10, 40);
    const again = await openChat(page);
    await answerOf(again).filter({ hasText: 'word40' }).waitFor();
    service.finish();
    for (const view of [again, other]) await assertWhole(view);
    assert.equal(service.questions, 1);
    await second.stop();
  });

  it('continues after the extension host was killed, and the answers before are complete and once', async () => {
    await begin('count once more');
    killExtensionHost(service.chatApiUrl);
    // VS Code does not restart an extension host under development, so the window is reloaded.
    await page.reload();
    service.say(10, 40);
    service.finish();
    const chat = await openChat(page);
    await assertWhole(chat);
    await runCommand(page, 'Analytics Chat: Show History');
    await openPast(chat, 'count for me');
    await assertWhole(chat);
  });
};

/** Kills the extension hosts of this test, which have the service's URL in their environment. */
function killExtensionHost(chatApiUrl: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (command.includes('--type=extensionHost') && environment.includes(chatApiUrl))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process has ended or belongs to another user.
    }
  }
}

/** An answer survives lost connections, reloads and killed hosts, and is shown complete and once. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, describe, it } from 'mocha';
import type { FrameLocator, Page } from 'playwright-core';
import { runCommand, webview } from './support/editor.ts';
import { launch, type Launched } from './support/launch.ts';
import { scriptedService, type ReceivedRequest, type ScriptedService } from '../support/scriptedService.ts';

const WORDS = Array.from({ length: 40 }, (_, index) => `word${index + 1} `);
const WHOLE = WORDS.join('').trim();

/** An answer that continues in the service when its connection is lost; a request with its id replays it. */
class Run {
  readonly lines: object[] = [];
  #listeners = new Set<(line: object) => void>();
  #sort = 0;

  add(line: object): void {
    const numbered = { ...line, sort: this.#sort++ };
    this.lines.push(numbered);
    for (const listener of this.#listeners) listener(numbered);
  }

  stream(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const write = (line: object): void => {
      response.write(`${JSON.stringify(line)}\n`);
      if ((line as { id?: string }).id === '__state__') response.end();
    };
    this.lines.forEach(write);
    this.#listeners.add(write);
    response.on('close', () => this.#listeners.delete(write));
  }
}

describe('A running answer', function () {
  this.timeout(120_000);
  const runs = new Map<unknown, Run>();
  const open = new Set<ServerResponse>();
  let service: ScriptedService;
  let editor: Launched | undefined;
  /** A second window on the same server and data folder. */
  let second: Launched | undefined;

  before(async () => {
    service = await scriptedService(({ body }: ReceivedRequest, response) => {
      let run = runs.get(body.messageId);
      if (!run) {
        runs.set(body.messageId, (run = new Run()));
        run.add({ id: '__cutoff__', role: 'assistant', state: { chatId: 'c1', isStreaming: true } });
        run.add({ id: body.messageId, role: 'user', content: body.input, isDelta: false });
      }
      open.add(response);
      response.on('close', () => open.delete(response));
      run.stream(response);
    });
  });
  afterEach(async () => {
    await second?.stop();
    second = undefined;
    await editor?.stop();
    editor = undefined;
    runs.clear();
  });
  after(() => service.stop());

  const onlyRun = (): Run => {
    const [run] = runs.values();
    assert.ok(run, 'no question has arrived');
    return run;
  };
  const say = (from: number, to: number): void => {
    for (const content of WORDS.slice(from, to))
      onlyRun().add({ id: 'f', role: 'assistant', content, graphPath: ['final'], isDelta: true, isInProcess: true });
  };
  const finish = (): void => {
    onlyRun().add({
      id: 'f',
      role: 'assistant',
      content: WHOLE,
      graphPath: ['final'],
      isDelta: false,
      isInProcess: false,
    });
    onlyRun().add({ id: '__state__', role: 'assistant', isDelta: false, state: { messages: [] } });
  };
  async function begin(): Promise<FrameLocator> {
    editor = await launch({ env: { ANALYTICS_CHAT_API_URL: service.chatApiUrl, ANALYTICS_CHAT_API_KEY: 'any-key' } });
    await runCommand(editor.page, 'Analytics Chat: Open Chat');
    const chat = webview(editor.page);
    await chat.getByRole('textbox', { name: 'Message' }).fill('count for me');
    await chat.getByRole('textbox', { name: 'Message' }).press('Enter');
    await chat.getByRole('article', { name: 'You' }).waitFor();
    await chat.getByText('Working…').waitFor();
    return chat;
  }
  const answerOf = (chat: FrameLocator): ReturnType<FrameLocator['getByText']> =>
    chat.getByRole('article', { name: 'Assistant' }).getByText(/^word1 /);

  /** Waits for the end of the answer. @throws unless a window shows the question and the whole answer once */
  async function assertWhole(page: Page): Promise<void> {
    const chat = webview(page);
    await chat.getByRole('button', { name: 'Copy answer' }).waitFor();
    assert.equal((await answerOf(chat).textContent())?.trim(), WHOLE);
    for (const name of ['You', 'Assistant']) assert.equal(await chat.getByRole('article', { name }).count(), 1);
  }

  it('continues after the connection was lost', async () => {
    const chat = await begin();
    say(0, 10);
    await answerOf(chat).filter({ hasText: 'word10' }).waitFor();
    for (const response of open) response.destroy();
    say(10, 20);
    await answerOf(chat).filter({ hasText: 'word20' }).waitFor();
    assert.equal((await answerOf(chat).textContent())?.trim(), WORDS.slice(0, 20).join('').trim());
    say(20, 40);
    finish();
    await chat.getByRole('status').filter({ hasText: 'Answer finished' }).waitFor();
    // The announcement comes a frame before the text.
    await answerOf(chat).filter({ hasText: 'word40' }).waitFor();
    assert.equal((await answerOf(chat).textContent())?.trim(), WHOLE);
    assert.equal(await chat.getByRole('article', { name: 'You' }).count(), 1);
    assert.equal(new Set(service.requests.map(({ body }) => body.messageId)).size, 1);
  });

  it('continues after the window was reloaded', async () => {
    const chat = await begin();
    say(0, 10);
    await answerOf(chat).filter({ hasText: 'word10' }).waitFor();
    await editor!.page.reload();
    say(10, 40);
    await runCommand(editor!.page, 'Analytics Chat: Open Chat');
    const again = webview(editor!.page);
    await answerOf(again).filter({ hasText: 'word40' }).waitFor();
    finish();
    await assertWhole(editor!.page);
  });

  it('continues after the extension host was killed', async () => {
    const chat = await begin();
    say(0, 10);
    await answerOf(chat).filter({ hasText: 'word10' }).waitFor();
    killExtensionHost(service.chatApiUrl);
    // VS Code does not restart an extension host under development, so the window is reloaded.
    await editor!.page.reload();
    say(10, 40);
    finish();
    await runCommand(editor!.page, 'Analytics Chat: Open Chat');
    await assertWhole(editor!.page);
  });

  it('continues after the service was restarted', async () => {
    const chat = await begin();
    say(0, 10);
    await answerOf(chat).filter({ hasText: 'word10' }).waitFor();
    await service.restart(() => chat.getByText('Reconnecting…').waitFor());
    say(10, 40);
    finish();
    await chat.getByRole('status').filter({ hasText: 'Answer finished' }).waitFor();
    // The announcement comes a frame before the text.
    await answerOf(chat).filter({ hasText: 'word40' }).waitFor();
    assert.equal((await answerOf(chat).textContent())?.trim(), WHOLE);
    assert.equal(await chat.getByRole('article', { name: 'You' }).count(), 1);
  });

  it('shows an answer complete and once in two windows, and after both were reloaded', async () => {
    const chat = await begin();
    say(0, 10);
    await answerOf(chat).filter({ hasText: 'word10' }).waitFor();
    second = await launch({ server: editor!.server });
    await runCommand(second.page, 'Analytics Chat: Open Chat');
    await second.page.getByRole('button', { name: 'Show History' }).click();
    const other = webview(second.page);
    await other.getByRole('list', { name: 'Chats' }).getByRole('listitem').filter({ hasText: 'count for me' }).click();
    await answerOf(other).filter({ hasText: 'word10' }).waitFor();
    say(10, 40);
    finish();
    const windows = [editor!.page, second.page];
    for (const page of windows) await assertWhole(page);
    for (const page of windows) await page.reload();
    for (const page of windows) {
      await runCommand(page, 'Analytics Chat: Open Chat');
      await assertWhole(page);
    }
    assert.equal(runs.size, 1);
  });
});

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

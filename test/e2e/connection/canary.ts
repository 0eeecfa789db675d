/**
 * A service that repeats the credential wherever it can. Errors are shown without it; an answer shows it on screen, but it
 * must not appear in anything copied, logged, saved or exported.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'mocha';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { resultLines } from '../../support/service/answers.ts';
import { canaryKey, canaryToken, filesOf, Search } from '../../support/canary.ts';
import { openNewChat } from '../support/chat.ts';
import type { Chat } from '../../support/chat.ts';
import { nameFile, notification, quickPickItem, runCommand } from '../support/editor.ts';
import type { Launched } from '../support/launch.ts';
import {
  scriptedService,
  type Answer,
  type ReceivedRequest,
  type ScriptedService,
} from '../../support/service/scriptedService.ts';
import { connect } from '../support/wizard.ts';

const echo = ({ headers }: ReceivedRequest): string => String(headers.authorization ?? headers['x-svc-auth-token']);
const secretOf = (request: ReceivedRequest): string => echo(request).replace('Api-Key ', '');
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** For each question: the service's response, and the message that the user sees. */
const answers: Record<string, { says: RegExp; answer: (request: ReceivedRequest) => [number, string, string?] }> = {
  'a 401': {
    says: /does not accept the key or token.*Invalid credential.*\[redacted\]/,
    answer: (request) => [401, JSON.stringify({ error: { message: `Invalid credential ${echo(request)}` } })],
  },
  'a JSON-RPC error': {
    says: /does not accept the key or token.*\bNo .*\[redacted\]/,
    answer: (request) => [200, lines({ jsonrpc: '2.0', id: null, error: { code: 1, message: `No ${echo(request)}` } })],
  },
  'a 400 with an encoded one': {
    says: /rejected the request.*\[redacted\]/,
    answer: (request) => [400, `Unknown key (${encodeURIComponent(secretOf(request))})`],
  },
  'a page': {
    says: /failed with status 500/,
    answer: (request) => [500, `<html><body><h1>Error</h1><pre>${echo(request)}</pre></body></html>`],
  },
  'a redirect': { says: /redirects to another URL/, answer: () => [302, ''] },
  'an error line': {
    says: /couldn’t finish the answer.*\[redacted\]/,
    answer: (request) => [200, lines({ error: `401 of ${echo(request)}` })],
  },
};

export interface RecordedEditor {
  editor: Launched;
  /** The messages to all webviews so far. */
  toWebviews: readonly string[];
}

export const repeatedCredentials = (setup: RecordedEditor): void => {
  let service: ScriptedService;
  let other: ScriptedService;
  let editor: Launched;
  let page: Page;
  let toWebviews: readonly string[];
  /** Contents of the clipboard and of the pages' consoles. */
  const told: string[] = [];

  const answer: Answer = (request, response) => {
    const { input, messageId } = request.body;
    const failure = answers[String(input)];
    if (failure) {
      const [status, text] = failure.answer(request);
      response
        .writeHead(status, { location: `${other.chatApiUrl}?key=${encodeURIComponent(echo(request))}` })
        .end(text);
    } else if (input === undefined)
      response.writeHead(404).end(JSON.stringify({ error: `no thread, ${echo(request)}` }));
    else {
      const failed = { id: 'tool', role: 'assistant', sort: 2, content: '' };
      const toolCall = { name: 'svcSqlApi', input: '{}', result: JSON.stringify({ error: `401 of ${echo(request)}` }) };
      const [first, ...rest] = resultLines(messageId, input, {});
      response.end(lines(first, ...rest.slice(0, 1), { ...failed, toolCall }, ...rest.slice(1)));
    }
  };

  before(async () => {
    service = await scriptedService(answer);
    other = await scriptedService((_request, response) => void response.end());
    ({ editor, toWebviews } = setup);
    ({ page } = editor);
    page.on('console', (message) => told.push(message.text()));
  });
  after(async () => {
    await service.stop();
    await other.stop();
  });

  /** Runs a command that copies something. @returns the copied text */
  async function copy(command: string, says: RegExp): Promise<string> {
    await runCommand(page, `Analytics Chat: ${command}`);
    await notification(page, says).first().waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    told.push(text);
    await runCommand(page, 'Notifications: Clear All Notifications');
    return text;
  }

  /** Exports the chat. @param text part of the exported file */
  async function exportTo(name: string, text: string): Promise<void> {
    const path = join(editor.workspace ?? '', name);
    await runCommand(page, 'Analytics Chat: Export Chat…');
    await quickPickItem(page, name.endsWith('.json') ? 'JSON' : 'Markdown').click();
    await nameFile(page, name.slice(name.lastIndexOf('.')), path);
    await until(
      () => existsSync(path) && readFileSync(path, 'utf8').includes(text),
      () => `${name} was not written, or without “${text}”`,
    );
  }

  /** Visits everything that could reveal the credential. */
  async function useAll(chat: Chat): Promise<void> {
    for (const [question, { says }] of Object.entries(answers)) {
      await chat.ask(question);
      const alert = chat.view.getByRole('alert').filter({ hasText: says });
      await alert.waitFor({ timeout: 60_000 });
      told.push(await alert.innerText());
      if (question === 'a 401') {
        const command = await copy('Copy Request as cURL', /^Command copied. Before/);
        assert.match(command, /"input":"a 401"/);
        assert.match(command, /\$ANALYTICS_CHAT_(API_KEY|SERVICE_TOKEN)"/);
        assert.ok(command.includes(service.chatApiUrl));
      }
    }
    await chat.ask('a question');
    await chat.answers().last().getByText('That is all.').waitFor();
    await copy('Copy Request as cURL', /^Command copied. Before/);
    assert.match(await copy('Copy Diagnostics', /Diagnostics copied/), /"threads"/);
    await exportTo('exported.md', 'a question');
    await exportTo('exported.json', '401 of');
    await runCommand(page, 'Analytics Chat: Show Log');
    await page
      .locator('.part.panel .view-lines')
      .filter({ hasText: /\.m?js:\d/ })
      .waitFor();
  }

  /** Everything at this moment and before. */
  async function assertNowhere(secret: string): Promise<void> {
    const search = new Search(secret);
    const withoutAnswer = (texts: readonly string[]): string[] => texts.filter((text) => !text.includes('401 of '));
    const frames = await Promise.all(page.frames().map((frame) => frame.content()));
    assert.deepEqual(search.in(withoutAnswer(frames).join('\n')), [], 'shown outside of the answer');
    assert.deepEqual(search.in(withoutAnswer(toWebviews).join('\n')), [], 'sent to a webview outside of the answer');
    assert.deepEqual(search.in(told.join('\n')), [], 'copied, or on the console');
    assert.deepEqual(search.in(editor.server.output()), [], 'on the console of the server');
    assert.deepEqual(search.in(await page.evaluate(() => JSON.stringify(localStorage))), [], 'in the browser');
    assert.deepEqual(search.inFolder(editor.server.dataDir), []);
    assert.deepEqual(search.inFolder(editor.workspace ?? ''), []);
    assert.deepEqual(other.requests, []);
  }

  for (const [kind, secret] of [
    ['API key', canaryKey()],
    ['Service token', canaryToken()],
  ] as const)
    it(`never reveals a credential that the service repeats: ${kind}`, async () => {
      await connect(page, service.chatApiUrl, secret, kind);
      await notification(page, 'Connected').waitFor();
      const chat = await openNewChat(page);
      await useAll(chat);
      assert.ok(service.requests.some((request) => secretOf(request) === secret));
      await assertNowhere(secret);
    });

  it('has a credential searched for in places that contain the questions and answers', () => {
    assert.match(toWebviews.join('\n'), /"type":"snapshot"[^]*401 of /);
    const files = filesOf(editor.server.dataDir).map((path): [string, string] => [path, readFileSync(path, 'utf8')]);
    assert.ok(files.some(([path, text]) => path.includes('globalStorage') && text.includes('401 of [redacted]')));
    assert.ok(files.some(([path, text]) => path.endsWith('.log') && /failed[^]*\[redacted\]/.test(text)));
    const search = new Search('0123456789abcdef');
    assert.deepEqual(search.in(Buffer.from(`x${btoa('xy0123456789abcdef')}`)), ['base64', 'base64url']);
  });
};

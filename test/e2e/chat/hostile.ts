/** Hostile text from the service, the model or a user in the real webview is shown as text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, it } from 'mocha';
import type { Page } from 'playwright-core';
import { html, tricks } from '../../browser/markdown/payloads.ts';
import { innerFrame, type Chat } from '../../support/chat.ts';
import type { Launched } from '../support/launch.ts';
import type { WrittenChat } from '../support/writtenChat.ts';
import type { WrittenService } from '../../support/service/writtenService.ts';

/** Environment variable with a file of more payloads, one JSON string per line. */
const corpus = process.env['XSS_CORPUS'];
const BATCH = 40;

export const BRANCH = '<img src=x onerror=hit()>';
const IDENTITY = '"><svg/onload=hit()>';
const SQL = 'SELECT status, MEASURE(orders.count) FROM orders GROUP BY 1';

/** Names that the user can choose. */
export const hostileNames = {
  'analyticsChat.mainBranch': BRANCH,
  'analyticsChat.sessionSettings': { externalId: IDENTITY },
};

/** Effects that only script can have. */
const offences: string[] = [];

/** Watches calls of functions in pages that are loaded from now on. */
export async function watchCalls({ context }: Launched): Promise<void> {
  for (const name of ['hit', 'alert', 'prompt', 'confirm', 'print'])
    await context.exposeBinding(name, () => void offences.push(`called ${name}`));
}

export const hostileText = (setup: WrittenChat): void => {
  let service: WrittenService;
  let editor: Launched;
  let page: Page;
  let chat: Chat;

  before(() => {
    ({ service, editor, page, chat } = setup);
    editor.context.on('page', (opened) => offences.push(`opened ${opened.url()}`));
    page.on('dialog', (dialog) => void dialog.dismiss().finally(() => offences.push(`dialog ${dialog.message()}`)));
    page.on('framenavigated', (frame) => offences.push(`navigated ${frame.url()}`));
    page.on('request', (request) => {
      const { host, protocol } = new URL(request.url());
      const own = host === editor.server.authority || /\.vscode-cdn\.net$/.test(host);
      if (!own && protocol !== 'data:' && protocol !== 'blob:') offences.push(`requested ${request.url()}`);
    });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy directive')) offences.push(message.text());
    });
  });

  /** Answers one question with all payloads in every field that contains text. */
  async function attack(payloads: readonly string[]): Promise<void> {
    await setup.newChat();
    const [first = '', second = ''] = payloads;
    await chat.ask(first);
    const written = await service.next();
    for (const [index, text] of payloads.entries()) {
      written.think(`m${index}`, text);
      written.tool(`u${index}`, text, { [text]: text }, { [text]: text });
      written.tool(`e${index}`, 'svcSqlApi', { sqlQuery: text, queryTitle: text }, { error: text });
    }
    const member = { type: 'string', description: second };
    const members = [
      { ...member, name: 'orders.count', title: first, type: 'number', aggType: 'count' },
      ...payloads.map((text) => ({ ...member, name: text, title: text })),
    ];
    const cubes = [{ name: first, type: second, title: first, members }];
    written.tool('search', 'svcMeta', { searchQuery: first }, { searchQuery: first, cubes });
    written.tool(
      'rows',
      'svcSqlApi',
      { sqlQuery: SQL, queryTitle: first },
      {
        sqlQuery: SQL,
        queryTitle: first,
        schema: [
          { name: second, column_type: 'string' },
          { name: 'n', column_type: first },
        ],
        data: payloads.map((text, index) => [text, index]),
        totalRows: payloads.length,
      },
    );
    written.answer(payloads.join('\n\n'));
    await chat.told('Answer finished');
    await chat.button(/^Steps/).click();
    await chat.ask(second);
    (await service.next()).line({ error: payloads.join(' ') });
    await chat.view.getByRole('alert').waitFor();

    const frame = await innerFrame(chat);
    const shown = await frame.evaluate(() => {
      // Lay out hidden content too, as if the user had scrolled to it.
      const all = new CSSStyleSheet();
      all.replaceSync('* { content-visibility: visible !important; }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, all];
      const root = document.getElementById('root') ?? document.body;
      const bad =
        'script, iframe, frame, object, embed, form, base, meta, link, style, template, video, audio, svg, math';
      const found = [...root.querySelectorAll(bad)].map(({ outerHTML }) => outerHTML);
      for (const element of root.querySelectorAll('*')) {
        const hostile = [...element.attributes].some(
          ({ name, value }) =>
            /^(on|srcdoc|formaction|ping|xlink)/.test(name) ||
            (name === 'href' && !/^(https?|mailto):/.test(value)) ||
            (name === 'src' && !value.startsWith('data:image/')) ||
            (name === 'style' && /url\(/.test(value)),
        );
        if (hostile) found.push(element.outerHTML.slice(0, 300));
      }
      const texts = (selector: string) => [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
      return {
        found,
        bubbles: texts('.bubble'),
        titles: texts('.card-title'),
        errors: texts('.tool-error'),
        members: texts('.member-name'),
      };
    });
    assert.deepEqual(shown.found, []);
    assert.deepEqual(shown.bubbles, [first.trim(), second.trim()]);
    const missing = (where: readonly string[], about: string): string[] =>
      payloads.filter((text) => !where.some((each) => each.includes(text.trim()))).map((text) => `${about}: ${text}`);
    assert.deepEqual(missing(shown.titles, 'title'), []);
    assert.deepEqual(missing(shown.errors, 'tool error'), []);
    assert.deepEqual(missing(shown.members, 'member'), []);
    assert.deepEqual(offences, []);
  }

  it(`is shown unchanged and has no effect: ${html.length + tricks.length} payloads`, async () => {
    await attack([...html, ...tricks].map((text) => text.replaceAll('\u0000', '')));
    await chat.button(`Branch: ${BRANCH}`).waitFor();
    await chat.button(`Identity: ${IDENTITY}`).waitFor();
  });

  if (corpus !== undefined)
    it('is shown unchanged and has no effect: the payloads of a file', async function () {
      this.timeout(0);
      const lines = readFileSync(corpus, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      const texts = lines.map((line) => String(JSON.parse(line)));
      for (let at = 0; at < texts.length; at += BATCH) await attack(texts.slice(at, at + BATCH));
    });
};

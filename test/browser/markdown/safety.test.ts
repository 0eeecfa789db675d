import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { openMarkdownPage } from './browser.ts';
import { html, payloads } from './payloads.ts';

/** Environment variable with a file of more payloads, one JSON string per line. */
const corpus = process.env['MARKDOWN_XSS_CORPUS'];

describe('A hostile answer', () => {
  async function attack(texts: readonly string[]): Promise<void> {
    const { page, attempts } = await openMarkdownPage();
    let hits = 0;
    await page.exposeFunction('hit', () => (hits += 1));
    for (const dialog of ['alert', 'prompt', 'confirm', 'print']) await page.exposeFunction(dialog, () => (hits += 1));
    const offences = await page.evaluate(
      (all) =>
        all.map((text) => ({ text, found: window.markdown.offences(text) })).filter(({ found }) => found.length > 0),
      texts,
    );
    // Pending work has started when a task queued after it has run.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    assert.deepEqual(offences, []);
    assert.deepEqual(attempts, { requests: [], navigations: [], violations: [], dialogs: [], popups: [] });
    assert.equal(hits, 0);
    await page.close();
  }

  it(`runs, loads and opens nothing: ${payloads.length} payloads`, () => attack(payloads));

  it('would be sanitized even if the renderer didn’t escape it', async () => {
    const { page, attempts } = await openMarkdownPage();
    const nearlyPlain = ['<p onclick=hit()>', '<p class="x" onclick="hit()">', '<p class="x"onclick="hit()">'].concat(
      ['<span style="position:fixed">', '<a class="md-link" href="command:x">', '</p onclick=hit()>', '<p/id=x>'],
      ['<P ID=x>', '<p role="x" role=">" id=x>', '<pre><img src=x></pre>', '<!--<p>--><script>hit()</script>'],
    );
    const all = [...html, ...nearlyPlain].flatMap((text) => [text, `<p class="x">${text}</p>`]);
    const found = await page.evaluate((texts) => texts.map((text) => window.markdown.unsanitized(text)), all);
    assert.deepEqual(found.flat(), []);
    assert.deepEqual(attempts, { requests: [], navigations: [], violations: [], dialogs: [], popups: [] });
    await page.close();
  });

  it('is detected by this test if it succeeds', async () => {
    const { page, attempts } = await openMarkdownPage();
    await page.evaluate(() => {
      document.body.append(Object.assign(new Image(), { src: 'https://evil.test/pixel.png' }));
    });
    await page.waitForFunction(() => document.images.length === 1);
    while (attempts.violations.length === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.match(attempts.violations[0] ?? '', /^img-src https:\/\/evil\.test/);
    await page.close();
  });

  if (corpus !== undefined) {
    it('runs, loads and opens nothing: the payloads of a file', async () => {
      const lines = (await readFile(corpus, 'utf8')).split('\n').filter((line) => line !== '');
      const texts = lines.map((line) => String(JSON.parse(line)));
      await attack(
        texts.flatMap((text) => [text, `[text](${text}) ![alt](<${text}>)`, `\`\`\`${text}\n${text}\n\`\`\`\n`]),
      );
    });
  }
});

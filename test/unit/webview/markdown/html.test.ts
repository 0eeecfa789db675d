/** The HTML of Markdown, before it is sanitized. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newEnv, visibleText, renderBlocks } from '../../../../webview/markdown/parser.ts';

const html = (markdown: string): string => renderBlocks(markdown, newEnv()).join('');

describe('the HTML of Markdown', () => {
  it('keeps quotes, angle brackets and ampersands of code', () => {
    assert.equal(
      html('    "a" < b & c > d'),
      '<pre tabindex="0"><code>&quot;a&quot; &lt; b &amp; c &gt; d\n</code></pre>\n',
    );
  });

  it('keeps code that is invalid in its language, and highlights the rest', () => {
    assert.match(html('```json\n{"a": 1} and more\n```'), /class="hljs-number">1<.*and more/);
  });

  it('has the line breaks of cells, but no other HTML', () => {
    assert.match(
      html('| a |\n|---|\n| x<br>y<BR/>**z**<br /> |\n'),
      /<td role="cell">x<br>\ny<br>\n<strong>z<\/strong><br>\n<\/td>/,
    );
    assert.equal(visibleText('one<br>two').trim(), 'one\ntwo');
    for (const text of ['<br class="x">', '<b>', '`<br>`', '\\<br>', '<br', '<brx>'])
      assert.doesNotMatch(html(text), /<b[^l]/, text);
  });

  it('has the empty cells of a short row, but not thousands of them', () => {
    const cells = (columns: number, row: string): number =>
      html(`|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${row}\n`).split('<td ').length - 1;
    assert.deepEqual([cells(17, '|x|'), cells(18, '|x|'), cells(1_000, '|x|')], [17, 1, 1]);
    assert.equal(cells(100, `|${' |'.repeat(99)}x|`), 100);
  });

  it('has one link for an image in a link, and a link for an image alone', () => {
    const count = (markdown: string): number => html(markdown).split('<a ').length - 1;
    assert.equal(count('[![chart](https://img.example/a.png)](https://example.com)'), 1);
    assert.equal(count('![chart](https://img.example/a.png)'), 1);
    assert.equal(count('![one](https://img.example/1.png) ![two](https://img.example/2.png)'), 2);
  });

  it('shows the address of an image without a description, which can be found', () => {
    assert.match(html('![](HTTPS://img.example/a.png)'), />https:\/\/img\.example\/a\.png<\/a>/);
    assert.equal(visibleText('![](HTTPS://img.example/a.png)').trim(), 'https://img.example/a.png');
    assert.equal(visibleText('![a chart](https://img.example/a.png)').trim(), 'a chart');
  });

  it('shows nothing of an image that can’t be opened and has no description, and nothing of it is found', () => {
    assert.doesNotMatch(html('![](command:x)'), /command/);
    assert.equal(visibleText('![](command:x)').trim(), '');
  });
});

/** The HTML of Markdown, before it is sanitized. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newEnv, visibleText, renderBlocks } from '../../../../webview/markdown/parser.ts';

const html = (markdown: string): string => renderBlocks(markdown, newEnv()).join('');

describe('the HTML of Markdown', () => {
  const link = (href: string, text: string): string =>
    `<a class="md-link" role="link" tabindex="0" title="${href}" data-href="${href}">${text}</a>`;
  for (const [markdown, expected] of [
    ['[a](https://e.x/?a=1&b "t")', `<p>${link('https://e.x/?a=1&amp;b', 'a')}</p>\n`],
    ['[a](x) [b](https://e.x/) c', `<p><span class="md-unlinked">a</span> ${link('https://e.x/', 'b')} c</p>\n`],
    ['![a](https://e.x/i.png)', `<p>${link('https://e.x/i.png', 'a')}</p>\n`],
    ['![a](x.png)', '<p><span class="md-image">a</span></p>\n'],
    ['[run](command:x) and', '<p><span class="md-unlinked">run</span> and</p>\n'],
    ['https://e.x/x', `<p>${link('https://e.x/x', 'https://e.x/x')}</p>\n`],
    // The name of a member looks like a host.
    ['sales.net', '<p>sales.net</p>\n'],
    ['me@example.com', '<p>me@example.com</p>\n'],
    ['<me@e.x>', `<p>${link('mailto:me@e.x', 'me@e.x')}</p>\n`],
    ['[look](https://аpple.com)', `<p>${link('https://xn--pple-43d.com/', 'look')}</p>\n`],
    ['- a', '<ul dir="auto">\n<li>a</li>\n</ul>\n'],
    ['3. a', '<ol start="3" dir="auto">\n<li>a</li>\n</ol>\n'],
    ['> a', '<blockquote dir="auto">\n<p>a</p>\n</blockquote>\n'],
    [
      '```none\na\n```',
      '<pre tabindex="0"><code class="hljs"><span class="md-part"><span class="md-chunk">a\n</span></span></code></pre>\n',
    ],
    [
      '| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |',
      '<div class="md-table" dir="auto" tabindex="0"><table role="table">\n<thead role="rowgroup">\n<tr role="row">\n' +
        ['left">a', 'center">b', 'right">c']
          .map((cell) => `<th role="columnheader" class="md-${cell}</th>\n`)
          .join('') +
        '<th role="columnheader">d</th>\n</tr>\n</thead>\n<tbody role="rowgroup">\n<tr role="row">\n' +
        ['left">1', 'center">2', 'right">3'].map((cell) => `<td role="cell" class="md-${cell}</td>\n`).join('') +
        '<td role="cell">4</td>\n</tr>\n</tbody>\n</table></div>\n',
    ],
  ] as const)
    it(`has the roles, directions and addresses of ${JSON.stringify(markdown)}`, () =>
      assert.equal(html(markdown), expected));

  it('has long tables in parts of a hundred rows', () => {
    const parts = (rows: number): number[] =>
      [html(`| a |\n|---|\n${'| 1 |\n'.repeat(rows)}| b\n\n| c |\n|---|\n| 2 |\n`)].flatMap((text) => [
        text.split('<tbody role="rowgroup">').length - 1,
        text.split('class="md-long"').length - 1,
      ]);
    assert.deepEqual([99, 100, 199, 200].map(parts), [
      [2, 0],
      [3, 1],
      [3, 1],
      [4, 1],
    ]);
  });

  it('has the colors of code in every known language, under each of its names', () => {
    const names =
      'javascript json python sql yaml bigquery dbt duckdb mysql pgsql postgres postgresql snowflake sqlite ts tsx typescript';
    const plain = names
      .split(' ')
      .filter((name) => !html(`\`\`\`${name.toUpperCase()} x\nselect: "1"\n\`\`\``).includes('hljs-'));
    assert.deepEqual(plain, []);
    assert.doesNotMatch(html('```other\nselect: "1"\n```'), /hljs-/);
  });

  it('has no colors in a line that is rather data than code', () => {
    const line = `select ${'x'.repeat(8185)}`;
    assert.match(html(`\`\`\`sql\n${line}\n\`\`\``), /hljs-keyword/);
    assert.doesNotMatch(html(`\`\`\`sql\n${line}x\n\`\`\``), /hljs-keyword/);
  });

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
    assert.equal(visibleText('one<br>two\nthree').trim(), 'one\ntwo three');
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

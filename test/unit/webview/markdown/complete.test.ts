import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { completeMarkdown } from '../../../../webview/markdown/complete.ts';

const half: readonly [string, string][] = [
  ['Sales **gre', 'Sales **gre**'],
  ['Sales **grew *by', 'Sales **grew *by***'],
  ['Sales **grew*', 'Sales **grew**'],
  ['Sales **', 'Sales'],
  ['a ~~b', 'a ~~b~~'],
  ['see `order_', 'see `order_`'],
  ['see ``a `', 'see ``a ``'],
  ['see `', 'see '],
  ['the [docs', 'the docs'],
  ['from [0 to the [docs', 'from [0 to the docs'],
  ['the [docs]', 'the docs'],
  ['the [docs](https://exa', 'the docs'],
  ['[a]**b', '[a]**b**'],
  ['[a][b', '[a]b'],
  ['a ![chart](https://exa', 'a chart'],
  ['**the [docs](htt', '**the docs**'],
  ['text\n-', 'text\n'],
  ['text\n==', 'text\n'],
  ['## ', ''],
  ['1.', ''],
  ['text\n``', 'text\n'],
  ['[ref]: https://exa', ''],
  ['| a | b', '| a | b\n| --- | --- |'],
  ['| a \\| b |\n|-', '| a \\| b |\n| --- |'],
  ['|\n', ''],
  ['- one\n- **two', '- one\n- **two**'],
  ['- one\n\n  ```\n  a\n  ```\n- **two', '- one\n\n  ```\n  a\n  ```\n- **two**'],
  ['- ```\n  a\n  ```\n- **two', '- ```\n  a\n  ```\n- **two**'],
  ['1. ~~~\n   a\n2. **two', '1. ~~~\n   a\n2. **two**'],
  ['```a``` is **b', '```a``` is **b**'],
  ['| a | b |\n|---|---|\n| **x | **y', '| a | b |\n|---|---|\n| **x | **y**'],
  [`text\n${'='.repeat(64)}`, 'text\n'],
  ['   [ref]: https://exa', ''],
  ['a *b\n###### **c', 'a *b\n###### **c**'],
  ['a *b\n2) **c', 'a *b\n2) **c**'],
  ['> | a |\n> |---|\n> | *b | **c', '> | a |\n> |---|\n> | *b | **c**'],
  ['  | a | b |', '  | a | b |\n| --- | --- |'],
  ['|'.repeat(65), `${'|'.repeat(65)}\n|${' --- |'.repeat(64)}`],
  ['the [docs](https://e.x/a_(b)', 'the docs'],
  ['the [docs](<a\nb', 'the docs'],
  ['the [docs](\nhttps://e.x) *c', 'the [docs](\nhttps://e.x) *c*'],
  ['a](b *c', 'a](b *c*'],
  ['*a*b and **c', '*a*b and **c**'],
  ['***a', '***a***'],
  ['***a**', '***a***'],
  ['a ~~b  ', 'a ~~b~~'],
  ['*a *b *c *d *e *f *g *h [i', '*a *b *c *d *e *f *g *h i********'],
];
const whole: readonly string[] = [
  `text\n${'='.repeat(65)}`,
  '|'.repeat(66),
  'array[0 and\nmore',
  'about ~5, grö_b, x ~~~a and a] b',
  'see `a``b` c',
  '`` a ``` *b ``',
  '~~~a',
  '~~~\n*b',
  'Sales **grew** by `n` in [the docs](https://example.com/a_(b)).',
  'snake_case_name and 2*3 and 2**8',
  'an escaped \\*star and \\`tick',
  '```sql\nselect **',
  '- x\n\n  ```\n  a `b [c',
  '1. - ```\n     a **b',
  '- ```',
  '```\n- ```\n**b',
  '````\n```\n**b',
  '- ```\n  a\n```\n**b',
  'array[0] and [1] here',
  '*a *b *c *d *e *f *g *h *i [j',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
];

describe('Unfinished Markdown', () => {
  for (const [text, shown] of half) {
    it(`${JSON.stringify(text)} is shown as ${JSON.stringify(shown)}`, () =>
      assert.equal(completeMarkdown(text), shown));
  }

  for (const text of whole) {
    it(`${JSON.stringify(text)} is unchanged`, () => assert.equal(completeMarkdown(text), text));
  }

  it('keeps every letter of text without links', () => {
    const piece = fc.constantFrom(...'*_~`-+#>! \n\\1.a', 'word', '**', '```', ' and ');
    const letters = (text: string): string => text.replace(/[^a-z]/g, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        assert.equal(letters(completeMarkdown(text)), letters(text));
      }),
      { numRuns: 1000 },
    );
  });
});

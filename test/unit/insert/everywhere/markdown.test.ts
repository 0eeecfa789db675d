/** SQL at any offset of a Markdown file: another parser reads it as code, and what was there is still there. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { unifyLineEnds } from '../../../../src/insert/indent.ts';
import { applyEdits, planInsertion } from '../../../../src/insert/plan.ts';
import { hostileSql, runs, tidySql } from '../arbitrarySql.ts';

const TEXT = `---
title: A
---

# Orders

Text of *one* paragraph
over two lines. ![image](a.png)

- item
  - inner

    \`\`\`sql
    select 1

    from t
    \`\`\`

  more
12. other

> quote
>
> ~~~
> code
> ~~~

| a | b |
| - | - |
| 1 | 2 |

<details>
<summary>A</summary>
</details>

    indented
    code

Heading
-------
<A
  b="c"
/>

\`\`\`\`md
\`\`\`sql
select 1
\`\`\`
\`\`\`\`
end
`;

/** The lines below the cursor are text only because they continue a paragraph. */
const CONTINUED = [
  '* item\nlazy‸\nlazy\n',
  '1. item\nlazy‸\n   - inner\n2. item\n',
  '> quote\nlazy‸\nlazy\n',
  'text‸\n    text\n',
  'text‸\n2. text\n',
  'text‸\n[a]: b\n',
];

const markdown = new MarkdownIt({ html: true });
const FRONT_MATTER = TEXT.indexOf('\n# ');

interface Read {
  code: string[];
  /** Everything but code and the split of text into paragraphs. */
  other: string[];
}

function read(text: string): Read {
  const tokens = markdown.parse(text.slice(FRONT_MATTER), {});
  const isCode = ({ type }: { type: string }): boolean => type === 'fence' || type === 'code_block';
  return {
    code: tokens.filter(isCode).map(({ content }) => content),
    other: tokens
      .filter((token) => /^(?:heading|table|th|td|list_item|blockquote)_open$/.test(token.type))
      .map(({ tag }) => tag),
  };
}

/** As Markdown has it, with another character for NUL. */
const spaced = (text: string): string => text.replaceAll('\0', '\ufffd').replace(/\s+/g, ' ').trim();

describe('SQL anywhere in a Markdown file', () => {
  for (const text of CONTINUED)
    it(`needs confirmation if the next line would no longer continue a paragraph: ${JSON.stringify(text)}`, () => {
      const at = text.indexOf('‸');
      const { warnings } = planInsertion({
        document: { text: text.replace('‸', ''), fileName: '', languageId: 'markdown' },
        selections: [{ start: at, end: at }],
        sql: 'select 1\nfrom t',
        mode: 'insert',
        options: { tabSize: 2, insertSpaces: true, eol: '\n' },
      });
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['unfittedPlace'],
      );
    });

  for (const languageId of ['markdown', 'mdx'])
    it(`is read back as code, unless it is written within text, or there is a warning: ${languageId}`, () => {
      const before = read(TEXT);
      fc.assert(
        fc.property(fc.nat({ max: TEXT.length }), fc.oneof(hostileSql, tidySql), (at, sql) => {
          const { edits, warnings } = planInsertion({
            document: { text: TEXT, fileName: '', languageId },
            selections: [{ start: at, end: at }],
            sql,
            mode: 'insert',
            options: { tabSize: 2, insertSpaces: true, eol: '\n' },
          });
          const [first, last] = [edits[0], edits.at(-1)];
          if (spaced(sql) === '' || !first || !last || warnings.some(({ code }) => code === 'unfittedPlace')) return;
          const file = applyEdits(TEXT, edits);
          const after = read(file);
          const where = `at ${at}\n---\n${file}`;
          const wanted = spaced(unifyLineEnds(sql));
          const isCode = after.code.some((code) => spaced(code).includes(wanted));
          const isText = !last.text.includes('\n') && spaced(last.text) === wanted;
          // Expressions and tags of MDX.
          assert.ok(isCode || languageId !== 'mdx' || !/[{<]/.test(sql), where);
          assert.ok(isText || isCode, where);
          assert.deepEqual(after.other, before.other, where);
        }),
        runs,
      );
    });
});

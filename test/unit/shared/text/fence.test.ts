import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { fenced } from '../../../../src/shared/text/plainText.ts';

/** The code of a fenced block as parsed by Markdown: up to the first line that can close the fence. */
function codeOf(markdown: string): string | undefined {
  const [first = '', ...lines] = markdown.split('\n');
  const fence = /^`{3,}/.exec(first)?.[0] ?? '';
  const end = lines.findIndex((line) => {
    const mark = /^ {0,3}(`{3,})[ \t]*$/.exec(line)?.[1];
    return mark !== undefined && mark.length >= fence.length;
  });
  return end === lines.length - 1 ? lines.slice(0, end).join('\n') : undefined;
}

describe('fences around code', () => {
  it('have three backticks, or more if the code contains as many', () => {
    assert.equal(fenced('SELECT 1', 'sql'), '```sql\nSELECT 1\n```');
    assert.equal(fenced('```', ''), '````\n```\n````');
  });

  it('are not closed by the code', () => {
    const piece = fc.oneof(fc.string({ unit: fc.constantFrom('`', ' ', '\n', '~', 'a') }), fc.string());
    fc.assert(fc.property(piece, (code) => assert.equal(codeOf(fenced(code, 'sql')), code)));
  });

  it('enclose code of any length', () => {
    const code = '` '.repeat(1_000_000);
    assert.equal(codeOf(fenced(code, '')), code);
  });
});

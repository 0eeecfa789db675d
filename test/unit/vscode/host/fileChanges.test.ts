/** Changes of files, of which only the part that differs is replaced. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

type Replacement = (before: string, after: string) => { start: number; end: number; text: string };

describe('the part of a file that a change replaces', () => {
  let replacement: Replacement;
  before(async () => {
    ({ replacement } = await loadWithEditor<{ replacement: Replacement }>('vscode/host/fileChanges.ts', {}));
  });

  for (const [text, changed, replaced, by] of [
    ['name: a\nsql: b\n', 'name: a\nsql: c\n', 'b', 'c'],
    ['a\na\n', 'a\na\na\n', '', 'a\n'],
    ['a\na\na\n', 'a\na\n', 'a\n', ''],
    ['', 'a', '', 'a'],
    ['a', 'a', '', ''],
  ] as const)
    it(`is the smallest one: ${JSON.stringify(text)} → ${JSON.stringify(changed)}`, () => {
      const { start, end, text: inserted } = replacement(text, changed);
      assert.deepEqual([text.slice(start, end), inserted], [replaced, by]);
      assert.equal(text.slice(0, start) + inserted + text.slice(end), changed);
      assert.ok(start <= end);
    });
});

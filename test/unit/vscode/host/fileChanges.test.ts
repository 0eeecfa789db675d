/** Changes of files, of which only the part that differs is replaced, and their previews. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as changes from '../../../../src/vscode/host/fileChanges.ts';
import type * as preview from '../../../../src/vscode/host/preview.ts';
import { Editor, settled, type Uri } from '../support.ts';

describe('the part of a file that a change replaces', () => {
  for (const [text, changed, replaced, by] of [
    ['name: a\nsql: b\n', 'name: a\nsql: c\n', 'b', 'c'],
    ['a\na\n', 'a\na\na\n', '', 'a\n'],
    ['a\na\na\n', 'a\na\n', 'a\n', ''],
    ['', 'a', '', 'a'],
    ['a', 'a', '', ''],
  ] as const)
    it(`is the smallest one: ${JSON.stringify(text)} → ${JSON.stringify(changed)}`, async () => {
      const { replacement } = await new Editor().load<typeof changes>('host/fileChanges');
      const { start, end, text: inserted } = replacement(text, changed);
      assert.deepEqual([text.slice(start, end), inserted], [replaced, by]);
      assert.equal(text.slice(0, start) + inserted + text.slice(end), changed);
      assert.ok(start <= end);
    });
});

it('of several previews, that of the button or of the active tab is applied, and one whose tab is closed is not', async () => {
  const editor = new Editor();
  editor.keepsPreviews = true;
  const { isApplied, applyPreview } = await editor.load<typeof preview>('host/preview');
  const ended: string[] = [];
  for (const text of ['a', 'b', 'c'])
    void isApplied(text, [{ original: undefined, path: '/shop/a.sql', text }]).then((is) =>
      ended.push(`${text} ${is}`),
    );
  await settled();
  const tabs = [...editor.tabs] as { input: { modified: Uri } }[];
  for (const [at, apply] of [
    () => applyPreview(tabs[0]!.input.modified),
    () => [(editor.activeTab = tabs[1]), applyPreview(undefined)],
    () => editor.fire('onDidChangeTabs', { closed: editor.tabs.splice(0) }),
  ].entries()) {
    apply();
    await settled();
    assert.deepEqual([ended, editor.tabs], [['a true', 'b true', 'c false'].slice(0, at + 1), tabs.slice(at + 1)]);
  }
  assert.deepEqual(
    editor.previewed.flat().map(({ text }) => text),
    ['a', 'b', 'c'],
  );
  assert.deepEqual([editor.titles, editor.providing, editor.listening], [['a', 'b', 'c'], 0, 0]);
  void isApplied(
    'd',
    ['/shop/a.sql', '/shop/b.sql'].map((path) => ({ original: undefined, path, text: 'd' })),
  );
  await settled();
  assert.deepEqual(editor.executed, [['workbench.action.keepEditor']]);
});

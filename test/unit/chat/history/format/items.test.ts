/** Which of two versions of an item in a file is kept. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { supersedes } from '../../../../../src/chat/history/format/items.ts';
import { textItem } from '../support/stores.ts';

describe('a version of an item', () => {
  const version = (content: string, updated: number, inProcess: boolean, thinking = '') =>
    textItem('x', { content, thinking, updated, inProcess });

  it('replaces an older one, and one of the same time', () => {
    assert.ok(supersedes(version('ab', 2, false), version('abc', 1, false)));
    assert.ok(supersedes(version('ab', 1, true), version('abc', 1, true)));
    assert.ok(!supersedes(version('abcd', 1, false), version('abc', 2, false)));
  });

  it('that is complete is not replaced by a partial one that is shorter, whenever that was written', () => {
    const complete = version('ab', 1, false, 'c');
    assert.ok(!supersedes(version('ab', 2, true), complete));
    assert.ok(supersedes(complete, version('ab', 2, true)));
    assert.ok(supersedes(version('ab', 2, true, 'c'), complete), 'one of the same length is newer');
    assert.ok(supersedes(version('abcd', 2, true), complete));
  });
});

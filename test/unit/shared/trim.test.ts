import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutTrailing } from '../../../src/shared/text/lines.ts';

describe('trailing characters', () => {
  it('are removed at the end only, also if nothing else is left', () => {
    assert.equal(withoutTrailing('0100', '0'), '01');
    assert.equal(withoutTrailing('a/b//', '/='), 'a/b');
    assert.equal(withoutTrailing('000', '0'), '');
    assert.equal(withoutTrailing('', '0'), '');
  });
});

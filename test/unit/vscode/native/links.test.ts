import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readLink } from '../../../../src/vscode/native/consent.ts';

describe('a link to the extension', () => {
  it('opens a thread by its id', () => {
    assert.deepEqual(readLink('/thread', 'id=0b-1_z'), { kind: 'thread', threadId: '0b-1_z' });
    assert.equal(readLink('/thread', 'id=../../secrets'), undefined);
    assert.equal(readLink('/thread', ''), undefined);
  });

  it('asks the whole text, without characters that would disguise it', () => {
    assert.deepEqual(readLink('/ask', 'text=a & b = c+d?'), { kind: 'ask', text: 'a & b = c+d?' });
    assert.deepEqual(readLink('/ask', 'text=revenue+by+month'), { kind: 'ask', text: 'revenue by month' });
    assert.deepEqual(readLink('/ask', 'text=one\u202etwo\u200b\u0007'), { kind: 'ask', text: 'onetwo' });
    assert.equal(readLink('/ask', 'text= \u200b '), undefined);
    assert.equal(readLink('/ask', `text=${'a'.repeat(2001)}`), undefined);
  });

  it('does nothing else, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, query) => {
        fc.pre(path !== 'thread' && path !== 'ask');
        assert.equal(readLink(`/${path}`, query), undefined);
      }),
    );
    assert.equal(readLink('/ask', 'chatApiUrl=https://evil.example&text=x'), undefined);
  });
});

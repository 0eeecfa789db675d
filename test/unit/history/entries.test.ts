/** What the list of a view says of a thread. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { entryOf, type EntryContext } from '../../../src/chat/history/entries.ts';
import { metaOf } from '../../../src/chat/history/merge.ts';
import type { StoredMeta } from '../../../src/chat/history/records.ts';
import { makeThread } from './support.ts';

const meta: StoredMeta = {
  ...{ id: 't1', title: 'Orders', pinned: true, createdAt: 1, updatedAt: 2, origin: 'https://a.b', questions: 1 },
};
const context: EntryContext = {
  isRunning: (id) => id === 't1',
  isUnseen: () => false,
  connectionOf: () => 'Acme',
  mainBranch: 'main',
};

describe('An entry of the list', () => {
  it('says where the last question was asked', () => {
    assert.equal(entryOf({ ...meta, branch: 'dev' }, context).where, 'dev · Acme');
    assert.equal(entryOf({ ...meta, branch: '' }, { ...context, connectionOf: () => '' }).where, 'main');
    assert.equal(entryOf(meta, context).where, 'Acme', 'the branch is not known of threads that were kept before');
  });

  it('has the branch from the last question of the thread', () => {
    const thread = makeThread('t1');
    const stamp = { branch: 'dev', isDefaultBranch: false, identity: 'ana' };
    const items = thread.items.map((item) => (item.role === 'user' ? { ...item, stamp } : item));
    assert.equal(metaOf({ ...thread, items }, 0).branch, 'dev');
  });

  it('shows a hit in the title there, and one in the contents below it', () => {
    const inTitle = entryOf(meta, context, { meta, where: 'title', snippet: 'Orders', ranges: [[0, 6]] });
    assert.deepEqual([inTitle.marks, inTitle.snippet], [[[0, 6]], undefined]);
    const inContent = entryOf(meta, context, { meta, where: 'content', snippet: 'many orders', ranges: [[5, 11]] });
    assert.deepEqual([inContent.marks, inContent.snippet], [[], { text: 'many orders', marks: [[5, 11]] }]);
  });
});

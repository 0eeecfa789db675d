/** The entry of a thread in the list. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { threadEntryOf, type EntryContext } from '../../../../src/vscode/threads/entries.ts';
import { metaOf, type StoredMeta } from '../../../../src/chat/history/storedThread.ts';
import { makeThread } from '../../chat/history/support/stores.ts';

const meta: StoredMeta = {
  ...{ id: 't1', title: 'Orders', pinned: true, createdAt: 1, updatedAt: 2, origin: 'https://a.b', questions: 1 },
};
const entryContext: EntryContext = {
  isRunning: (id) => id === 't1',
  isUnread: () => false,
  connectionOf: () => 'Acme',
  mainBranch: 'main',
};

describe('An entry of the list', () => {
  it('shows where the last question was asked', () => {
    assert.equal(threadEntryOf({ ...meta, branch: 'dev' }, entryContext).where, 'dev · Acme');
    assert.equal(threadEntryOf({ ...meta, branch: '' }, { ...entryContext, connectionOf: () => '' }).where, 'main');
    assert.equal(
      threadEntryOf(meta, entryContext).where,
      'Acme',
      'the branch is not known of threads that were kept before',
    );
  });

  it('has the branch of the last question in the thread', () => {
    const thread = makeThread('t1');
    const context = { branch: 'dev', isDefaultBranch: false, identity: 'ana' };
    const turns = thread.turns.map(({ question, ...turn }) => ({ ...turn, question: { ...question!, context } }));
    assert.equal(metaOf({ ...thread, turns }, 0).branch, 'dev');
  });

  it('shows a match in its title there, and one in the contents below it', () => {
    const inTitle = threadEntryOf(meta, entryContext, { meta, where: 'title', snippet: 'Orders', ranges: [[0, 6]] });
    assert.deepEqual([inTitle.marks, inTitle.snippet], [[[0, 6]], undefined]);
    const inContent = threadEntryOf(meta, entryContext, {
      meta,
      where: 'content',
      snippet: 'many orders',
      ranges: [[5, 11]],
    });
    assert.deepEqual([inContent.marks, inContent.snippet], [[], { text: 'many orders', marks: [[5, 11]] }]);
  });
});

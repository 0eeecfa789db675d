import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StoredMeta } from '../../../../src/chat/history/storedThread.ts';
import type { History } from '../../../../src/chat/history/history.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { PastQuestions } from '../../../../src/vscode/check/pastQuestions.ts';
import type { Services } from '../../../../src/vscode/services.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';

const query = makeItem('i', { toolCall: { name: 'svcSqlApi', input: '{"sqlQuery": "SELECT 1"}', result: '{}' } });

describe('the questions of the history', () => {
  const setup = (...metas: Partial<StoredMeta>[]) => {
    const reads: string[] = [];
    const opened = {
      list: () => Promise.resolve(metas),
      read: (id: string) => {
        reads.push(id);
        if (id === 'damaged') return Promise.reject(new Error('damaged'));
        const identity = id === 'left' ? 'left' : 'ann';
        const context = { branch: '', isDefaultBranch: true, identity };
        return Promise.resolve({
          thread: { ...emptyThread(id), turns: [makeTurn({ id: 'q', content: id, context }, [query])] },
        });
      },
    } as unknown as History;
    const connections = {
      current: { name: 'shop' },
      of: ({ connection }: { connection?: string }) => (connection === undefined ? undefined : { name: connection }),
    };
    const services = { connections, history: () => Promise.resolve(opened), identities: { names: () => ['ann'] } };
    const past = new PastQuestions(services as unknown as Services<'connections' | 'history' | 'identities'>);
    return { past, reads, metas };
  };
  const meta = (id: string, fields: Partial<StoredMeta> = {}) => ({ id, updatedAt: 1, connection: 'shop', ...fields });

  it('are those of the current connection, without imported and unreadable threads', async () => {
    const { past, reads } = setup(
      meta('mine'),
      meta('other', { connection: 'bank' }),
      meta('imported', { readOnly: true }),
      meta('damaged'),
    );
    assert.deepEqual(
      (await past.load()).map(({ text }) => text),
      ['mine'],
    );
    assert.deepEqual(reads, ['mine', 'damaged']);
  });

  it('are asked as the identity of then, if there still is one of that name', async () => {
    const { past } = setup(meta('mine'), meta('left'));
    assert.deepEqual(
      (await past.load()).map(({ identity }) => identity),
      ['ann', undefined],
    );
  });

  it('are read once until their thread changes', async () => {
    const { past, reads, metas } = setup(meta('a'), meta('b'));
    await past.load();
    metas[0]!.updatedAt = 2;
    await past.load();
    assert.deepEqual(reads, ['a', 'b', 'a']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StoredMeta } from '../../../../src/chat/history/storedThread.ts';
import { PastQuestions } from '../../../../src/vscode/check/pastQuestions.ts';
import { emptyThread, makeTurn, onDev, pairs, queryItem } from '../support.ts';

describe('the questions of the history', () => {
  it('are those of the current connection and of identities that there are, read once until their thread changes', async () => {
    const reads: string[] = [];
    const usual = { updatedAt: 1, connection: 'sales' };
    const meta = (id: string, fields: Partial<StoredMeta> = {}) => ({ id, ...usual, ...fields });
    const imported = meta('imported', { readOnly: true });
    const metas = [meta('mine'), meta('other', { connection: 'finance' }), imported, meta('damaged'), meta('left')];
    const { services } = pairs({
      connections: { of: ({ connection }: { connection: string }) => ({ name: connection }) },
      history: () => Promise.resolve({ list: () => Promise.resolve(metas), read }),
    });
    const read = (id: string): Promise<object> => {
      reads.push(id);
      if (id === 'damaged') return Promise.reject(new Error('damaged'));
      const context = { ...onDev, identity: id === 'left' ? 'left' : 'ana' };
      const turns = [makeTurn({ id: 'q', content: id, context }, [queryItem('t', { sqlQuery: 'SELECT 1' })])];
      return Promise.resolve({ thread: { ...emptyThread(id), turns } });
    };
    const past = new PastQuestions(services);
    const found = (await past.load()).map(({ text, identity }) => `${text} as ${identity}`);
    assert.deepEqual(found, ['mine as ana', 'left as undefined']);
    metas[0]!.updatedAt = 2;
    await past.load();
    assert.equal(reads.join(), 'mine,damaged,left,mine');
  });
});

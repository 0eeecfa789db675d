/** The commands that make tests of answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { registered } from '../areas.ts';
import { World } from '../world.ts';

describe('a test of a recorded chat', () => {
  it('is not made if that would run its SQL, which may come from someone else', async () => {
    const world = new World();
    const result = { schema: [{ name: 'n', column_type: 'number' }], data: [[1]], totalRows: 2 };
    const input = JSON.stringify({ sqlQuery: 'SELECT n FROM t' });
    const toolCall = { name: 'svcSqlApi', input, result: JSON.stringify(result) };
    const turns = [makeTurn({ id: 'q' }, [makeItem('sql', { toolCall })])];
    const session = { thread: { ...emptyThread('recorded'), turns } };
    const services = {
      ...world.app,
      connector: { context: () => undefined, dataQuery: () => assert.fail('The SQL is run.') },
      repository: { isReadOnly: (id: string) => id === 'recorded' },
      // Another chat is active, and the query is found by its id.
      sessions: {
        get: () => undefined,
        active: { thread: emptyThread('other') },
        all: [session],
        homeOf: () => undefined,
      },
    };
    world.entered = ['count'];
    const { commands } = await registered('evals', services, world.editor);
    const added = commands['analyticsChat.addAsTest']?.({ toolCallId: 'sql' }) as Promise<void>;
    await assert.rejects(added, /The SQL of a recorded chat can’t be run/);
  });
});

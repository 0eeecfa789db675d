/** The commands that make tests of answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { World } from '../world.ts';

type AddAsTest = (services: object, argument: object) => Promise<void>;

describe('a test of a recorded chat', () => {
  it('is not made if that would run its SQL, which may come from someone else', async () => {
    const world = new World();
    const { addAsTest } = await loadWithEditor<{ addAsTest: AddAsTest }>('vscode/evals/questionTests.ts', world.editor);
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
    await assert.rejects(addAsTest(services, { toolCallId: 'sql' }), /The SQL of a recorded chat can’t be run/);
  });
});

/** The commands of question tests, with two chats whose queries have equal ids; the first chat is the active one. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ChatView } from '../../../../src/vscode/host/chatView.ts';
import type { Home } from '../../../../src/shared/thread/model.ts';
import { Uri } from '../../../support/editorValues.ts';
import { registered } from '../areas.ts';
import { finance, pairs, sales, withQuery, type Pairs } from '../pairs.ts';
import { World } from '../world.ts';

describe('the commands of question tests', () => {
  let world: World;
  let services: Pairs;
  let copied: string[];
  let area: Awaited<ReturnType<typeof registered>>;
  const run = (name: string, argument?: unknown): unknown => area.commands[`analyticsChat.${name}`]!(argument);

  beforeEach(async () => {
    [world, copied] = [new World(), []];
    services = pairs({
      connections: {
        of: (home: Home) => (home.connection === 'finance' ? { ...finance, dataQueryUrl: '' } : sales),
      },
      connector: { context: () => undefined, dataQuery: () => assert.fail('The SQL is run.') },
      context: { extension: { packageJSON: { version: '9.8.7' } } },
      questionFiles: {
        ...{ folders: [], onDidChange: () => undefined, certifiedIn: () => Promise.resolve([]) },
        reload: ({ name }: { name: string }) => Promise.resolve(services.done.push(`reload ${name}`)),
      },
      repository: { isReadOnly: (id: string) => id === 'second' },
    });
    const clipboard = { writeText: (text: string) => Promise.resolve(copied.push(text)) };
    const editor = { ...world.editor, Uri, env: { language: 'en', clipboard } };
    area = await registered('evals', services.services, editor);
  });

  for (const [argument, sql, branch, identity, content] of [
    [undefined, 'first t3', 'net', 'ben', 'Revenue of first'],
    [{ toolCallId: 't1' }, 'first t1', 'dev', 'ana', 'Costs of first'],
    [{ threadId: 'second', toolCallId: 't1' }, 'second t1', 'dev', 'ana', 'Costs of second'],
    [{ threadId: 'second', toolCallId: 't2' }, 'second t2', 'net', 'ben', 'Revenue of second'],
  ] as const)
    it(`make a test of ${sql} for ${JSON.stringify(argument)}`, async () => {
      world.entered = ['count'];
      await run('addAsTest', argument);
      const [[, baseline] = ['', ''], [, question] = ['', '']] = world.files;
      for (const part of [sql, branch, identity]) assert.match(baseline, new RegExp(`\\b${part}\\b`));
      assert.match(question, new RegExp(`question: ${content}\\?`));
      assert.deepEqual(services.done, ['reload shop']);
    });

  it('preview a certified query with its test, and an accepted result only where the query can’t be run', async () => {
    for (const threadId of ['first', 'second']) {
      world.picks = [['Add a question test']];
      await run('certify', { threadId, toolCallId: 't1' });
      const [query, , baseline] = world.previewed.at(-1)!;
      assert.match(query!.text, new RegExp(`user_request: Costs of ${threadId}\\?[^]*'${threadId} t1'`));
      assert.equal(baseline !== undefined, threadId === 'second', threadId);
    }
  });

  it('make no test of a recorded chat if that would run its SQL, which may come from someone else', async () => {
    withQuery(services.second, 't9', { sqlQuery: 'SELECT 9', totalRows: 2 });
    world.entered = ['count'];
    // The query is found by its id, although another chat is active.
    await assert.rejects(
      run('addAsTest', { toolCallId: 't9' }) as Promise<void>,
      /SQL of a recorded chat can’t be run/,
    );
    assert.deepEqual([...world.files], []);
  });

  it('say why they do nothing: no SQL, or a test that was not run', async () => {
    Object.assign(services.first, { thread: { ...services.first.thread, turns: [] } });
    const view = { session: services.first, reveal: () => undefined, post: () => undefined } as unknown as ChatView;
    for (const name of ['addAsTest', 'certify']) await run(name);
    for (const type of ['addAsTest', 'certify'] as const)
      await area.intents[type](view, { type, toolCallId: 'none' } as never);
    for (const name of ['openTestChat', 'acceptAsExpected', 'compareWithMain']) await run(name, { id: 'x' });
    assert.deepEqual(world.messages, [
      ...Array(4).fill('There is no generated SQL in this chat yet.'),
      ...Array(3).fill('Run the test first: its answer is no longer available.'),
    ]);
    assert.deepEqual([world.files.size, services.done], [0, []]);
  });

  it('copy a CI workflow that runs this version on the main branch, and the skill', async () => {
    world.files.set('/extension/dist/cli.sha512', 'abc123\n');
    await run('copyCiWorkflow');
    await run('copySkill');
    assert.match(copied[0]!, /9\.8\.7[^]*abc123|abc123[^]*9\.8\.7/);
    assert.match(copied[0]!, /\bmain\b/);
    assert.match(copied[1]!, /^---\nname: /);
    assert.equal(world.statuses.length, 2);
  });
});

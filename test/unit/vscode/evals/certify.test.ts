/** *Certify* with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { GeneratedSql } from '../../../../src/shared/thread/turns.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { Uri } from '../../../support/editorValues.ts';
import { queryOf, World } from '../world.ts';

const QUERY = '/shop/agents/certified_queries/revenue_by_month.md';
const QUESTIONS = '/shop/.analytics-chat/questions.yml';
const TEST = 'Add a question test';
const CERTIFIED = '---\nname: revenue_by_month\nuser_request: Revenue by month?\n---\n\nSELECT 1\n';

describe('certifying an answer', () => {
  let world: World;
  let certify: (query?: GeneratedSql) => Promise<void>;

  beforeEach(async () => {
    world = new World();
    type Certify = (app: object, query: GeneratedSql, home: undefined) => Promise<void>;
    type Exports = { certifyQuery: Certify; applyPreview: () => void };
    const [path, preview] = ['vscode/evals/certify.ts', 'vscode/host/preview.ts'] as const;
    const { certifyQuery, applyPreview } = await loadWithEditor<Exports>(path, world.editor, preview);
    world.applyPreview = applyPreview;
    certify = (query = queryOf('SELECT 1')) => certifyQuery(world.app, query, undefined);
  });

  it('previews the query and a test of it in one edit', async () => {
    world.picks = [[TEST]];
    await certify();
    const question =
      'eval_questions:\n  - name: revenue_by_month\n    question: Revenue by month?\n    certifiedQuery: revenue_by_month\n';
    assert.deepEqual(world.previewed, [
      [
        { path: QUERY, text: CERTIFIED },
        { path: QUESTIONS, text: question },
      ],
    ]);
    assert.deepEqual(
      [...world.files],
      [
        [QUERY, CERTIFIED],
        [QUESTIONS, question],
      ],
    );
    assert.equal(world.writes, 1);
  });

  it('links the test that *Add as Test…* has written of the question, and leaves a linked one as it is', async () => {
    const test = { name: 'monthly', text: 'revenue by Month?', path: '.analytics-chat/questions.yml' };
    const written = 'eval_questions:\n  - name: monthly\n    question: revenue by Month?\n';
    world.files.set(QUESTIONS, written);
    world.questions = [{ ...test, identity: 'another' }, test];
    world.picks = [['Link the question test “monthly”']];
    await certify();
    assert.deepEqual(world.offered.at(-1), ['Link the question test “monthly”']);
    const linked = written.replace('    question', '    certifiedQuery: revenue_by_month\n    question');
    assert.equal(world.files.get(QUESTIONS), linked);

    world.questions = [{ ...test, expectedSql: { certifiedQuery: { name: 'revenue_by_month' } } }];
    world.picks = ['Replace agents/certified_queries/revenue_by_month.md'];
    await certify();
    assert.equal(world.files.get(QUESTIONS), linked);
  });

  it('writes only the query if the test is not ticked, and no keys', async () => {
    world.picks = [[]];
    await certify(queryOf("SELECT 'the-key'"));
    assert.deepEqual([...world.files.keys()], [QUERY]);
    assert.match(world.files.get(QUERY) ?? '', /\[redacted\]/);
  });

  it('writes nothing if the user closes the preview or cancels', async () => {
    world.onPreview = () => undefined;
    world.picks = [[TEST]];
    await certify();
    assert.deepEqual([world.files.size, world.statuses], [0, []]);
    world.picks = [undefined];
    await certify();
    assert.equal(world.previewed.length, 1);
  });

  it('lets the user choose whether an existing certified query is replaced', async () => {
    world.files.set(QUERY, 'old');
    world.picks = ['Write agents/certified_queries/revenue_by_month_2.md', []];
    await certify();
    assert.equal(world.files.get(QUERY), 'old');
    world.picks = ['Replace agents/certified_queries/revenue_by_month.md', []];
    await certify();
    assert.equal(world.files.get(QUERY), CERTIFIED);
    assert.equal(world.files.size, 2);
    for (const suffix of [3, 4]) {
      world.picks = [`Write agents/certified_queries/revenue_by_month_${suffix}.md`, []];
      await certify();
    }
    assert.equal(world.files.size, 4);
  });

  it('gives the query a name that no query of another file has, such as of agents/config.yml', async () => {
    world.certified = ['Revenue_by_month', 'revenue_by_month_2'];
    world.files.set('/shop/agents/certified_queries/revenue_by_month_3.md', '');
    world.picks = [[]];
    await certify();
    assert.match(world.files.get(QUERY.replace('.md', '_4.md')) ?? '', /^---\nname: revenue_by_month_4\n/);
    assert.deepEqual(world.messages, []);
  });

  it('asks for the folder if there are several', async () => {
    world.folders.push({ name: 'bank', uri: Uri.file('/bank') });
    world.picks = ['bank', []];
    await certify();
    assert.deepEqual([...world.files.keys()], [QUERY.replace('shop', 'bank')]);
  });

  it('says that it needs a folder, a result and a trusted workspace', async () => {
    world.folders = [];
    await certify();
    const { payload, ...query } = queryOf('SELECT 1');
    await certify({ ...query, payload: { ...payload, table: undefined } } as unknown as GeneratedSql);
    assert.deepEqual(world.messages, [
      'Open the folder of your data model to certify queries in it.',
      'This query has no result to certify.',
    ]);
    world.isTrusted = false;
    await assert.rejects(certify(), /Restricted Mode/);
    assert.equal(world.previewed.length, 0);
  });
});

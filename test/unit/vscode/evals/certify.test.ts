/** *Certify* with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { findSql, type GeneratedSql } from '../../../../src/shared/thread/turns.ts';
import type * as certifying from '../../../../src/vscode/evals/certify.ts';
import { Editor, folders, pairs } from '../support.ts';

const QUERY = '/shop/agents/certified_queries/costs_of_first.md';
const QUESTIONS = '/shop/.analytics-chat/questions.yml';
const TEST = 'Add a question test';
const CERTIFIED = "---\nname: costs_of_first\nuser_request: Costs of first?\n---\n\nSELECT 'first t1'\n";

describe('certifying an answer', () => {
  let editor: Editor;
  let certify: (change?: { sqlQuery?: string; table?: undefined }) => Promise<void>;
  /** The question tests, and the names of the certified queries, of all files. */
  let questions: object[];
  let certified: string[];
  let reloaded: string[];

  beforeEach(async () => {
    [editor, questions, certified] = [new Editor(), [], []];
    editor.folders = folders.slice(0, 1);
    const { certifyQuery } = await editor.load<typeof certifying>('evals/certify');
    const { first, services, done } = pairs({
      questionFiles: {
        questionsOf: () => Promise.resolve(questions),
        certifiedIn: () => Promise.resolve(certified),
      },
    });
    const query = findSql(first.thread, 't1')!;
    certify = (change) =>
      certifyQuery(services, { ...query, payload: { ...query.payload, ...change } } as GeneratedSql, undefined);
    reloaded = done;
  });

  it('previews the query and a test of it in one edit', async () => {
    editor.picks = [[TEST]];
    editor.onPreview = () => {
      editor.fire('onDidChangeTabs', { closed: [{ input: {} }] });
      editor.applyPreview();
    };
    await certify();
    const question = ['name: costs_of_first', 'question: Costs of first?', 'certifiedQuery: costs_of_first'].join(
      '\n    ',
    );
    const files = [
      [QUERY, CERTIFIED],
      [QUESTIONS, `eval_questions:\n  - ${question}\n`],
    ] as const;
    assert.deepEqual(editor.previewed, [files.map(([path, text]) => ({ path, text }))]);
    assert.deepEqual([[...editor.files], editor.writes, reloaded], [files, 1, ['reload shop']]);
    assert.deepEqual([editor.tabs, editor.ticked], [[], [[TEST]]], 'the preview is closed');
    assert.deepEqual(editor.executed, [['workbench.action.keepEditor']]);
    assert.deepEqual(
      [editor.statuses, editor.shown],
      [['Certified: agents/certified_queries/costs_of_first.md'], [QUERY]],
    );
  });

  it('links the test that *Add as Test…* has written of the question, and leaves a linked one as it is', async () => {
    const test = { name: 'all', text: 'costs of First?', path: '.analytics-chat/questions.yml' };
    const written = 'eval_questions:\n  - name: all\n    question: costs of First?\n';
    editor.files.set(QUESTIONS, written);
    const others = [{ identity: 'another' }, { space: 'x' }, { access: {} }, { text: 'Others?' }];
    questions = [...others.map((each) => ({ ...test, name: 'other', ...each })), test];
    editor.picks = [['Link the question test “all”']];
    await certify();
    assert.deepEqual(editor.offered.at(-1), ['Link the question test “all”']);
    const linked = written.replace('    question', '    certifiedQuery: costs_of_first\n    question');
    assert.equal(editor.files.get(QUESTIONS), linked);

    questions = [{ ...test, expectedSql: { certifiedQuery: { name: 'Costs_of_First' } } }];
    editor.picks = ['Replace agents/certified_queries/costs_of_first.md'];
    await certify();
    assert.equal(editor.files.get(QUESTIONS), linked);
    questions = [{ ...test, expectedSql: { sql: 'SELECT 1' } }];
    editor.picks = ['Replace agents/certified_queries/costs_of_first.md', undefined];
    await certify();
    assert.deepEqual(editor.offered.at(-1), [TEST]);
    assert.deepEqual(editor.titles, Array(2).fill('Certify “Costs of first?”'));
  });

  it('writes only the query if the test is not ticked, and no keys', async () => {
    editor.picks = [[]];
    await certify({ sqlQuery: "SELECT 'the-key'" });
    assert.deepEqual([...editor.files.keys()], [QUERY]);
    assert.match(editor.files.get(QUERY)!, /\[redacted\]/);
  });

  it('writes nothing if the user closes the preview or cancels', async () => {
    const { onPreview } = editor;
    editor.onPreview = () => undefined;
    editor.picks = [[TEST], undefined];
    for (const _ of [1, 2]) await certify();
    assert.deepEqual([editor.files.size, editor.previewed.length, editor.statuses], [0, 1, []]);
    assert.equal(editor.messages.splice(0).length, 1, 'of the closed preview');
    editor.onPreview = onPreview;
    [editor.refusesEdits, editor.picks] = [true, [[], undefined]];
    await certify();
    assert.deepEqual([editor.files.size, editor.writes, reloaded, editor.statuses], [0, 1, [], []]);
    await certify();
    assert.deepEqual([editor.previewed.length, editor.messages], [2, []]);
  });

  it('lets the user choose whether an existing certified query is replaced', async () => {
    editor.files.set(QUERY, 'old');
    editor.picks = ['Write agents/certified_queries/costs_of_first_2.md', []];
    await certify();
    assert.equal(editor.files.get(QUERY), 'old');
    editor.picks = ['Replace agents/certified_queries/costs_of_first.md', []];
    await certify();
    assert.equal(editor.documents.find(({ uri }) => uri.path === QUERY)?.text, CERTIFIED);
    for (const suffix of [3, 4]) {
      editor.picks = [`Write agents/certified_queries/costs_of_first_${suffix}.md`, []];
      await certify();
    }
    assert.equal(editor.files.size, 4);
  });

  it('gives the query a name that no query of another file has, such as of agents/config.yml', async () => {
    certified = ['Costs_of_first', 'costs_of_first_2'];
    editor.files.set('/shop/agents/certified_queries/costs_of_first_3.md', '');
    editor.picks = [[]];
    await certify();
    assert.match(editor.files.get(QUERY.replace('.md', '_4.md'))!, /^---\nname: costs_of_first_4\n/);
    questions = [{ name: 'Costs_of_First_5', text: 'Others?' }];
    editor.picks = [[TEST]];
    await certify();
    assert.match(editor.files.get(QUESTIONS)!, /name: costs_of_first_5_2\n/);
    assert.deepEqual(editor.messages, []);
  });

  it('asks for the folder if there are several, and says that it needs one, a result and a trusted workspace', async () => {
    editor.folders = folders;
    editor.settings = { 'bank agentsPath': 'bi' };
    editor.picks = ['bank', []];
    await certify();
    editor.picks = ['bank', 'Write bi/certified_queries/costs_of_first_2.md', []];
    await certify();
    const own = QUERY.replace('shop/agents', 'bank/bi');
    assert.deepEqual([...editor.files.keys()], [own, own.replace('.md', '_2.md')]);
    editor.folders = [];
    await certify();
    await certify({ table: undefined });
    assert.deepEqual(editor.messages, [
      'Open the folder of your data model to certify queries in it.',
      'This query has no result to certify.',
    ]);
    editor.isTrusted = false;
    await assert.rejects(certify(), /Restricted Mode/);
    assert.equal(editor.previewed.length, 2);
  });
});

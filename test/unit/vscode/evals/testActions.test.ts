/** What can be done with the result of a test, which was asked on the second connection and in the second folder. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import type * as testActions from '../../../../src/vscode/evals/testActions.ts';
import type * as tree from '../../../../src/vscode/evals/testTree.ts';
import { askContext } from '../../../../src/vscode/runs/askContext.ts';
import { Editor, finance, folders, homeOf, pairs, questionNamed, until } from '../support.ts';
import type { Home, Pairs, QuestionContext } from '../support.ts';
import { changesIn, shownIn } from '../runs/support.ts';

const table = { columns: [{ name: 'n', type: 'number' }], rows: [[7]], totalRows: 1 };
const actual = { sql: "SELECT 'the-key'", table };
const question = questionNamed('count', { identity: 'ana' });
const sent = { branch: 'dev', isDefaultBranch: false, identity: 'ana' };
const contextOn = (branch: string, isDefaultBranch = false) =>
  askContext({ ...sent, branch, isDefaultBranch }, homeOf(finance), 'trunk');

describe('the result of a test', () => {
  let editor: Editor;
  let two: Pairs;
  let actions: typeof testActions & typeof tree;
  /** The question as it is in its file now. */
  let current: object;
  /** Where the tab of a run asks. */
  let asked: string[];

  beforeEach(async () => {
    [editor, current, asked] = [new Editor(), question, []];
    actions = await editor.load('evals/testActions', 'evals/testTree');
    two = pairs({
      questionFiles: {
        questionsOf: ({ name }: (typeof folders)[number]) => Promise.resolve(name === 'bank' ? [current] : []),
      },
      connector: {
        connect: ({ connection }: Home, { branch }: QuestionContext) => {
          asked.push(`${connection} ${branch}`);
          return Promise.reject(new Error('away'));
        },
      },
    });
  });
  /** @returns a result of the second of two runs */
  const resultWith = (fields: object = {}, of = question, context = contextOn('dev')): tree.TestResult => ({
    test: { item: { id: of.name }, question: of, folder: folders[1] } as never,
    verdict: {
      ...{ question: of, status: 'failed', attempt: { actual }, cells: [{ context: contextOn('x') }, { context }] },
      ...fields,
    } as unknown as Verdict<never>,
  });

  it('becomes the expected one without secrets, unless it lacks rows or its question has changed since', async () => {
    await actions.accept(two.services, resultWith());
    const [[path, text] = ['', '']] = editor.files;
    assert.match(path, /^\/bank\/.*count/);
    for (const part of ['"dev"', '"ana"', '- [7]', "SELECT '[redacted]'"]) assert.ok(text.includes(part), part);
    assert.deepEqual([two.done, editor.statuses], [['reload bank'], [`Accepted: ${path.replace('/bank/', '')}`]]);
    const loadError = 'Can’t load all rows.';
    const partly = resultWith({ attempt: { actual: { ...actual, loadError } } });
    await assert.rejects(actions.accept(two.services, partly), new RegExp(loadError));
    for (const change of [{ text: 'Another question?' }, { identity: 'guest' }, { name: 'renamed' }]) {
      current = { ...question, ...change };
      await actions.accept(two.services, resultWith());
    }
    assert.deepEqual(editor.messages, Array(3).fill('There is no result to accept. Run the test again.'));
    assert.equal(editor.files.size, 1);
  });

  it('is offered to become the expected one as far as it can, until its test is gone', () => {
    const kept = new actions.TestResults();
    const access = { access: { kind: 'empty' as const } };
    for (const [name, fields, of = {}] of [
      ['open', { status: 'skipped' }],
      ['other', { expectation: { from: 'baseline' } }],
      ['review', { status: 'review' }],
      ['passed', { status: 'passed', expectation: { from: 'baseline' } }],
      ['sql', { expectation: { from: 'sql' } }],
      ['certified', { expectation: { from: 'certifiedQuery' } }],
      ['access', {}, access],
      ['part', { attempt: { actual: { ...actual, loadError: 'Can’t load all rows.' } } }],
      ['none', { attempt: {} }],
    ] as const)
      kept.keep(resultWith(fields, questionNamed(name, of)));
    const offered = (): unknown => editor.executed.pop();
    assert.deepEqual(offered(), ['setContext', 'analyticsChat.acceptableTests', ['open', 'other', 'review']]);
    kept.retain(new Set(['open']));
    assert.deepEqual(offered(), ['setContext', 'analyticsChat.acceptableTests', ['open']]);
    for (const [argument, name] of [
      [{ id: 'open' }, 'open'],
      [{ test: { id: 'open' }, message: {} }, 'open'],
      [{ id: 'other' }, undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(kept.find(argument)?.test.item.id, name);
  });

  it('can be compared with main, on the connection of the run, unless it is from main', async () => {
    actions.compareWithMain(two.services, resultWith({}, question, contextOn('trunk', true)));
    assert.deepEqual([two.pinned, editor.panels], [[], []]);
    assert.match(editor.messages.join(), /^This answer is from “trunk”\./);
    actions.compareWithMain(two.services, resultWith());
    assert.deepEqual(two.pinned, ['trunk true ana', 'dev false ana']);
    assert.deepEqual(two.added, ['finance', 'finance']);
    assert.equal(editor.panels[0]?.title, 'Compare: What is count?');
    await until(() => two.done.join() === 'What is count?,What is count?');
  });

  it('of several turns is compared with main turn by turn, in the list of a run', async () => {
    editor.settings = { 'bank evals.attempts': 2 };
    const turns = [question, question];
    actions.compareWithMain(two.services, resultWith({}, questionNamed('count', { turns })));
    const [panel] = editor.panels;
    assert.equal(shownIn(panel!).title, 'What is count?');
    await until(() => asked.length === 2);
    assert.ok(changesIn(panel!).some(({ summary }) => summary?.endsWith('at most 8 requests')));
    assert.deepEqual([asked, two.pinned], [['finance trunk', 'finance dev'], []]);
    assert.equal(editor.panels[0]?.title, 'Compare: What is count?');
  });
});

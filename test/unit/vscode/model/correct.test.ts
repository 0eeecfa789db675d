/** *Correct…* with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as correcting from '../../../../src/vscode/model/correct.ts';
import type * as area from '../../../../src/vscode/model/modelArea.ts';
import type * as files from '../../../../src/vscode/model/modelFiles.ts';
import { Editor, makeTurn, pairs, queryItem, redact, settled, TextDocument } from '../support.ts';
import { until, uriAt, viewOf, type Pairs } from '../support.ts';

const PATH = '/shop/model/cubes/orders.yml';
const MODEL = `cubes:
  - name: orders
    measures:
      # Money
      - name: revenue
        description: Old \\{hint\\}.
        meta:
          ai_context: |
            Beware.
        sql: amount
        type: sum
`;
/** A file that is found first, with a cube of the same members. */
const REFUNDS = MODEL.replace('orders', 'refunds');
const QUERY = 'SELECT MEASURE(orders.revenue) FROM orders';

describe('correcting an answer', () => {
  let editor: Editor;
  let correct: (query?: string, only?: string) => Promise<{ name: string } | undefined>;

  beforeEach(async () => {
    editor = new Editor();
    // More files than are read at once.
    for (let at = 0; at < 250; at += 1) editor.files.set(`/shop/model/${at}.yml`, '');
    editor.files.set('/shop/model/cubes/a.yml', REFUNDS).set(PATH, MODEL);
    const { writeCorrection } = await editor.load<typeof correcting>('model/correct');
    correct = (query = QUERY, only) => writeCorrection([query], redact, only);
  });
  const text = (): string => editor.files.get(PATH)!;

  it('offers the members of the query with their current description, and replaces it after a preview', async () => {
    editor.picks = ['orders.revenue', 'description'];
    editor.entered = [' ', 'Net, not the-key.'];
    assert.equal((await correct())?.name, 'orders.revenue');
    assert.deepEqual(editor.offered.map(String), ['orders.revenue,orders', 'description,meta.ai_context']);
    assert.deepEqual(editor.described[0], Array(2).fill('shop/model/cubes/orders.yml'));
    assert.deepEqual(editor.described[1], ['for people and the agent', 'for the agent only']);
    const titles = ['Analytics Chat: Correct', ...Array<string>(2).fill('Analytics Chat: Correct orders.revenue')];
    assert.deepEqual([editor.prompts, editor.explained], [titles, ['What orders.revenue means']]);
    const placeholders = ['Select the member that the answer got wrong', 'Select where to write the hint', undefined];
    assert.deepEqual([editor.placeholders, editor.searched], [placeholders, [true, undefined]]);
    assert.deepEqual(editor.detailed.map(String), ['Old {hint}.,', 'Old {hint}.,Beware.']);
    const corrected = MODEL.replace('Old \\{hint\\}.', 'Net, not [redacted].');
    assert.deepEqual([editor.proposed, editor.previewed], [['Old {hint}.'], [[{ path: PATH, text: corrected }]]]);
    assert.equal(text(), corrected, 'Git sees only saved changes');
    assert.deepEqual([editor.statuses, editor.last?.selection.start.line], [['Corrected: orders.revenue'], 4]);
    assert.deepEqual([editor.invalid, editor.titles], [['Enter a hint.'], ['Correct orders.revenue']]);
  });

  it('offers a member of a view with its own name, and one that is not saved yet', async () => {
    const view = 'views:\n  - name: sales\n    cubes:\n      - join_path: orders\n        includes: "*"\n';
    editor.files.set('/shop/model/views/sales.yml', view);
    editor.documents.push(new TextDocument(PATH, MODEL.replaceAll('revenue', 'profit')));
    await correct('SELECT MEASURE(sales.profit) FROM sales');
    assert.deepEqual(editor.offered, [['sales.profit', 'sales']]);
    assert.equal(editor.described[0]?.[0], 'orders.profit · shop/model/cubes/orders.yml');
  });

  it('asks for no member if it is known, and keeps the line ends of the file, and its indentation', async () => {
    for (const [before, hint] of [
      [MODEL, 'Beware.'],
      [MODEL.replace(/meta:[^]*Beware\.\n +/, '').replaceAll('\n', '\r\n'), ''],
    ] as const) {
      editor.documents.length = 0;
      editor.files.set(PATH, before);
      [editor.picks, editor.entered] = [['meta.ai_context'], ['Net.']];
      assert.equal((await correct('orders.revenue', 'orders.revenue'))?.name, 'orders.revenue');
      assert.equal(editor.proposed.pop(), hint);
      assert.match(text(), hint ? /ai_context: \|\n {12}Net\.\n {8}sql/ : /meta:\r\n {10}ai_context: Net\.\r\n/);
    }
    assert.equal(editor.explained[0], 'What the agent must know about orders.revenue');
    const code = '/shop/model/visits.js';
    const visits = "cube('visits', {\n  measures: {\n    count: { type: 'count', meta: {\n    } },\n  },\n});\n";
    editor.files.set(code, visits);
    editor.settings = { [`${code} tabSize`]: 4, [`${code} insertSpaces`]: false };
    [editor.picks, editor.entered] = [['meta.ai_context'], ['Net.']];
    await correct('visits.count', 'visits.count');
    assert.match(editor.files.get(code)!, /meta: \{\n {4}\tai_context: `Net\.`,/);
  });

  it('writes to the member that was picked, also in a folder of another file system, whose files are listed as such', async () => {
    const path = '/bank/model/orders.yml';
    editor.files.set(path, MODEL).delete(PATH);
    [editor.picks, editor.entered] = [['orders', 'description'], ['Net.']];
    assert.equal((await correct())?.name, 'orders');
    assert.deepEqual(editor.described[0], Array(2).fill('bank/model/orders.yml'));
    assert.match(editor.files.get(path)!, /- name: orders\n +description: Net\./);
    assert.deepEqual(editor.proposed, ['']);
  });

  it('writes nothing if the user cancels any step or closes the preview', async () => {
    for (const step of [
      { picks: [undefined] },
      { picks: ['orders.revenue', undefined] },
      { picks: ['orders.revenue', 'description'], entered: [undefined] },
      { picks: ['orders.revenue', 'meta.ai_context'], entered: ['x'], onPreview: () => undefined },
    ]) {
      Object.assign(editor, step);
      assert.equal(await correct(), undefined);
    }
    assert.deepEqual([text(), editor.previewed.length, editor.messages.length], [MODEL, 1, 1]);
  });

  it('shows a preview again that was closed, or applied after the file had changed', async () => {
    editor.picks = ['orders.revenue', 'description'];
    editor.entered = ['Net.'];
    editor.answers = ['Show preview', 'Show preview'];
    const line = '# Orders\n';
    const edit = (text: string): unknown => (editor.documents[0]!.text = text);
    const steps = [() => undefined, () => [edit(line + MODEL), editor.applyPreview()], () => editor.applyPreview()];
    editor.onPreview = () => void steps.shift()?.();
    await correct();
    assert.deepEqual(editor.messages, [
      'Nothing was written: the preview was closed. [Show preview]',
      'The files changed after the preview, so nothing was written. [Show preview]',
    ]);
    assert.deepEqual([text(), editor.writes], [(line + MODEL).replace('Old \\{hint\\}.', 'Net.'), 1]);
    assert.equal(editor.last?.selection.start.line, 5);
    [editor.picks, editor.entered, editor.answers] = [['orders.revenue', 'description'], ['Paid.'], ['Show preview']];
    steps.push(() => [edit(REFUNDS)]);
    await assert.rejects(correct(), /The file changed in the meantime/);
  });

  it('offers the definition if a hint can’t be written there', async () => {
    editor.files.set(PATH, MODEL.replace(/meta:[^]*Beware\./, 'meta: text'));
    const text = 'The hint of orders.revenue is not plain text or the file has errors. Change it in the file.';
    for (const answer of [undefined, 'Open definition']) {
      editor.picks = ['orders.revenue', 'meta.ai_context'];
      [editor.entered, editor.answers] = [['x'], [answer]];
      assert.equal(await correct(), undefined);
      await settled();
      assert.deepEqual([editor.messages.pop(), editor.last === undefined], [`${text} [Open definition]`, !answer]);
    }
    await until(() => editor.last);
    assert.deepEqual([editor.previewed.length, editor.last?.selection.start.line], [0, 4]);
  });

  it('says that it needs a folder with these members, and a trusted workspace', async () => {
    await assert.rejects(correct('SELECT 1 FROM customers'), /not defined in the open folders/);
    editor.folders = [];
    await assert.rejects(correct(), /Open the folder/);
    editor.isTrusted = false;
    await assert.rejects(correct(), /Restricted Mode/);
  });
});

describe('the command that corrects an answer', () => {
  it('offers the members of all queries of the answer, and asks again in its chat', async () => {
    const editor = new Editor();
    editor.files.set(PATH, `${MODEL}      - name: count\n        type: count\n      - name: refunds\n        sql: r\n`);
    const query = (id: string, measure: string) =>
      queryItem(id, { sqlQuery: `SELECT MEASURE(orders.${measure}) FROM orders` });
    const guarded = async (work: () => unknown): Promise<unknown> => {
      await settled();
      two.done.push('offer');
      return work();
    };
    const two: Pairs = pairs({ sessions: { create: () => assert.fail() }, guarded });
    const turns = [
      makeTurn({ id: 'q1' }, [query('t1', 'refunds')]),
      makeTurn({ id: 'q2', content: 'Why?' }, [query('t2', 'revenue'), query('t3', 'count')]),
    ];
    for (const each of [two.first, two.second]) Object.assign(each, { thread: { ...each.thread, turns } });
    const module = await editor.load<typeof area & typeof files>('model/modelArea', 'model/modelFiles');
    const services = { ...two.services, modelFiles: new module.ModelFiles() };
    const { commands, intents } = module.registerModel(services);
    const correct = commands['analyticsChat.correct'];
    [editor.picks, editor.entered, editor.answers] = [['orders.revenue', 'description'], ['Net.'], ['Ask again']];
    await intents.correct(viewOf(two.second), { type: 'correct', toolCallId: 't3' });
    assert.deepEqual(editor.offered[0]?.toSorted(), ['orders', 'orders.count', 'orders.revenue']);
    await until(() => two.done.length === 3);
    assert.deepEqual(two.done.splice(0), ['offer', 'reveal second', 'send Why? in second']);
    [editor.picks, editor.entered] = [['orders.revenue', 'description'], ['Gross.']];
    await correct({ threadId: 'second', toolCallId: 't3' });
    assert.deepEqual(two.done, [], 'the offer lasts until the user has pushed');
    await until(() => two.done.splice(0).length === 1);
    editor.picks = [undefined];
    const view = viewOf(two.second, () => two.done.push('focus'));
    await intents.correct(view, { type: 'correct', toolCallId: 't1' });
    assert.deepEqual(two.done.splice(0), ['focus']);
    assert.deepEqual(editor.offered.at(-1), ['orders.refunds', 'orders']);
    // A member that no answer uses.
    [editor.picks, editor.entered] = [['description'], ['Of the-key.']];
    await correct({ member: 'orders.count' });
    assert.match(editor.files.get(PATH)!, /name: count\n.*description: Of \[redacted\]\./);
    assert.deepEqual(two.done, []);
  });
});

describe('asking again after a correction', () => {
  const uri = uriAt(PATH.replace('shop', 'bank'));
  let editor: Editor;
  let two: Pairs;
  let offer: () => Promise<void>;

  beforeEach(async () => {
    editor = new Editor();
    const { offerToAskAgain } = await editor.load<typeof correcting>('model/correct');
    two = pairs({
      branches: {
        currentIn: ({ name }: { name: string }) => ({ name: name === 'bank' ? '' : 'other' }),
        switchTo: (name: string, { name: folder }: { name: string }) =>
          Promise.resolve(two.done.push(`switch ${folder} to ${name}`)),
      },
      sessions: { create: () => two.first },
    });
    offer = () => offerToAskAgain(two.services, two.second, 'revenue?', uri as never);
  });
  const pushed = { HEAD: { name: 'dev', upstream: {}, ahead: 0 }, workingTreeChanges: [], indexChanges: [] };
  const getBranch = () => Promise.reject(new Error('No branch'));
  const repository = (state: object) => ({ getRepository: () => ({ state: { ...pushed, ...state }, getBranch }) });
  const asked = ['reveal second', 'send revenue? in second'];

  it('waits until the change is pushed, then asks on the branch of the change', async () => {
    const states = [{ workingTreeChanges: [{ uri }] }, { HEAD: { name: 'dev', upstream: {}, ahead: 1 } }, {}];
    editor.git = { getRepository: () => repository(states.shift() ?? {}).getRepository() };
    editor.answers = ['Ask again', 'Ask again'];
    await offer();
    assert.deepEqual(editor.messages, [
      'Commit bank/model/cubes/orders.yml and push it to “dev”, then ask again: the service uses the pushed model. [Ask again]',
      'bank/model/cubes/orders.yml is not pushed to “dev” yet, so the service still has the old model. [Ask again] [Ask anyway]',
    ]);
    assert.deepEqual(two.done, ['switch bank to dev', ...asked]);
  });

  for (const [what, state, answers, expected] of [
    ['without a push only if the user insists', { HEAD: { name: 'trunk' } }, ['Ask again', 'Ask anyway'], asked],
    ['not after the offer is closed', { HEAD: { name: 'trunk' } }, [undefined], []],
    // Git lists untracked files separately if the user wants so.
    ['not while the file is untracked', { untrackedChanges: [{ uri }] }, ['Ask again'], []],
    ['at once where there is no repository', undefined, ['Ask again'], asked],
  ] as const)
    it(`asks ${what}`, async () => {
      editor.git = state && repository(state);
      editor.answers = [...answers];
      await offer();
      assert.deepEqual(two.done, expected);
    });

  it('asks in a new chat if the answer is recorded or its chat was deleted', async () => {
    const { repository, sessions } = two.services;
    editor.answers = ['Ask again', 'Ask again'];
    repository.isReadOnly = (id) => id === 'second';
    await offer();
    repository.isReadOnly = () => false;
    sessions.get = (id) => (id === 'second' ? undefined : two.first);
    await offer();
    const again = ['reveal first', 'send revenue? in first'];
    assert.deepEqual(two.done, [...again, ...again]);
  });
});

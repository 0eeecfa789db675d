/** The lenses in model files, with a stub of the editor. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as area from '../../../../src/vscode/check/checkArea.ts';
import type * as files from '../../../../src/vscode/model/modelFiles.ts';
import { Editor, EventEmitter, pairs, questionNamed, TextDocument, until } from '../support.ts';
import type { Disposable, Range, TestQuestion } from '../support.ts';

interface Lens {
  range: Range;
  command: { title: string; command: string; arguments?: [{ name: string; questions: TestQuestion[] }] };
}
interface Provider {
  provideCodeLenses(document: object): Promise<Lens[]>;
  onDidChangeCodeLenses(listener: () => void): Disposable;
}

const ORDERS = `cubes:
  - name: orders
    sql_table: orders
    measures:
      - name: count
        type: count
      - name: revenue
        sql: >-
          amount
          - refund
`;
const SALES = 'views:\n  - name: sales\n    cubes:\n      - join_path: orders\n        includes: [revenue]\n';
const onSales = questionNamed('a', { expectedSql: { sql: 'SELECT MEASURE(sales.revenue) FROM sales' } });
/** The same from the history. */
const asked = questionNamed('b', { ...onSales, text: 'Money?', path: '' });

describe('lenses in model files', () => {
  let editor: Editor;
  let text: string;
  let tests: TestQuestion[];
  let past: () => Promise<TestQuestion[]>;
  /** Number of times that the lenses were requested again. */
  let changes: number;
  let events: Record<'connections' | 'sessions' | 'questions', EventEmitter<object | void>>;
  let ready: number;
  let offered: Disposable;

  beforeEach(async () => {
    [editor, text, tests, past, changes, ready] = [new Editor(), ORDERS, [onSales], () => Promise.resolve([]), 0, 0];
    events = { connections: new EventEmitter(), sessions: new EventEmitter(), questions: new EventEmitter() };
    editor.files.set('/shop/model/orders.yml', ORDERS).set('/shop/model/sales.yml', SALES);
    // Another folder with the same names.
    editor.files.set('/bank/model/sales.yml', SALES.replace('[revenue]', '[count]'));
    const module = await editor.load<typeof area & typeof files>('check/checkArea', 'model/modelFiles');
    const { services } = pairs({
      modelFiles: new module.ModelFiles() as never,
      connections: { onDidChange: events.connections.event },
      sessions: { onDidChange: events.sessions.event },
      questionFiles: {
        onDidChange: events.questions.event,
        questionsOf: ({ name }: { name: string }) => Promise.resolve(name === 'shop' ? tests : []),
      },
    });
    offered = module.offerChecks(services, { load: () => past() } as never, () => (ready += 1)) as never;
    provider().onDidChangeCodeLenses(() => (changes += 1));
  });
  afterEach(() => (mock.timers.reset(), offered.dispose()));
  const provider = (): Provider => editor.providers['lenses']!;

  async function lenses(path = '/shop/model/orders.yml'): Promise<string[]> {
    const found = await provider().provideCodeLenses(new TextDocument(path, text, 'yaml'));
    return found.map(({ range, command: { title, command, arguments: [about] = [undefined] } }) => {
      const uses = about ? [about.name, ...about.questions.map(({ name }) => name)] : [];
      const lines = range.isEmpty ? [] : ['lines'];
      return [range.start.line + 1, ...lines, title, command, ...uses].join('|');
    });
  }
  const isAt = async (line: number, count = 'Ask · 1 question uses it'): Promise<void> =>
    assert.match((await lenses()).join(), new RegExp(`^${line}\\|${count}\\|`));

  it('are at the members that questions use, also through a view in another file, and list them', async () => {
    const counting = { ...onSales, name: 'c', expectedSql: { sql: 'SELECT MEASURE(sales.count) FROM sales' } };
    tests.push(counting);
    assert.deepEqual(await lenses(), ['7|Ask · 1 question uses it|analyticsChat.askAboutMember|orders.revenue|a']);
    text = `${ORDERS}    segments:\n      - name: recent\n    dimensions:\n      - name: day\n`;
    tests = [{ ...counting, expectedSql: { sql: 'SELECT orders.day FROM orders WHERE orders.recent' } }];
    assert.match((await lenses()).join(), /^12\|[^|]+\|[^|]+\|orders.recent\|c,14\|[^,]+orders.day\|c$/);
    const { pattern } = editor.selectors['lenses'] as { pattern: string };
    assert.ok(posix.matchesGlob('model/orders.js', pattern));
    text = ORDERS;
    tests = [];
    events.questions.fire();
    assert.deepEqual([changes, await lenses()], [1, []]);
    // Nor of another folder, whose members have the same names.
    tests = [{ ...counting, expectedSql: { sql: 'SELECT MEASURE(orders.count) FROM orders' } }];
    assert.deepEqual([(await lenses()).length, await lenses('/bank/model/orders.yml')], [1, []]);
    // Not in the lists of a view.
    [tests, text] = [[onSales], SALES];
    assert.deepEqual(await lenses(), []);
  });

  it('count the questions of the history too, once they are read, and those that were asked since', async () => {
    past = () => Promise.resolve([asked]);
    await lenses();
    await until(() => changes > 0);
    await isAt(7, 'Ask · 2 questions use it');
    past = () => Promise.resolve([asked, { ...asked, text: 'Income?' }]);
    const before = changes;
    mock.timers.enable({ apis: ['setTimeout'] });
    for (const [count, type] of ['sent', 'finished'].entries()) {
      for (const _ of [1, 2]) events.sessions.fire({ events: [{ type }, { type: 'other' }] });
      mock.timers.tick(1000);
      assert.equal(changes, before + count, type);
    }
    mock.timers.reset();
    await lenses();
    await until(() => changes > before + 1);
    await isAt(7, 'Ask · 3 questions use it');
  });

  it('count only questions on the current connection, also if it is switched while they are read', async () => {
    const first = Promise.withResolvers<TestQuestion[]>();
    past = () => first.promise;
    await lenses();
    past = () => Promise.resolve([]);
    events.connections.fire();
    first.resolve([asked]);
    await first.promise;
    await isAt(7);
    past = () => Promise.reject(new Error('No history.'));
    events.connections.fire();
    await isAt(7);
  });

  it('stay those of the last version that parsed, as far as their members are where they were, and say so', async () => {
    await lenses();
    text = `${ORDERS}    dimensions: [`;
    const [error = '', ...others] = await lenses();
    assert.equal(error, '11|Syntax error: the members of this file are those of its last version without one|');
    assert.match(others.join(), /^7\|Ask · 1 question uses it\|/);
    // Also after a second one, which has no members at all.
    for (const end of ['', '# more\n']) {
      text = ORDERS.replace('name: orders', 'name: [rders') + end;
      assert.match((await lenses()).join(), /^\d+\|Syntax error[^|]*\|,7\|Ask · 1 question uses it\|/);
    }
    text = `}\n${ORDERS}`;
    assert.match((await lenses()).join(), /^1\|Syntax error[^|]*\|$/);
    text = ORDERS;
    await isAt(7);
  });

  it('appear when the workspace is trusted, not before', async () => {
    editor.isTrusted = false;
    assert.deepEqual(await lenses(), []);
    editor.isTrusted = true;
    editor.fire('onDidGrantWorkspaceTrust');
    assert.equal(changes, 1);
    await isAt(7);
  });

  it('come with a context key for workspaces with model files, after the first view had its time', async () => {
    assert.deepEqual([editor.executed, ready], [[], 0]);
    const set = (): unknown => editor.executed.pop();
    await until(() => editor.executed.length > 0);
    assert.deepEqual([set(), ready], [['setContext', 'analyticsChat.model', true], 1]);
    editor.files.clear();
    editor.files.set('/shop/node_modules/model/a.yml', '');
    editor.fire('onDidChangeWorkspaceFolders');
    await until(() => editor.executed.length > 0);
    assert.deepEqual(set(), ['setContext', 'analyticsChat.model', false]);
  });
});

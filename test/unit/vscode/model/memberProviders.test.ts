/** Names of the data model: what searches of the agent have found, and hover, completion and Go to Definition for it. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { Members } from '../../../../src/vscode/model/members.ts';
import type * as files from '../../../../src/vscode/model/modelFiles.ts';
import type * as providing from '../../../../src/vscode/model/memberProviders.ts';
import { dispatch } from '../../chat/history/support/stores.ts';
import { Editor, EventEmitter, finance, mementoOn, pairs, TextDocument, Uri } from '../support.ts';
import type { Position, Range, ThreadEvent } from '../support.ts';

interface Found extends Record<'label' | 'insertText' | 'detail' | 'documentation', string> {
  kind: number;
  range: Range;
}
interface Providers {
  hover: {
    provideHover(document: object, at: Position): Promise<{ contents: { value: string }; range: Range } | undefined>;
  };
  completion: { provideCompletionItems(document: object, at: Position): Promise<Found[]> };
  definition: { provideDefinition(document: object, at: Position): Promise<{ uri: Uri; range: Range }[]> };
}

/** Cubes, each with this member and its revenue. */
const cubesNamed = (cubes: readonly string[], member = 'rate'): object[] =>
  cubes.map((name) => {
    const fields = { title: `Money of ${name}`, description: 'Paid.', aggType: 'sum' };
    const members = ['revenue', member].map((each) => ({ name: `${name}.${each}`, type: 'number', ...fields }));
    return { ...{ name, type: 'cube', title: `All ${name}` }, members };
  });
/** The line of a search of the agent that found cubes. */
const search = (...of: Parameters<typeof cubesNamed>): ThreadEvent => {
  const toolCall = { name: 'svcMeta', input: { searchQuery: 'revenue' }, result: { cubes: cubesNamed(...of) } };
  const usual = { id: 'search', role: 'assistant', graphPath: [], isDelta: false, isInProcess: false, sort: 1 };
  const line = { kind: 'toolCall', ...usual, toolCall };
  return { type: 'line', line: line as never, time: 1 };
};

describe('the known model', () => {
  it('comes from searches of the agent, not from recordings, and is that of the connection of the chat', () => {
    const kept = new Map<string, unknown>();
    const changed = new EventEmitter<object>();
    const isRecorded = (id: string): boolean => id === 'recorded';
    const { services, first, second } = pairs({ sessions: { onDidChange: changed.event } });
    const { sessions, connections } = services;
    const make = () => new Members(mementoOn(kept) as never, sessions, connections, isRecorded);
    const members = make();
    const tell = (session: object, id: string, ...of: Parameters<typeof search>): void => {
      const event = search(...of);
      const thread = dispatch({ ...first.thread, id }, event);
      changed.fire({ session: Object.assign(session, { thread }), events: [event] });
    };
    tell(first, 'recorded', ['invented']);
    assert.deepEqual([members.definitions, kept.size], [[], 0]);
    tell(first, 'first', ['orders']);
    for (let at = 0; at <= 200; at += 1) tell(second, 'second', [`cube${at}`]);
    const names = (each: Members): unknown[] => [
      [...each.viewNames()],
      each.viewNames('finance').size,
      each.definitions.length,
    ];
    assert.deepEqual(names(members), [['orders'], 201, 1]);
    // After a restart, no thread is open yet; the latest 200 are kept.
    assert.deepEqual(names(make()), [['orders'], 200, 1]);
    Object.assign(connections, { current: finance });
    assert.deepEqual(make().definitions.at(-1)?.name, 'cube200');
    assert.deepEqual([...kept.keys()], ['modelDefinitions:sales', 'modelDefinitions:finance']);
    // Members of several searches are known, and kept although the last definition is not new.
    tell(first, 'first', ['orders'], 'count');
    tell(first, 'first', ['costs', 'orders']);
    const known = make()
      .on('sales')
      .map(({ name, members: own }) => [name, ...own.map((each) => each.name.split('.')[1])]);
    assert.deepEqual(known, [
      ['orders', 'revenue', 'rate', 'count'],
      ['costs', 'revenue', 'rate'],
    ]);
    members.dispose();
    tell(first, 'first', ['late']);
    assert.equal(members.viewNames('sales').has('late'), false);
    Object.assign(connections, { current: undefined });
    assert.deepEqual(make().definitions, []);
  });
});

describe('the providers of model names', () => {
  let providers: Providers;
  const MODEL = ['orders', 'customers'].map(
    (name) => `cubes:\n  - name: ${name}\n    measures:\n      - name: revenue\n`,
  );
  const [ORDERS, CUSTOMERS] = ['/shop/model/orders.yml', '/shop/model/customers.yml'] as const;
  let reads: string[];
  let editor: Editor;

  before(async () => {
    editor = new Editor();
    editor.files.set(ORDERS, MODEL[0]!).set(CUSTOMERS, MODEL[1]!).set('/shop/cube.py', '');
    editor.files.set('/shop/node_modules/model/a.yml', MODEL[0]!);
    editor.reading = (path) => void reads.push(path);
    const loaded = await editor.load<typeof providing & typeof files>('model/memberProviders', 'model/modelFiles');
    const stored = new Map([['modelDefinitions:sales', cubesNamed(['orders', 'customers'])]]);
    const { sessions, connections } = pairs().services;
    const members = new Members(mementoOn(stored) as never, sessions, connections, () => false);
    loaded.provideMembers(members, new loaded.ModelFiles());
    providers = editor.providers as unknown as Providers;
  });
  beforeEach(() => (reads = []));

  const QUERY = 'SELECT 1,\n  orders.revenue, customers.ra FROM x';
  const document = new TextDocument('/shop/queries/a.sql', QUERY);
  const at = (text: string, of = document): Position => of.positionAt(of.text.indexOf(text) + text.length);
  const marked = (range: Range | undefined, of = document): string => (range ? of.getText(range) : '');

  it('know the title, the facts and the range of a member or a cube', async () => {
    for (const [text, hover, range] of [
      ['orders.rev', /^\*\*Money of orders\*\*\n\norders&#46;revenue · number · sum\n\nPaid/, 'orders.revenue'],
      ['customers.ra', undefined, ''],
      ['orde', /^\*\*All orders\*\*\n\norders · cube$/, 'orders'],
      ['FROM ', undefined, ''],
    ] as const) {
      const found = await providers.hover.provideHover(document, at(text));
      assert.equal(marked(found?.range), range);
      if (hover) assert.match(found!.contents.value, hover);
      else assert.equal(found, undefined);
    }
    for (const [text, ...item] of [
      ['customers.ra', 'customers.rate', 'rate', 4, 'number, sum', 'Money of customers\n\nPaid.', 'ra'],
      ['orde', 'orders', 'orders', 6, 'cube', 'All orders', 'orde'],
    ] as const) {
      const [found] = await providers.completion.provideCompletionItems(document, at(text));
      const { label, insertText, kind, detail, documentation, range } = found!;
      assert.deepEqual([label, insertText, kind, detail, documentation, marked(range)], item);
    }
    const two = `${MODEL[0]!}${MODEL[1]!.replace('cubes:\n', '')}        sql: '{CUBE.ra}'\n`;
    const both = `# {CUBE.x}\n${two.replace('revenue\n', "revenue\n        sql: '{CUBE.re}'\n")}`;
    const model = new TextDocument(CUSTOMERS, both, 'yaml');
    for (const [text, names] of [
      ['{CUBE.ra', 'customers.rate'],
      ['{CUBE.re', 'orders.revenue'],
      ['{CUBE.', ''],
    ] as const) {
      const found = await providers.completion.provideCompletionItems(model, at(text, model));
      assert.equal(found.map(({ label }) => label).join(), names, text);
    }
    const languages = ['sql', 'jinja-sql', 'yaml', 'javascript'];
    assert.deepEqual(editor.selectors, { completion: languages, hover: languages, definition: languages });
    assert.deepEqual(editor.triggers, ['.']);
  });

  it('read the model files for the first definition, and again only after one or the folders have changed', async () => {
    const find = async (text = 'orders.rev'): Promise<string[]> =>
      (await providers.definition.provideDefinition(document, at(text))).map(
        ({ uri, range }) => `${uri.path}:${range.start.line + 1}-${range.end.character}`,
      );
    assert.deepEqual(await find(), [`${ORDERS}:4-21`]);
    assert.deepEqual(await find('orde'), [`${ORDERS}:2-16`]);
    assert.deepEqual([reads.splice(0).toSorted(), await find('FROM ')], [['/shop/cube.py', CUSTOMERS, ORDERS], []]);
    editor.files.set(ORDERS, `# moved\n${MODEL[0]!}`);
    editor.fire('written', Uri.file(ORDERS));
    assert.deepEqual([await find(), reads.splice(0)], [[`${ORDERS}:5-21`], [ORDERS]]);
    // A syntax error leaves the members of the last version that parsed.
    editor.files.set(ORDERS, 'cubes: [\n');
    editor.fire('written', Uri.file(ORDERS));
    editor.fire('written', Uri.file('/shop/node_modules/model/a.yml'));
    assert.deepEqual([(await find()).length, reads.splice(0)], [1, [ORDERS]]);
    // A file of another file system is another one.
    editor.fire('written', new Uri('vscode-vfs', 'github', CUSTOMERS));
    assert.deepEqual([(await find('custo')).length, reads.splice(0)], [2, [CUSTOMERS]]);
    editor.files.delete(ORDERS);
    for (const path of [ORDERS, '/shop/cube.py']) editor.fire('written', Uri.file(path));
    assert.deepEqual([await find(), reads.splice(0)], [[], [ORDERS, '/shop/cube.py']]);
    reads = [];
    editor.files.set(ORDERS, MODEL[0]!);
    editor.fire('onDidChangeWorkspaceFolders');
    assert.deepEqual([await find(), reads.length], [[`${ORDERS}:4-21`], 3]);
  });
});

/** Names of the data model: what searches of the agent have found, and hover, completion and Go to Definition for it. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { Members } from '../../../../src/vscode/model/members.ts';
import type * as files from '../../../../src/vscode/model/modelFiles.ts';
import type * as providing from '../../../../src/vscode/model/memberProviders.ts';
import { Disposable, EventEmitter, Uri } from '../../../support/editorValues.ts';
import { mementoOn } from '../../../support/withEditor.ts';
import { dispatch } from '../../chat/history/support/stores.ts';
import { TextDocument, type Position, type Range } from '../documents.ts';
import { Editor } from '../editor.ts';
import { finance, pairs, sales } from '../pairs.ts';

interface Found {
  label: string;
  detail?: string;
  range: Range;
}
interface Providers {
  hover: {
    provideHover(document: object, at: Position): Promise<{ contents: { value: string }; range: Range } | undefined>;
  };
  completion: { provideCompletionItems(document: object, at: Position): Promise<Found[]> };
  definition: { provideDefinition(document: object, at: Position): Promise<{ uri: Uri; range: Range }[]> };
}

/** The line of a search of the agent that found a cube. */
const search = (cube: string): ThreadEvent => {
  const member = { name: `${cube}.revenue`, type: 'measure', title: `Money of ${cube}`, description: 'Paid.' };
  const result = {
    cubes: [{ name: cube, type: 'cube', members: [member, { name: `${cube}.rate`, type: 'measure' }] }],
  };
  const toolCall = { name: 'svcMeta', input: { searchQuery: 'revenue' }, result };
  const line = {
    kind: 'toolCall',
    id: 'search',
    role: 'assistant',
    graphPath: [],
    isDelta: false,
    isInProcess: false,
    sort: 1,
    toolCall,
  };
  return { type: 'line', line: line as never, time: 1 };
};

describe('the known model', () => {
  it('comes from searches of the agent, not from recordings, and is that of the connection of the chat', () => {
    const kept = new Map<string, unknown>();
    const changed = new EventEmitter<object>();
    const isRecorded = (id: string): boolean => id === 'recorded';
    let current: object | undefined = sales;
    const { services, first, second } = pairs({
      connections: {
        get current() {
          return current;
        },
      },
      sessions: { onDidChange: changed.event },
    });
    const make = () =>
      new Members(mementoOn(kept) as unknown as vscode.Memento, services.sessions, services.connections, isRecorded);
    const members = make();
    const tell = (session: object, id: string, cube: string): void => {
      const event = search(cube);
      const thread = dispatch({ ...first.thread, id, turns: [] }, event);
      changed.fire({ session: Object.assign(session, { thread }), events: [event] });
    };
    tell(first, 'recorded', 'invented');
    assert.deepEqual([members.definitions, kept.size], [[], 0]);
    tell(first, 'first', 'orders');
    for (let at = 0; at <= 200; at += 1) tell(second, 'second', `cube${at}`);
    const names = (each: Members): unknown[] => [
      [...each.viewNames()],
      each.viewNames('finance').size,
      each.definitions.length,
    ];
    assert.deepEqual(names(members), [['orders'], 201, 1]);
    // After a restart, no thread is open yet; the latest 200 are kept.
    assert.deepEqual(names(make()), [['orders'], 200, 1]);
    current = finance;
    assert.deepEqual(make().definitions.at(-1)?.name, 'cube200');
    assert.deepEqual([...kept.keys()], ['modelDefinitions:sales', 'modelDefinitions:finance']);
    members.dispose();
    tell(first, 'first', 'late');
    assert.equal(members.viewNames('sales').has('late'), false);
    current = undefined;
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
  const changed = new EventEmitter<Uri>();

  before(async () => {
    editor = new Editor();
    editor.files.set(ORDERS, MODEL[0]!).set(CUSTOMERS, MODEL[1]!);
    const readFile = ({ path }: Uri): Promise<Uint8Array> => {
      reads.push(path);
      const text = editor.files.get(path);
      return text === undefined ? Promise.reject(new Error(path)) : Promise.resolve(new TextEncoder().encode(text));
    };
    const findFiles = (pattern: string): Promise<Uri[]> =>
      Promise.resolve(pattern.includes('model') ? [...editor.files.keys()].map(Uri.file) : []);
    const quiet = { onDidCreate: () => undefined, onDidChange: () => undefined, onDidDelete: () => undefined };
    const createFileSystemWatcher = (pattern: string): object =>
      Object.assign(
        new Disposable(() => undefined),
        quiet,
        pattern.includes('model') && { onDidChange: changed.event },
      );
    editor.more = { workspace: { createFileSystemWatcher, findFiles, fs: { readFile } } };
    const loaded = await editor.load<typeof providing & typeof files>('model/memberProviders', 'model/modelFiles');
    const stored = ['orders', 'customers'].flatMap((cube) => {
      const { line } = search(cube) as unknown as { line: { toolCall: { result: { cubes: object[] } } } };
      return line.toolCall.result.cubes;
    });
    const { services } = pairs();
    const memento = mementoOn(new Map([['modelDefinitions:sales', stored]])) as unknown as vscode.Memento;
    const members = new Members(memento, services.sessions, services.connections, () => false);
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
      ['orders.rev', /^\*\*Money of orders\*\*\n\norders&#46;revenue · measure\n\nPaid/, 'orders.revenue'],
      ['customers.ra', undefined, ''],
      ['orde', /^\*\*orders\*\*\n\norders · cube$/, 'orders'],
      ['FROM ', undefined, ''],
    ] as const) {
      const found = await providers.hover.provideHover(document, at(text));
      assert.equal(marked(found?.range), range);
      if (hover) assert.match(found!.contents.value, hover);
      else assert.equal(found, undefined);
    }
    const items = await providers.completion.provideCompletionItems(document, at('customers.ra'));
    assert.deepEqual(
      items.map(({ label, range }) => [label, marked(range)]),
      [['customers.rate', 'ra']],
    );
    const model = new TextDocument(CUSTOMERS, `${MODEL[1]!}        sql: '{CUBE.ra}'\n`, 'yaml');
    const inModel = await providers.completion.provideCompletionItems(model, at('{CUBE.ra', model));
    assert.deepEqual(
      inModel.map(({ label }) => label),
      ['customers.rate'],
    );
  });

  it('read the model files for the first definition, and again only after one or the folders have changed', async () => {
    const find = async (text = 'orders.rev'): Promise<string[]> =>
      (await providers.definition.provideDefinition(document, at(text))).map(
        ({ uri, range }) => `${uri.path}:${range.start.line + 1}-${range.end.character}`,
      );
    assert.deepEqual(await find(), [`${ORDERS}:4-21`]);
    assert.deepEqual(await find('orde'), [`${ORDERS}:2-16`]);
    assert.deepEqual([reads.splice(0).toSorted(), await find('FROM ')], [[CUSTOMERS, ORDERS], []]);
    editor.files.set(ORDERS, `# moved\n${MODEL[0]!}`);
    changed.fire(Uri.file(ORDERS));
    assert.deepEqual([await find(), reads.splice(0)], [[`${ORDERS}:5-21`], [ORDERS]]);
    // A syntax error leaves the members of the last version that parsed.
    editor.files.set(ORDERS, `${MODEL[0]!}      - [\n`);
    changed.fire(Uri.file(ORDERS));
    assert.equal((await find()).length, 1);
    changed.fire(Uri.file('/shop/node_modules/model/a.yml'));
    assert.deepEqual(reads.splice(0), [ORDERS]);
    editor.files.delete(ORDERS);
    changed.fire(Uri.file(ORDERS));
    assert.deepEqual(await find(), []);
    reads = [];
    editor.files.set(ORDERS, MODEL[0]!);
    editor.fire('onDidChangeWorkspaceFolders');
    assert.deepEqual([await find(), reads.length], [[`${ORDERS}:4-21`], 2]);
  });
});

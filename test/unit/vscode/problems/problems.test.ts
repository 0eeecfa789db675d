/** Unknown names in the Problems view, their fixes and *Rename*, with a stub of the editor. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as files from '../../../../src/vscode/model/modelFiles.ts';
import type * as area from '../../../../src/vscode/problems/problemsArea.ts';
import {
  becomes,
  Editor,
  EventEmitter,
  pairs,
  Position,
  Range,
  settled,
  TextDocument,
  until,
  Uri,
  uriAt,
} from '../support.ts';
import type { Disposable, Problem, WorkspaceEdit } from '../support.ts';

interface Action {
  title: string;
  kind: string;
  isPreferred?: boolean;
  diagnostics: unknown;
  edit?: WorkspaceEdit;
  command?: { command: string; arguments: unknown[] };
}

const ORDERS = `cubes:
  - name: orders
    measures:
      - name: revenue
        sql: amount
      - name: rate
        sql: '{revenue} / 100'
`;
const QUERY = '---\nuser_request: q\n---\nSELECT MEASURE(revenue) FROM sales\n';

const SALES = 'views:\n  - name: sales\n    cubes:\n      - join_path: orders\n        includes: "*"\n';
const SHOP_ORDERS = '/shop/model/orders.yml';
const SHOP_SALES = '/shop/model/sales.yml';
const SHOP_QUERY = '/shop/bi/agents/certified_queries/q.md';

/** Two workspace folders, each with the same data model and certified query. */
class World {
  readonly editor = new Editor();
  /** Files that are found as those of the data model. */
  readonly found = ['shop', 'bank'].flatMap((name) => [`/${name}/model/orders.yml`, `/${name}/model/sales.yml`]);
  /** Called when the files of a folder are read. */
  onRead = (): Promise<void> => Promise.resolve();
  /** The question tests have changed. */
  readonly changed = new EventEmitter<void>();
  everywhere!: (argument: unknown) => Promise<void>;

  async start(): Promise<Disposable> {
    const { editor } = this;
    for (const path of this.found) editor.files.set(path, path.endsWith('sales.yml') ? SALES : ORDERS);
    for (const path of [SHOP_QUERY, '/bank/agents/certified_queries/q.md']) editor.files.set(path, QUERY);
    const findFiles = (pattern: string) => Promise.resolve(pattern.includes('model') ? this.found.map(uriAt) : []);
    editor.more = { workspace: { findFiles } };
    editor.defaults = { exclude: { '**/.git': true } };
    // The agents folder of the other workspace folder is the usual one.
    editor.settings = { 'shop agentsPath': 'bi/agents' };
    const loaded = await editor.load<typeof area & typeof files>('problems/problemsArea', 'model/modelFiles');
    const { services } = pairs({
      modelFiles: new loaded.ModelFiles() as never,
      questionFiles: {
        onDidChange: this.changed.event,
        filesIn: async ({ name }: { name: string }) => (
          await this.onRead(),
          [{ path: `${name === 'shop' ? 'bi/' : ''}agents/certified_queries/q.md`, text: QUERY }]
        ),
      },
      log: { error: (_: string, failure: unknown) => assert.fail(String(failure)) },
    });
    const registered = loaded.registerProblems(services);
    this.everywhere = registered.commands['analyticsChat.renameEverywhere'];
    return registered as unknown as Disposable;
  }
  get shown() {
    return this.editor.problems['analyticsChat.names']!;
  }
  get hints() {
    return this.editor.problems['analyticsChat.descriptions']!;
  }
  /** @returns the actions that are offered where the first of these problems of an open file is */
  async actions(path: string, of = this.shown): Promise<{ actions: Action[]; diagnostics: readonly Problem[] }> {
    const diagnostics = of.get(path)!;
    return { actions: await this.actionsFor(path, diagnostics), diagnostics };
  }
  actionsFor(path: string, diagnostics: readonly Problem[]): Promise<Action[]> {
    const provider: { provideCodeActions(...args: unknown[]): Promise<Action[]> } = this.editor.providers['actions']!;
    const document = this.editor.documents.find(({ uri }) => uri.path === path);
    return provider.provideCodeActions(document, diagnostics[0]!.range, { diagnostics });
  }
  get rename(): Rename {
    return this.editor.providers['rename']!;
  }

  /** Changes the text of an open file. */
  type(path: string, text: string): TextDocument {
    const { documents } = this.editor;
    let document = documents.find(({ uri }) => uri.path === path);
    if (document === undefined) documents.push((document = new TextDocument(path, '')));
    document.text = text;
    this.editor.fire('onDidChangeTextDocument', { document });
    return document;
  }

  /** @param key of a setting in a folder */
  configure(key: string, value: unknown): void {
    this.editor.settings[key] = value;
    this.editor.fire('onDidChangeConfiguration', { affectsConfiguration: () => true });
  }

  /** The problems as `path:line name`. */
  problems(shown = this.shown): string[] {
    return [...(shown ?? [])].flatMap(([path, diagnostics]) =>
      diagnostics.map(({ range, message }) => `${path}:${range.start.line + 1} ${/“([\w.]+)”/.exec(message)![1]}`),
    );
  }
}
interface Rename {
  prepareRename(document: TextDocument, position: Position): Promise<Range>;
  provideRenameEdits(document: TextDocument, position: Position, newName: string): Promise<WorkspaceEdit>;
}

const RENAMED = ORDERS.replace('- name: revenue', '- name: revenue_net');
const BROKEN = ['/shop/model/orders.yml:7 revenue', `${SHOP_QUERY}:4 revenue`];

describe('problems of names', () => {
  let world: World;
  let started: Disposable;
  const shows = (expected: readonly string[]): Promise<unknown> =>
    becomes(() => world.problems(), [...expected], 10_000);

  beforeEach(async () => {
    world = new World();
    started = await world.start();
  });
  afterEach(() => (mock.timers.reset(), started.dispose()));

  it('are those of the open files of the agent, also if their folder is found as one of the data model', async () => {
    const more = '/shop/model/more.yml';
    world.found.push(SHOP_QUERY, more);
    world.editor.files.set(more, '');
    world.type(SHOP_ORDERS, RENAMED.replace('{revenue}', '{revenue_net}'));
    await shows(BROKEN.slice(1));
    world.type(SHOP_QUERY, QUERY.replace('revenue', 'revenue_net'));
    await until(() => world.problems().length === 0);
    // Nor do they stay if their file is deleted.
    world.type(more, SALES.replace('sales', 'more').replace('orders', 'order'));
    await shows([`${more}:4 order`]);
    world.editor.files.delete(more);
    world.editor.documents.pop();
    world.editor.fire('deleted', Uri.file(more));
    await shows([]);
  });

  it('appear in all files while the user types, and when files are changed elsewhere, opened or closed', async () => {
    const { editor } = world;
    const document = world.type(SHOP_ORDERS, RENAMED);
    await shows(BROKEN);
    const configured = { affectsConfiguration: (key: string) => key === 'analyticsChat.problems' };
    for (const [change, text] of [
      [() => editor.fire('written', Uri.file(SHOP_SALES)), ORDERS],
      [() => editor.fire('onDidChangeWorkspaceFolders'), RENAMED],
      [() => editor.fire('onDidCloseTextDocument', new TextDocument(SHOP_SALES, '')), ORDERS],
      [() => editor.fire('onDidOpenTextDocument', new TextDocument(SHOP_QUERY, '')), RENAMED],
      [() => editor.fire('written', Uri.file('/shop/cube.js')), ORDERS],
      [() => editor.fire('deleted', Uri.file('/shop/cube.js')), RENAMED],
      [() => world.changed.fire(), ORDERS],
      [() => editor.fire('onDidChangeConfiguration', configured), RENAMED],
    ] as const) {
      document.text = text;
      change();
      await shows(text === ORDERS ? [] : BROKEN);
    }
  });

  it('are looked for soon after the start, unless the window was left', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    for (const isLeft of [true, false]) {
      const other = new World();
      const area = await other.start();
      if (isLeft) area.dispose();
      mock.timers.tick(2000);
      await new Promise(setImmediate);
      assert.equal(other.shown === undefined, isLeft);
      area.dispose();
    }
  });

  it('are looked for once their user pauses, not after the end', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let reads = 0;
    world.onRead = () => Promise.resolve(void (reads += 1));
    const wait = async (milliseconds: number): Promise<number> => {
      await settled();
      mock.timers.tick(milliseconds);
      await settled();
      return reads;
    };
    for (const text of [RENAMED, ORDERS]) {
      world.type(SHOP_ORDERS, text);
      assert.equal(await wait(200), 0);
    }
    const before = await wait(100);
    assert.ok(before > 0);
    world.type(SHOP_ORDERS, RENAMED);
    await settled();
    started.dispose();
    await settled();
    assert.equal(await wait(300), before);
  });

  it('stay while a file has a syntax error', async () => {
    world.type(SHOP_ORDERS, RENAMED);
    await shows(BROKEN);
    world.type(SHOP_ORDERS, `\n${RENAMED}      - name: [\n`);
    // The editor moves it with the text.
    world.shown.get(SHOP_ORDERS)![0]!.range = new Range(7, 0, 7, 1);
    world.type(SHOP_SALES, SALES.replace('join_path: orders', 'join_path: order'));
    const isNew = () => world.problems().some((each) => each.endsWith(' order'));
    await until(() => isNew() && !world.problems().includes(BROKEN[1]!));
    const known = world.problems().filter((each) => each.endsWith(' revenue'));
    assert.deepEqual(known, [`${SHOP_ORDERS}:8 revenue`]);
  });

  it('are no cubes and views while the settings hide files from searches', async () => {
    world.editor.settings['shop exclude'] = { '**/.git': true, 'model/generated': true };
    world.type(SHOP_SALES, SALES.replace('join_path: orders', 'join_path: order'));
    world.type(SHOP_ORDERS, RENAMED);
    await until(() => world.problems().includes(BROKEN[0]!));
    assert.deepEqual(world.problems(), [BROKEN[0]]);
    world.configure('shop exclude', { '**/.git': true, 'model/generated': false });
    await until(() => world.problems().length === 2);
  });

  it('vanish with the setting of their folder, and with the extension', async () => {
    world.type(SHOP_ORDERS, RENAMED);
    await shows(BROKEN);
    const other = '/bank/model/orders.yml';
    world.type(other, RENAMED);
    const both = [...BROKEN, ...BROKEN.map((each) => each.replace('shop/bi', 'bank').replace('shop', 'bank'))];
    await shows(both);
    const [, action] = (await world.actions(other)).actions;
    const everywhere = { folder: 'vscode-vfs://github/bank', owner: 'orders', name: 'revenue', newName: 'revenue_net' };
    assert.deepEqual(action!.command?.arguments, [everywhere], 'not in the first folder');
    world.configure('shop problems.enabled', false);
    await shows(both.slice(2));
    const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.onRead = () => (reading.resolve(), read.promise);
    world.type(other, RENAMED);
    await reading.promise;
    started.dispose();
    read.resolve();
    await new Promise(setImmediate);
    assert.deepEqual(world.problems(), []);
  });

  it('have fixes: a similar name here, and everywhere', async () => {
    const document = world.type(SHOP_ORDERS, `${RENAMED}      - name: revenue_not\n        sql: x\n`);
    world.type(SHOP_SALES, SALES.replace('orders', 'order'));
    await shows([BROKEN[0]!, `${SHOP_SALES}:4 order`]);
    const { actions, diagnostics } = await world.actions(SHOP_ORDERS);
    const shown = actions.map(({ title, isPreferred, kind }) => `${kind} ${title} ${isPreferred}`);
    const everywhere = ['net', 'not'].map(
      (name) => `quickfix Rename “revenue” to “revenue_${name}” everywhere… undefined`,
    );
    const here = ['net” true', 'not” false'].map((each) => `quickfix Change to “revenue_${each}`);
    assert.deepEqual(shown, [...here, ...everywhere]);
    for (const each of actions) assert.deepEqual(each.diagnostics, diagnostics);
    const [{ range, severity, source } = {}] = diagnostics;
    assert.deepEqual([document.getText(range), severity, source], ['revenue', 0, 'Analytics Chat']);
    const offeredIn = world.editor.selectors['actions'] as { pattern: string }[];
    const paths = ['model/orders.js', 'agents/config.yml', 'agents/certified_queries/a.md'];
    const isOffered = (path: string) => offeredIn.some(({ pattern }) => posix.matchesGlob(path, pattern));
    assert.deepEqual(paths.filter(isOffered), paths);
    const onView = (await world.actions(SHOP_SALES)).actions;
    assert.equal(onView.map(({ title }) => title).join(), 'Change to “orders”');
    assert.deepEqual(actions[0]!.edit!.edits, ['/shop/model/orders.yml:7 revenue_net']);
    assert.deepEqual(actions[2]!.command, {
      command: 'analyticsChat.renameEverywhere',
      title: 'Rename “revenue” to “revenue_net” everywhere…',
      arguments: [{ folder: 'file:///shop', owner: 'orders', name: 'revenue', newName: 'revenue_net' }],
    });
    // The view includes the old name, so that another one here would be wrong too.
    world.type(SHOP_SALES, SALES.replace('"*"', '[revenue]'));
    world.type(SHOP_QUERY, QUERY);
    await until(() => world.problems().includes(BROKEN[1]!));
    assert.match((await world.actions(SHOP_QUERY)).actions[0]!.title, /^Rename “revenue”/);
    document.text = document.text.replace('{revenue}', '{margin}');
    assert.deepEqual(await world.actionsFor(SHOP_ORDERS, diagnostics), []);
  });

  it('have the new name as their fix, however different, also after it was typed letter by letter', async () => {
    world.type(SHOP_ORDERS, ORDERS);
    // The first check reads the files.
    world.type(SHOP_SALES, SALES.replace('orders', 'order'));
    await until(() => world.problems().length > 0);
    world.type(SHOP_SALES, SALES);
    for (const name of ['t', 'turnover']) {
      world.type(SHOP_ORDERS, ORDERS.replace('- name: revenue', `- name: ${name}`));
      await until(() => world.problems().includes(BROKEN[0]!));
      await until(async () => (await world.actions(SHOP_ORDERS)).actions[0]?.title === `Change to “${name}”`);
    }
  });

  it('come with hints at members without a description in folders with the setting, which offer to correct them', async () => {
    const text = ORDERS.replace('sql: amount', 'description: Paid.\n        sql: amount').replace('/ 100', '* 0');
    const document = world.type(SHOP_ORDERS, text);
    world.configure('shop problems.missingDescriptions', true);
    const hints = (expected: string[]) => until(() => world.problems(world.hints).join() === expected.join());
    await hints([`${SHOP_ORDERS}:7 orders.rate`]);
    const { actions, diagnostics } = await world.actions(SHOP_ORDERS, world.hints);
    const [{ range, severity, source } = {}] = diagnostics;
    assert.deepEqual([document.getText(range), severity, source], ['rate', 3, 'Analytics Chat']);
    const { kind, diagnostics: of, command } = actions[0]!;
    assert.deepEqual([kind, of], ['quickfix', diagnostics]);
    const correct = { command: 'analyticsChat.correct', title: 'Correct…', arguments: [{ member: 'orders.rate' }] };
    assert.deepEqual(command, correct);
    world.configure('bank problems.missingDescriptions', true);
    const other = ['4 orders.revenue', '6 orders.rate'].map((each) => `/bank/model/orders.yml:${each}`);
    await hints([`${SHOP_ORDERS}:7 orders.rate`, ...other]);
    world.configure('bank problems.missingDescriptions', undefined);
    await hints([`${SHOP_ORDERS}:7 orders.rate`]);
    world.type(SHOP_ORDERS, text.replace("* 0'", "* 0'\n        description: None."));
    await hints([]);
    world.type(SHOP_ORDERS, text);
    await hints([`${SHOP_ORDERS}:7 orders.rate`]);
    started.dispose();
    await hints([]);
  });

  it('are gone once a member is renamed everywhere in its folder, after a preview', async () => {
    world.type(SHOP_ORDERS, `${RENAMED}      - name: twice\n        sql: '{revenue} + {revenue}'\n`);
    await shows([BROKEN[0]!, ...['9', '9'].map((line) => `${SHOP_ORDERS}:${line} revenue`), BROKEN[1]!]);
    const argument = { folder: 'file:///shop', owner: 'orders', name: 'revenue', newName: 'revenue_net' };
    for (const invalid of [
      undefined,
      { ...argument, folder: 'file:///none' },
      { ...argument, owner: 1 },
      { ...argument, newName: 1 },
      { ...argument, name: 'nothing' },
    ])
      await world.everywhere(invalid);
    assert.deepEqual(world.editor.previewed, []);
    await world.everywhere(argument);
    assert.equal(world.editor.titles.join(), 'Rename “revenue” to “revenue_net”');
    const [previewed = []] = world.editor.previewed;
    assert.equal(previewed.map(({ path }) => path).join(), [SHOP_ORDERS, SHOP_QUERY].join());
    for (const { path, text } of previewed) {
      assert.equal(world.editor.documents.find(({ uri }) => uri.path === path)?.text, text);
      assert.doesNotMatch(text, /revenue(?!_net)/);
    }
    world.editor.fire('onDidChangeTextDocument', { document: world.editor.documents[0] });
    await shows([]);
  });

  it('don’t come up with Rename, which changes a member in all files', async () => {
    const document = world.type(SHOP_ORDERS, ORDERS);
    const view = world.type(SHOP_SALES, `${SALES}    measures:\n      - name: share\n        sql: '{CUBE.Revenue}'\n`);
    const used = view.text.lastIndexOf('Revenue');
    const { pattern } = world.editor.selectors['rename'] as { pattern: string };
    assert.ok(posix.matchesGlob('model/orders.js', pattern));
    for (const [where, offset] of [
      [document, ORDERS.indexOf('revenue')],
      [document, ORDERS.lastIndexOf('revenue') + 'revenue'.length],
      [view, used],
    ] as const) {
      const position = where.positionAt(offset);
      const { start, end } = await world.rename.prepareRename(where, position);
      assert.match(where.text.slice(where.offsetAt(start), where.offsetAt(end)), /^revenue$/i);
      const edit = await world.rename.provideRenameEdits(where, position, 'turnover');
      assert.deepEqual(edit.edits.toSorted(), [
        `${SHOP_QUERY}:4 turnover`,
        `${SHOP_ORDERS}:4 turnover`,
        `${SHOP_ORDERS}:7 turnover`,
        `${SHOP_SALES}:8 turnover`,
      ]);
    }
    const at = document.positionAt(ORDERS.indexOf('revenue'));
    for (const [name, message] of [
      ['Rate', /“orders” already has a member “Rate”/],
      ['net revenue', /letters, digits/],
      ['1st', /letters, digits/],
    ] as const)
      await assert.rejects(world.rename.provideRenameEdits(document, at, name), message);
    for (const other of [new Position(0, 0), new Position(3, 10), new Position(3, 22)])
      await assert.rejects(world.rename.prepareRename(document, other), /Only members/);
    const changed = await world.rename.provideRenameEdits(document, at, 'Revenue');
    assert.equal(changed.edits.length, 4);
    world.type(SHOP_SALES, `${SALES}  - [\n`);
    world.editor.documents.find(({ uri }) => uri.path === SHOP_QUERY)!.text = 'changed';
    const edits = world.rename.provideRenameEdits(document, at, 'turnover');
    await assert.rejects(edits, /^Error: model\/sales\.yml has a syntax error/);
  });

  it('don’t come up with Rename of an alias, which only its view has, or in code', async () => {
    const alias = SALES.replace('"*"', '\n          - name: revenue\n            alias: money');
    const code = "cube('refunds', {\n  measures: {\n    money: { type: 'count' },\n  },\n});\n";
    const paths = ['refunds.js', 'returns.ts', 'visits.js'].map((name) => `/shop/model/${name}`);
    const [js, ts, visits] = paths as [string, string, string];
    for (const path of paths) {
      world.found.push(path);
      world.editor.files.set(path, '');
    }
    for (const [path, text, line] of [
      [SHOP_SALES, alias, 7],
      [js, code, 3],
      [ts, code.replace('refunds', 'returns').replace('measures', 'dimensions'), 3],
      [visits, code.replace('refunds', 'visits').replace('measures', 'segments'), 3],
    ] as const) {
      const document = world.type(path, text);
      const at = document.positionAt(text.indexOf('money') + 2);
      assert.equal(document.getText(await world.rename.prepareRename(document, at)), 'money');
      assert.deepEqual((await world.rename.provideRenameEdits(document, at, 'paid')).edits, [`${path}:${line} paid`]);
    }
  });
});

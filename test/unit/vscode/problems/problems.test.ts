/** Unknown names in the Problems view, their fixes and *Rename*, with a stub of the editor. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Disposable, EventEmitter, Uri } from '../../../support/editorValues.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    [this.line, this.character] = [line, character];
  }
}
class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [Position, Position] | [number, number, number, number]) {
    const [start, end] = at.length === 2 ? at : [new Position(at[0], at[1]), new Position(at[2], at[3])];
    [this.start, this.end] = [start, end];
  }
}
class Diagnostic {
  readonly range: Range;
  readonly message: string;
  constructor(range: Range, message: string) {
    [this.range, this.message] = [range, message];
  }
}
class WorkspaceEdit {
  readonly edits: string[] = [];
  replace({ path }: Uri, { start }: Range, text: string): void {
    this.edits.push(`${path}:${start.line + 1} ${text}`);
  }
}
interface Action {
  title: string;
  edit?: WorkspaceEdit;
  command?: { command: string; arguments: unknown[] };
}

/** An open file with unsaved changes. */
class Document {
  readonly uri: Uri;
  text: string;
  constructor(path: string, text: string) {
    this.uri = Uri.file(path);
    this.text = text;
  }
  getText(range?: Range): string {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }
  offsetAt({ line, character }: Position): number {
    return this.text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  }
  positionAt(offset: number): Position {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1)!.length);
  }
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

/** A workspace folder with a data model and a certified query. */
class World {
  readonly files = new Map([
    ['/shop/model/orders.yml', ORDERS],
    [
      '/shop/model/sales.yml',
      'views:\n  - name: sales\n    cubes:\n      - join_path: orders\n        includes: "*"\n',
    ],
  ]);
  readonly documents: Document[] = [];
  readonly changed = new EventEmitter<{ document: Document }>();
  readonly configuration = new EventEmitter<{ affectsConfiguration(): boolean }>();
  readonly shown = new Map<string, Diagnostic[]>();
  readonly hints = new Map<string, Diagnostic[]>();
  enabled = true;
  missingDescriptions = false;
  excluded: Record<string, boolean> = {};
  actions!: { provideCodeActions(...args: unknown[]): Promise<Action[]> };
  rename!: {
    prepareRename(document: Document, position: Position): Promise<Range>;
    provideRenameEdits(document: Document, position: Position, newName: string): Promise<WorkspaceEdit>;
  };

  async start(): Promise<Disposable> {
    const editor = this.#editor();
    const { registerProblems, ModelFiles } = await loadWithEditor<{
      registerProblems(services: object): Disposable;
      ModelFiles: new () => object;
    }>('vscode/problems/problemsArea.ts', editor, 'vscode/model/modelFiles.ts');
    return registerProblems({
      modelFiles: new ModelFiles(),
      questionFiles: {
        onDidChange: () => new Disposable(() => undefined),
        filesIn: () => Promise.resolve([{ path: 'agents/certified_queries/q.md', text: QUERY }]),
      },
      log: { error: (_: string, failure: unknown) => assert.fail(String(failure)) },
    });
  }

  /** Changes the text of an open file. */
  type(path: string, text: string): Document {
    let document = this.documents.find(({ uri }) => uri.path === path);
    if (document === undefined) this.documents.push((document = new Document(path, '')));
    document.text = text;
    this.changed.fire({ document });
    return document;
  }

  /** The problems as `path:line name`. */
  problems(): string[] {
    return [...this.shown].flatMap(([path, diagnostics]) =>
      diagnostics.map(({ range, message }) => `${path}:${range.start.line + 1} ${/“(\w+)”/.exec(message)![1]}`),
    );
  }

  #settings(): Record<string, unknown> {
    return {
      'problems.enabled': this.enabled,
      'problems.missingDescriptions': this.missingDescriptions,
      exclude: this.excluded,
    };
  }

  #editor(): object {
    const folder = { uri: Uri.file('/shop'), name: 'shop', index: 0 };
    const nothing = new Disposable(() => undefined);
    const event = () => nothing;
    const watcher = { onDidCreate: event, onDidDelete: event, onDidChange: event };
    return {
      ...{ Disposable, EventEmitter, Uri, Position, Range, Diagnostic, WorkspaceEdit },
      DiagnosticSeverity: { Error: 0, Hint: 3 },
      CodeActionKind: { QuickFix: 'quickfix' },
      CodeAction: class {
        readonly title: string;
        constructor(title: string) {
          this.title = title;
        }
      },
      languages: {
        createDiagnosticCollection: (name: string) => {
          const shown = name === 'analyticsChat.names' ? this.shown : this.hints;
          return {
            set: ({ path }: Uri, diagnostics: Diagnostic[]) => shown.set(path, diagnostics),
            delete: ({ path }: Uri) => shown.delete(path),
            dispose: () => shown.clear(),
          };
        },
        registerCodeActionsProvider: (_: unknown, provider: World['actions']) => {
          this.actions = provider;
          return nothing;
        },
        registerRenameProvider: (_: unknown, provider: World['rename']) => {
          this.rename = provider;
          return nothing;
        },
      },
      workspace: {
        workspaceFolders: [folder],
        textDocuments: this.documents,
        getWorkspaceFolder: () => folder,
        asRelativePath: ({ path }: Uri) => path.replace('/shop/', ''),
        getConfiguration: () => ({
          get: (key: string, fallback: unknown) => this.#settings()[key] ?? fallback,
          inspect: (key: string) => (key === 'exclude' ? { defaultValue: { '**/.git': true } } : undefined),
        }),
        findFiles: (pattern: string) =>
          Promise.resolve(pattern.includes('model') ? [...this.files.keys()].map((path) => Uri.file(path)) : []),
        fs: { readFile: ({ path }: Uri) => Promise.resolve(new TextEncoder().encode(this.files.get(path))) },
        openTextDocument: ({ path }: Uri) =>
          Promise.resolve(
            this.documents.find(({ uri }) => uri.path === path) ??
              new Document(path, path.endsWith('.md') ? QUERY : this.files.get(path)!),
          ),
        createFileSystemWatcher: () => Object.assign(new Disposable(() => undefined), watcher),
        onDidChangeTextDocument: this.changed.event,
        onDidOpenTextDocument: event,
        onDidCloseTextDocument: event,
        onDidChangeWorkspaceFolders: event,
        onDidChangeConfiguration: this.configuration.event,
      },
    };
  }
}

const RENAMED = ORDERS.replace('- name: revenue', '- name: revenue_net');
const BROKEN = ['/shop/model/orders.yml:7 revenue', '/shop/agents/certified_queries/q.md:4 revenue'];

describe('problems of names', () => {
  let world: World;
  let started: Disposable;
  const shows = (expected: readonly string[]): Promise<unknown> =>
    until(() => JSON.stringify(world.problems()) === JSON.stringify(expected));

  beforeEach(async () => {
    world = new World();
    started = await world.start();
  });
  afterEach(() => started.dispose());

  it('are those of the open files of the agent, also if their folder is found as one of the data model', async () => {
    const query = '/shop/agents/certified_queries/q.md';
    world.files.set(query, QUERY);
    world.type('/shop/model/orders.yml', RENAMED.replace('{revenue}', '{revenue_net}'));
    await shows(BROKEN.slice(1));
    world.type(query, QUERY.replace('revenue', 'revenue_net'));
    await until(() => world.problems().length === 0);
  });

  it('appear in all files while the user types, and vanish with the change', async () => {
    world.type('/shop/model/orders.yml', RENAMED);
    await shows(BROKEN);
    world.type('/shop/model/orders.yml', ORDERS);
    await until(() => world.problems().length === 0);
  });

  it('stay while a file has a syntax error', async () => {
    world.type('/shop/model/orders.yml', RENAMED);
    await shows(BROKEN);
    const sales = world.files.get('/shop/model/sales.yml')!;
    world.type('/shop/model/orders.yml', `${RENAMED}      - name: [\n`);
    world.type('/shop/model/sales.yml', sales.replace('join_path: orders', 'join_path: order'));
    await until(
      () => world.problems().some((each) => each.endsWith(' order')) && !world.problems().includes(BROKEN[1]!),
    );
    assert.deepEqual(
      world.problems().filter((each) => each.endsWith(' revenue')),
      [BROKEN[0]],
    );
  });

  it('are no cubes and views while the settings hide files from searches', async () => {
    world.excluded = { '**/.git': true, 'model/generated': true };
    const sales = world.files.get('/shop/model/sales.yml')!;
    world.type('/shop/model/sales.yml', sales.replace('join_path: orders', 'join_path: order'));
    world.type('/shop/model/orders.yml', RENAMED);
    await until(() => world.problems().includes(BROKEN[0]!));
    assert.deepEqual(world.problems(), [BROKEN[0]]);
    world.excluded = { '**/.git': true, 'model/generated': false };
    world.configuration.fire({ affectsConfiguration: () => true });
    await until(() => world.problems().length === 2);
  });

  it('vanish when the setting is turned off', async () => {
    world.type('/shop/model/orders.yml', RENAMED);
    await shows(BROKEN);
    world.enabled = false;
    world.configuration.fire({ affectsConfiguration: () => true });
    await until(() => world.problems().length === 0);
  });

  it('have fixes: a similar name here, and everywhere', async () => {
    const document = world.type('/shop/model/orders.yml', RENAMED);
    await shows(BROKEN);
    const diagnostics = world.shown.get('/shop/model/orders.yml')!;
    const actions = await world.actions.provideCodeActions(document, diagnostics[0]!.range, { diagnostics });
    assert.deepEqual(
      actions.map(({ title }) => title),
      ['Change to “revenue_net”', 'Rename “revenue” to “revenue_net” everywhere…'],
    );
    assert.deepEqual(actions[0]!.edit!.edits, ['/shop/model/orders.yml:7 revenue_net']);
    assert.deepEqual(actions[1]!.command, {
      command: 'analyticsChat.renameEverywhere',
      title: 'Rename “revenue” to “revenue_net” everywhere…',
      arguments: [{ folder: 'file:///shop', owner: 'orders', name: 'revenue', newName: 'revenue_net' }],
    });
    document.text = document.text.replace('{revenue}', '{margin}');
    assert.deepEqual(await world.actions.provideCodeActions(document, diagnostics[0]!.range, { diagnostics }), []);
  });

  it('have the new name as their fix, however different, also after it was typed letter by letter', async () => {
    let document = world.type('/shop/model/orders.yml', ORDERS);
    // The first check reads the files.
    world.type('/shop/model/sales.yml', world.files.get('/shop/model/sales.yml')!.replace('orders', 'order'));
    await until(() => world.problems().length > 0);
    world.type('/shop/model/sales.yml', world.files.get('/shop/model/sales.yml')!);
    for (const name of ['t', 'turnover']) {
      document = world.type('/shop/model/orders.yml', ORDERS.replace('- name: revenue', `- name: ${name}`));
      await until(() => world.problems().some((each) => each === BROKEN[0]));
      await until(async () => {
        const diagnostics = world.shown.get('/shop/model/orders.yml')!;
        const [action] = await world.actions.provideCodeActions(document, diagnostics[0]!.range, { diagnostics });
        return action?.title === `Change to “${name}”`;
      });
    }
  });

  it('come with hints at members without a description if the setting is on, which offer to correct them', async () => {
    const text = ORDERS.replace('sql: amount', 'description: Paid.\n        sql: amount');
    const document = world.type('/shop/model/orders.yml', text.replace('/ 100', '* 0'));
    world.missingDescriptions = true;
    world.configuration.fire({ affectsConfiguration: () => true });
    await until(() => world.hints.size > 0);
    const diagnostics = world.hints.get('/shop/model/orders.yml')!;
    assert.deepEqual(
      diagnostics.map(({ message }) => message),
      ['“orders.rate” has no description for the agent.'],
    );
    const [action] = await world.actions.provideCodeActions(document, diagnostics[0]!.range, { diagnostics });
    assert.deepEqual(action!.command, {
      command: 'analyticsChat.correct',
      title: 'Correct…',
      arguments: [{ member: 'orders.rate' }],
    });
    world.missingDescriptions = false;
    world.configuration.fire({ affectsConfiguration: () => true });
    await until(() => world.hints.size === 0);
  });

  it('don’t come up with Rename, which changes a member in all files', async () => {
    const document = world.type('/shop/model/orders.yml', ORDERS);
    for (const offset of [ORDERS.indexOf('revenue'), ORDERS.lastIndexOf('revenue') + 2]) {
      const edit = await world.rename.provideRenameEdits(document, document.positionAt(offset), 'turnover');
      assert.deepEqual(edit.edits, [
        '/shop/model/orders.yml:4 turnover',
        '/shop/model/orders.yml:7 turnover',
        '/shop/agents/certified_queries/q.md:4 turnover',
      ]);
    }
    const at = document.positionAt(ORDERS.indexOf('revenue'));
    await assert.rejects(world.rename.provideRenameEdits(document, at, 'rate'), /“orders” already has a member “rate”/);
    await assert.rejects(world.rename.provideRenameEdits(document, at, 'net revenue'), /letters, digits/);
    await assert.rejects(world.rename.prepareRename(document, new Position(0, 0)), /Only members/);
  });
});

/** The lenses in model files, with a stub of the editor. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import type { Disposable } from '../../../support/editorValues.ts';
import { EventEmitter } from '../../../support/editorValues.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { questionNamed } from '../../evals/support.ts';

interface Lens {
  line: number;
  command: { title: string; command: string; arguments?: [{ name: string; questions: TestQuestion[] }] };
}
interface Provider {
  provideCodeLenses(document: object): Promise<Lens[]>;
}

const nothing = { dispose: () => undefined };
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
const uriOf = (path: string) => ({ path: `/shop/${path}`, toString: () => `/shop/${path}` });
const folder = { uri: uriOf('') };
const onSales = questionNamed('a', { expectedSql: { sql: 'SELECT MEASURE(sales.revenue) FROM sales' } });
/** The same from the history. */
const asked = questionNamed('b', { ...onSales, text: 'Money?', path: '' });

/** A workspace with two model files. */
class World {
  isTrusted = true;
  text = ORDERS;
  tests: TestQuestion[] = [];
  past: () => Promise<TestQuestion[]> = () => Promise.resolve([]);
  /** Number of times that the lenses were requested again. */
  changes = 0;
  readonly connection = new EventEmitter<void>();
  readonly trust = new EventEmitter<void>();
  #provider: Provider | undefined;

  /** Registers the lenses. @returns a function that removes them */
  async start(): Promise<() => void> {
    const editor = this.#editor();
    const { offerChecks } = await loadWithEditor<{ offerChecks(services: object, past: object): Disposable }>(
      'vscode/check/checkArea.ts',
      editor,
    );
    const { ModelFiles } = await loadWithEditor<{ ModelFiles: new () => object }>('vscode/model/modelFiles.ts', editor);
    const services = {
      modelFiles: new ModelFiles(),
      connections: { onDidChange: this.connection.event },
      sessions: { onDidChange: () => nothing },
      questionFiles: { onDidChange: () => nothing, questionsOf: () => Promise.resolve(this.tests) },
    };
    const offered = offerChecks(services, { load: () => this.past() });
    return () => offered.dispose();
  }

  async lenses(): Promise<string[]> {
    const { text } = this;
    const document = {
      ...{ uri: uriOf('model/orders.yml'), languageId: 'yaml', getText: () => text },
      positionAt: (offset: number) => text.slice(0, offset).split('\n').length,
    };
    const lenses = (await this.#provider?.provideCodeLenses(document)) ?? [];
    return lenses.map(({ line, command: { title, command, arguments: found } }) => {
      const [about] = found ?? [];
      return [line, title, command, ...(about ? [about.name, ...about.questions.map(({ name }) => name)] : [])].join(
        '|',
      );
    });
  }

  #editor(): object {
    const isTrusted = (): boolean => this.isTrusted;
    const changed = (): number => (this.changes += 1);
    return {
      CodeLens: class {
        readonly line: number;
        readonly command: Lens['command'];
        constructor({ line }: { line: number }, command: Lens['command']) {
          [this.line, this.command] = [line, command];
        }
      },
      EventEmitter: class {
        event = () => nothing;
        fire = changed;
        dispose = () => undefined;
      },
      Range: class {
        readonly line: number;
        constructor(line: number) {
          this.line = line;
        }
      },
      commands: { executeCommand: () => Promise.resolve() },
      languages: {
        registerCodeLensProvider: (_selector: object, provider: Provider) => {
          this.#provider = provider;
          return nothing;
        },
      },
      workspace: {
        get isTrusted() {
          return isTrusted();
        },
        getWorkspaceFolder: () => folder,
        findFiles: () => Promise.resolve(['model/orders.yml', 'model/sales.yml'].map(uriOf)),
        fs: {
          readFile: ({ path }: { path: string }) =>
            Promise.resolve(new TextEncoder().encode(path.endsWith('sales.yml') ? SALES : ORDERS)),
        },
        createFileSystemWatcher: () => ({
          ...{ onDidCreate: () => nothing, onDidChange: () => nothing, onDidDelete: () => nothing, ...nothing },
        }),
        onDidGrantWorkspaceTrust: this.trust.event,
      },
    };
  }
}

describe('lenses in model files', () => {
  let world: World;
  let stop: () => void;

  beforeEach(async () => {
    world = new World();
    world.tests = [onSales];
    stop = await world.start();
  });
  afterEach(() => stop());

  it('are at the members that questions use, also through a view in another file, and list them', async () => {
    assert.deepEqual(await world.lenses(), [
      '7|Ask · 1 question uses it|analyticsChat.askAboutMember|orders.revenue|a',
    ]);
  });

  it('count the questions of the history too, once they are read', async () => {
    world.past = () => Promise.resolve([asked]);
    await world.lenses();
    await until(() => world.changes > 0);
    assert.match((await world.lenses()).join(), /^7\|Ask · 2 questions use it\|/);
  });

  it('count only questions on the current connection, also if it is switched while they are read', async () => {
    const first = Promise.withResolvers<TestQuestion[]>();
    world.past = () => first.promise;
    await world.lenses();
    world.past = () => Promise.resolve([]);
    world.connection.fire();
    first.resolve([asked]);
    await first.promise;
    assert.match((await world.lenses()).join(), /^7\|Ask · 1 question uses it\|/);
    world.past = () => Promise.resolve([asked]);
    world.connection.fire();
    const before = world.changes;
    await world.lenses();
    await until(() => world.changes > before);
    assert.match((await world.lenses()).join(), /^7\|Ask · 2 questions use it\|/);
  });

  it('stay those of the last version that parsed, as far as their members are where they were, and say so', async () => {
    await world.lenses();
    world.text = `${ORDERS}    dimensions: [`;
    const [error = '', ...others] = await world.lenses();
    assert.equal(error, '11|Syntax error: the members of this file are those of its last version without one|');
    assert.match(others.join(), /^7\|Ask · 1 question uses it\|/);
    world.text = `x: [\n${ORDERS}`;
    assert.deepEqual((await world.lenses()).length, 1);
    world.text = ORDERS;
    assert.deepEqual((await world.lenses()).length, 1);
    assert.match((await world.lenses()).join(), /^7\|/);
  });

  it('follow the text in the editor before it is saved', async () => {
    world.text = `# Our orders\n${ORDERS}`;
    assert.match((await world.lenses()).join(), /^8\|/);
  });

  it('are not at members that no question uses, or in the lists of a view', async () => {
    world.tests = [];
    assert.deepEqual(await world.lenses(), []);
    world.tests = [onSales];
    world.text = SALES;
    assert.deepEqual(await world.lenses(), []);
  });

  it('appear when the workspace is trusted, not before', async () => {
    world.isTrusted = false;
    assert.deepEqual(await world.lenses(), []);
    world.isTrusted = true;
    world.trust.fire();
    assert.equal(world.changes, 1);
    assert.equal((await world.lenses()).length, 1);
  });
});

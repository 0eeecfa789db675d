/** *Check My Change* with stubs of the editor and of the Git extension; its asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { Uri } from '../../../support/editorValues.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { questionNamed } from '../../evals/support.ts';
import type { ServiceStubs } from '../areas.ts';

class Diagnostic {
  readonly range: { start: { line: number } };
  readonly message: string;
  readonly severity: number;
  constructor(range: { start: { line: number } }, message: string, severity: number) {
    [this.range, this.message, this.severity] = [range, message, severity];
  }
}
interface Dialog {
  message: string;
  detail?: string;
  actions: string[];
}

const nothing = { dispose: () => undefined };
const PATH = 'model/orders.yml';
const BASE = `cubes:
  - name: orders
    measures:
      - name: count
        type: count
      - name: revenue
        sql: amount
`;
const EDITED = BASE.replace('sql: amount', 'sql: amount - refund');
const folder = { uri: Uri.file('/shop'), name: 'shop' };
const other = { uri: Uri.file('/docs'), name: 'docs' };
const asking = (name: string, fields: Partial<TestQuestion> = {}): TestQuestion =>
  questionNamed(name, { expectedSql: { sql: `SELECT MEASURE(orders.${name}) FROM orders` }, ...fields });

class World {
  isTrusted = true;
  isConnected = true;
  hasGit = true;
  folders = [folder];
  head: object = { name: 'dev', ahead: 0, upstream: { remote: 'origin', name: 'dev' } };
  /** Model files at the merge base, and on disk. */
  base: Record<string, string> = { [PATH]: BASE };
  disk: Record<string, string> = { [PATH]: EDITED };
  uncommitted: string[] = [];
  unsaved: string[] = [];
  main = 'main';
  questions: TestQuestion[] = [asking('revenue'), asking('count')];
  past: TestQuestion[] = [];
  /** The action that the user chooses in each dialog. */
  choice: string | undefined = 'Ask';
  readonly dialogs: Dialog[] = [];
  readonly notices: Dialog[] = [];
  readonly commands: string[] = [];
  /** State of the workspace, which the next window has too. */
  readonly state = new Map<string, unknown>();
  readonly asked: string[] = [];
  readonly picks: string[] = [];
  readonly diffs: string[] = [];
  diagnostics: string[] = [];
  /** Number of requests that fail; later ones run until the user cancels. */
  failures = Infinity;
  /** Removes a folder from the workspace. */
  remove = (_: { removed: object[] }): void => undefined;
  #changed: (() => void)[] = [];
  readonly #onCancel: (() => void)[] = [];
  readonly #onClose: (() => void)[] = [];
  readonly #running: (() => void)[] = [];

  /** Runs the command. @returns its error message */
  async check(argument?: object): Promise<string | undefined> {
    const editor = this.editor();
    const { checkMyChange } = await loadWithEditor<{
      checkMyChange(app: object, argument?: object): Promise<void>;
    }>('vscode/check/checkMyChange.ts', editor);
    return checkMyChange({ ...this.services(), checks: await this.checks(editor) }, argument).then(
      () => undefined,
      (failure: Error) => failure.message,
    );
  }

  /** Calls the tool of language models. @returns what the user has to confirm; undefined if nothing is asked */
  async tool(input: object): Promise<string | undefined> {
    type Tool = { prepareInvocation(call: object): Promise<{ confirmationMessages?: { message: { value: string } } }> };
    const { runTools } = await loadWithEditor<{ runTools(services: ServiceStubs): { check_model_change: Tool } }>(
      'vscode/native/runTools.ts',
      this.editor(),
    );
    const { confirmationMessages } = await runTools(this.services()).check_model_change.prepareInvocation({ input });
    return confirmationMessages?.message.value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  }

  services(): ServiceStubs {
    return {
      context: { extensionUri: Uri.file('/extension') },
      guarded: (work: () => unknown) => work(),
      log: { warn: () => undefined },
      questionFiles: {
        questionsOf: () => Promise.resolve(this.questions),
        load: () => Promise.resolve([{ folder, questions: this.questions }]),
      },
      identities: { current: 'me' },
      branches: { mainOf: () => this.main, currentIn: () => ({ name: '', isDefault: true }) },
      connections: { current: this.isConnected ? { name: '', chatApiUrl: 'https://acme.example/a' } : undefined },
      connector: {
        connect: (_home: object, { branch, identity }: { branch: string; identity: string }) => {
          this.asked.push(`${identity} on ${branch}`);
          const failure = new Error('No connection');
          return this.asked.length <= this.failures
            ? Promise.reject(failure)
            : new Promise((_, reject) => this.#running.push(() => reject(failure)));
        },
      },
    };
  }

  async checks(editor: object): Promise<{ restore(mainOf: () => string): Promise<void> }> {
    type Module = { Checks: new (...of: object[]) => never; CheckMemory: new (state: object) => object };
    const paths = ['vscode/check/checks.ts', 'vscode/check/checkMemory.ts'] as const;
    const { Checks, CheckMemory } = await loadWithEditor<Module>(paths[0], editor, paths[1]);
    const state = {
      get: (key: string) => this.state.get(key),
      update: (key: string, value: unknown) => Promise.resolve(this.state.set(key, structuredClone(value))),
    };
    const clean = (text: string) => text.replaceAll('the-key', '[redacted]');
    return new Checks({ load: () => Promise.resolve(this.past) }, clean, new CheckMemory(state));
  }

  /** Opens the workspace in another window. */
  async reload(): Promise<void> {
    this.diagnostics = [];
    await (await this.checks(this.editor())).restore(() => this.main);
  }

  /** Writes a file, as VS Code's watcher reports it. */
  write(path: string, text: string): void {
    this.disk[path] = text;
    for (const changed of this.#changed) changed();
  }

  /** Ends the check as the user does: in its notification, or by closing its tab. */
  end(how: 'canceled' | 'closed'): void {
    for (const each of [...(how === 'canceled' ? this.#onCancel : this.#onClose), ...this.#running]) each();
  }

  editor(): object {
    const show = (message: string, ...rest: (string | { modal?: boolean; detail?: string })[]) => {
      const [options] = rest.filter((each) => typeof each === 'object');
      const actions = rest.filter((each) => typeof each === 'string');
      const dialog = { message, ...(options?.detail === undefined ? {} : { detail: options.detail }), actions };
      (options?.modal ? this.dialogs : this.notices).push(dialog);
      return Promise.resolve(this.choice && actions.includes(this.choice) ? this.choice : undefined);
    };
    const change = (path: string, status: number) => ({
      ...{ uri: Uri.file(`/shop/${path}`), originalUri: Uri.file(`/shop/${path}`), status },
    });
    const repository = {
      rootUri: Uri.file('/shop'),
      state: {
        ...{ HEAD: this.head, indexChanges: [], mergeChanges: [] },
        workingTreeChanges: this.uncommitted.map((path) => change(path, path in this.base ? 5 : 7)),
      },
      status: () => Promise.resolve(),
      getBranch: () => Promise.resolve({ name: 'main', upstream: { remote: 'origin', name: 'main' } }),
      getMergeBase: (ref: string) => {
        this.diffs.push(ref);
        return Promise.resolve('abc');
      },
      diffWith: () =>
        Promise.resolve([
          ...Object.keys(this.base).flatMap((path) =>
            path in this.disk ? (this.disk[path] === this.base[path] ? [] : [change(path, 5)]) : [change(path, 6)],
          ),
          ...Object.keys(this.disk).flatMap((path) =>
            path in this.base || this.uncommitted.includes(path) ? [] : [change(path, 1)],
          ),
        ]),
      show: (_commit: string, path: string) => Promise.resolve(this.base[path.replace('/shop/', '')]),
    };
    const getAPI = () => ({
      ...{ state: 'initialized', repositories: this.hasGit ? [repository] : [] },
      getRepository: () => (this.hasGit ? repository : null),
    });
    const inFolder = ({ path }: Uri) => this.folders.find(({ uri }) => path.startsWith(`${uri.path}/`));
    const isTrusted = this.isTrusted;
    return {
      ...{ Uri, Diagnostic },
      DiagnosticSeverity: { Warning: 1, Information: 2 },
      DiagnosticRelatedInformation: class {},
      Location: class {},
      Range: class {
        readonly start: object;
        constructor(line: number) {
          this.start = { line };
        }
      },
      commands: { executeCommand: (command: string) => Promise.resolve(this.commands.push(command)) },
      extensions: { getExtension: () => ({ activate: () => Promise.resolve({ getAPI }) }) },
      languages: {
        createDiagnosticCollection: () => ({
          ...nothing,
          clear: () => (this.diagnostics = []),
          set: (entries: [Uri, Diagnostic[]][]) => {
            this.diagnostics = entries.flatMap(([uri, all]) =>
              all.map(({ message, range }) => `${uri.path.slice(6)}:${range.start.line + 1} ${message}`),
            );
          },
        }),
      },
      window: {
        activeTextEditor: undefined,
        showWarningMessage: show,
        showInformationMessage: show,
        showQuickPick: (items: { label: string }[]) => {
          this.picks.push(...items.map(({ label }) => label));
          return Promise.resolve(items[0]);
        },
        createWebviewPanel: () => ({
          webview: { onDidReceiveMessage: () => nothing, asWebviewUri: (uri: Uri) => uri },
          onDidChangeViewState: () => nothing,
          onDidDispose: (listener: () => void) => (this.#onClose.push(listener), nothing),
        }),
        withProgress: (_options: object, task: (progress: object, token: object) => Promise<void>) =>
          task(
            { report: () => undefined },
            { onCancellationRequested: (cancel: () => void) => (this.#onCancel.push(cancel), nothing) },
          ),
      },
      workspace: {
        ...{ isTrusted, workspaceFolders: this.folders, getWorkspaceFolder: inFolder },
        textDocuments: this.unsaved.map((path) => ({ isDirty: true, uri: Uri.file(path) })),
        asRelativePath: ({ path }: Uri, hasFolder = this.folders.length > 1) =>
          path.replace(hasFolder ? /^\// : /^\/\w+\//, ''),
        findFiles: () => Promise.resolve(Object.keys(this.disk).map((path) => Uri.file(`/shop/${path}`))),
        fs: {
          readFile: ({ path }: Uri) => {
            const text = this.disk[path.replace('/shop/', '')];
            return text === undefined
              ? Promise.reject(new Error(path))
              : Promise.resolve(new TextEncoder().encode(text));
          },
        },
        onDidChangeWorkspaceFolders: (listener: typeof this.remove) => ((this.remove = listener), nothing),
        createFileSystemWatcher: () => ({
          ...nothing,
          onDidCreate: () => nothing,
          onDidChange: (listener: () => void) => (this.#changed.push(listener), nothing),
          onDidDelete: () => nothing,
        }),
      },
    };
  }
}

describe('Check My Change with a stub of the editor', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  it('says how many questions it will ask and where, asks only those that use the change, and lists all failures', async () => {
    const cost = 'At most 6 requests, because differing answers are asked again';
    assert.equal(await world.check(), undefined);
    assert.deepEqual(world.dialogs, [
      {
        message: 'Ask 1 question on “main” and on “dev”?',
        detail: `Changed: orders.revenue\n\n${cost}`,
        actions: ['Ask'],
      },
    ]);
    assert.deepEqual(world.asked.sort(), ['me on dev', 'me on main']);
    assert.equal(world.diagnostics.length, 1);
    assert.match(world.diagnostics[0]!, /^model\/orders\.yml:6 What is revenue: main: .*; dev: /);
    assert.equal(world.diffs[0], 'origin/main', 'the service has what is pushed');
  });

  it('continues after a question that fails', async () => {
    world.questions = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => asking('revenue', { name, text: name }));
    await world.check();
    assert.equal(world.asked.length, 12);
    assert.equal(world.diagnostics.length, 1, 'one problem lists all answers');
    assert.match(world.diagnostics[0]!, /This change affects 6 questions:\n• a: .*\n• b: .*(\n.*){4}$/);
  });

  it('lists failures without secrets', async () => {
    world.questions = [asking('revenue', { text: 'revenue of the-key' })];
    await world.check();
    assert.match(world.diagnostics.join(), /revenue of \[redacted\]/);
  });

  it('is a tool of language models too, which says what it can’t follow, unless it asks every question', async () => {
    world.base['cube.js'] = 'a';
    world.disk['cube.js'] = 'b';
    const lines = async (input: object) => (await world.tool(input))?.split(/\s*\n\s*/);
    assert.deepEqual(await lines({}), [
      'Asking 1 question on main and dev, at most 6 requests',
      'Asked as “me”',
      'Changed, but it is not known which answers this affects:',
      'cube.js: code that can’t be followed',
      'Changed: orders.revenue',
    ]);
    assert.deepEqual(await lines({ all: true }), [
      'Asking 2 questions on main and dev, at most 12 requests',
      'Asked as “me”',
      'Changed: orders.revenue',
    ]);
    assert.deepEqual(world.asked, []);
  });

  it('asks nothing if the user cancels the dialog', async () => {
    world.choice = undefined;
    assert.equal(await world.check(), undefined);
    assert.deepEqual([world.asked, world.diagnostics], [[], []]);
  });

  it('asks questions of the history too, unless the user wants only tests', async () => {
    world.past = [asking('revenue', { text: 'Money?', identity: 'ann', path: '' })];
    await world.check();
    assert.match(world.dialogs[0]?.detail ?? '', /Questions from tests: 1, from the history: 1/);
    assert.deepEqual(world.asked.sort(), ['ann on dev', 'ann on main', 'me on dev', 'me on main']);
    world.choice = 'Ask only tests';
    world.asked.length = 0;
    await world.check();
    assert.deepEqual(world.asked.sort(), ['me on dev', 'me on main']);
    world.questions = [];
    await world.check();
    assert.deepEqual(world.dialogs.at(-1)?.actions, ['Ask'], 'there are no tests');
  });

  it('warns before it asks of changes that the service does not have', async () => {
    world.head = { name: 'dev', ahead: 2, upstream: { remote: 'origin', name: 'dev' } };
    world.uncommitted = [PATH, 'agents/eval_questions.yml'];
    world.folders = [folder, other];
    world.unsaved = [`/shop/${PATH}`, '/shop/notes.md'];
    await world.check();
    const [dialog] = world.dialogs;
    assert.deepEqual(dialog?.detail?.split('\n').slice(4), [
      'The service may still have the old model. Commit and push, then check again.',
      'Not saved: model/orders.yml',
      'Not committed: model/orders.yml',
      'Not pushed: 2 commits',
    ]);
    assert.deepEqual(dialog?.actions, ['Ask anyway', 'Open Source Control']);
    assert.deepEqual(world.asked, []);
    world.choice = 'Ask anyway';
    await world.check();
    assert.equal(world.asked.length, 2);
    world.head = { name: 'dev' };
    world.uncommitted = [];
    world.unsaved = [`/docs/${PATH}`];
    await world.check();
    assert.match(world.dialogs[2]?.detail ?? '', /check again\.\nNever pushed: branch “dev”$/);
  });

  it('removes its problems when the member is changed back, and keeps them while only comments change', async () => {
    await world.check();
    world.write(PATH, `# Orders\n${EDITED}`);
    await until(() => world.diagnostics[0]?.startsWith('model/orders.yml:7 '));
    world.write(PATH, BASE);
    await until(() => world.diagnostics.length === 0);
  });

  it('shows its problems again in the next window, until their change is gone', async () => {
    world.questions = [asking('revenue', { text: 'revenue of the-key' })];
    await world.check();
    const found = world.diagnostics;
    await world.reload();
    assert.deepEqual(world.diagnostics, found);
    assert.doesNotMatch(JSON.stringify([...world.state]), /the-key/);
    world.write(PATH, `# Orders\n${EDITED}`);
    await until(() => world.diagnostics[0]?.startsWith('model/orders.yml:7 '));
    world.disk[PATH] = BASE.replace('sql: amount', 'sql: amount - tax');
    await world.reload();
    assert.deepEqual(world.diagnostics, []);
  });

  it('offers to switch the branch on the main branch', async () => {
    world.head = { name: 'main' };
    world.choice = 'Switch branch…';
    assert.equal(await world.check(), undefined);
    assert.match(world.notices[0]?.message ?? '', /^“main” is the main branch\. Switch to the branch/);
    assert.deepEqual(world.commands, ['git.checkout']);
  });

  it('removes its problems with the folder that they are in', async () => {
    await world.check();
    world.remove({ removed: [other] });
    assert.notDeepEqual(world.diagnostics, []);
    world.remove({ removed: [folder] });
    assert.deepEqual(world.diagnostics, []);
  });

  it('reads untracked, deleted and renamed files', async () => {
    const moved = 'model/purchases.yml';
    world.disk = { [moved]: BASE.replace('- name: revenue', '- name: income') };
    world.uncommitted = [moved];
    world.choice = 'Ask anyway';
    await world.check();
    assert.match(world.dialogs[0]?.detail ?? '', /^Renamed: orders\.revenue → orders\.income\n/);
    assert.match(
      world.diagnostics.join(),
      /^model\/purchases\.yml:6 Renamed from “orders\.revenue”\. 1 question uses it: What is revenue\?\n/,
    );
  });

  it('says that there is nothing to check or to ask', async () => {
    world.disk = world.base;
    await world.check();
    world.disk = { [PATH]: `${BASE}      - name: unused\n        sql: unused\n` };
    await world.check();
    assert.deepEqual(
      world.notices.map(({ message }) => message),
      [
        'Nothing to check: the data model is the same as on “main”.',
        'Nothing to ask: no test and no question in the history uses the changed members. Added: orders.unused',
      ],
    );
    assert.deepEqual([world.asked, world.dialogs], [[], []]);
  });

  it('says why it can’t check: no folder, no Git or no branch', async () => {
    world.folders = [];
    assert.equal(await world.check(), undefined);
    assert.match(world.notices.at(-1)?.message ?? '', /^Open the folder/);
    world.folders = [folder];
    world.hasGit = false;
    assert.match((await world.check()) ?? '', /^“shop” is not in a Git repository/);
    world.hasGit = true;
    world.head = {};
    assert.match((await world.check()) ?? '', /^No branch is checked out/);
    world.head = { name: 'dev' };
    // Git would parse this name as an option.
    const known = world.diffs.length;
    world.main = '--output=main';
    assert.match((await world.check()) ?? '', /^Git has no branch “--output=main”/);
    assert.equal(world.diffs.length, known);
    assert.deepEqual([world.asked, world.dialogs], [[], []]);
  });

  it('does nothing in an untrusted workspace or without a connection, and offers what helps', async () => {
    world.isTrusted = false;
    await world.check();
    world.isTrusted = true;
    world.isConnected = false;
    await world.check();
    assert.deepEqual(
      world.notices.map(({ actions }) => actions),
      [['Manage Workspace Trust'], ['Connect']],
    );
    assert.deepEqual([world.asked, world.dialogs, world.diffs, world.diagnostics], [[], [], [], []]);
  });

  it('checks the folder of the repository that it is started from, or asks for one', async () => {
    world.folders = [folder, other];
    await world.check({ rootUri: Uri.file('/shop/model') });
    assert.deepEqual(world.picks, []);
    assert.equal(world.asked.length, 2);
    await world.check();
    assert.deepEqual(world.picks, ['shop', 'docs']);
  });

  for (const how of ['canceled', 'closed'] as const)
    it(`keeps what it has found when it is ${how}, and asks nothing more`, async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      world.questions = names.map((name) => asking('revenue', { name, text: name }));
      world.failures = 4;
      const checking = world.check();
      await until(() => /affects 2 questions/.test(world.diagnostics.join()) && world.asked.length === 8);
      world.end(how);
      await checking;
      assert.equal(world.asked.length, 8);
      assert.match(world.diagnostics.join(), /affects 2 questions/);
    });
});

/** *Check My Change* with stubs of the editor and of the Git extension; its asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import type * as native from '../../../../src/vscode/native/runTools.ts';
import { Editor, emptyThread, folders, makeTurn, mementoOn, onDev, pairs, queryItem } from '../support.ts';
import { questionNamed, registered, sales, TextDocument, TextEditor, token, until, uriAt } from '../support.ts';
import type { Pairs, Problem, QuestionContext, TestQuestion, Tool } from '../support.ts';

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
const asking = (name: string, fields: Partial<TestQuestion> = {}): TestQuestion =>
  questionNamed(name, { expectedSql: { sql: `SELECT MEASURE(orders.${name}) FROM orders` }, ...fields });
const [shop, bank] = folders as [(typeof folders)[number], (typeof folders)[number]];
const SWITCH = '“trunk” is the main branch. Switch to the branch with your change, then check again. [Switch branch…]';

const OLD = 'The service may still have the old model. Commit and push, then check again.';
const pushFirst = [OLD, 'Not pushed: 2 commits'];

class World {
  readonly editor = Object.assign(new Editor(), { folders: [bank] });
  isConnected = true;
  hasGit = true;
  /** Folders of repositories, the outer one first. */
  roots = ['/bank'];
  head: object = { name: 'dev', ahead: 0, upstream: { remote: 'origin', name: 'dev' } };
  /** Model files at the merge base. */
  base: Record<string, string> = { [PATH]: BASE };
  uncommitted: string[] = [];
  /** Former paths of renamed files. */
  renamed: Record<string, string> = {};
  main = 'main';
  /** The folder of a repository without a commit of the main branch. */
  unrelated = '';
  questions: TestQuestion[] = [asking('revenue'), asking('count')];
  /** Questions of the history with the measure that their SQL has. */
  past: [question: string, measure: string][] = [];
  /** State of the workspace, which the next window has too, and that of all windows. */
  readonly state = new Map<string, unknown>();
  readonly everywhere = new Map<string, unknown>();
  asked: string[] = [];
  /** What was logged. */
  logged: string[] = [];
  readonly diffs: string[] = [];
  /** Number of requests that fail; later ones run until the user cancels. */
  failures = Infinity;
  failure = new Error('No connection');
  readonly #running: (() => void)[] = [];
  #area: Awaited<ReturnType<typeof registered>> | undefined;

  constructor() {
    this.write(PATH, EDITED);
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const world = this;
    this.editor.git = {
      state: 'initialized',
      get repositories() {
        return world.hasGit ? world.roots.map((root) => world.#repository(root)) : [];
      },
      getRepository: () => (this.hasGit && this.roots.includes('/bank') ? this.#repository('/bank') : null),
    };
  }

  /** Runs the command. @returns its error message */
  async check(answer: string | undefined = 'Ask', argument?: object): Promise<string | undefined> {
    Object.assign(this.editor, { answers: answer === 'dismissed' ? [] : [answer], messages: [], details: [] });
    const area = await this.open();
    return Promise.resolve(area.commands['analyticsChat.checkMyChange']!(argument)).then(
      () => undefined,
      (failure: Error) => failure.message,
    );
  }

  /** Opens the workspace in a window. */
  async open(): ReturnType<typeof registered> {
    this.close();
    return (this.#area = await registered('check', this.services().services, this.editor.with()));
  }
  close(): void {
    this.#area?.dispose();
  }

  /** Calls the tool of language models. @returns what the user has to confirm or has confirmed, or why nothing is asked */
  async tool(input: object, isConfirmed = false): Promise<string> {
    type CheckTool = Tool<Promise<{ confirmationMessages?: { message: { value: string } } }>>;
    const { runTools } = await this.editor.load<typeof native>('native/runTools');
    const tool = runTools(this.services().services).check_model_change as unknown as CheckTool;
    const { confirmationMessages } = await tool.prepareInvocation({ input });
    if (!confirmationMessages || isConfirmed) return (await tool.invoke({ input }, token)).text;
    return confirmationMessages.message.value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  }

  services(): Pairs {
    const history = {
      list: () => Promise.resolve(this.past.map(([id]) => ({ id, updatedAt: 1, connection: 'sales', origin: 'x' }))),
      read: (id: string) => {
        const [, measure] = this.past.find(([each]) => each === id)!;
        const query = queryItem('t', { sqlQuery: `SELECT MEASURE(orders.${measure}) FROM orders` });
        const turns = [makeTurn({ id, content: id, context: onDev }, [query])];
        return Promise.resolve({ thread: { ...emptyThread(id), turns } });
      },
    };
    return pairs({
      log: { warn: (text: string) => this.logged.push(text) },
      context: { workspaceState: mementoOn(this.state), globalState: mementoOn(this.everywhere) },
      questionFiles: {
        questionsOf: ({ name }: { name: string }) => Promise.resolve(name === 'bank' ? this.questions : []),
        load: () => Promise.resolve([{ folder: bank, questions: this.questions }]),
      },
      history: () => Promise.resolve(history),
      branches: { main: 'other', mainOf: ({ name }: { name: string }) => (name === 'bank' ? this.main : 'trunk') },
      connections: { several: false, current: this.isConnected ? { ...sales, dataQueryUrl: '' } : undefined },
      connector: {
        connect: (_home: object, { branch, identity }: QuestionContext) => {
          this.asked.push(`${identity} on ${branch}`);
          const { failure } = this;
          return this.asked.length <= this.failures
            ? Promise.reject(failure)
            : new Promise((_, reject) => this.#running.push(() => reject(failure)));
        },
      },
    });
  }

  /** Writes a file, as VS Code's watcher reports it. */
  write(path: string, text: string): void {
    this.editor.files.set(`/bank/${path}`, text);
    this.editor.fire('written', uriAt(`/bank/${path}`));
  }

  /** Ends the check as the user does, in its notification or by closing its tab, or by failures of the service. */
  end(how: 'canceled' | 'closed' | 'failed'): void {
    if (how === 'canceled') this.editor.cancel();
    if (how === 'closed') this.editor.panels[0]!.dispose();
    for (const each of this.#running) each();
  }

  get problems(): string[] {
    return [...(this.editor.problems['analyticsChat.check'] ?? [])].flatMap(([path, all]) =>
      all.map(({ range, message }) => `${path.slice(6)}:${range.start.line + 1} ${message}`),
    );
  }
  /** The first one of them. */
  get problem(): Partial<Problem> {
    return [...(this.editor.problems['analyticsChat.check']?.values() ?? [])].flat()[0] ?? {};
  }

  #repository(root: string): object {
    const uriOf = (path: string) => uriAt(`/bank/${path}`);
    const change = (path: string, status: number) => ({ uri: uriOf(path), originalUri: uriOf(path), status });
    const disk = (path: string): string | undefined => this.editor.files.get(`/bank/${path}`);
    const paths = new Set([...Object.keys(this.base), ...[...this.editor.files.keys()].map((path) => path.slice(6))]);
    const own = [...paths].filter(
      (path) => this.roots.findLast((each) => uriOf(path).path.startsWith(`${each}/`)) === root,
    );
    const changed = (path: string): object[] => {
      const [before, after] = [this.base[path], disk(path)];
      const isElsewhere = path in this.renamed || Object.values(this.renamed).includes(path);
      if (isElsewhere || before === after || (before === undefined && this.uncommitted.includes(path))) return [];
      return [change(path, before === undefined ? 1 : after === undefined ? 6 : 5)];
    };
    // Git updates its state later, unless it is told to.
    let head = {};
    return {
      rootUri: uriAt(root),
      state: {
        get HEAD() {
          return head;
        },
        ...Object.fromEntries(
          ['workingTreeChanges', 'indexChanges', 'mergeChanges', 'untrackedChanges'].map((name, kind) => {
            const paths = this.uncommitted.filter((_, at) => at % 4 === kind);
            return [name, paths.map((path) => change(path, path in this.base ? 5 : 7))];
          }),
        ),
      },
      status: () => Promise.resolve(void (head = this.head)),
      getBranch: (name: string) =>
        Promise.resolve({ name, commit: 'pushed', upstream: { remote: 'origin', name: 'trunk' } }),
      getMergeBase: (ref: string) =>
        (this.diffs.push(ref), root) === this.unrelated
          ? Promise.reject(new Error('No common commit'))
          : Promise.resolve('abc'),
      diffWith: () =>
        Promise.resolve([
          ...Object.entries(this.renamed).map(([path, old]) => ({ ...change(path, 3), originalUri: uriOf(old) })),
          ...own.flatMap(changed),
        ]),
      show: (_commit: string, path: string) => Promise.resolve(this.base[path.replace('/bank/', '')]),
    };
  }
}

describe('Check My Change with a stub of the editor', () => {
  let world: World;
  let editor: Editor;
  beforeEach(() => {
    world = new World();
    ({ editor } = world);
  });
  afterEach(() => world.close());

  it('says how many questions it will ask and where, asks only those that use the change, and lists all failures', async () => {
    editor.settings = { 'bank evals.attempts': 2 };
    const cost = 'At most 4 requests, because differing answers are asked again';
    assert.equal(await world.check(), undefined);
    assert.deepEqual(editor.messages, ['Ask 1 question on “main” and on “dev”? [Ask]']);
    assert.deepEqual(editor.kinds, ['information']);
    assert.deepEqual(editor.details, [`Changed: orders.revenue\n\n${cost}`]);
    assert.deepEqual(world.asked.sort(), ['me on dev', 'me on main']);
    assert.match(world.problems.join('\n'), /^model\/orders\.yml:6 What is revenue: main: [^\n]*; dev: [^\n]*$/);
    const { severity, relatedInformation = [] } = world.problem;
    const [{ location, message } = {}] = relatedInformation;
    assert.deepEqual([severity, message, location?.range.line], [1, 'revenue', 1]);
    assert.equal(String(location?.uri), 'vscode-vfs://github/bank/agents/eval_questions.yml');
    assert.equal(world.diffs[0], 'origin/trunk', 'the service has what is pushed');
    assert.deepEqual([editor.titles, editor.progress], [['Checking your change'], ['1 of 1 question compared']]);
  });

  it('continues after a question that fails, and lists failures without secrets', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'the-key'];
    world.questions = names.map((name) => asking('revenue', { name, text: name }));
    await world.check();
    assert.equal(world.asked.length, 12);
    assert.equal(editor.progress[0], '1 of 6 questions compared');
    assert.equal(world.problems.length, 1, 'one problem lists all answers');
    assert.match(world.problems[0]!, /This change affects 6 questions:\n• a: .*\n• b: .*(\n.*){3}\n• \[redacted\]: /);
  });

  it('is a tool of language models too, which says what it can’t follow, unless it asks every question', async () => {
    world.base['cube.js'] = 'a';
    world.write('cube.js', 'b');
    const lines = async (input: object) => (await world.tool(input)).split(/\s*\n\s*/);
    const changed = 'Changed: orders.revenue';
    world.head = { name: 'dev', ahead: 2, upstream: { remote: 'origin', name: 'dev' } };
    assert.deepEqual(await lines({}), [
      ...['Asking 1 question on main and dev, at most 6 requests', 'Asked as “me”', ...pushFirst],
      ...['Changed, but it is not known which answers this affects:', 'cube.js: code that can’t be followed', changed],
    ]);
    assert.deepEqual(await lines({ all: true }), [
      ...['Asking 2 questions on main and dev, at most 12 requests', 'Asked as “me”', ...pushFirst, changed],
    ]);
    world.editor.settings = { 'bank evals.attempts': 1 };
    assert.match(await world.tool({}), /^Asking 1 question on main and dev, at most 2 requests\s/);
    world.write(PATH, BASE);
    assert.match(await world.tool({}), /^No question is known to use what changed\.\nThe service[^]*cube\.js: code/);
    world.write('cube.js', 'a');
    assert.equal(await world.tool({}), 'Nothing to check: the data model is the same as on “main”.');
    world.main = 'dev';
    assert.equal(await world.tool({}), SWITCH.replace(/ \[.*/, '').replace('trunk', 'dev'));
    assert.deepEqual(world.asked, []);
    world.main = 'main';
    world.write(PATH, EDITED.replace('type: count', 'type: sum'));
    assert.deepEqual((await world.tool({}, true)).match(/(?<=^- ).*/gm), [
      ...['model/orders.yml:6: Changed: orders.revenue', 'model/orders.yml:4: Changed: orders.count'],
    ]);
  });

  it('asks all questions if the user wants so, where a change can’t be followed, and nothing after a cancellation', async () => {
    await world.check('dismissed');
    world.write('cube.js', 'b');
    await world.check('dismissed');
    assert.deepEqual([world.asked, world.problems], [[], []]);
    await world.check('Ask all 2 questions');
    assert.match(editor.messages.join(), /^Ask 1 question on .* \[Ask\] \[Ask all 2 questions\]$/);
    assert.match(editor.details.join(), /not known which answers this affects:\ncube\.js: .*\n\nAt most 12 requests/);
    assert.equal(world.asked.length, 4);
    world.write(PATH, BASE);
    await world.check('Ask all 2 questions');
    const all = 'Ask all of them on “main” and on “dev”? [Ask all 2 questions]';
    assert.deepEqual(editor.messages, [`No question is known to use what changed. ${all}`]);
    assert.equal(world.asked.length, 8);
    world.write(PATH, EDITED);
    world.questions.pop();
    await world.check('dismissed');
    assert.match(editor.messages.join(), /\? \[Ask\]$/);
  });

  it('asks questions of the history too, unless the user wants only tests', async () => {
    world.past = [
      ['Money?', 'revenue'],
      ['How many?', 'count'],
      ['Income?', 'revenue'],
    ];
    await world.check();
    assert.match(editor.details[0]!, /Questions from tests: 1, from the history: 2/);
    const asked = ['ana on dev', 'ana on main'].flatMap((each) => [each, each]);
    assert.deepEqual(world.asked.sort(), [...asked, 'me on dev', 'me on main']);
    assert.equal(world.problem.relatedInformation?.length, 1, 'no file has the question of the history');
    world.asked = [];
    await world.check('Ask only tests');
    assert.deepEqual(world.asked.sort(), ['me on dev', 'me on main']);
    world.questions = [];
    await world.check();
    assert.match(editor.messages[0]!, /\? \[Ask\]$/, 'there are no tests');
  });

  it('warns before it asks of changes that the service does not have', async () => {
    world.head = { name: 'dev', ahead: 2, upstream: { remote: 'origin', name: 'dev' } };
    const others = ['a', 'b', 'c'].map((name) => `model/${name}.yml`);
    for (const path of others) world.write(path, (world.base[path] = BASE).replace('amount', 'net'));
    world.uncommitted = [PATH, ...others, 'notes.md'];
    editor.folders = folders;
    const dirty = [`/bank/${PATH}`, '/bank/notes.md'].map((path) => new TextDocument(path, EDITED));
    for (const each of dirty) each.isDirty = true;
    editor.documents.push(...dirty, new TextDocument('/bank/model/a.yml', ''));
    await world.check('Open Source Control', { rootUri: bank.uri });
    assert.deepEqual(editor.details[0]?.split('\n').slice(7), [
      ...[OLD, 'Not saved: model/orders.yml'],
      ...['Not committed: model/a.yml, model/orders.yml, model/b.yml, model/c.yml', 'Not pushed: 2 commits'],
    ]);
    assert.match(editor.messages[0]!, /^Ask 1 question .*\? \[Ask anyway\] \[Open Source Control\]$/);
    assert.deepEqual([world.asked, editor.executed.pop(), editor.kinds], [[], ['workbench.view.scm'], ['warning']]);
    await world.check('Ask anyway', { rootUri: bank.uri });
    assert.equal(world.asked.length, 2);
    [world.head, world.uncommitted] = [{ name: 'dev' }, []];
    editor.documents.splice(0, 2);
    await world.check('dismissed', { rootUri: bank.uri });
    assert.match(editor.details[0]!, /check again\.\nNever pushed: branch “dev”$/);
    // It was created from the main branch, and pushed without a change of what it follows.
    world.head = { name: 'dev', commit: 'pushed', ahead: 2, upstream: { remote: 'origin', name: 'main' } };
    await world.check('dismissed', { rootUri: bank.uri });
    assert.doesNotMatch(editor.details[0]!, /pushed/);
  });

  it('removes its problems when the member is changed back or the folder removed, not while only comments change', async () => {
    const area = await world.open();
    const check = area.commands['analyticsChat.checkMyChange']!;
    editor.answers = ['Ask'];
    await check(undefined);
    world.write(PATH, `# Orders\n${EDITED}`);
    const isMoved = (): unknown => world.problems[0]?.startsWith('model/orders.yml:7 ');
    await until(isMoved);
    // Its page asks again after the file has changed.
    editor.panels[0]!.receive({ type: 'askAgain' });
    await until(() => world.asked.length === 4 && isMoved());
    world.write(PATH, BASE);
    await until(() => world.problems.length === 0);
    world.write(PATH, EDITED);
    editor.answers = ['Ask'];
    await check(undefined);
    for (const [removed, count] of [
      [[shop], 1],
      [[shop, bank], 0],
    ] as const) {
      editor.fire('onDidChangeWorkspaceFolders', { removed });
      assert.equal(world.problems.length, count);
    }
  });

  it('lists nothing about a change that is undone while its questions run', async () => {
    const area = await world.open();
    // Problems of an earlier window would be read now.
    await until(() => editor.executed.length > 0);
    [world.failures, editor.answers] = [0, ['Ask']];
    const checking = area.commands['analyticsChat.checkMyChange']!(undefined);
    await until(() => world.asked.length === 2);
    let reads = 0;
    editor.reading = (path) => void (reads += path.endsWith(PATH) ? 1 : 0);
    world.write(PATH, BASE);
    await until(() => reads > 0);
    world.end('failed');
    await checking;
    assert.deepEqual(world.problems, []);
    assert.equal(editor.executed.at(-1)?.[0], 'setContext');
  });

  it('shows its problems again in the next window, until their change is gone', async () => {
    world.questions = [asking('revenue', { text: 'revenue of the-key' })];
    await world.check();
    const found = world.problems;
    assert.match(found.join(), /revenue of \[redacted\]/);
    assert.doesNotMatch(JSON.stringify([...world.state]), /the-key/);
    assert.match([...world.state.keys()].join(), /\/bank$/);
    assert.equal(world.everywhere.size, 0, 'they are about this workspace');
    world.hasGit = false;
    await world.open();
    await until(() => world.logged.length > 0);
    assert.match(world.logged.join(), /^Problems of the last check were not restored: “bank” is not in a Git/);
    world.hasGit = true;
    // Nothing is read of a folder that was not checked.
    editor.folders = [shop, bank];
    const read = world.diffs.length;
    editor.isTrusted = false;
    await world.open();
    await until(() => editor.executed.some(([name]) => name === 'setContext'));
    editor.isTrusted = true;
    await world.open();
    assert.deepEqual(world.problems, []);
    await until(() => world.problems.length > 0);
    assert.deepEqual([world.problems, world.diffs.slice(read)], [found, ['origin/trunk', 'origin/main', 'main']]);
    world.write(PATH, BASE.replace('sql: amount', 'sql: amount - tax'));
    await world.open();
    await until(() => [...world.state.values()].every((each) => each === undefined));
    assert.deepEqual(world.problems, []);
  });

  it('offers to switch the branch on the main branch', async () => {
    [world.head, world.main] = [{ name: 'trunk' }, 'trunk'];
    for (const [answer, ...commands] of [['dismissed'], ['Switch branch…', 'git.checkout']] as const) {
      assert.equal(await world.check(answer), undefined);
      assert.deepEqual([editor.messages, editor.executed.flat()], [[SWITCH], commands]);
    }
  });

  it('reads untracked, deleted and renamed files', async () => {
    const moved = 'model/purchases.yml';
    editor.files.clear();
    world.write(moved, BASE.replace('- name: revenue', '- name: income'));
    for (const [uncommitted, renamed, answer] of [
      [[moved], {}, 'Ask anyway'],
      [[], { [moved]: PATH }, 'Ask'],
    ] as const) {
      Object.assign(world, { uncommitted, renamed });
      await world.check(answer);
      assert.match(editor.details[0]!, /^Renamed: orders\.revenue → orders\.income\n/);
    }
    const renamed = 'Renamed from “orders.revenue”. 1 question uses it: What is revenue?\n';
    assert.ok(world.problems.join().startsWith(`${moved}:6 ${renamed}`));
  });

  it('reads the files of the agent where the settings of the folder say', async () => {
    editor.settings = { 'bank agentsPath': 'project/bot', agentsPath: 'agents' };
    world.base['project/bot/rules/a.md'] = 'old';
    world.write('project/bot/rules/a.md', 'new');
    await world.check();
    assert.match(editor.details[0]!, /rule: project\/bot\/rules\/a\.md/);
    const hasRule = (): boolean => /^project\/bot\/rules\/a\.md:1 /m.test(world.problems.join('\n'));
    assert.ok(hasRule());
    world.write(PATH, `# Orders\n${EDITED}`);
    await until(() => world.problems.some((each) => each.startsWith(`${PATH}:7 `)));
    assert.ok(hasRule());
    world.write('project/bot/rules/a.md', 'old');
    await until(() => !hasRule());
  });

  it('reads the files of a repository inside of another one once, as that has them', async () => {
    const inner = 'model/inner/costs.yml';
    world.base[inner] = BASE.replaceAll('orders', 'costs');
    world.write(inner, EDITED.replaceAll('orders', 'costs'));
    world.write('model/inner/same.yml', (world.base['model/inner/same.yml'] = BASE.replaceAll('orders', 'same')));
    world.roots.push('/bank/model/inner');
    await world.check();
    assert.match(editor.details[0]!, /^Changed: orders\.revenue\nChanged: costs\.revenue\n\n/);
    const paths = world.problems.map((text) => text.split(':')[0]);
    assert.deepEqual(paths, [PATH, inner]);
    for (world.unrelated of world.roots) assert.match((await world.check())!, /^Git has no branch “main”\. Set the/);
    [world.unrelated, world.roots] = ['', world.roots.slice(1)];
    await world.check();
    assert.match(editor.details[0]!, /^Changed: costs\.revenue\n\n/, 'the folder itself has no repository');
  });

  it('says that there is nothing to check or to ask', async () => {
    const toAsk = 'Nothing to ask: no test and no question in the history uses the changed members.';
    const code = 'cube.js: code that can’t be followed';
    const unused = `${BASE}      - name: unused\n        sql: unused\n`;
    const renamed = BASE.replace('- name: count', '- name: number');
    for (const [text, message, problems] of [
      [BASE, 'Nothing to check: the data model is the same as on “main”.', []],
      [unused, `${toAsk} Added: orders.unused`, []],
      [renamed, `${toAsk} Renamed: orders.count → orders.number, ${code}`, [`${PATH}:4 Renamed from “orders.count”.`]],
    ] as const) {
      world.write(PATH, text);
      if (text === renamed) {
        [world.questions, world.base['cube.js']] = [[], 'a'];
        world.write('cube.js', 'b');
      }
      await world.check();
      assert.deepEqual([editor.messages, world.problems], [[message], problems]);
    }
    assert.deepEqual([world.asked, editor.details], [[], []]);
    assert.deepEqual([world.problem.severity, world.problem.source], [2, 'Analytics Chat']);
  });

  it('says why it can’t check: no folder, no Git, no branch, no trust or no connection', async () => {
    for (const [state, message] of [
      [{ hasGit: false }, /^“bank” is not in a Git repository/],
      [{ hasGit: true, head: {} }, /^No branch is checked out/],
    ] as const)
      assert.match((await Object.assign(world, state).check())!, message);
    world.head = { name: 'dev' };
    // Git would parse this name as an option.
    const known = world.diffs.length;
    world.main = '--output=main';
    assert.match((await world.check())!, /^Git has no branch “--output=main”/);
    assert.equal(world.diffs.length, known);
    editor.folders = [];
    for (const [message, answer, ...commands] of [
      [/^Open the folder/, undefined],
      [/\[Connect\]$/, 'Connect', 'analyticsChat.connect'],
      [/Restricted Mode.*\[Manage Workspace Trust\]$/, 'Manage Workspace Trust', 'workbench.trust.manage'],
    ] as const) {
      assert.equal(await world.check(answer), undefined);
      assert.match(editor.messages.join(), message);
      assert.deepEqual(editor.executed.splice(0).flat(), commands);
      if (!world.isConnected) editor.isTrusted = false;
      world.isConnected = false;
    }
    assert.deepEqual([world.asked, editor.details, world.problems], [[], [], []]);
  });

  it('checks the folder of the repository or the editor that it is started from, or asks for one', async () => {
    editor.folders = folders;
    editor.active = new TextEditor(new TextDocument('/shop/notes.md', ''));
    await world.check('Ask', { rootUri: uriAt('/bank/model') });
    assert.deepEqual([editor.offered, world.asked.length], [[], 2]);
    editor.active = new TextEditor(new TextDocument('/bank/notes.md', ''));
    await world.check();
    assert.deepEqual([editor.offered, world.asked.length], [[], 4]);
    editor.active = undefined;
    editor.picks = [undefined];
    await world.check();
    assert.deepEqual([editor.offered, world.asked.length, editor.messages], [[['shop', 'bank']], 4, []]);
    const prompt = ['Analytics Chat: Check My Change', 'The folder of the data model'];
    assert.deepEqual([...editor.prompts, ...editor.placeholders], prompt);
  });

  it('says in its notification that it waits for a branch', async () => {
    world.failure = new ChatError('stream', 'BadRequestError: Bad branch');
    editor.onProgress = () => void until(() => editor.progress.length > 0).then(() => editor.cancel());
    await world.check();
    assert.equal(editor.progress[0], 'Waiting until the service serves the branch “main”…');
  });

  for (const how of ['canceled', 'closed'] as const)
    it(`keeps what it has found when it is ${how}, and asks nothing more`, async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      world.questions = names.map((name) => asking('revenue', { name, text: name }));
      world.failures = 4;
      const checking = world.check();
      await until(() => /affects 2 questions/.test(world.problems.join()) && world.asked.length === 8);
      world.end(how);
      await checking;
      assert.equal(world.asked.length, 8);
      assert.match(world.problems.join(), /affects 2 questions/);
    });
});

/** Making tests of results that lack rows, with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { until } from '../../../support/until.ts';
import { Uri } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { questionNamed } from '../../evals/support.ts';
import { World } from '../world.ts';

const ALL = [[1], [2], [3]];
const columns = [{ name: 'n', type: 'number' }];
const whole = { columns, rows: ALL, totalRows: ALL.length };
const partial = { columns, rows: ALL.slice(0, 1), totalRows: ALL.length };
const SQL = "SELECT n FROM t WHERE token = 'the-key'";

const nothing = () => ({ dispose: () => undefined });
const webview = { asWebviewUri: String, postMessage: () => undefined, onDidReceiveMessage: nothing };
const panel = { webview, visible: true, onDidChangeViewState: nothing, onDidDispose: nothing };

interface TestActions {
  accept(services: object, result: object): Promise<void>;
  addTest(services: object, query: object, home: undefined): Promise<void>;
  compareWithMain(services: object, result: object): void;
}

describe('the expected result of a test', () => {
  let actions: TestActions;
  let world: World;
  let cancel: () => void;
  let cancels: boolean;
  /** The rows that the data query API returns. */
  let loaded: number[][];
  let loadError: string | undefined;
  /** The question as it is in its file now. */
  let current: object;
  const services = {
    log: { redactDocument: (text: string) => text.replaceAll('the-key', '[redacted]') },
    branches: { mainOf: ({ name }: { name: string }) => (name === 'docs' ? 'trunk' : 'main') },
    connections: { of: () => ({ dataQueryUrl: 'https://data.example/' }) },
    connector: {
      context: () => undefined,
      dataQuery: () =>
        Promise.resolve({
          dataQueryUrl: 'https://data.example/',
          credential: { kind: 'apiKey', value: 'the-key' },
          fetch: () => {
            if (cancels) cancel();
            return Promise.resolve(new Response(JSON.stringify({ schema: columns, data: loaded })));
          },
        }),
    },
    questionFiles: { questionsOf: () => Promise.resolve([current]), reload: () => Promise.resolve() },
  };

  beforeEach(async () => {
    world = new World();
    world.entered = ['how many'];
    [cancels, loaded, loadError] = [false, ALL, undefined];
    current = questionNamed('count');
    const withProgress = (_options: object, work: (progress: object, token: object) => Promise<unknown>) =>
      work(
        { report: () => undefined },
        { onCancellationRequested: (listener: () => void) => ((cancel = listener), nothing()) },
      );
    const editor = world.editor;
    const window = Object.assign(editor.window, { createWebviewPanel: () => panel, withProgress });
    actions = await loadWithEditor<TestActions>('vscode/evals/testActions.ts', { ...editor, window });
  });

  const accept = (): Promise<void> =>
    actions.accept(services, {
      test: { question: questionNamed('count'), folder: world.folders[0] },
      verdict: {
        question: questionNamed('count'),
        attempt: { actual: { sql: SQL, table: whole, ...(loadError === undefined ? {} : { loadError }) } },
        cells: [{ context: { branch: 'dev', sent: { branch: 'dev', isDefaultBranch: false, identity: 'me' } } }],
      },
    });
  const addTest = (): Promise<void> => {
    const payload = { kind: 'sqlQuery', sqlQuery: SQL, table: partial };
    const question = { id: 'q', content: 'How many?', time: 0, context: { branch: 'dev', identity: 'me' } };
    return actions.addTest(services, { toolCallId: 'tool-1', payload, question }, undefined);
  };

  it('has the rows that the answer left out, and no secrets', async () => {
    await accept();
    await addTest();
    const baselines = [...world.files].filter(([path]) => !path.endsWith('questions.yml')).map(([, text]) => text);
    assert.equal(baselines.length, 2);
    for (const text of baselines) {
      assert.match(text, /\b3\b/);
      assert.match(text, /token = '\[redacted\]'/);
    }
  });

  it('is written to the folder that the user picks, and to none if the user cancels', async () => {
    world.folders.push({ name: 'docs', uri: Uri.file('/docs') });
    world.picks = [undefined, 'docs'];
    world.entered.push('how many');
    await addTest();
    assert.deepEqual([...world.files], []);
    await addTest();
    const paths = [...world.files.keys()];
    assert.equal(paths.length, 2);
    for (const path of paths) assert.match(path, /^\/docs\//);
  });

  it('is not written for a question that is a test already, unless the user adds another one', async () => {
    const path = '.analytics-chat/questions.yml';
    current = { ...questionNamed('how_many'), text: 'How many?', path };
    world.picks = [undefined, 'Open the question test “how_many”', 'Add another question test'];
    world.files.set(`/shop/${path}`, 'eval_questions: []\n');
    for (const shown of [[], [`/shop/${path}`]]) {
      await addTest();
      assert.deepEqual([world.files.size, world.shown], [1, shown]);
    }
    world.entered = ['how_many_2'];
    await addTest();
    assert.match(world.files.get(`/shop/${path}`) ?? '', /name: how_many_2/);
  });

  it('is not written if the user cancels while rows are loading', async () => {
    cancels = true;
    await addTest();
    assert.deepEqual([...world.files], []);
  });

  it('is not written if the loaded rows are not those of the answer', async () => {
    loaded = [[4], [5], [6]];
    loadError = 'Can’t load all rows.';
    await assert.rejects(accept(), /Can’t load all rows/);
    await assert.rejects(addTest(), /^Error: These rows differ from those in the answer\./);
    assert.deepEqual([...world.files], []);
  });

  it('is not written if the question file has errors', async () => {
    const broken: [string, string] = ['/shop/.analytics-chat/questions.yml', 'eval_questions: ['];
    world.files.set(...broken);
    await assert.rejects(addTest(), /The file with your questions has errors/);
    assert.deepEqual([...world.files], [broken]);
  });

  it('is not written in Restricted Mode', async () => {
    world.isTrusted = false;
    await assert.rejects(addTest(), /Restricted Mode/);
    assert.deepEqual([...world.files], []);
  });

  it('can be compared with main, on the connection of the run, unless it is from main', () => {
    const home = { origin: 'https://agent.example', connection: 'Team' };
    const [homes, pinned]: [object[], object[]] = [[], []];
    const add = (thread: object, _draft: undefined, of: object) => {
      homes.push(of);
      return { thread, attach: () => Promise.resolve(), send: () => Promise.resolve(true) };
    };
    const app = {
      ...services,
      ...{
        context: { extensionUri: Uri.file('/extension') },
        guarded: (work: () => unknown) => work(),
        views: { embed: nothing },
      },
      sessions: {
        ...{ add, onDidChange: nothing, onDidRemove: nothing },
        pin: (_id: string, context: object) => pinned.push(context),
      },
      repository: { keep: () => Promise.resolve() },
    };
    const sent = { branch: 'dev', isDefaultBranch: false, identity: 'me' };
    const main = { ...sent, branch: 'trunk', isDefaultBranch: true };
    const folder = { name: 'docs', uri: Uri.file('/docs') };
    const compare = (of: object): void => {
      const verdict = { cells: [{ context: { home, sent: of } }] };
      actions.compareWithMain(app, { test: { question: questionNamed('count'), folder }, verdict });
    };
    compare(main);
    assert.deepEqual(pinned, []);
    assert.match(world.messages.join(), /^This answer is from “trunk”\./);
    compare(sent);
    assert.deepEqual(homes, [home, home]);
    assert.deepEqual(pinned, [main, sent]);
  });

  it('of several turns is compared with main turn by turn, in the list of a run', async () => {
    const asked: unknown[] = [];
    const app = {
      ...services,
      ...{
        context: { extensionUri: Uri.file('/extension') },
        guarded: (work: () => unknown) => work(),
        connections: { current: undefined },
      },
      connector: {
        connect: (home: unknown, { branch }: { branch: string }) => {
          asked.push([home, branch]);
          return Promise.reject(new Error('away'));
        },
      },
    };
    const sent = { branch: 'dev', isDefaultBranch: false, identity: 'me' };
    const context = { label: 'dev', branch: 'dev', identity: 'me', home: 'home', main: 'main', sent };
    const question = questionNamed('count', { turns: [questionNamed('count'), questionNamed('count')] });
    actions.compareWithMain(app, { test: { question, folder: world.folders[0] }, verdict: { cells: [{ context }] } });
    await until(() => asked.length === 2);
    assert.deepEqual(asked, [
      ['home', 'main'],
      ['home', 'dev'],
    ]);
  });

  it('is not the answer to a question that has changed since', async () => {
    for (const change of [{ text: 'Another question?' }, { identity: 'guest' }]) {
      world.messages.length = 0;
      current = { ...questionNamed('count'), ...change };
      await accept();
      assert.deepEqual([...world.files], []);
      assert.deepEqual(world.messages, ['There is no result to accept. Run the test again.']);
    }
  });
});

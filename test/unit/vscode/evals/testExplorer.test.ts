/** The Test Explorer with a stub of the editor; its asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { EventEmitter, Uri } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { until } from '../../../support/until.ts';
import { questionNamed } from '../../evals/support.ts';

interface Item {
  id: string;
  label: string;
  description?: string;
  uri: { toString(): string };
  parent?: Item;
  tags: { id: string }[];
  children: { replace(items: Item[]): void; all: Item[] };
}
type Handler = (request: object, token: object) => Promise<void>;

const collection = (parent?: Item) => {
  const items = {
    all: [] as Item[],
    replace: (all: Item[]) => {
      if (parent) for (const item of all) item.parent = parent;
      items.all = all;
    },
    get: (id: string) => items.all.find((item) => item.id === id),
  };
  return items;
};
const folder = { uri: Uri.file('/shop'), name: 'shop' };

/** What the Test Explorer shows and what it does to the editor. */
class World {
  isTrusted = true;
  questions: TestQuestion[] = [];
  readonly items = collection();
  readonly profiles = new Map<string, Handler>();
  readonly reports: string[] = [];
  readonly notices: string[] = [];
  readonly asked: string[] = [];
  failure = new Error('No connection');
  readonly progress: string[] = [];
  readonly changed = new EventEmitter<void>();
  output = '';
  runs = 0;

  async start(...questions: TestQuestion[]): Promise<void> {
    this.questions = questions;
    const { TestExplorer } = await loadWithEditor<{ TestExplorer: new (app: object) => object }>(
      'vscode/evals/explorer.ts',
      this.#editor(),
    );
    const folders = () => [{ folder, questions: this.questions, problems: [] }];
    new TestExplorer({
      guarded: (work: () => unknown) => work(),
      log: { redact: (text: string) => text.replaceAll('the-key', '[redacted]') },
      questionFiles: {
        get folders() {
          return folders();
        },
        onDidChange: this.changed.event,
      },
      testResults: { keep: () => undefined, retain: () => undefined },
      identities: { current: 'me' },
      branches: { mainOf: () => 'main', currentIn: () => ({ name: 'dev', isDefault: false }) },
      connections: { current: { name: '', chatApiUrl: 'https://acme.example/agent', dataQueryUrl: '' } },
      connector: {
        connect: (_home: object, { branch, identity }: { branch: string; identity: string }) => {
          this.asked.push(`${identity} on ${branch}`);
          return Promise.reject(this.failure);
        },
      },
    });
  }

  change(...questions: TestQuestion[]): void {
    this.questions = questions;
    this.changed.fire();
  }

  /** @returns a function that ends a continuous run */
  async run(profile: string, request: object = {}): Promise<() => void> {
    const canceled = new EventEmitter<void>();
    await this.profiles.get(profile)?.(request, { onCancellationRequested: canceled.event });
    return () => canceled.fire();
  }

  #editor(): object {
    const report = (state: string) => (item: Item, message?: { message: string }[]) =>
      void this.reports.push([item.label, state, message?.[0]?.message].filter(Boolean).join(' '));
    const controller = {
      items: this.items,
      createTestItem: (id: string, label: string, uri: Uri): Item => {
        const item = { id, label, uri, tags: [] } as unknown as Item;
        item.children = collection(item);
        return item;
      },
      createRunProfile: (label: string, _kind: number, handler: Handler) => this.profiles.set(label, handler),
      createTestRun: () => ({
        token: { onCancellationRequested: () => ({ dispose: () => undefined }) },
        ...{ enqueued: () => undefined, started: () => undefined, end: () => (this.runs += 1) },
        ...{
          passed: report('passed'),
          failed: report('failed'),
          errored: report('errored'),
          skipped: report('skipped'),
        },
        appendOutput: (text: string) => (this.output += text),
      }),
      invalidateTestResults: () => undefined,
    };
    const isTrusted = () => this.isTrusted;
    return {
      ...{ Uri, EventEmitter },
      Location: class {},
      TestTag: class {
        readonly id: string;
        constructor(id: string) {
          this.id = id;
        }
      },
      TestMessage: class {
        readonly message: string;
        constructor(message: string) {
          this.message = message;
        }
      },
      tests: { createTestController: () => controller },
      workspace: {
        get isTrusted() {
          return isTrusted();
        },
      },
      window: {
        showWarningMessage: (text: string) => Promise.resolve(void this.notices.push(text)),
        withProgress: (options: { title: string }, work: (progress: object, token: object) => unknown) => {
          this.progress.push(options.title);
          const cancel = new EventEmitter<void>();
          const shown = work({}, { onCancellationRequested: cancel.event });
          cancel.fire();
          return shown;
        },
      },
    };
  }
}

const a = questionNamed('a', { identity: 'ann' });
const b = questionNamed('b', { identity: 'bob' });

describe('the Test Explorer with a stub of the editor', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  it('lists questions below their file, with the identity that they are asked as for a tag', async () => {
    await world.start(a, questionNamed('c', { path: '.analytics-chat/questions.yml' }));
    const tree = world.items.all.map(({ label, children }) => [
      label,
      ...children.all.map((item) => `${item.label} ${item.tags.map(({ id }) => id).join()}`.trim()),
    ]);
    assert.deepEqual(tree, [
      ['agents/eval_questions.yml', 'a ann'],
      ['.analytics-chat/questions.yml', 'c'],
    ]);
  });

  it('lists questions of one name in several spaces, with their spaces', async () => {
    await world.start(a, { ...a, space: 'sales' });
    const { all } = world.items.all[0]!.children;
    assert.deepEqual(
      all.map(({ label, description }) => [label, description]),
      [
        ['a', undefined],
        ['a', 'sales'],
      ],
    );
    await world.run('Run', { include: [all[1]] });
    assert.deepEqual(world.asked, ['ann on dev']);
  });

  it('lists access tests with their own tag, and asks them as the identity that they name', async () => {
    const path = '.analytics-chat/access.yml';
    await world.start(a, questionNamed('sees only Europe', { identity: 'eve', access: { kind: 'empty' }, path }));
    const [file] = world.items.all.filter(({ label }) => label === path);
    assert.deepEqual(
      file?.children.all[0]?.tags.map(({ id }) => id),
      ['access', 'eve'],
    );
    await world.run('Run', { include: [file] });
    assert.deepEqual(world.asked, ['eve on dev']);
  });

  it('keeps the item of a question that moves within its file, so that VS Code keeps its result', async () => {
    await world.start(a, b);
    const [file] = world.items.all;
    const before = file?.children.all.find(({ label }) => label === 'a');
    world.change(b, a);
    assert.equal(world.items.all[0]?.children.all[1], before);
  });

  it('asks on the current branch, on main, or three times, by profile', async () => {
    await world.start(a);
    await world.run('Run');
    await world.run('Run on Main Branch');
    assert.deepEqual(world.asked, ['ann on dev', 'ann on main']);
    await world.run('Run Three Times');
    assert.equal(world.asked.length, 5);
  });

  it('asks only what is included and not excluded', async () => {
    await world.start(a, b);
    const [file] = world.items.all;
    await world.run('Run', { include: [file], exclude: [file?.children.all[0]] });
    assert.deepEqual(world.asked, ['bob on dev']);
    await world.run('Run', { exclude: [file?.children.all[1]] });
    assert.deepEqual(world.asked.slice(1), ['ann on dev']);
  });

  it('reports an error as one, and ends the output with the summary', async () => {
    await world.start(a);
    await world.run('Run');
    assert.deepEqual(world.reports, ['a errored The chat service could not be reached. Check your network.']);
    assert.match(world.output, /\r\nNo answers graded · 1 error · 1 request · \d+\.\d s\r\n$/);
    assert.equal(world.runs, 1);
  });

  it('waits for a branch that the service does not serve yet, and asks nothing more if that is canceled', async () => {
    world.failure = new ChatError('stream', 'BadRequestError: Bad branch');
    await world.start(a, b);
    await world.run('Run');
    assert.deepEqual(world.asked, ['ann on dev']);
    assert.deepEqual(world.progress, ['Waiting until the service serves the branch “dev”…']);
    assert.ok(world.output.includes(world.progress[0]!));
    assert.deepEqual(world.reports, ['a skipped', 'b skipped']);
  });

  it('writes no secrets and no control characters to the output, which is a terminal', async () => {
    await world.start(questionNamed('the-key \u001b]8;;https://evil.example\u0007'));
    await world.run('Run');
    assert.match(world.output, /! \[redacted\] \]8;;https:\/\/evil\.example: /);
    assert.doesNotMatch(world.output, /[^\P{Cc}\r\n]/u);
  });

  it('asks in a continuous run only the questions that change, until it is stopped', async () => {
    await world.start(a, b);
    const stop = await world.run('Run', { continuous: true });
    assert.deepEqual(world.asked, []);
    world.change(a, { ...b, text: 'What else?' });
    await until(() => world.runs === 1);
    assert.deepEqual(world.asked, ['bob on dev']);
    world.change(a, { ...world.questions[1]!, range: { ...b.range, end: { line: 9, character: 0 } } });
    assert.deepEqual(world.asked, ['bob on dev'], 'a question that only moves has not changed');
    world.change(a, { ...world.questions[1]!, identity: 'eve' });
    await until(() => world.runs === 2);
    assert.deepEqual(world.asked.slice(1), ['eve on dev']);
    stop();
    world.change({ ...a, text: 'What else?' }, b);
    assert.equal(world.asked.length, 2);
  });

  it('asks nothing in an untrusted workspace, and says why', async () => {
    world.isTrusted = false;
    await world.start(a, b);
    await world.run('Run');
    assert.deepEqual(world.asked, []);
    assert.deepEqual(world.reports, ['a skipped', 'b skipped']);
    assert.match(world.output, /Restricted Mode/);
    assert.match(world.notices.join(), /Trust this workspace/);
  });
});

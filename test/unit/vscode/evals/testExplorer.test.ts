/** The Test Explorer with a stub of the editor; its asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import type { QuestionContext } from '../../../../src/shared/thread/model.ts';
import { EventEmitter, type Uri } from '../../../support/editorValues.ts';
import { until } from '../../../support/until.ts';
import { questionNamed } from '../../evals/support.ts';
import { registered } from '../areas.ts';
import { Editor } from '../editor.ts';
import { folders, pairs, type Pairs } from '../pairs.ts';

interface Item {
  id: string;
  label: string;
  description?: string;
  uri: Uri;
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

/** What the Test Explorer shows and what it does to the editor. */
class World {
  readonly editor = new Editor();
  questions: TestQuestion[] = [];
  readonly items = collection();
  readonly profiles = new Map<string, Handler>();
  readonly reports: string[] = [];
  readonly asked: string[] = [];
  two!: Pairs;
  area!: Awaited<ReturnType<typeof registered>>;
  controllers = 0;
  /** Labels of the tests whose results are dimmed. */
  dimmed: string[] = [];
  failure = new Error('No connection');
  isConnected = true;
  output = '';
  runs = 0;
  readonly #changed = new EventEmitter<void>();

  async start(...questions: TestQuestion[]): Promise<void> {
    this.questions = questions;
    this.editor.more = {
      tests: { createTestController: () => ((this.controllers += 1), this.#controller()) },
      ...{ TestTag, TestMessage },
    };
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const world = this;
    this.two = pairs({
      questionFiles: {
        get folders() {
          return world.questions.length === 0 ? [] : [{ folder: folders[0], questions: world.questions, problems: [] }];
        },
        onDidChange: this.#changed.event,
      },
      connections: {
        get current() {
          return world.isConnected ? { name: 'sales', chatApiUrl: 'https://a.example/a', dataQueryUrl: '' } : undefined;
        },
      },
      connector: {
        connect: (_home: object, { branch, identity }: QuestionContext) => {
          this.asked.push(`${identity} on ${branch}`);
          return Promise.reject(this.failure);
        },
      },
    });
    this.area = await registered('evals', this.two.services, this.editor.with());
    this.change();
    await new Promise(setImmediate);
    assert.equal(this.profiles.size, 0, 'there are no tests yet');
    for (const _ of [1, 2]) this.change(...questions);
    await until(() => this.profiles.size > 0);
  }

  change(...questions: TestQuestion[]): void {
    this.questions = questions;
    this.#changed.fire();
  }

  /** @returns a function that ends a continuous run */
  async run(profile: string, request: object = {}): Promise<() => void> {
    const canceled = new EventEmitter<void>();
    await this.profiles.get(profile)?.(request, { onCancellationRequested: canceled.event });
    return () => canceled.fire();
  }

  #controller(): object {
    const report = (state: string) => (item: Item, message?: { message: string }[]) =>
      void this.reports.push([item.label, state, message?.[0]?.message].filter(Boolean).join(' '));
    return {
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
        ...{ passed: report('passed'), failed: report('failed'), errored: report('errored') },
        ...{ skipped: report('skipped'), appendOutput: (text: string) => (this.output += text) },
      }),
      invalidateTestResults: (items: Item[]) => (this.dimmed = items.map(({ label }) => label)),
    };
  }
}
class TestTag {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
class TestMessage {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const a = questionNamed('a', { identity: 'ann' });
const b = questionNamed('b', { identity: 'bob' });

describe('the Test Explorer with a stub of the editor', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  it('lists questions below their file, with their space, and with the identity that they are asked as for a tag', async () => {
    const access = questionNamed('d', {
      path: '.analytics-chat/access.yml',
      identity: 'eve',
      access: { kind: 'empty' },
    });
    const own = questionNamed('c', { path: '.analytics-chat/questions.yml' });
    await world.start(a, { ...a, space: 'sales' }, own, access);
    const tree = world.items.all.map(({ label, children }) => [
      label,
      ...children.all.map((item) => [item.label, item.description, ...item.tags.map(({ id }) => id)].join(' ').trim()),
    ]);
    assert.deepEqual(tree, [
      ['agents/eval_questions.yml', 'a  ann', 'a sales ann'],
      ['.analytics-chat/questions.yml', 'c'],
      ['.analytics-chat/access.yml', 'd  access eve'],
    ]);
    const [questions, , file] = world.items.all;
    await world.run('Run', { include: [questions!.children.all[1]] });
    await world.run('Run', { include: [file] });
    assert.deepEqual(world.asked, ['ann on now', 'eve on now']);
  });

  it('keeps the item of a question that moves within its file, so that VS Code keeps its result', async () => {
    await world.start(a, b);
    const before = world.items.all[0]?.children.all[0];
    world.change(b, a);
    assert.deepEqual([world.items.all[0]?.children.all[1] === before, world.dimmed.join()], [true, 'a,b']);
    world.change({ ...b, text: 'What else?' });
    assert.deepEqual(world.dimmed, ['b']);
  });

  it('has actions for the last result of a test, until the test is gone', async () => {
    await world.start(a, b);
    await world.run('Run');
    const [item] = world.items.all[0]!.children.all;
    const act = async (name: string, argument: unknown): Promise<string | undefined> => {
      await world.area.commands[`analyticsChat.${name}`]!(argument);
      return world.editor.messages.pop();
    };
    assert.match((await act('openTestChat', item))!, /^There is no chat to open/);
    assert.match((await act('acceptAsExpected', { test: item, message: {} }))!, /^There is no result to accept/);
    assert.equal(await act('compareWithMain', item), undefined);
    assert.deepEqual([world.two.pinned, world.controllers], [['main true ann', 'now false ann'], 1]);
    world.change(b);
    assert.match((await act('openTestChat', item))!, /^Run the test first/);
  });

  it('asks on the current branch, on main, or three times, by profile', async () => {
    await world.start(a);
    await world.run('Run');
    await world.run('Run on Main Branch');
    assert.deepEqual(world.asked, ['ann on now', 'ann on main']);
    await world.run('Run Three Times');
    assert.equal(world.asked.length, 5);
  });

  it('asks only what is included and not excluded', async () => {
    await world.start(a, b);
    const [file] = world.items.all;
    await world.run('Run', { include: [file], exclude: [file?.children.all[0]] });
    assert.deepEqual(world.asked, ['bob on now']);
    await world.run('Run', { exclude: [file?.children.all[1]] });
    assert.deepEqual(world.asked.slice(1), ['ann on now']);
  });

  it('reports an error as one, ends the output with the summary, and offers to connect without a connection', async () => {
    await world.start(a);
    await world.run('Run');
    assert.deepEqual(world.reports, ['a errored The chat service could not be reached. Check your network.']);
    assert.match(
      world.output,
      /^Asking 1 question on now.*\r\n[^]*\r\nNo answers graded · 1 error · 1 request · \d+\.\d s\r\n$/,
    );
    assert.deepEqual([world.runs, world.editor.messages], [1, []]);
    world.isConnected = false;
    await world.run('Run');
    assert.match(world.editor.messages.join(), /^Connect to your agent to run these tests\. \[Connect\]$/);
  });

  it('waits for a branch that the service does not serve yet, and asks nothing more if that is canceled', async () => {
    world.failure = new ChatError('stream', 'BadRequestError: Bad branch');
    world.editor.onProgress = () => world.editor.cancel();
    await world.start(a, b);
    await world.run('Run');
    assert.deepEqual(world.asked, ['ann on now']);
    assert.deepEqual(world.editor.titles, ['Waiting until the service serves the branch “now”…']);
    assert.ok(world.output.includes(world.editor.titles[0]!));
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
    assert.deepEqual(world.asked, ['bob on now']);
    world.change(a, { ...world.questions[1]!, range: { ...b.range, end: { line: 9, character: 0 } } });
    assert.deepEqual(world.asked, ['bob on now'], 'a question that only moves has not changed');
    world.change(a, { ...world.questions[1]!, identity: 'eve' });
    await until(() => world.runs === 2);
    assert.deepEqual(world.asked.slice(1), ['eve on now']);
    stop();
    world.change({ ...a, text: 'What else?' }, b);
    assert.equal(world.asked.length, 2);
  });

  it('asks nothing in an untrusted workspace, and says why', async () => {
    world.editor.isTrusted = false;
    await world.start(a, b);
    await world.run('Run');
    assert.deepEqual([world.asked, world.reports], [[], ['a skipped', 'b skipped']]);
    assert.match(world.output, /Restricted Mode/);
    assert.match(world.editor.messages.join(), /Trust this workspace/);
  });
});

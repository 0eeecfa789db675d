/** The Test Explorer with a stub of the editor; its asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { answering, connectionTo, final, queryLine, services as localServices } from '../service.ts';
import { Editor, EventEmitter, folders, keeping, pairs, questionNamed, registered, sales, until } from '../support.ts';
import type { Pairs, Position, QuestionContext, Range, TestQuestion, Uri } from '../support.ts';

interface Item {
  id: string;
  label: string;
  description?: string;
  uri: Uri;
  parent?: Item;
  tags: { id: string }[];
  range?: Range;
  children: { replace(items: Item[]): void; all: Item[] };
}
type Handler = (request: object, token: object) => Promise<void>;

const collection = (parent?: Item) => {
  const items = {
    all: [] as Item[],
    replace: (all: Item[]) => void (items.all = all.map((item) => (parent ? Object.assign(item, { parent }) : item))),
    get: (id: string) => items.all.find((item) => item.id === id),
  };
  return items;
};

/** What the Test Explorer shows and what it does to the editor. */
class World {
  readonly editor = new Editor();
  questions: TestQuestion[] = [];
  /** Those of the second folder. */
  others: TestQuestion[] = [];
  /** A service that answers. */
  url: string | undefined;
  readonly items = collection();
  readonly profiles = new Map<string, Handler>();
  defaultProfile = '';
  readonly reports: string[] = [];
  readonly messages: TestMessage[] = [];
  /** Where the output is shown, by the label of its test. */
  readonly places: string[] = [];
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
  /** Cancels the run. */
  readonly canceled = new EventEmitter<void>();

  async start(...questions: TestQuestion[]): Promise<void> {
    this.questions = questions;
    const tests = {
      createTestController: (_id: string, label: string) => (
        assert.equal(label, 'Analytics Questions'),
        (this.controllers += 1),
        this.#controller()
      ),
    };
    this.editor.more = { tests, TestTag, TestMessage };
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const world = this;
    this.two = pairs({
      questionFiles: {
        get folders() {
          const problems = [{ path: 'a.yml', range: a.range, message: 'Wrong.' }];
          return [world.questions, world.others].flatMap((questions, at) =>
            questions.length === 0 ? [] : [{ folder: folders[at], questions, problems }],
          );
        },
        onDidChange: this.#changed.event,
      },
      connections: {
        get current() {
          return world.isConnected ? { ...sales, dataQueryUrl: '' } : undefined;
        },
      },
      connector: {
        connect: (_home: object, { branch, identity }: QuestionContext) => {
          this.asked.push(`${identity} on ${branch}`);
          if (this.url === undefined) return Promise.reject(this.failure);
          return Promise.resolve(connectionTo({ url: this.url }, { branch, identity } as never));
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

  readonly states: string[] = [];
  #note = (state: string) => (item: Item) => void this.states.push(`${item.label} ${state}`);
  #controller(): object {
    const report = (state: string) => (item: Item, result?: TestMessage[] | number, milliseconds?: number) => {
      const messages = typeof result === 'object' ? result : [];
      this.messages.push(...messages);
      this.reports.push([item.label, state, messages[0]?.message].filter(Boolean).join(' '));
      if (state !== 'skipped') assert.equal(typeof (milliseconds ?? result), 'number');
    };
    const print = (text: string, place?: { range: Position }, item?: Item): void => {
      this.output += text;
      if (item) this.places.push(`${item.label}:${place?.range.line ?? ''}`);
    };
    return {
      items: this.items,
      createTestItem: (id: string, label: string, uri: Uri): Item => {
        const item = { id, label, uri, tags: [] } as unknown as Item;
        item.children = collection(item);
        return item;
      },
      createRunProfile: (label: string, _kind: number, handler: Handler, isDefault: boolean, ...more: unknown[]) => {
        assert.deepEqual(more, [undefined, true], 'it can run continuously');
        this.profiles.set(label, handler);
        if (isDefault) this.defaultProfile += label;
      },
      dispose: () => (this.controllers -= 1),
      createTestRun: () => ({
        token: { onCancellationRequested: this.canceled.event },
        ...{ enqueued: this.#note('waits'), started: this.#note('runs'), end: () => (this.runs += 1) },
        ...{ passed: report('passed'), failed: report('failed'), errored: report('errored') },
        ...{ skipped: report('skipped'), appendOutput: print },
      }),
      invalidateTestResults: (items: Item[]) => (this.dimmed = items.map(({ label }) => label)),
    };
  }
}
const TestTag = keeping('id');
class TestMessage extends keeping('message') {
  declare readonly message: string;
  declare readonly sides?: string[];
  declare location?: { range: Position };
  declare contextValue?: string;
  static diff(message: string, expected: string, actual: string): TestMessage {
    return Object.assign(new TestMessage(message), { sides: [expected, actual] });
  }
}

const a = questionNamed('a', { identity: 'ann' });
const b = questionNamed('b', { identity: 'bob' });
const later = { start: { line: 7, character: 0 }, end: { line: 9, character: 0 } };

describe('the Test Explorer with a stub of the editor', () => {
  const { start, closeAll } = localServices();
  afterEach(closeAll);
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  it('lists questions below their file, with their space, and with the identity that they are asked as for a tag', async () => {
    const path = '.analytics-chat/access.yml';
    const access = questionNamed('d', { path, identity: 'eve', access: { kind: 'empty' } });
    const own = questionNamed('c](x', { path: '.analytics-chat/questions.yml' });
    await world.start(a, { ...a, space: 'sales' }, own, access);
    const tree = world.items.all.map(({ label, children }) => [
      label,
      ...children.all.map((item) => [item.label, item.description, ...item.tags.map(({ id }) => id)].join(' ').trim()),
    ]);
    assert.deepEqual(tree, [
      ['agents/eval_questions.yml', 'a  ann', 'a sales ann'],
      ['.analytics-chat/questions.yml', 'c] (x'],
      ['.analytics-chat/access.yml', 'd  access eve'],
    ]);
    const [questions, , file] = world.items.all;
    await world.run('Run', { include: [questions!.children.all[1], file] });
    assert.deepEqual(world.asked, ['ann on now', 'eve on now']);
  });

  it('keeps the item of a question that moves within its file, so that VS Code keeps its result', async () => {
    await world.start(a, b);
    const [file] = world.items.all;
    const before = file?.children.all[0];
    world.change(b, { ...a, range: later });
    assert.ok(world.items.all[0] === file && file?.children.all[1] === before);
    assert.deepEqual([before?.range?.start.line, world.dimmed.join()], [7, 'a,b']);
    const baseline = { name: 'b', path: 'b.json', sql: '', columns: [], rows: [] };
    const behavior = { uses: [], avoids: [] };
    for (const change of [
      { text: 'What else?' },
      { baseline },
      { baseline: { ...baseline, rows: [[1]] } },
      { turns: [a] },
      { turns: [b] },
      { behavior },
      { access: { kind: 'empty' as const } },
      { path: 'agents/b.yml' },
    ]) {
      world.dimmed = [];
      world.change(a, { ...b, ...change });
      assert.deepEqual(world.dimmed, ['b'], JSON.stringify(change));
    }
    assert.deepEqual(world.items.all[1]?.children.all[0]?.uri.path, '/shop/agents/b.yml');
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
    const { problems } = world.editor;
    assert.deepEqual([...problems['analyticsChat.questions']!.keys()], ['/shop/a.yml']);
    world.area.dispose();
    world.change(a, b);
    assert.deepEqual([world.controllers, world.items.all[0]?.children.all.length], [0, 1]);
  });

  it('reports verdicts and their diffs without secrets, and opens chats on their connection', async () => {
    const columns = [{ name: 'n', type: 'number' }];
    const asked = new Set<unknown>();
    world.url = (
      await start((request) => {
        const { input } = request.body;
        const isWrong = input === 'What is flaky?' && !asked.has(input);
        asked.add(input);
        const data = [[isWrong ? 9 : 1], [2], [3]];
        const result = { sqlQuery: "SELECT 'the-key'", schema: [{ name: 'n', column_type: 'number' }], data };
        answering(queryLine('q', 2, result), final('Three.', 3))(request);
      })
    ).url;
    const expecting = (name: string, ...rows: number[][]): TestQuestion => {
      const baseline = { name, path: 'a.json', sql: "SELECT 'other-key'", columns, rows };
      const { expectedSql: _, ...question } = questionNamed(name);
      return rows.length === 0 ? question : { ...question, baseline };
    };
    const values = new Map([['the-key', ['x']]]);
    const secret = { ...expecting('secret'), access: { kind: 'only', values } } as const;
    world.editor.settings = { 'bank evals.attempts': 1, 'shop evals.precision': 2 };
    await world.start(...['same', 'flaky'].map((name) => expecting(name, [1.04], [2], [3])), expecting('open'));
    world.others = [expecting('other', [5])];
    world.change(...world.questions, secret, expecting('other', [1], [2], [4]));
    assert.equal(world.items.all.map(({ description }) => description).join(), 'shop,bank');
    await world.run('Run on Main Branch');
    assert.deepEqual([world.asked.length, world.asked.at(-1)], [9, 'me on trunk']);
    // Of both folders.
    const summary =
      /\r\n40 % \(2\/5\) · 1 flaky · 1 to review · 1 without expected result · 9 requests · \d+\.\d s\r\n$/;
    assert.match(world.output, summary);
    const states = ['same', 'flaky', 'open', 'secret', 'other'].flatMap((name) => [`${name} waits`, `${name} runs`]);
    assert.deepEqual(new Set(world.states), new Set(states));
    assert.deepEqual(world.reports.toSorted(), [
      ...['flaky passed', 'open skipped', 'other failed 0 of 2 answers passed. 1 of 3 rows differs'],
      ...['other failed Expected 1 row, got 3', 'same passed'],
      'secret failed Inconclusive: no column like “[redacted]”',
    ]);
    // VS Code shows no message for a test that did not fail.
    assert.deepEqual(new Set(world.places), new Set(['flaky:1', 'open:1', 'other:', 'same:', 'secret:']));
    const told = ({ message, sides, location, contextValue }: TestMessage) =>
      [message, ...(sides ?? []), location?.range.line, contextValue].join(' | ');
    assert.ok(world.messages.map(told).includes('Inconclusive: no column like “[redacted]” | 1 | analyticsChatAnswer'));
    assert.deepEqual(world.messages.map(told).slice(-3), [
      'Expected 1 row, got 3 | 5 | 1 | 1 | analyticsChatResult',
      'All rows | n\n5 | n\n1\n2\n3 | 1 | analyticsChatResult',
      "SQL of the agent and of the expected result | SELECT '[redacted]' | SELECT '[redacted]' | 1 | analyticsChatResult",
    ]);
    const item = world.items.all[1]!.children.all[0];
    await world.area.commands['analyticsChat.openTestChat']!(item);
    assert.deepEqual(world.two.added, ['sales']);
  });

  it('asks only what is included and not excluded', async () => {
    await world.start(a, b);
    const [file] = world.items.all;
    await world.run('Run', { include: [file], exclude: [file?.children.all[0]] });
    assert.deepEqual(world.asked, ['bob on now']);
    await world.run('Run', { exclude: [file?.children.all[1]] });
    assert.deepEqual(world.asked.slice(1), ['ann on now']);
    await world.run('Run Three Times', { include: [file?.children.all[0]] });
    assert.deepEqual([world.asked.length, world.defaultProfile], [5, 'Run']);
  });

  it('reports an error as one, ends the output with the summary, and offers to connect without a connection', async () => {
    const turn = { ...a, range: later };
    await world.start({ ...a, turns: [turn, turn] });
    await world.run('Run');
    assert.equal(world.messages[0]?.location?.range.line, 7, 'that of the turn');
    assert.deepEqual(world.reports, ['a errored Turn 1: The chat service could not be reached. Check your network.']);
    const summary = /^Asking 1 question on now.*\r\n[^]*\r\nNo answers graded · 1 error · 1 request · \d+\.\d s\r\n$/;
    assert.match(world.output, summary);
    assert.deepEqual([world.runs, world.editor.messages, world.messages[0]?.contextValue], [1, [], '']);
    world.isConnected = false;
    await world.run('Run');
    assert.match(world.output, summary, 'of the last run');
    assert.match(world.editor.messages.join(), /^Connect to your agent to run these tests\. \[Connect\]$/);
  });

  it('waits for a branch that the service does not serve yet, and asks nothing more if that is canceled', async () => {
    for (const cancel of [() => world.editor.cancel(), () => world.canceled.fire()]) {
      world = new World();
      world.failure = new ChatError('stream', 'BadRequestError: Bad branch');
      world.editor.onProgress = cancel;
      await world.start(a, b);
      await world.run('Run');
      assert.deepEqual([world.asked, world.places], [['ann on now'], []]);
      assert.deepEqual(world.editor.titles, ['Waiting until the service serves the branch “now”…']);
      assert.ok(world.output.includes(world.editor.titles[0]!));
      assert.deepEqual(world.reports, ['a skipped', 'b skipped']);
    }
  });

  it('writes no secrets and no control characters to the output, which is a terminal', async () => {
    await world.start(questionNamed('the-key \u001b]8;;https://evil.example\u0007'));
    await world.run('Run');
    assert.match(world.output, /! \[redacted\] \]8;;https:\/\/evil\.example: /);
    assert.doesNotMatch(world.output, /[^\P{Cc}\r\n]/u);
  });

  it('asks in a continuous run only the questions that change, until it is stopped', async () => {
    await world.start(a, b);
    const [file] = world.items.all;
    const stop = await world.run('Run', { continuous: true, include: [file], exclude: [file?.children.all[0]] });
    assert.deepEqual(world.asked, []);
    world.change({ ...a, text: 'What is excluded?' }, b);
    world.change(a, { ...b, text: 'What else?' });
    await until(() => world.runs === 1);
    assert.deepEqual(world.asked, ['bob on now']);
    world.change(a, { ...world.questions[1]!, range: { ...b.range, end: { line: 9, character: 0 } } });
    assert.deepEqual(world.asked, ['bob on now'], 'a question that only moves has not changed');
    world.change(a, { ...world.questions[1]!, identity: 'eve' });
    await until(() => world.runs === 2);
    assert.deepEqual(world.asked.slice(1), ['eve on now']);
    stop();
    world.change(a, b);
    assert.deepEqual([world.asked.length, world.runs], [2, 2]);
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

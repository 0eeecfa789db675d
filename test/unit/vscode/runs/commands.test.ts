/** The commands that ask in several contexts, and what the page of their run does; with two of each. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import type * as asking from '../../../../src/vscode/runs/askContext.ts';
import type * as area from '../../../../src/vscode/runs/runsArea.ts';
import type { AllServices } from '../../../../src/vscode/services.ts';
import { answering, connectionTo, final, queryLine, services as localServices } from '../service.ts';
import type { Service } from '../service.ts';
import { Editor, emptyThread, finance, folders, homeOf, onDev } from '../support.ts';
import { onNet, pairs, questionNamed, sales, until, viewOf } from '../support.ts';
import type { Home, Pairs, QuestionContext, ServiceStubs, Thread } from '../support.ts';
import { shownIn } from './support.ts';

const named = { ana: { externalId: 'ana' }, ben: { externalId: 'ben' } };
const { start, closeAll } = localServices();

let editor: Editor;
let run: typeof area & typeof asking;
/** What was asked, by connection, branch, identity and whether authoring was allowed. */
let asked: string[];
let service: Service;
/** A branch that the service does not serve yet. */
let unserved: string | undefined;
/** Of each answer, which has one row that differs from all others. */
let totalRows: number;

beforeEach(async () => {
  [editor, asked, totalRows, unserved] = [new Editor(), [], 1, undefined];
  editor.settings = { identities: named };
  run = await editor.load('runs/runsArea', 'runs/askContext');
  service = await start((request) => {
    const result = { sqlQuery: 'SELECT 1', schema: [{ name: 'n' }], data: [[service.asked.length]], totalRows };
    return answering(queryLine('call', 2, result), final('Two.', 3))(request);
  });
});
afterEach(() => {
  for (const panel of editor.panels) panel.dispose();
  return closeAll();
});

const command =
  (name: 'askAsEveryone' | 'compareAnswers' | 'compareBranches') =>
  (services: AllServices, argument?: unknown): Promise<unknown> =>
    Promise.resolve(run.registerRuns(services).commands[`analyticsChat.${name}`](argument));
const askAsEveryone = command('askAsEveryone');
const compareAnswers = command('compareAnswers');
const compareBranches = command('compareBranches');

const connector = {
  connect: (to: Home, context: QuestionContext, mayAuthor: boolean) => {
    asked.push([to.connection, context.branch, context.isDefaultBranch, context.identity, mayAuthor].join(' '));
    return context.branch === unserved
      ? Promise.reject(new ChatError('stream', 'BadRequestError: Bad branch'))
      : Promise.resolve(connectionTo(service, context));
  },
  dataQuery: ({ connection }: Home, { branch, identity }: QuestionContext) => {
    asked.push(['SQL', connection, branch, identity].join(' '));
    return Promise.reject(new Error('away'));
  },
};
const SETTINGS = ['workbench.action.openSettings', 'analyticsChat.identities'];
const open = { expectedSql: undefined };
const turns = ['first', 'second'].map((text) => questionNamed('c', { ...open, text }));
/** Of two folders, with their own questions. */
const questionFiles = {
  load: () =>
    Promise.resolve([
      { folder: { ...folders[1], name: 'empty' }, questions: [] },
      { folder: folders[0], questions: [questionNamed('a', open), questionNamed('b', { ...open, identity: 'ana' })] },
      { folder: folders[1], questions: [questionNamed('c', { ...open, turns })] },
    ]),
};
/** The second chat is the active one. */
const withSides = (more: ServiceStubs = {}): Pairs => {
  const branches = { offered: ['dev', 'net'] };
  const sessions = { active: pairs().second, connectionOf: () => finance, ...more.sessions };
  return pairs({ connector, questionFiles, branches, ...more, sessions });
};
/** Waits until the run of a tab has ended, or waits for a branch. @returns what its page shows */
const ended = (at: number) =>
  until(() => {
    const shown = shownIn(editor.panels[at]!);
    const { isRunning, summary } = shown;
    return (isRunning ? summary.startsWith('Waiting') : summary !== '') && shown;
  });

describe('Ask as Everyone', () => {
  it('asks the last question of the active chat as each identity, on its connection, which has also the left out rows', async () => {
    [editor.entered, totalRows] = [[' Revenue? '], 2];
    const access = { access: { kind: 'empty' }, identity: 'zoe', expectedSql: undefined } as const;
    const tests = [questionNamed('a', access), questionNamed('b', { identity: 'eve' })];
    const { services } = withSides({
      connections: { current: { ...sales, dataQueryUrl: '' } },
      questionFiles: { load: () => Promise.resolve([{ folder: folders[0], questions: tests }]) },
    });
    await askAsEveryone(services);
    const { title, remember, ...shown } = await ended(0);
    assert.deepEqual(editor.proposed, ['Revenue of second?']);
    const prompt = ['Analytics Chat: Ask as Everyone', 'Enter the question to ask as each identity'];
    assert.deepEqual([...editor.prompts, ...editor.explained], prompt);
    assert.deepEqual(asked.toSorted(), [
      ...['SQL finance now ana', 'SQL finance now ben', 'finance now false ana false', 'finance now false ben false'],
    ]);
    const notes = shown.comparison.notes.map(({ text }) => text);
    assert.deepEqual(notes, ['access.yml names “zoe”, which is not in your setting “analyticsChat.identities”.']);
    assert.deepEqual([editor.panels[0]?.title, title, remember.isAccess], ['As everyone: Revenue?', 'Revenue?', true]);
    const contexts = ['ana', 'ben'].map((identity) => ({ branch: 'now', identity }));
    assert.deepEqual(shown.contexts, contexts);
    await askAsEveryone(services, { question: 'why?' });
    assert.deepEqual([editor.panels[1]?.title, editor.proposed.length], ['As everyone: why?', 1]);
    // There is no other branch for which a run could wait.
    unserved = 'now';
    await askAsEveryone(services, { question: 'why?' });
    assert.equal((await ended(2)).summary, '0 of 2 identities answered');
  });

  it('asks nothing without a question, a connection or identities, or with a service token', async () => {
    const { services } = withSides();
    for (const entered of [undefined, '  ']) {
      editor.entered = [entered];
      await askAsEveryone(services);
      await compareBranches(services);
      assert.deepEqual(editor.messages, []);
    }
    let reveals = 0;
    await run.registerRuns(services).slash.compare(viewOf(pairs().second, () => (reveals += 1)));
    assert.equal(reveals, 1, 'its view has the focus again');
    editor.executed.length = 0;
    for (const [entry, message] of [
      [undefined, /no connection yet/],
      [{ ...finance, authentication: 'serviceToken' }, /Connect with an API key/],
    ] as const)
      await assert.rejects(askAsEveryone(withSides({ sessions: { connectionOf: () => entry } }).services), message);
    editor.settings = {};
    for (const answer of [undefined, 'Open settings']) {
      editor.answers = [answer];
      await askAsEveryone(services, { question: 'why?' });
      assert.match(editor.messages.pop() ?? '', /no identities to ask as.*\[Open settings\]$/);
      assert.deepEqual(editor.executed.splice(0).flat(), answer ? SETTINGS : []);
    }
    assert.deepEqual([asked, editor.panels], [[], []]);
  });
});

describe('Compare Branches', () => {
  it('asks on the sides of the argument, which lack the current branch or identity', async () => {
    for (const [left, right, pinned] of [
      [{ identity: 'ana' }, { identity: 'ben', branch: 'main' }, ['now false ana', 'main true ben']],
      ['main', { branch: ' other ' }, ['main true me', 'other false me']],
    ] as const) {
      const two = withSides();
      editor.entered = ['Revenue?'];
      await compareBranches(two.services, { left, right });
      assert.deepEqual([two.pinned, editor.proposed.pop()], [pinned, 'Revenue of second?']);
      const prompt = [editor.prompts.pop(), editor.explained.pop()];
      assert.deepEqual(prompt, ['Analytics Chat: Compare', 'Enter the question to ask on both sides']);
      await until(() => two.done.join() === 'Revenue?,Revenue?');
      const { title, remember } = shownIn(editor.panels.at(-1)!);
      assert.deepEqual([title, new Set(remember.threads).size], ['Revenue?', 2]);
    }
    const unknown = { question: 'why?', left: 'main', right: { identity: 'nobody' } };
    await assert.rejects(compareBranches(withSides().services, unknown), /no identity named “nobody”/);
  });

  it('asks for two branches or two identities, and nothing if its user cancels', async () => {
    for (const [picks, pinned] of [
      [['Two branches', 'dev', 'net'], 'dev false me,net false me'],
      [['Two identities', 'ana', 'ben'], 'now false ana,now false ben'],
      [['Two identities', 'ana', undefined], ''],
      [['Two identities', undefined], ''],
      [['Two branches', 'dev', undefined], ''],
      [[undefined], ''],
    ] as const) {
      [editor.picks, editor.offered.length, editor.described.length, editor.icons.length] = [[...picks], 0, 0, 0];
      const two = withSides();
      await compareBranches(two.services, { question: 'why?', left: 'main' });
      assert.deepEqual([two.pinned.join(), editor.described[0]], [pinned, ['as me', 'on now']]);
      assert.deepEqual(editor.offered[0], ['Two branches', 'Two identities']);
      assert.deepEqual(editor.icons[0], ['git-branch', 'account']);
      assert.deepEqual(editor.messages, []);
      const [kind, left] = picks;
      const of = kind === 'Two branches' ? 'branch' : 'identity';
      const typed = of === 'branch' ? ', or type a name' : '';
      const asks = [
        ...['Select what to compare', `Select the first ${of} to compare${typed}`],
        `Select the ${of} to compare “${left}” with${typed}`,
      ];
      const titles = [
        'Analytics Chat: Compare',
        ...Array<string>(2).fill(`Analytics Chat: Compare ${of === 'branch' ? 'Branches' : 'Identities'}`),
      ];
      const count = kind === undefined ? 1 : left === undefined ? 2 : 3;
      assert.deepEqual(editor.placeholders.splice(0), asks.slice(0, count));
      assert.deepEqual(editor.prompts.splice(0), titles.slice(0, count));
      // The second list lacks what was chosen first.
      if (editor.offered[2]) assert.ok(!editor.offered[2].includes(picks[1]!));
    }
  });

  it('shows the answers of a recorded chat without asking', async () => {
    const read: string[] = [];
    const added: string[] = [];
    const two = withSides({
      repository: { isReadOnly: () => true, markReadOnly: (id: string) => read.push(id) },
      sessions: { add: (thread: Thread) => (added.push(thread.id), { thread, send: () => Promise.resolve() }) },
    });
    // The first one was asked on the main branch, which is not the current one.
    const turns = two.services.sessions.active.thread.turns.map((turn, at) => ({
      ...turn,
      question: { ...turn.question!, content: 'Revenue?', context: at === 0 ? { ...onDev, branch: '' } : onNet },
    }));
    Object.assign(two.services.sessions.active, { thread: { ...emptyThread('t'), turns } });
    await compareBranches(two.services);
    assert.deepEqual([new Set(added).size, read, two.done, editor.proposed], [2, added, [], []]);
    assert.deepEqual(two.pinned, [' false ana', 'net false ben']);
    const { title, contexts } = shownIn(editor.panels[0]!);
    const shown = contexts.map(({ branch, identity }) => `${branch} ${identity}`);
    assert.deepEqual([title, shown], ['Revenue?', ['main ana', 'net ben']]);
    await compareBranches(two.services, { question: 'why?', left: 'main', right: 'dev' });
    assert.equal(shownIn(editor.panels[1]!).title, 'why?');
  });
});

describe('Compare Answers Across Branches', () => {
  it('asks all questions of all folders on both branches once its user confirms the cost', async () => {
    editor.settings = { 'shop evals.attempts': 2, 'evals.attempts': 5 };
    const argument = { left: 'main', right: 'dev' };
    await compareAnswers(withSides().services, argument);
    assert.deepEqual(editor.messages, ['Ask 3 questions on “main” and on “dev”? [Ask]']);
    assert.match(editor.details[0] ?? '', /^At most 16 requests/);
    assert.deepEqual([asked, editor.panels], [[], []]);
    editor.answers = ['Ask'];
    await compareAnswers(withSides().services, argument);
    const { title, rows } = await ended(0);
    // The main branch of the other folder is another one.
    const expected = ['dev false ana', 'dev false me', 'main false me', 'main true ana', 'main true me'];
    const pinned = expected.map((each) => `sales ${each} false`);
    assert.deepEqual([...new Set(asked)].toSorted(), pinned);
    const canAccept = rows.map((row) => row.canAccept);
    assert.deepEqual(canAccept, [true, true, false]);
    assert.equal(service.asked.length, 16);
    assert.equal(service.asked.filter(({ body }) => 'chatId' in body).length, 4, 'second turns');
    assert.deepEqual([editor.panels[0]?.title, title], ['Answers: main, dev', 'Answers on main and dev']);
    [editor.answers, unserved] = [['Ask'], 'dev'];
    await compareAnswers(withSides().services, argument);
    assert.match((await ended(1)).summary, /^Waiting until the service serves the branch “dev”/);
  });

  it('asks nothing in an untrusted workspace, without questions, or if no branch is chosen', async () => {
    const { services } = withSides();
    await compareAnswers(services, { left: 'main' });
    assert.equal(editor.messages.length, 0);
    const none = withSides({ questionFiles: { load: () => Promise.resolve([]) } }).services;
    await assert.rejects(compareAnswers(none), /There are no questions to ask\. Add some to agents/);
    editor.isTrusted = false;
    await assert.rejects(compareAnswers(services), /Restricted Mode/);
    assert.deepEqual(asked, []);
  });
});

describe('the context of a question test', () => {
  it('is the current branch of its folder or the given one, and its SQL runs on the main branch of that folder', async () => {
    const requested: string[] = [];
    const dataQueryUrl = 'https://data.example/{branch}';
    const { services } = pairs({
      connections: { current: { ...sales, dataQueryUrl } },
      connector: {
        dataQuery: () =>
          Promise.resolve({
            ...{ dataQueryUrl, mainBranch: 'main', credential: { kind: 'apiKey', value: 'the-key' } },
            fetch: (url: URL | string) => {
              requested.push(String(url));
              return Promise.resolve(new Response(JSON.stringify({ schema: [{ name: 'n' }], data: [[1]] })));
            },
          }),
      },
    });
    const { signal } = new AbortController();
    for (const [at, branch, label, sent, main] of [
      [0, undefined, 'now', ['now', false], 'main'],
      [0, 'main', 'main', ['main', true], 'main'],
      [1, undefined, 'trunk', ['', true], 'trunk'],
      [1, 'main', 'main', ['main', false], 'trunk'],
    ] as const) {
      const contextOf = run.contextsIn(services, folders[at] as never, branch);
      const { home, sent: to, ...context } = contextOf('ana');
      assert.deepEqual(context, { label, branch: label, identity: 'ana', main });
      assert.deepEqual([home, to], [homeOf(sales), { branch: sent[0], isDefaultBranch: sent[1], identity: 'ana' }]);
      assert.equal(contextOf().identity, 'me');
      await run.editorAsking(services).runSql?.('SELECT n', questionNamed('count'), contextOf(), signal);
      assert.equal(requested.pop(), `https://data.example/${main}`);
    }
    assert.equal(run.editorAsking(services, { ...sales, dataQueryUrl: '' }).runSql, undefined);
  });
});

/** *Ask as Everyone…* against the sandbox: one question in a context for each identity. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { ChatClient } from '../../../../src/api/client.ts';
import { readQuestionSet } from '../../../../src/evals/files/questionSet.ts';
import { sessionAsk, type Answer } from '../../../../src/evals/matrix/answer.ts';
import type { SessionSettings } from '../../../../src/shared/wire/streamLines.ts';
import type { AskContext } from '../../../../src/vscode/runs/askContext.ts';
import { QuestionRun, type QuestionRunOptions } from '../../../../src/vscode/runs/questionRun.ts';
import { demoIdentities } from '../../../sandbox/identities.ts';
import { until } from '../../../support/until.ts';
import { repoRoot } from '../../../vscode/paths.ts';
import { answerOf, questionNamed, queryWith } from '../../evals/support.ts';
import { table } from '../../evals/tables.ts';
import { useSandbox } from '../../sandbox/support.ts';

const SETTINGS: Readonly<Record<string, SessionSettings>> = {
  dev: { externalId: 'dev' },
  ...demoIdentities,
  Nobody: { internalId: 'nobody@acme.example' },
};
const ACCESS = readFileSync(join(repoRoot, 'test/sandbox/access.yml'), 'utf8');
const GUEST = '- { name: guests, question: orders, expect: [{ as: guest, empty: true }] }';

const contextOf = (identity: string, branch = 'main'): AskContext => ({
  ...{ label: identity, branch, identity, home: undefined, main: 'main' },
  sent: { branch, isDefaultBranch: branch === 'main', identity },
});

describe('asking as everyone', () => {
  const sandbox = useSandbox();
  afterEach(() => sandbox.faults());

  function runOf(text: string, onChange: (run: QuestionRun) => void = () => undefined): QuestionRun {
    const credential = { kind: 'apiKey', value: sandbox.apiKey } as const;
    const client = new ChatClient({ chatApiUrl: sandbox.chatApiUrl, credential });
    const ask: QuestionRunOptions['ask'] = (question, { sent: context, identity = '' }, signal) => {
      const sessionSettings = SETTINGS[identity] ?? assert.fail();
      const home = { origin: sandbox.url, connection: '' };
      const connection = { client, sessionSettings, context, home, stallTimeout: 30_000 };
      return sessionAsk(() => Promise.resolve(connection))(question.text, signal);
    };
    const { questions } = readQuestionSet([{ path: '.analytics-chat/access.yml', text: `${ACCESS}  ${GUEST}\n` }]);
    const contexts = Object.keys(SETTINGS).map((identity) => contextOf(identity));
    const options = {
      ask,
      precision: 4,
      accessTests: questions,
      asked: [{ question: questionNamed('q', { text }), contexts }],
    };
    const run: QuestionRun = new QuestionRun(options, () => onChange(run));
    return run;
  }
  const statesOf = (run: QuestionRun): string[] => run.rows[0]!.cells.map(({ state }) => state);

  it('has a cell for each identity, at most four at once, and continues if one fails', async () => {
    const asking: number[] = [];
    const run = runOf('revenue by region in 2024', (now) =>
      asking.push(statesOf(now).filter((state) => state === 'asking').length),
    );
    await run.start();
    assert.deepEqual([Math.max(...asking), run.state.isRunning], [4, false]);
    const names = Object.keys(SETTINGS);
    assert.deepEqual(
      statesOf(run),
      names.map((name) => (name === 'Nobody' ? 'failed' : 'answered')),
    );
    assert.match(run.rows[0]?.cells.at(-1)?.message ?? '', /nobody@acme\.example/);
    assert.ok(run.answers(0)[1]?.thread.chatId);
    assert.deepEqual(run.notes, [
      {
        kind: 'unknown',
        text: 'access.yml names “guest”, which is not in your setting “analyticsChat.identities”.',
      },
    ]);
    assert.equal(run.state.summary, `${names.length - 1} of ${names.length} identities answered`);
  });

  it('stops the running answers on the service, and asks no others', async () => {
    sandbox.faults(...Array.from({ length: 4 }, () => ({ stallAfter: 1 })));
    const run = runOf('revenue by region in 2024');
    const [asked, aborted] = ['/stream-chat-state', '/abort'].map(
      (path) => () => sandbox.requests.filter((request) => request.path.endsWith(path)).length,
    ) as [() => number, () => number];
    const before = asked();
    const running = run.start();
    await until(() => asked() === before + 4);
    run.cancel();
    await running;
    assert.ok(statesOf(run).every((state) => state === 'canceled'));
    assert.deepEqual([asked(), aborted()], [before + 4, 4]);
  });

  it('shows nothing of the last run when it asks again, and how many rows an answer left out', async () => {
    const run = runOf('orders by day in 2024');
    await run.start();
    assert.equal(run.rows[0]?.cells[0]?.message, '100 of 366 rows');
    const again = run.start();
    assert.ok(run.answers(0).every((answer) => answer === undefined));
    run.cancel();
    await again;
  });
});

describe('a run of questions on two branches', () => {
  const rows = (value: number): Answer => answerOf(queryWith(table('n:number', [value])));
  const refused: Answer = { ...answerOf(), error: 'refused', isFinal: true, isBadBranch: true };
  const contexts = [contextOf('dev', 'main'), contextOf('dev', 'net')];

  it('asks a question that was answered only as often as its first answers leave open', async () => {
    const asked: string[] = [];
    const ask: QuestionRunOptions['ask'] = (_, { branch }) => (
      asked.push(branch),
      Promise.resolve(rows(branch === 'net' ? 2 : 1))
    );
    const question = questionNamed('q');
    const run = new QuestionRun(
      { ask, attempts: 3, asked: [{ question, contexts }], given: () => [rows(1), rows(2)] },
      () => undefined,
    );
    await run.start();
    assert.deepEqual([run.rows[0]?.state, asked.toSorted()], ['changed', ['main', 'main', 'net', 'net']]);
    assert.match(run.state.summary, /^1 changed · 4 requests/);
  });

  it('waits for a branch that is not served yet, says so, and asks the others only then', async () => {
    const asked: string[] = [];
    const summaries = new Set<string>();
    const waited: string[] = [];
    let isServed = false;
    const run: QuestionRun = new QuestionRun(
      {
        ask: ({ name }, { branch }) => {
          asked.push(`${name} on ${branch}`);
          return Promise.resolve(branch === 'main' || isServed ? rows(1) : refused);
        },
        asked: ['q', 'r'].map((name) => ({ question: questionNamed(name), contexts })),
        branches: { wait: 60_000, clock: { sleep: () => Promise.resolve(void (isServed = true)) } },
        onWaiting: (text) => waited.push(text),
      },
      () => summaries.add(run.state.summary),
    );
    await run.start();
    assert.deepEqual(asked, ['q on main', 'q on net', 'q on net', 'r on main', 'r on net']);
    assert.deepEqual(waited, ['Waiting until the service serves the branch “net”…']);
    const [, atMost, waiting, last] = summaries;
    assert.deepEqual([waiting, summaries.size], [waited[0], 4]);
    assert.match(`${atMost}\n${last}`, /^Asking 2 questions on main and net, .*\n2 the same · 4 requests/);
  });

  it('ends with one message if a branch is not served in time, or with none if it is canceled', async () => {
    let asked = 0;
    const options: QuestionRunOptions = {
      ask: () => Promise.resolve(((asked += 1), refused)),
      asked: Array.from({ length: 50 }, (_, at) => ({ question: questionNamed(`q${at}`), contexts })),
      branches: { wait: 0 },
    };
    const failed = new QuestionRun(options, () => undefined);
    await assert.rejects(failed.start(), /does not serve the branch “main”/);
    assert.match(failed.state.summary, /does not serve the branch “main”/);
    assert.ok(!failed.state.isRunning && failed.rows.every(({ state, message }) => state === 'canceled' && !message));
    assert.equal(asked, 2);
    const canceled: QuestionRun = new QuestionRun(
      { ...options, branches: { wait: 600_000 }, onWaiting: () => canceled.cancel() },
      () => undefined,
    );
    await canceled.start();
    assert.match(canceled.state.summary, /50 canceled/);
  });

  it('shows the turn that decides of a question with several, opens its whole chat, and accepts no result', async () => {
    const turns = ['first', 'second'].map((text) => questionNamed('q', { text, expectedSql: undefined }));
    const question = questionNamed('q', { expectedSql: undefined, turns });
    const ask: QuestionRunOptions['ask'] = ({ text }, { branch }) => {
      const answer = rows(branch === 'net' && text === 'first' ? 2 : 1);
      return Promise.resolve({ ...answer, thread: { ...answer.thread, id: `${text} on ${branch}` } });
    };
    const folder = {} as NonNullable<QuestionRunOptions['asked'][number]['folder']>;
    const run = new QuestionRun({ ask, asked: [{ question, contexts, folder }] }, () => undefined);
    await run.start();
    assert.deepEqual(
      run.answers(0).map((answer) => answer?.thread.id),
      ['first on main', 'first on net'],
    );
    assert.equal(run.thread(0, 1)?.id, 'second on net');
    assert.deepEqual([run.rows[0]?.state, run.rows[0]?.canAccept], ['changed', false]);
  });

  it('offers to accept only results of questions in files that expect nothing else', async () => {
    const folder = {} as NonNullable<QuestionRunOptions['asked'][number]['folder']>;
    const none = { expectedSql: undefined };
    const questions = [
      questionNamed('open', none),
      questionNamed('sql'),
      questionNamed('empty', { ...none, access: { kind: 'empty' } }),
      questionNamed('past', { ...none, path: '' }),
      questionNamed('silent', none),
      questionNamed('part', none),
    ];
    const part = answerOf(queryWith({ ...table('n:number', [1]), totalRows: 2 }));
    const run = new QuestionRun(
      {
        ask: ({ name }) => Promise.resolve(name === 'silent' ? answerOf() : name === 'part' ? part : rows(1)),
        asked: questions.map((question) => ({ question, contexts, folder })),
      },
      () => undefined,
    );
    await run.start();
    assert.deepEqual(
      run.rows.filter(({ canAccept }) => canAccept).map(({ name }) => name),
      ['open'],
    );
    assert.equal(run.acceptable(0)?.context.branch, 'net');
  });
});

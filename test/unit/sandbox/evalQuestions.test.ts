/** The question tests of the demo workspace, asked of the sandbox and graded. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { ChatClient } from '../../../src/api/client.ts';
import { queryTable } from '../../../src/api/dataQuery.ts';
import { queryContextOf, type Connection } from '../../../src/chat/connection/connection.ts';
import { questionTestPaths } from '../../../src/evals/files/layout.ts';
import { readQuestionSet } from '../../../src/evals/files/questionSet.ts';
import type { TestQuestion } from '../../../src/evals/question.ts';
import { sessionAsk } from '../../../src/evals/matrix/answer.ts';
import { truthFromFiles, type RunSqlIn } from '../../../src/evals/matrix/asking.ts';
import { expected } from '../../../src/evals/matrix/expected.ts';
import { contextsToGrade, type Context, type Verdict } from '../../../src/evals/matrix/matrix.ts';
import { same } from '../../../src/evals/matrix/same.ts';
import { runMatrix } from '../../../src/evals/matrix/runMatrix.ts';
import type { SessionSettings } from '../../../src/shared/wire/streamLines.ts';
import { demoIdentities } from '../../sandbox/identities.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { isFull } from '../../support/runs.ts';
import { dev, startFast, useSandbox } from './support.ts';

const workspace = join(import.meta.dirname, '..', '..', 'fixtures', 'workspaces', 'model');
const paths = await questionTestPaths((folder) => readdir(join(workspace, folder)).catch(() => []), 'agents');
const { questions, problems } = readQuestionSet(
  paths.map((path) => ({ path, text: readFileSync(join(workspace, path), 'utf8') })),
);

const REVENUE = [
  'revenue_by_quarter',
  'revenue_by_month_2024',
  'revenue_by_region_2024',
  'revenue_by_category_last_quarter',
  'revenue_in_germany_by_quarter',
  'revenue_2024_and_2023',
  'top_products_by_revenue',
  'revenue_per_order_q3_2024',
];
const SEGMENTS = ['customers_by_segment', 'orders_by_segment_2024', 'enterprise_customers'];

interface RunOn {
  branch?: string;
  sessionSettings?: SessionSettings;
  times?: number;
  /** Compares the answers with those on main, instead of grading them. */
  isCompared?: boolean;
  /** Session settings of the questions that name an identity. */
  identities?: Readonly<Record<string, SessionSettings>>;
}

async function run(
  sandbox: Sandbox,
  asked: readonly TestQuestion[],
  { branch = 'main', sessionSettings = dev, times = 1, identities = {}, isCompared = false }: RunOn = {},
): Promise<Verdict[]> {
  const credential = { kind: 'apiKey', value: sandbox.apiKey } as const;
  const client = new ChatClient({ chatApiUrl: sandbox.chatApiUrl, credential });
  const { dataQueryUrl } = sandbox;
  const connectionOf = ({ branch: name, identity = '' }: Context): Connection => ({
    client,
    sessionSettings: identities[identity] ?? sessionSettings,
    context: { branch: name, isDefaultBranch: name === 'main', identity },
    stallTimeout: 60_000,
  });
  const verdicts: Verdict[] = [];
  const runSql: RunSqlIn = (sql, _question, context, signal) =>
    queryTable(sql, { dataQueryUrl, credential, signal, ...queryContextOf(connectionOf(context)) });
  const on =
    (branch: string) =>
    (identity?: string): Context => ({ label: branch, branch, identity });
  const contextsOf = (question: TestQuestion): Context[] =>
    isCompared ? [on('main')(), on(branch)()] : contextsToGrade(question, on(branch));
  await runMatrix(asked, contextsOf, isCompared ? same() : expected({ isRepeated: true }), {
    ask: ({ text }, context, signal) => sessionAsk(() => Promise.resolve(connectionOf(context)))(text, signal),
    ...{ runSql, truth: truthFromFiles(runSql), attempts: times, signal: new AbortController().signal },
    // Errors are drawn in the order of the answers.
    ...(isCompared ? { concurrency: 1 } : {}),
    onEvent: (event) => {
      if (event.type === 'judged') verdicts.push(event.verdict);
    },
  });
  return verdicts;
}

/** Names by status, with the reasons of those that did not pass. */
const notPassed = (verdicts: readonly Verdict[]): string[] =>
  verdicts
    .filter(({ status }) => status !== 'passed')
    .map(({ question, status, message }) => `${question.name}: ${status}, ${message}`)
    .sort();

const namesWith = (verdicts: readonly Verdict[], wanted: Verdict['status']): string[] =>
  verdicts.flatMap(({ question, status }) => (status === wanted ? [question.name] : [])).sort();

describe('the demo’s question tests', () => {
  const sandbox = useSandbox();

  const named = (name: string): TestQuestion => {
    const question = questions.find((one) => one.name === name);
    assert.ok(question, name);
    return question;
  };

  it('are at least 25, most with their own SQL, in valid files', () => {
    assert.deepEqual(problems, []);
    assert.ok(questions.length >= 25);
    const own = questions.filter(({ expectedSql }) => expectedSql && expectedSql.certifiedQuery === undefined);
    assert.ok(own.length > questions.length / 2);
    assert.ok(questions.some(({ expectedSql }) => expectedSql?.certifiedQuery !== undefined));
  });

  it('all pass on main', async () => {
    const verdicts = await run(sandbox, questions);
    assert.deepEqual(notPassed(verdicts), []);
    assert.equal(verdicts.length, questions.length);
  });

  it('fail on dev-net-revenue exactly for revenue, with the differing rows', async () => {
    const verdicts = await run(sandbox, questions, { branch: 'dev-net-revenue' });
    assert.deepEqual(namesWith(verdicts, 'failed'), [...REVENUE].sort());
    assert.equal(notPassed(verdicts).length, REVENUE.length, notPassed(verdicts).join('\n'));
    for (const { attempt, status } of verdicts) if (status === 'failed') assert.ok(attempt?.difference);
  });

  it('fail on dev-customer-groups exactly for the three about segments', async () => {
    const verdicts = await run(sandbox, questions, { branch: 'dev-customer-groups' });
    assert.deepEqual(namesWith(verdicts, 'failed'), [...SEGMENTS].sort());
    assert.equal(notPassed(verdicts).length, SEGMENTS.length, notPassed(verdicts).join('\n'));
  });

  it('pass for a user with restricted rows, because the expected SQL is restricted too', async () => {
    const question = named('revenue_by_region_2024');
    const [all, ana] = await Promise.all(
      [dev, demoIdentities['Ana, Europe']!].map((sessionSettings) => run(sandbox, [question], { sessionSettings })),
    );
    assert.deepEqual(
      [all, ana].map((verdicts) => verdicts?.[0]?.status),
      ['passed', 'passed'],
    );
    assert.equal(all?.[0]?.expectation?.table.rows.length, 4);
    assert.equal(ana?.[0]?.expectation?.table.rows.length, 1);
  });

  it('about access pass for every user of the demo, and fail for one who is no longer restricted', async () => {
    const path = join(import.meta.dirname, '..', '..', 'sandbox', 'access.yml');
    const access = readQuestionSet([{ path: '.analytics-chat/access.yml', text: readFileSync(path, 'utf8') }]);
    assert.deepEqual(access.problems, []);
    const strict = await run(sandbox, access.questions, { identities: demoIdentities });
    assert.deepEqual(notPassed(strict), []);
    const loose = { ...demoIdentities, 'Ben, Germany': { externalId: 'ben' } };
    const verdicts = await run(sandbox, access.questions, { identities: loose });
    assert.deepEqual(namesWith(verdicts, 'failed'), ['revenue_by_country as Ben, Germany']);
    assert.equal(notPassed(verdicts).length, 1);
  });

  it('accuse no branch of the errors of its agent, and find what changed', async () => {
    const erring = await startFast({ errors: { share: 0.1, seed: 1 } });
    const onBranch = (branch: string, asked: readonly TestQuestion[]) =>
      run(erring, asked, { branch, times: 3, isCompared: true });
    const asked = questions.filter((_, at) => isFull || at % 2 === 0);
    const margin = await onBranch('dev-margin', asked);
    const net = await onBranch(
      'dev-net-revenue',
      questions.filter(({ name }) => REVENUE.includes(name)),
    );
    await erring.stop();
    const answers = margin.flatMap(({ cells }) => cells.flatMap((cell) => cell.answers));
    assert.ok(answers.length > 2 * asked.length, 'some were asked again');
    assert.deepEqual(namesWith(margin, 'changed'), []);
    assert.ok(namesWith(net, 'changed').length >= REVENUE.length - 1);
  });

  it('include one that is flaky, only if the service is configured so', async () => {
    const question = named('orders_this_month');
    assert.equal((await run(sandbox, [question], { times: 3 }))[0]?.status, 'passed');
    const flaky = await startFast({ flaky: true });
    const [verdict] = await run(flaky, [question], { times: 3 });
    assert.deepEqual([verdict?.status, verdict?.passes?.count], ['flaky', 2]);
    assert.equal((await run(flaky, [named('orders_last_quarter')], { times: 3 }))[0]?.status, 'passed');
    await flaky.stop();
  });
});

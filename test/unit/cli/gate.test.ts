/** What a run of question tests writes as JSON, what it takes from an earlier run, and when it succeeds. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { exitCodeOf, rateOption, rateText } from '../../../src/cli/gate.ts';
import { readRun } from '../../../src/cli/runFile.ts';
import { durationOption } from '../../../src/cli/usage.ts';
import type { RunSummary } from '../../../src/evals/report/summary.ts';
import { VERDICT_STATUSES, type VerdictStatus } from '../../../src/shared/protocol/verdicts.ts';
import { questionNamed } from '../evals/support.ts';
import { useSandbox } from '../sandbox/support.ts';
import { Cli, type Ended } from './support.ts';

const summaryOf = (counts: Partial<Record<VerdictStatus, number>>, known = 0): RunSummary => {
  const none = Object.fromEntries(VERDICT_STATUSES.map((status) => [status, 0])) as RunSummary['counts'];
  return { counts: { ...none, ...counts }, known, requests: 1, milliseconds: 1 };
};

describe('exit code of eval', () => {
  const { signal } = new AbortController();
  const cases: [
    counts: Partial<Record<VerdictStatus, number>>,
    known: number,
    minimum: number | undefined,
    code: number,
  ][] = [
    [{ passed: 2 }, 0, undefined, 0],
    [{ passed: 2, failed: 1 }, 0, undefined, 1],
    [{ passed: 2, review: 1 }, 0, undefined, 1],
    [{ flaky: 1, unstable: 1 }, 0, undefined, 0],
    [{ skipped: 2 }, 0, undefined, 2],
    [{}, 0, undefined, 2],
    [{ passed: 1, errored: 1 }, 0, undefined, 2],
    [{ failed: 1, errored: 1 }, 0, undefined, 1],
    [{ passed: 2, failed: 2 }, 2, undefined, 0],
    [{ passed: 2, failed: 1, review: 1 }, 1, undefined, 1],
    [{ failed: 2 }, 2, undefined, 0],
    [{ failed: 1, errored: 1 }, 1, undefined, 2],
    [{ passed: 9, failed: 1 }, 0, 0.9, 0],
    [{ passed: 8, flaky: 1, review: 1 }, 0, 0.9, 0],
    [{ passed: 8, failed: 2 }, 0, 0.9, 1],
    [{ passed: 9, failed: 4 }, 3, 0.9, 0],
    [{ passed: 8, failed: 4 }, 2, 0.9, 1],
    [{ passed: 9, failed: 1, errored: 1 }, 0, 0.9, 2],
    [{ skipped: 1 }, 0, 0, 2],
  ];
  for (const [counts, known, minimum, code] of cases)
    it(`is ${code} for ${JSON.stringify(counts)} with ${known} known and a minimum of ${minimum}`, () => {
      const summary = summaryOf(counts, known);
      assert.equal(exitCodeOf(summary, { minimum, isIncomplete: false, signal }), code);
      assert.equal(exitCodeOf(summary, { minimum, isIncomplete: true, signal }), code || 2);
    });

  it('takes a rate from 0 to 1, and says what it is compared with', () => {
    assert.deepEqual(
      ['0', '0.9', '.95', '1', '1.0', undefined].map((value) => rateOption('--min-pass-rate', value)),
      [0, 0.9, 0.95, 1, 1, undefined],
    );
    for (const value of ['90', '1.1', '-0.5', '90%', '0,9', '.', 'x'])
      assert.throws(() => rateOption('--min-pass-rate', value), /--min-pass-rate must be a number from 0 to 1/);
    assert.equal(rateText(summaryOf({ passed: 2, failed: 1 }), 0.29), 'Pass rate 66.6 % (2/3), at least 29 % required');
    assert.equal(
      rateText(summaryOf({ passed: 3, failed: 2 }, 1), 0.9),
      'Pass rate without known failures 75 % (3/4), at least 90 % required',
    );
    assert.equal(rateText(summaryOf({ skipped: 1 }), 0.9), undefined);
  });
});

const REVENUE = "SELECT DATE_TRUNC('year', sales.ordered_at) AS y, MEASURE(sales.revenue) AS r FROM sales GROUP BY 1";

describe('a gate on the command line', () => {
  const cli = new Cli();
  const sandbox = useSandbox();
  let env: Record<string, string>;
  let first: Ended;
  const onBranch = ['eval', 'project', '--branch', 'dev-net-revenue', '--baseline', 'main', '--attempts', '1'];
  const run = (...args: string[]): Promise<Ended> => cli.run(args, env);
  const read = (file: string): string => readFileSync(join(cli.folder, file), 'utf8');
  const json = (file: string) =>
    JSON.parse(read(file)) as { questions: { name: string; verdict: string }[]; [name: string]: unknown };
  const asked = (): number => sandbox.requests.filter(({ path }) => path.endsWith('/stream-chat-state')).length;

  before(async () => {
    await cli.build();
    cli.write({
      'project/agents/eval_questions.yml': `eval_questions:
  - name: revenue_by_year
    question: revenue by year
    sql: ${REVENUE}
  - name: orders_by_year
    question: number of orders by year
    sql: ${REVENUE.replace('revenue', 'order_count')}
`,
    });
    env = {
      ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl,
      ANALYTICS_CHAT_API_KEY: sandbox.apiKey,
      ANALYTICS_CHAT_EXTERNAL_ID: 'ci',
      ANALYTICS_CHAT_DATA_QUERY_URL: sandbox.dataQueryUrl,
    };
    first = await run(...onBranch, '--json', 'runs/first.json');
  });
  after(() => cli.remove());

  it('eval --json writes every question with its verdict and place, and a number of answers for each context', () => {
    assert.equal(first.code, 1, first.stderr);
    assert.match(first.stderr, /^Asking 2 questions on main and dev-net-revenue, at most 4 requests\.$/m);
    const { questions, milliseconds, tokens, ...rest } = json('runs/first.json');
    assert.deepEqual(rest, {
      version: 1,
      command: 'eval',
      contexts: [
        { branch: 'main', identity: 'ci' },
        { branch: 'dev-net-revenue', identity: 'ci' },
      ],
      counts: { failed: 1, passed: 1 },
      requests: 4,
    });
    assert.ok(Number.isInteger(milliseconds) && Number(tokens) > 0);
    const fixed = questions.map((question) => ({ ...question, tokens: 0, milliseconds: 0 }));
    const common = { file: 'agents/eval_questions.yml', attempts: [1, 1], tokens: 0, milliseconds: 0 };
    assert.deepEqual(fixed, [
      {
        ...{ name: 'revenue_by_year', text: 'revenue by year', verdict: 'failed' },
        ...{ ...common, line: 2, message: '3 of 3 rows differ' },
      },
      {
        ...{ name: 'orders_by_year', text: 'number of orders by year', verdict: 'passed' },
        ...{ ...common, line: 5, message: '' },
      },
    ]);
  });

  it('eval --known lists a failure of the earlier run, and succeeds', async () => {
    const reports = ['--junit', 'known.xml', '--markdown', 'known.md', '--json', 'known.json'];
    const { code, stdout } = await run(...onBranch, '--known', 'runs/first.json', ...reports);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^failed +revenue_by_year: known: 3 of 3 rows differ\n/);
    assert.match(stdout, /\n50 % \(1\/2\) · 1 known · /);
    assert.match(read('known.xml'), /tests="2" failures="0" errors="0"/);
    assert.match(read('known.md'), /\| 📌 \| revenue&#95;by&#95;year \| Known: 3 of 3 rows differ \| 1 /);
    assert.equal(json('known.json').questions[0]!.verdict, 'failed', 'it is known in the next run, too');
  });

  it('eval --known fails for a failure of a question that passed in the earlier run, or is in another file', async () => {
    const earlier = json('runs/first.json');
    const [failed, passed] = earlier.questions as [
      { name: string; verdict: string },
      { name: string; verdict: string },
    ];
    cli.write({
      'runs/passed.json': JSON.stringify({ ...earlier, questions: [{ ...failed, verdict: 'passed' }, passed] }),
      'runs/moved.json': JSON.stringify({ ...earlier, questions: [{ ...failed, file: 'agents/other.yml' }] }),
      'runs/errored.json': JSON.stringify({ ...earlier, questions: [{ ...failed, verdict: 'errored' }] }),
    });
    assert.equal((await run(...onBranch, '--known', 'runs/passed.json')).code, 1);
    const question = { ...questionNamed(failed.name), path: 'agents/eval_questions.yml' };
    for (const [name, isKnown] of Object.entries({ first: true, passed: false, moved: false, errored: false }))
      assert.equal((await readRun(join(cli.folder, `runs/${name}.json`))).failed(question), isKnown, name);
  });

  it('eval --failed asks only what did not pass, and nothing if all passed', async () => {
    const { code, stdout } = await run(...onBranch, '--failed', 'runs/first.json', '--json', 'again.json');
    assert.equal(code, 1);
    assert.match(stdout, /\n0 % \(0\/1\) · 2 requests · /);
    assert.deepEqual(
      json('again.json').questions.map(({ name }) => name),
      ['revenue_by_year'],
    );
    const [, passed] = json('runs/first.json').questions;
    cli.write({ 'runs/none.json': JSON.stringify({ ...json('runs/first.json'), questions: [passed] }) });
    const none = await run(...onBranch, '--failed', 'runs/none.json');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /^None of these questions failed earlier\.$/m);
  });

  it('eval --list lists what would be asked, and asks nothing', async () => {
    const before = asked();
    assert.deepEqual(await run('eval', 'project', '--list'), {
      code: 0,
      stdout:
        'project/agents/eval_questions.yml:2: revenue_by_year: revenue by year\n' +
        'project/agents/eval_questions.yml:5: orders_by_year: number of orders by year\n',
      stderr: '',
    });
    const some = await run('eval', 'project', '--list', '--failed', 'runs/first.json');
    assert.equal(some.stdout, 'project/agents/eval_questions.yml:2: revenue_by_year: revenue by year\n');
    assert.equal((await run('eval', 'project', '--list', '--tag', '@access')).code, 2);
    assert.equal(asked(), before);
  });

  it('eval --min-pass-rate accepts failures up to the rate', async () => {
    const enough = await run(...onBranch, '--min-pass-rate', '0.5');
    assert.equal(enough.code, 0);
    assert.match(enough.stdout, /\nPass rate 50 % \(1\/2\), at least 50 % required\n$/);
    assert.equal((await run(...onBranch, '--min-pass-rate', '0.6')).code, 1);
  });

  it('eval asks nothing with a file that is not a run, and says what it is', async () => {
    const before = asked();
    const earlier = json('runs/first.json');
    const files: [text: string, message: RegExp][] = [
      ['{', /x\.json is not JSON\. Pass a file that eval --json wrote\.$/],
      ['[]', /x\.json is not a run\./],
      ['{"questions": []}', /x\.json is not a run\./],
      [
        JSON.stringify({ ...earlier, version: 2 }),
        /x\.json has version 2 of the format, but this .* reads version 1\./,
      ],
      [JSON.stringify({ ...earlier, command: 'check' }), /x\.json is a run of another command\./],
      [JSON.stringify({ ...earlier, questions: [{ name: 'q', verdict: 'lost' }] }), /x\.json is damaged: /],
    ];
    for (const [text, message] of files) {
      cli.write({ 'x.json': text });
      await assert.rejects(readRun(join(cli.folder, 'x.json')), { name: 'UsageError', message });
    }
    for (const option of ['--known', '--failed']) {
      const { code, stderr } = await run('eval', 'project', option, 'no.json');
      assert.equal(code, 2);
      assert.match(stderr, /^Can’t read no\.json: /m);
    }
    assert.equal(asked(), before);
  });

  it('eval and compare wait for a branch with --wait, and fail once without it or if it is not served in time', async () => {
    const branch = 'dev-net-revenue';
    const compare = ['compare', 'number of orders by year', '--branches', `main,${branch}`];
    for (const [args, served] of [
      [onBranch, 1],
      [compare, 0],
    ] as const) {
      sandbox.faults({ badBranch: branch });
      const waited = await run(...args, '--wait', '5m');
      assert.equal(waited.code, served, waited.stderr);
      assert.match(waited.stderr, /^Waiting until the service serves the branch “dev-net-revenue”…$/m);
      for (const wait of [[], ['--wait', '1s']]) {
        sandbox.faults({ badBranch: branch, requests: 9 });
        const before = asked();
        const { code, stdout, stderr } = await run(...args, ...wait);
        sandbox.faults();
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, /\nThe service does not serve the branch “dev-net-revenue”\. .* --wait 10m\.\n$/);
        assert.equal(stderr.match(/dev-net-revenue”\. /g)?.length, 1);
        assert.equal(asked() - before, wait.length === 0 ? 2 : 3);
      }
    }
    assert.match((await run(...compare, '--wait', '10')).stderr, /--wait must be a duration, such as 90s or 10m\.\n$/);
    for (const wrong of ['1.5m', '2d', 'm', '99999s'])
      assert.throws(() => durationOption('--wait', wrong), /a duration/);
  });

  it('compare --json writes the verdict on both branches', async () => {
    const branches = ['--branches', 'main,dev-net-revenue', '--json', 'compared.json'];
    const { code } = await run('compare', 'revenue by year', ...branches);
    assert.equal(code, 1);
    const { command, contexts, counts, questions } = json('compared.json');
    assert.deepEqual([command, counts], ['compare', { changed: 1 }]);
    assert.deepEqual(contexts, [
      { branch: 'main', identity: 'ci' },
      { branch: 'dev-net-revenue', identity: 'ci' },
    ]);
    const { milliseconds: _, tokens: __, message, ...question } = questions[0] as unknown as Record<string, unknown>;
    assert.match(String(message), /^3 of 3 rows changed/);
    assert.deepEqual(question, {
      name: 'revenue by year',
      text: 'revenue by year',
      verdict: 'changed',
      attempts: [3, 3],
    });
  });
});

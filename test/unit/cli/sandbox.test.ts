/** The command line with the sandbox. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { isDeepStrictEqual } from 'node:util';
import { after, afterEach, before, describe, it } from 'mocha';
import { usageOf } from '../../../src/cli/usage.ts';
import { canaryKey, Search } from '../../support/canary.ts';
import { until } from '../../support/until.ts';
import { serve } from '../api/support/service.ts';
import { useSandbox } from '../sandbox/support.ts';
import { Cli, type Ended } from './support.ts';

const REVENUE = "SELECT DATE_TRUNC('year', sales.ordered_at) AS y, MEASURE(sales.revenue) AS r FROM sales GROUP BY 1";
const QUESTIONS = `eval_questions:
  - name: revenue_by_year
    question: revenue by year
    sql: ${REVENUE}
  - name: orders_by_year
    question: number of orders by year
    certifiedQuery: orders
`;
const CERTIFIED = `---
user_request: number of orders by year
---
SELECT DATE_TRUNC('year', sales.ordered_at) AS y, MEASURE(sales.order_count) AS n FROM sales GROUP BY 1
`;
const OWN = 'eval_questions:\n  - {name: revenue, question: revenue by year}\n';

describe('command line', () => {
  const cli = new Cli();
  const key = canaryKey();
  const search = new Search(key);
  const token = canaryKey();
  const check = (sent: string): Record<string, unknown> => ({
    externalId: 'ci',
    scope: [sent === token ? 'chat' : ''],
  });
  const sandbox = useSandbox({ apiKey: key, serviceTokens: { kind: 'custom', check } });
  let env: Record<string, string>;
  const outputs: string[] = [];

  before(async () => {
    await cli.build();
    cli.write({
      'project/agents/eval_questions.yml': QUESTIONS,
      'project/agents/certified_queries/orders.md': CERTIFIED,
      'own/.analytics-chat/questions.yml': OWN,
    });
    env = {
      ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl,
      ANALYTICS_CHAT_API_KEY: key,
      ANALYTICS_CHAT_EXTERNAL_ID: 'ci',
      ANALYTICS_CHAT_DATA_QUERY_URL: sandbox.dataQueryUrl,
    };
  });
  after(() => cli.remove());
  afterEach(() => sandbox.faults());

  async function run(args: string[], more: Record<string, string> = {}): Promise<Ended> {
    const ended = await cli.run(args, { ...env, ...more });
    outputs.push(ended.stdout, ended.stderr);
    return ended;
  }

  it('ask writes the answer and its rows to stdout, and progress to stderr', async () => {
    const { code, stdout, stderr } = await run(['ask', 'revenue by year', '--sql']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Revenue came to .*\n[^]*SELECT[^]*\nyear +revenue\n2023-01-01[^\n]+4269156\.03\n/);
    assert.match(stderr, /^Model search: .*\nSQL query: Revenue by year\n$/);
  });

  it('ask writes CSV, JSON and Markdown that other parsers read', async () => {
    const csv = await run(['ask', 'revenue by year', '--format', 'csv']);
    assert.deepEqual((parse(csv.stdout) as string[][])[1], ['2023-01-01T00:00:00.000', '4269156.03']);
    const json = JSON.parse((await run(['ask', 'revenue by year', '--format=json'])).stdout) as Record<string, unknown>;
    assert.deepEqual([json['branch'], json['identity'], json['totalRows']], ['main', 'ci', 3]);
    assert.deepEqual((json['rows'] as unknown[])[0], { year: '2023-01-01T00:00:00.000', revenue: 4269156.03 });
    const md = await run(['ask', 'revenue by year', '--format', 'md', '--sql']);
    assert.match(md.stdout, /```sql\nSELECT[^]*```\n\n\| year \| revenue \|\n/);
  });

  it('ask asks on a branch and as a named identity', async () => {
    const settings = JSON.stringify({
      europe: { externalId: 'eu', userAttributes: [{ name: 'region', value: 'Europe' }] },
    });
    const named = { ANALYTICS_CHAT_EXTERNAL_ID: '', ANALYTICS_CHAT_SESSION_SETTINGS: settings };
    const all = (await run(['ask', 'revenue in 2024', '--format', 'csv'])).stdout;
    const branch = (await run(['ask', 'revenue in 2024', '--format', 'csv', '--branch', 'dev-net-revenue'])).stdout;
    const europe = await run(['ask', 'revenue in 2024', '--format', 'csv', '--as', 'europe'], named);
    assert.equal(europe.code, 0, europe.stderr);
    assert.equal(new Set([all, branch, europe.stdout]).size, 3);
    const same = { ...named, ANALYTICS_CHAT_EXTERNAL_ID: 'europe' };
    assert.equal(
      (await run(['ask', 'revenue in 2024', '--format', 'csv', '--as', 'europe'], same)).stdout,
      europe.stdout,
    );
    assert.equal((await run(['ask', 'revenue in 2024', '--branch', 'main', '--format', 'csv'])).stdout, all);
    const unknown = await run(['ask', 'revenue', '--as', 'asia'], named);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [2, 'There is no identity “asia”. ANALYTICS_CHAT_SESSION_SETTINGS has “europe”.\n'],
    );
  });

  it('eval passes on main: exit code 0, and a JUnit report', async () => {
    const { code, stdout, stderr } = await run(['eval', 'project', '--junit', 'ok.xml']);
    assert.equal(code, 0, stdout + stderr);
    assert.match(
      stdout,
      /^passed +revenue_by_year\npassed +orders_by_year\n100 % \(2\/2\) · 2 requests · [\d,]+ tokens · \d+\.\d s\n$/,
    );
    assert.match(stderr, /^Asking 2 questions on main, at most 6 requests\.\n\[1\/2\] passed \w+ \(\d+\.\d s\)$/m);
    assert.match(readFileSync(join(cli.folder, 'ok.xml'), 'utf8'), /<testsuites tests="2" failures="0" errors="0"/);
  });

  it('eval against main fails exactly the question that a branch changes: exit code 1, with the rows', async () => {
    const { code, stdout } = await run([
      'eval',
      'project',
      '--branch',
      'dev-net-revenue',
      '--baseline',
      'main',
      '--junit',
      'bad.xml',
      '--markdown',
      'bad.md',
    ]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^failed +revenue_by_year \(0\/3\): 3 of 3 rows differ\n {2}at project\/agents\/eval_questions\.yml:2\n/,
    );
    assert.match(stdout, /^ {2}- 2023-01-01[^\n]+4269156\.03$/m);
    assert.match(stdout, /\npassed +orders_by_year\n50 % \(1\/2\)/);
    assert.match(
      readFileSync(join(cli.folder, 'bad.md'), 'utf8'),
      /^<!-- .* -->\n## Questions on dev-net-revenue, compared with main\n/,
    );
    assert.match(readFileSync(join(cli.folder, 'bad.xml'), 'utf8'), /<testsuites tests="2" failures="1" errors="0"/);
  });

  it('eval runs only the questions of the given files', async () => {
    cli.write({
      'project/agents/eval_questions/more.yml': `eval_questions:\n  - {name: more, question: revenue by year, sql: "${REVENUE}"}\n`,
    });
    const { stdout } = await run(['eval', 'project/agents/eval_questions']);
    assert.match(stdout, /^passed +more\n100 % \(1\/1\)/);
  });

  it('eval asks each question of its space, from the folder of the platform’s files in the environment', async () => {
    const certified = `---\nuser_request: revenue by year\n---\n<!-- certified -->\n${REVENUE}\n`;
    const entry = '  - {name: revenue, question: revenue by year, certifiedQuery: by_year';
    cli.write({
      'spaces/bi/agents/eval_questions.yml': `eval_questions:\n${entry}, space: sales}\n${entry}, space: hr}\n`,
      'spaces/bi/agents/certified_queries/sales/by_year.md': certified,
      'spaces/bi/agents/certified_queries/by_year.md': certified.replace("'year'", "'quarter'"),
      'spaces/agents/eval_questions.yml': 'none',
    });
    const moved = { ANALYTICS_CHAT_AGENTS_PATH: './bi/agents/' };
    const { code, stdout } = await run(['eval', 'spaces/bi', '--attempts', '1', '--json', 'spaces.json'], moved);
    assert.match(stdout, /^passed +revenue\nfailed +revenue: /);
    assert.equal(code, 1);
    const failed = await run(['eval', 'spaces/bi', '--failed', 'spaces.json', '--list'], moved);
    assert.equal(failed.stdout, 'spaces/bi/agents/eval_questions.yml:3: revenue: revenue by year\n');
    const outside = await run(['eval', 'spaces'], { ANALYTICS_CHAT_AGENTS_PATH: '../agents' });
    assert.deepEqual(
      [outside.code, outside.stderr],
      [2, 'ANALYTICS_CHAT_AGENTS_PATH must be a folder in the project, relative to it.\n'],
    );
  });

  it('eval grades turns and rules of behavior', async () => {
    const sales = "SELECT MEASURE(sales.revenue) FROM sales WHERE sales.region = 'Europe'";
    const turns = `turns: [{question: revenue by region}, {question: only Europe, sql: "${sales}"}]`;
    cli.write({
      'behavior/.analytics-chat/questions.yml': `eval_questions:
  - {name: follow_up, ${turns}}
  - {name: hello, question: hello, expect: {no_query: true}}
  - {name: delete, question: delete all orders, expect: {no_query: true}}
  - {name: uses, question: revenue by year, expect: {uses: sales.revenue, avoids: [sales.order_count, products.revenue]}}
  - {name: avoids, question: revenue by year, expect: {avoids: Sales.Revenue}}
`,
    });
    const options = ['--attempts', '1', '--junit', 'behavior.xml', '--markdown', 'behavior.md'];
    const { code, stdout, stderr } = await run(['eval', 'behavior', ...options]);
    assert.match(stderr, /^Asking 5 questions on main, at most 6 requests\.$/m);
    assert.deepEqual(stdout.match(/^(?:passed|failed) .*$/gm), [
      'passed   follow_up',
      'passed   hello',
      'failed   delete: The agent ran a query.',
      'passed   uses',
      'failed   avoids: The SQL uses “Sales.Revenue”.',
    ]);
    assert.equal(code, 1);
    assert.match(readFileSync(join(cli.folder, 'behavior.xml'), 'utf8'), /message="The agent ran a query\."/);
    assert.match(
      readFileSync(join(cli.folder, 'behavior.md'), 'utf8'),
      /\| ❌ \| delete \| The agent ran a query\. \|/,
    );
    const list = await run(['eval', 'behavior', '--list']);
    assert.match(list.stdout, /questions\.yml:2: follow_up: revenue by region → only Europe\n/);
  });

  it('eval names the variable that expected SQL needs', async () => {
    const { stdout } = await run(['eval', 'project'], { ANALYTICS_CHAT_DATA_QUERY_URL: '' });
    assert.match(stdout, /^skipped +revenue_by_year: No expected result: set ANALYTICS_CHAT_DATA_QUERY_URL to run/);
  });

  it('eval --accept writes one file, with which the question passes, and fails on another branch', async () => {
    const before = await run(['eval', 'own']);
    assert.match(before.stdout, /^skipped +revenue: No expected result/);
    const accepted = await run(['eval', 'own', '--accept']);
    assert.equal(accepted.code, 0);
    assert.match(accepted.stdout, /Accepted: \.analytics-chat\/baselines\/revenue\.yml/);
    const folder = join(cli.folder, 'own', '.analytics-chat');
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), [
      'baselines',
      'baselines/revenue.yml',
      'questions.yml',
    ]);
    assert.match((await run(['eval', 'own'])).stdout, /^passed +revenue\n100 % \(1\/1\)/);
    assert.equal((await run(['eval', 'own', '--branch', 'dev-net-revenue'])).code, 1);
  });

  it('eval --accept loads all rows of a result, as the identity of the question', async () => {
    const question = '{name: days, question: number of orders by day in 2024, as: europe}';
    cli.write({ 'days/.analytics-chat/questions.yml': `eval_questions:\n  - ${question}\n` });
    const europe = { externalId: 'eu' };
    const named = JSON.stringify({ europe, all: { externalId: 'all' } });
    const identities = { ANALYTICS_CHAT_EXTERNAL_ID: '', ANALYTICS_CHAT_SESSION_SETTINGS: named };
    const before = sandbox.requests.length;
    const accepted = await run(['eval', 'days', '--accept', '--as', 'all'], identities);
    assert.match(accepted.stdout, /^passed +days: Accepted: /);
    const baseline = readFileSync(join(cli.folder, 'days/.analytics-chat/baselines/days.yml'), 'utf8');
    assert.equal(baseline.match(/^ {2}- \[/gm)?.length, 366);
    assert.match(baseline, /^identity: "europe"$/m);
    const off = { allowChatWorkspaceAuthoring: false };
    const bodies = sandbox.requests.slice(before).map(({ body }) => JSON.parse(body) as { sessionSettings: unknown });
    assert.ok(bodies.every(({ sessionSettings }) => isDeepStrictEqual(sessionSettings, { ...europe, ...off })));
    const partial = await run(['eval', 'days', '--accept'], { ...identities, ANALYTICS_CHAT_DATA_QUERY_URL: '' });
    assert.match(partial.stdout, /^review +days: Not comparable: 100 of 366 rows/);
    assert.equal(partial.code, 1);
  });

  it('compare shows the rows that differ on two branches', async () => {
    const { code, stdout, stderr } = await run(['compare', 'revenue by year', '--branches', 'main,dev-net-revenue']);
    assert.equal(code, 1);
    assert.match(stdout, /^status +year +revenue \(main\) +revenue \(dev-net-revenue\)/);
    assert.match(stdout, /\nchanged: 3 of 3 rows changed, −[\d.]+ %\n$/);
    assert.match(stderr, /^Asking 1 question on main and dev-net-revenue, at most 6 requests\.$/m);
    assert.match(stderr, /^6 requests$/m);
    const same = await run(['compare', 'number of orders by year', '--branches', 'main,dev-net-revenue']);
    assert.deepEqual([same.code, same.stdout], [0, 'same\n']);
    assert.match(same.stderr, /^2 requests$/m);
    const once = await run(['compare', 'revenue by year', '--branches', 'main,dev-net-revenue', '--attempts', '1']);
    assert.match(once.stderr, /at most 2 requests\.$/m);
    const added = await run(['compare', 'customers by segment', '--branches', 'main,dev-customer-groups']);
    assert.match(added.stdout, /\nadded +Key account +– +29 +– +–\n/);
  });

  it('gets its token from a command, or shows how that failed', async () => {
    const askWith = (script: string): Promise<Ended> =>
      run(['ask', 'revenue by year'], {
        ANALYTICS_CHAT_API_KEY: '',
        ANALYTICS_CHAT_TOKEN_COMMAND: JSON.stringify([process.execPath, '-e', script]),
      });
    const good = await askWith(`console.log('${token}')`);
    assert.equal(good.code, 0, good.stderr);
    assert.match(good.stdout, /^Revenue came to/);
    const { code, stderr } = await askWith(`console.log('${token}'); console.error('no ${token}'); process.exit(9)`);
    assert.deepEqual([code, stderr.includes(token)], [2, false]);
    assert.match(stderr, /The token command failed with exit code 9: no \[redacted\]$/m);
  });

  it("exits with 2 if it can't ask, and says why", async () => {
    const cases: [args: string[], env: Record<string, string>, message: RegExp][] = [
      [['ask', 'revenue'], { ANALYTICS_CHAT_API_KEY: 'wrong' }, /does not accept|invalid|refuse/i],
      [
        ['ask', 'revenue'],
        { ANALYTICS_CHAT_API_KEY: '' },
        /^Set ANALYTICS_CHAT_API_KEY, ANALYTICS_CHAT_SERVICE_TOKEN or ANALYTICS_CHAT_TOKEN_COMMAND\.$/m,
      ],
      [
        ['ask', 'revenue', '--branch', 'nobody'],
        {},
        /^The service does not know this branch\. Check its name, and push it if it is new\.$/m,
      ],
      [
        ['ask', 'revenue'],
        { ANALYTICS_CHAT_API_URL: `${sandbox.chatApiUrl}/wrong` },
        /^The agent does not exist on the service\. Check ANALYTICS_CHAT_API_URL\. The service said: /m,
      ],
      [['ask', 'revenue', '--format', 'xml'], {}, /\n\n--format must be one of.*\n$/],
      [['ask', 'revenue', `--api-key=${key}`], {}, /\n\nUnknown option '--api-key'.*\n$/],
      [['eval', 'project', '--branch', ''], {}, /\n\n--branch must not be empty.*\n$/],
      [['eval', 'nowhere'], {}, /^No such file or folder/],
      [['eval', 'project'], { ANALYTICS_CHAT_API_KEY: 'wrong' }, /errored revenue_by_year/],
      [['compare', 'revenue', '--branches', 'main'], {}, /\n\nPass two branches.*\n$/],
      [['what'], {}, /\n\nUnknown command “what”.*\n$/],
      [[], {}, /\n\nPass a command.*\n$/],
    ];
    for (const [args, more, message] of cases) {
      const { code, stderr } = await run(args, more);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
    }
    // Wrong arguments show the usage of their command only.
    const usage = /^Usage: analytics-chat ask \[options\]\n\n {2}ask (?:.*\n(?! {2}\w))+\n.*\n\nPass one question.*\n$/;
    assert.match((await run(['ask'])).stderr, usage);
    const { stderr } = await run(['eval', 'project', '--times', '0']);
    assert.match(stderr, /\n\n--times must be a number from 1 to 1000\.\n$/);
    assert.doesNotMatch(stderr, /--branches|--format/);
  });

  it('reports invalid files with their lines, asks the other questions, and exits with 2', async () => {
    cli.write({
      'bad/agents/eval_questions.yml': `${QUESTIONS.split('  - name: orders')[0]}  - {name: x, question: q}\n`,
    });
    const { code, stdout, stderr } = await run(['eval', 'bad', '--junit', 'files.xml']);
    assert.equal(code, 2);
    assert.match(stderr, /^bad[\\/]agents[\\/]eval_questions\.yml:5:5: Set “sql” or “certifiedQuery”/m);
    assert.match(stdout, /^passed +revenue_by_year\n/);
    assert.match(readFileSync(join(cli.folder, 'files.xml'), 'utf8'), /<testcase .*name="line 5"/);
  });

  it('names a question file that is not UTF-8, asks none of its questions, and exits with 2', async () => {
    mkdirSync(join(cli.folder, 'latin/agents'), { recursive: true });
    const text = 'eval_questions:\n  - {name: a, question: revenue in Zürich, sql: SELECT 1}\n';
    writeFileSync(join(cli.folder, 'latin/agents/eval_questions.yml'), text, 'latin1');
    const { code, stdout, stderr } = await run(['eval', 'latin']);
    assert.equal(code, 2);
    assert.match(stderr, /^latin[\\/]agents[\\/]eval_questions\.yml:1:1: This file is not UTF-8\. Save it/m);
    assert.doesNotMatch(stdout + stderr, /rich/);
  });

  it('names a question file that can’t be read, and exits with 2', async () => {
    mkdirSync(join(cli.folder, 'unreadable/agents/eval_questions.yml'), { recursive: true });
    const { code, stderr } = await run(['eval', 'unreadable']);
    assert.equal(code, 2);
    assert.match(stderr, /^Can’t read unreadable[\\/]agents[\\/]eval_questions\.yml: EISDIR/);
  });

  it('eval --tag @access passes what identities of the environment may see, and fails when they see more', async () => {
    cli.write({
      'access/agents/eval_questions.yml': QUESTIONS,
      'access/agents/certified_queries/orders.md': CERTIFIED,
      'access/.analytics-chat/access.yml': `access:
  - name: regions
    question: revenue by region in 2024
    expect:
      - { as: europe, only: { region: Europe } }
      - { as: admin, same_as: all }
`,
    });
    const europe = { externalId: 'eu', userAttributes: [{ name: 'region', value: 'Europe' }] };
    const as = (identities: object): Promise<Ended> =>
      run(['eval', 'access', '--tag', '@access'], {
        ANALYTICS_CHAT_EXTERNAL_ID: '',
        ANALYTICS_CHAT_SESSION_SETTINGS: JSON.stringify(identities),
      });
    const admin = { externalId: 'admin' };
    const strict = await as({ europe, admin, all: { externalId: 'all' } });
    assert.equal(strict.code, 0, strict.stdout + strict.stderr);
    assert.match(strict.stdout, /^passed +regions as europe\npassed +regions as admin\n100 % \(2\/2\)/);
    // The identity is no longer restricted.
    const loose = await as({ europe: { externalId: 'eu' }, admin, all: { externalId: 'all' } });
    assert.equal(loose.code, 1);
    assert.match(
      loose.stdout,
      /^failed +regions as europe: 3 of 4 rows must not be seen: region [^\n]*Asia[^\n]*\n {2}at access\/\.analytics-chat\/access\.yml:5\n/,
    );
    assert.match(loose.stdout, /^passed +regions as admin$/m);
    const unknown = await as({ europe, all: admin });
    assert.equal(unknown.code, 2);
    assert.match(unknown.stdout, /^errored +regions as admin: There is no identity “admin”/m);
  });

  it('sends the key of the service to no other origin, where data queries need a key of their own', async () => {
    const other = await serve(({ headers, response }) =>
      response.end(
        headers.authorization === 'Api-Key other-data-key'
          ? '{"schema":[{"name":"day"}],"data":[["one"],["two"]]}\n'
          : '{"error":"no"}\n',
      ),
    );
    const url = { ANALYTICS_CHAT_DATA_QUERY_URL: `${other.origin}/{branch}/query` };
    const question = ['ask', 'number of orders by day in 2024', '--format', 'csv'];
    const refused = await run(question, url);
    const own = await run(question, { ...url, ANALYTICS_CHAT_DATA_QUERY_KEY: 'other-data-key' });
    await other.close();
    assert.deepEqual(
      [refused.code, refused.stderr],
      [
        2,
        `ANALYTICS_CHAT_DATA_QUERY_URL is on another origin than ANALYTICS_CHAT_API_URL, to which your key or token is not sent. Set ANALYTICS_CHAT_DATA_QUERY_KEY to the key or token for ${other.origin}.\n`,
      ],
    );
    assert.equal(own.stdout, 'day\none\ntwo\n');
    assert.deepEqual(
      other.asked.map(({ headers }) => headers.authorization),
      ['Api-Key other-data-key'],
    );
  });

  for (const args of [
    ['ask', 'revenue by year'],
    ['eval', 'project', '--markdown', 'stopped.md'],
    ['compare', 'revenue by year', '--branches', 'main,dev-margin'],
  ])
    it(`${args[0]} aborts on the service on SIGINT and exits with 130`, async () => {
      sandbox.faults({ pace: 200, requests: 4 });
      const before = sandbox.requests.length;
      const running = cli.start(args, env);
      const asked = (path: string): boolean =>
        sandbox.requests.slice(before).some((request) => request.path.endsWith(path));
      await until(() => asked('/chat/stream-chat-state'));
      running.kill('SIGINT');
      const { code, stdout } = await running.ended;
      assert.equal(code, 130);
      assert.ok(asked('/chat/abort'));
      assert.doesNotMatch(stdout, /passed/);
    });

  it('shows the key in no output, file or process list', async () => {
    sandbox.faults({ pace: 100 });
    const running = cli.start(['ask', 'revenue by year'], env);
    await running.saidOnStderr('Model search');
    assert.deepEqual(search.in(readFileSync(`/proc/${running.pid}/cmdline`)), []);
    running.kill('SIGINT');
    await running.ended;
    // Parts of the key that the service repeats are redacted as well.
    sandbox.faults({ errorLine: `bad key ${key}` });
    const repeated = await run(['ask', 'revenue by year']);
    assert.match(repeated.stderr, /bad key \[redacted\]/);
    assert.ok(outputs.length > 40);
    assert.deepEqual(
      outputs.flatMap((text) => search.in(text)),
      [],
    );
    assert.deepEqual(search.inFolder(cli.folder), []);
  });

  it('shows help and its version without environment variables', async () => {
    const help = await cli.run(['--help'], {});
    assert.equal(help.code, 0);
    for (const word of ['ask', 'eval', 'compare', 'mcp', 'ANALYTICS_CHAT_API_URL', 'HTTPS_PROXY', '--junit'])
      assert.ok(help.stdout.includes(word), word);
    assert.equal((await cli.run(['help'], {})).stdout, help.stdout);
    assert.deepEqual(await cli.run(['eval', '-h'], {}), { code: 0, stdout: usageOf('eval'), stderr: '' });
    for (const [command, own, other] of [
      ['ask', '--format', '--junit'],
      ['eval', '--junit', '--format'],
      ['compare', '--branches', '--base'],
      ['check', '--base', '--branches'],
      ['mcp', 'over MCP', '--branch'],
      ['skill', 'SKILL.md', '--branch'],
    ] as const) {
      const usage = usageOf(command);
      assert.ok(usage.startsWith(`Usage: analytics-chat ${command} [options]\n`), usage);
      assert.ok(usage.includes(own) && !usage.includes(other), usage);
    }
    assert.match((await cli.run(['skill'], {})).stdout, /^---\nname: [\w-]+\ndescription: [^\n]+\n---\n/);
    assert.match((await cli.run(['--version'], {})).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

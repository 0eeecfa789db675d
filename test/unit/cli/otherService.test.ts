/** The command line with a second service: same contract, other questions, tables and failures. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { after, before, describe, it } from 'mocha';
import { scriptedService, type ScriptedService } from '../../support/service/scriptedService.ts';
import { until } from '../../support/until.ts';
import { skipUnlessCi } from '../../support/skipUnlessCi.ts';
import { Written } from '../../support/service/writtenService.ts';
import { SELF_SIGNED } from '../api/support/selfSigned.ts';
import { serve } from '../api/support/service.ts';
import { Cli, type Ended } from './support.ts';

type Result = { schema: object[]; data: unknown[]; totalRows?: number; error?: string };
const result = (name: string, type: string, data: unknown[], more: object = {}): Result => ({
  schema: [{ name, column_type: type }],
  data,
  ...more,
});
const planets = result('planet', 'string', [['Venus'], ['Mars'], ['Earth']]);
const masses = result('kg', 'number', [['5972000000000000000000001'], ['641690000000000000000000']]);

const TOKEN = 'some.jwt.token';

/** The agent's behavior for each question. */
const answers: Record<string, (written: Written, times: number) => void> = {
  'Which planets are rocky?': (written) => query(written, planets),
  'How heavy are they?': (written) => query(written, masses),
  'List all moons': (written) => query(written, { ...planets, totalRows: 290 }),
  'Is it flaky?': (written, times) => query(written, times === 2 ? planets : masses),
  'Which token is used?': (written) => query(written, result('token', 'string', [[TOKEN]])),
  'How heavy is Venus?': (written) => {
    const name = written.body['activeBranchName'] === 'main' ? 'mass' : 'weight';
    const schema = [...planets.schema, { name, column_type: 'number' }];
    query(written, { schema, data: [['Venus', 4.9]] });
  },
  'What else?': (written) => {
    query(written, planets);
    const sql = { sqlQuery: 'SELECT 2', queryTitle: 'Query' };
    if (written.body['activeBranchName'] !== 'main') written.tool('u', 'svcSqlApi', sql, { ...sql, ...masses });
  },
  'What fails?': fail,
  'What fails silently?': fail,
  'What fails halfway?': (written) => query(written, { ...planets, error: 'only a part' }),
  'Who is there?': () => undefined,
  'Who was there?': (written) => query(written, { schema: [], data: [] }),
};

/** Questions that the agent answers without text. */
const textless = ['Say nothing.', 'What fails silently?'];

function fail(written: Written): void {
  written.tool('t', 'svcSqlApi', { sqlQuery: 'SELECT x' }, { error: 'no such column x' });
}

function query(written: Written, data: Result, sql = 'SELECT 1'): void {
  written.tool('t', 'svcSqlApi', { sqlQuery: sql, queryTitle: 'Query' });
  written.tool('t', 'svcSqlApi', { sqlQuery: sql, queryTitle: 'Query' }, { sqlQuery: sql, ...data });
}

const baseline = (name: string, column: string, type: string, rows: string[]): string =>
  [
    `name: ${name}`,
    'columns:',
    `  - {name: ${column}, type: ${type}}`,
    'rows:',
    ...rows.map((row) => `  - [${row}]`),
  ].join('\n');
const questions = (...names: [name: string, question: string][]): string =>
  `eval_questions:\n${names.map(([name, question]) => `  - {name: ${name}, question: "${question}"}\n`).join('')}`;

describe('command line on another service', () => {
  const cli = new Cli();
  let service: ScriptedService;
  /** Answers a data query. */
  let query = (response: ServerResponse): void => void response.end('{"error":"the database is away"}\n');
  const asked = new Map<string, number>();

  before(async () => {
    await cli.build();
    service = await scriptedService((request, response) => {
      if (request.path === '/query') return query(response);
      if (request.body['input'] === 'Which proxy?') return void response.writeHead(407).end();
      const text = String(request.body['input']);
      const times = (asked.get(text) ?? 0) + 1;
      asked.set(text, times);
      if (text === 'Who is busy?' && times === 1) return void response.writeHead(429, { 'Retry-After': '0' }).end();
      if (text === 'Who is busy?' && times === 2) return void response.destroy();
      const written = new Written(request, response);
      answers[text]?.(written, times);
      if (text === 'What runs?' && written.body['activeBranchName'] === 'main') return;
      if (text === 'What runs?') return void response.writeHead(403).end('{"error":"not you"}');
      if (text === 'What breaks?') return void response.end('{"error":"the model is away"}\n');
      if (textless.includes(text)) return written.end();
      written.answer('\u001b[2JDone.');
    });
    cli.write({
      'space/.analytics-chat/questions.yml': questions(
        ['rocky', 'Which planets are rocky?'],
        ['heavy', 'How heavy are they?'],
        ['moons', 'List all moons'],
        ['fails', 'What fails?'],
        ['breaks', 'What breaks?'],
        ['nobody', 'Who is there?'],
        ['new', 'Which planets are rocky?'],
      ),
      'space/.analytics-chat/baselines/rocky.yml': baseline('rocky', 'name', 'string', ['Earth', 'Mars', 'Venus']),
      'space/.analytics-chat/baselines/heavy.yml': baseline('heavy', 'mass', 'number', [
        '641690000000000000000001',
        '5972000000000000000000002',
      ]),
      'space/.analytics-chat/baselines/moons.yml': baseline('moons', 'name', 'string', ['Moon']),
      'space/.analytics-chat/baselines/fails.yml': baseline('fails', 'x', 'number', ['1']),
      'space/.analytics-chat/baselines/breaks.yml': baseline('breaks', 'x', 'number', ['1']),
      'space/.analytics-chat/baselines/nobody.yml': baseline('nobody', 'x', 'number', ['1']),
      'good/.analytics-chat/questions.yml': questions(
        ['rocky', 'Which planets are rocky?'],
        ['new', 'How heavy are they?'],
      ),
      'good/.analytics-chat/baselines/rocky.yml': baseline('rocky', 'name', 'string', ['Earth', 'Mars', 'Venus']),
      'leaky/.analytics-chat/questions.yml': questions(['token', 'Which token is used?']),
      'broken/.analytics-chat/questions.yml': questions(
        ['rocky', 'Which planets are rocky?'],
        ['breaks', 'What breaks?'],
      ),
      'broken/.analytics-chat/baselines/rocky.yml': baseline('rocky', 'name', 'string', ['Earth', 'Mars', 'Venus']),
      'flaky/.analytics-chat/questions.yml': questions(['flaky', 'Is it flaky?']),
      'flaky/.analytics-chat/baselines/flaky.yml': baseline('flaky', 'kg', 'number', [
        '641690000000000000000000',
        '5972000000000000000000001',
      ]),
    });
  });
  after(async () => {
    await service.stop();
    cli.remove();
  });

  const env = (): Record<string, string> => ({
    ANALYTICS_CHAT_API_URL: service.chatApiUrl,
    ANALYTICS_CHAT_SERVICE_TOKEN: TOKEN,
  });
  const run = (...args: string[]): Promise<Ended> => cli.run(args, env());

  it('reports passed, failed, failing and skipped questions with reasons: exit code 1', async () => {
    const { code, stdout } = await run('eval', 'space', '--junit', 'reports/space.xml');
    const lines = stdout.split('\n').filter((line) => /^\w/.test(line));
    assert.deepEqual(lines.slice(0, -1), [
      'passed   rocky',
      'passed   heavy',
      'review   moons (0/2): Not comparable: 3 of 290 rows',
      'failed   fails (0/2): The agent’s query failed: no such column x',
      'errored  breaks: The agent couldn’t finish the answer. The service said: “the model is away”',
      'review   nobody (0/2): The agent ran no query.',
      'skipped  new: No expected result: accept a result with --accept.',
    ]);
    assert.match(
      lines.at(-1) ?? '',
      /^40 % \(2\/5\) · 2 to review · 1 error · 1 without expected result · .* · 5 of 7 questions graded$/,
    );
    assert.equal(code, 1);
    assert.match(
      readFileSync(join(cli.folder, 'reports', 'space.xml'), 'utf8'),
      /tests="7" failures="3" errors="1" skipped="1"/,
    );
  });

  it('writes its reports and exits with 1 even if nothing reads its output', async () => {
    const running = cli.start(['eval', 'space', '--junit', 'reports/unread.xml'], env());
    running.closePipes();
    assert.equal((await running.ended).code, 1);
    assert.match(readFileSync(join(cli.folder, 'reports', 'unread.xml'), 'utf8'), /tests="7"/);
  });

  it('runs each command in a process of its own, also on Node.js 20', async () => {
    cli.write({ 'model/model/cubes/orders.yml': 'cubes:\n  - name: orders\n' });
    for (const [args, code, said] of [
      [['ask', 'Which planets are rocky?'], 0, /Done\./],
      [['eval', 'good'], 0, /1 passed|100 %/],
      [['compare', 'How heavy is Venus?', '--branches', 'main,dev'], 0, /^same\n/],
      [['check'], 2, /^git: /m],
      [['lint', 'model'], 0, /0 problems/],
      [['skill'], 0, /^---\nname: /],
      [['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    ] as const) {
      const { ended } = cli.start(args, env());
      const { code: ownCode, stdout, stderr } = await ended;
      assert.equal(ownCode, code, `${args.join(' ')}: ${stdout}${stderr}`);
      assert.match(stdout + stderr, said);
    }
  });

  it('exits with 2 and says so if the output can’t be written', async function () {
    if (!existsSync('/dev/full')) return skipUnlessCi(this, '/dev/full is missing');
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [cli.file, 'ask', 'Which planets are rocky?'], {
      env: { ...process.env, ...env() },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    assert.ok(child.stderr);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.match(stderr, /^Can’t write the output: ENOSPC/m);
    assert.equal(code, 2);
  });

  it('writes no credential to an accepted result', async () => {
    await run('eval', 'leaky', '--accept');
    const written = readFileSync(join(cli.folder, 'leaky/.analytics-chat/baselines/token.yml'), 'utf8');
    assert.match(written, /- \["\[redacted\]"\]/);
  });

  it('does not count a result that can’t be accepted as a wrong answer: exit code 2', async () => {
    cli.write({
      'partial/.analytics-chat/questions.yml': questions(['moons', 'List all moons'], ['nobody', 'Who is there?']),
    });
    const url = { ANALYTICS_CHAT_DATA_QUERY_URL: new URL('/query', service.chatApiUrl).href };
    const { code, stdout } = await cli.run(['eval', 'partial', '--accept'], { ...env(), ...url });
    assert.match(
      stdout,
      /^errored +moons: Can’t load all rows: the database is away\n[^]*\nNo answers graded · 1 error · /,
    );
    assert.match(stdout, /^skipped +nobody: The agent ran no query\.$/m);
    assert.equal(code, 2);
  });

  it('does not write an accepted result to a file outside of the project that a link refers to', async function () {
    if (process.platform === 'win32') this.skip();
    cli.write({
      'linked/.analytics-chat/questions.yml': questions(['rocky', 'Which planets are rocky?']),
      'linked/.analytics-chat/baselines/.gitkeep': '',
      profile: 'PATH=/bin',
    });
    symlinkSync(join(cli.folder, 'profile'), join(cli.folder, 'linked/.analytics-chat/baselines/rocky.yml'));
    assert.match((await run('eval', 'linked', '--accept')).stdout, /^passed +rocky: Accepted: /);
    assert.equal(readFileSync(join(cli.folder, 'profile'), 'utf8'), 'PATH=/bin');
    assert.match(readFileSync(join(cli.folder, 'linked/.analytics-chat/baselines/rocky.yml'), 'utf8'), /Venus/);
  });

  for (const linked of ['.analytics-chat/baselines', '.analytics-chat'])
    it(`writes no accepted result into a folder outside of the project that ${linked} refers to`, async function () {
      if (process.platform === 'win32') this.skip();
      const project = `folder-link-${linked.length}`;
      const outside = join(cli.folder, `outside-${linked.length}`);
      cli.write({
        [`${project}/agents/eval_questions.yml`]: 'eval_questions: []\n',
        [`outside-${linked.length}/questions.yml`]: questions(['rocky', 'Which planets are rocky?']),
        ...(linked === '.analytics-chat'
          ? {}
          : { [`${project}/.analytics-chat/questions.yml`]: questions(['rocky', 'Which planets are rocky?']) }),
      });
      symlinkSync(outside, join(cli.folder, project, linked));
      const { code, stdout } = await run('eval', project, '--accept');
      assert.match(stdout, /^errored +rocky: .* is a symbolic link out of the project, to /);
      assert.equal(code, 2);
      assert.deepEqual(readdirSync(outside), ['questions.yml']);
    });

  it('exits with 0 if every question with an expectation passes, and with 2 if one could not be asked', async () => {
    assert.equal((await run('eval', 'good')).code, 0);
    assert.equal((await run('eval', 'broken')).code, 2);
    cli.write({ 'empty/agents/eval_questions.yml': 'eval_questions: []\n' });
    assert.equal((await run('eval', 'empty')).code, 2);
  });

  it('reports errors of the chosen question files, and of certified queries and accepted results', async () => {
    cli.write({
      'parts/.analytics-chat/questions.yml': questions(['rocky', 'Which planets are rocky?']),
      'parts/.analytics-chat/baselines/rocky.yml': baseline('rocky', 'name', 'string', ['Earth', 'Mars', 'Venus']),
      'parts/agents/eval_questions/unfinished.yml': 'eval_questions:\n  - {name: unfinished}\n',
    });
    const all = await run('eval', 'parts');
    assert.equal(all.code, 2);
    assert.match(all.stderr, /^parts\/agents\/eval_questions\/unfinished\.yml:2/m);
    const chosen = await run('eval', 'parts/.analytics-chat/questions.yml');
    assert.equal(chosen.code, 0);
    assert.doesNotMatch(chosen.stderr, /unfinished/);
    cli.write({ 'parts/agents/queries/empty.md': '' });
    assert.equal((await run('eval', 'parts/.analytics-chat')).code, 2);
  });

  it('runs all questions of the project without a path, also in a folder inside of it', async () => {
    cli.write({ 'good/model/cubes/planets.yml': 'cubes: []\n' });
    const { code, stdout } = await cli.run(['eval'], env(), join(cli.folder, 'good', 'model', 'cubes'));
    assert.match(stdout, /^passed +rocky\nskipped +new: /);
    assert.equal(code, 0);
    const chosen = await cli.run(['eval', '.'], env(), join(cli.folder, 'good', 'model'));
    assert.deepEqual([chosen.code, chosen.stderr], [2, 'No questions found.\n']);
  });

  it('says why it tests nothing, or can’t write a report, and exits with 2', async () => {
    const none = await run('eval', 'good', '--tag', 'europe');
    assert.deepEqual([none.code, none.stderr], [2, 'No question has the tag @europe.\n']);
    const unwritten = await run('eval', 'good', '--junit', 'good');
    assert.equal(unwritten.code, 2);
    assert.match(unwritten.stderr, /^Can’t write good: E/m);
  });

  it('reports flaky if two of three answers pass', async () => {
    const { code, stdout } = await run('eval', 'flaky', '--times', '3', '--concurrency', '1');
    assert.match(stdout, /^flaky +flaky \(2\/3\): /);
    assert.match(stdout, /100 % \(1\/1\) · 1 flaky/);
    assert.equal(code, 0);
    assert.match(
      (await run('eval', 'good', '--times', '2')).stdout,
      /^passed +rocky \(2\/2\)\nskipped +new: No expected/,
    );
  });

  it('says how to get all rows of an answer, and why they can’t be loaded', async () => {
    const moons = ['List all moons', '--format'];
    const csv = await run('ask', ...moons, 'csv');
    assert.match(csv.stderr, /\n3 of 290 rows\. To get all of them, set ANALYTICS_CHAT_DATA_QUERY_URL\.\n$/);
    const url = { ANALYTICS_CHAT_DATA_QUERY_URL: new URL('/query', service.chatApiUrl).href };
    const text = await cli.run(['ask', ...moons, 'text'], { ...env(), ...url });
    assert.match(text.stderr, /\n3 of 290 rows\. To get all of them, use --format csv or json\.\n$/);
    for (const args of [
      ['ask', ...moons, 'csv'],
      ['compare', 'List all moons', '--branches', 'main,dev'],
    ]) {
      const { code, stdout, stderr } = await cli.run(args, { ...env(), ...url });
      assert.deepEqual([code, stdout], [2, '']);
      const branch = args[0] === 'compare' ? '(main|dev): ' : '';
      assert.match(stderr, new RegExp(`\n${branch}Can’t load all rows: the database is away\n$`));
    }
  });

  it('says that loaded rows are not those of the answer, as if the data query API ignores the branch', async () => {
    const url = { ANALYTICS_CHAT_DATA_QUERY_URL: new URL('/query', service.chatApiUrl).href };
    const failing = query;
    query = (response) => void response.end('{"schema":[{"name":"name"}],"data":[["Io"],["Mars"]]}\n');
    const asked = await cli.run(['ask', 'List all moons', '--format', 'csv'], { ...env(), ...url });
    const compared = await cli.run(['compare', 'List all moons', '--branches', 'main,dev'], { ...env(), ...url });
    cli.write({ 'ignored/.analytics-chat/questions.yml': questions(['moons', 'List all moons']) });
    const accepted = await cli.run(['eval', 'ignored', '--accept'], { ...env(), ...url });
    query = failing;
    const words = 'These rows differ from those in the answer. 2 of the 3 rows in the answer are missing.';
    assert.ok(asked.stderr.includes(`\n${words}`), asked.stderr);
    for (const branch of ['main', 'dev'])
      assert.ok(compared.stderr.includes(`\n${branch}: Can’t load all rows: ${words}`), branch);
    assert.ok(accepted.stdout.includes(`errored  moons: Can’t load all rows: ${words}`), accepted.stdout);
    // The URL is already set.
    assert.doesNotMatch(compared.stderr, /Set ANALYTICS_CHAT_DATA_QUERY_URL/);
  });

  it('names the columns that only one branch has', async () => {
    assert.deepEqual(await run('compare', 'How heavy is Venus?', '--branches', 'main,dev'), {
      code: 0,
      stdout: 'same\n',
      stderr:
        'Asking 1 question on main and dev, at most 6 requests.\nSQL query: Query\nSQL query: Query\n2 requests\nOnly main has the columns: mass\nOnly dev has the columns: weight\n',
    });
  });

  it('compares the rows of the query that decides about the verdict', async () => {
    const { code, stdout } = await run('compare', 'What else?', '--branches', 'main,dev');
    assert.deepEqual([code, stdout.trim()], [0, 'same']);
  });

  it('stops the answer on the other branch if one can’t be compared', async () => {
    const { code, stderr } = await run('compare', 'What runs?', '--branches', 'main,dev');
    assert.equal(code, 2);
    assert.match(stderr, /^dev: /m);
    assert.ok(service.requests.at(-1)?.path.endsWith('/chat/abort'));
  });

  it('writes no part of the rows on SIGINT, and exits with 130', async () => {
    const url = { ANALYTICS_CHAT_DATA_QUERY_URL: new URL('/query', service.chatApiUrl).href };
    const loading = Promise.withResolvers<void>();
    const failing = query;
    query = (response) => {
      response.write('{"schema":[{"name":"name"}],"data":[["Io"]]}\n', () => loading.resolve());
    };
    const running = cli.start(['ask', 'List all moons', '--format', 'csv'], { ...env(), ...url });
    await loading.promise;
    running.kill('SIGINT');
    const { code, stdout } = await running.ended;
    query = failing;
    assert.deepEqual([code, stdout], [130, '']);
  });

  it('says on SIGINT that it is stopping, and ends with its reports if the service does not respond to that', async () => {
    const released = Promise.withResolvers<void>();
    const hanging = await scriptedService(
      (request, response) => void new Written(request, response),
      async () => {
        await released.promise;
        return 204;
      },
    );
    const url = { ANALYTICS_CHAT_API_URL: hanging.chatApiUrl };
    const running = cli.start(['eval', 'good', '--junit', 'stopped.xml'], { ...env(), ...url });
    await until(() => hanging.requests.length === 1);
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    released.resolve();
    await hanging.stop();
    assert.match(stderr, /^Stopping the answers on the service… Press Ctrl\+C again to exit at once\.$/m);
    assert.match(stdout, /^canceled +rocky: Canceled\ncanceled +new: Canceled\n/);
    assert.ok(existsSync(join(cli.folder, 'stopped.xml')));
    assert.equal(code, 130);
  });

  it('removes the progress bar on SIGINT before it says that it is stopping, and shows the cursor again', async () => {
    // The answer to the second question has no chat to abort yet, which keeps the run waiting.
    const slow = await scriptedService((request, response) => {
      if (request.body['input'] === 'Which planets are rocky?') new Written(request, response).think('t', 'Well.');
    });
    const asTerminal = '--import=data:text/javascript,process.stderr.isTTY=true';
    const running = cli.start(['eval', 'good'], {
      ...env(),
      ANALYTICS_CHAT_API_URL: slow.chatApiUrl,
      NODE_OPTIONS: asTerminal,
    });
    await until(() => slow.requests.length === 2);
    running.kill('SIGINT');
    await until(() => slow.requests.some(({ path }) => path.endsWith('/chat/abort')));
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    await slow.stop();
    assert.equal(code, 130);
    const shown = stderr.lastIndexOf('\u001b[?25h');
    assert.ok(shown > stderr.lastIndexOf('\u001b[?25l') && shown < stderr.indexOf('Stopping'), JSON.stringify(stderr));
  });

  it('shows the text of an answer without rows on stderr if the format is CSV', async () => {
    assert.deepEqual(await run('ask', 'Who is there?', '--format', 'csv'), {
      code: 0,
      stdout: '',
      stderr: '[2JDone.\n\nThe answer has no rows.\n',
    });
    const { stdout, stderr } = await run('ask', 'Who was there?', '--format', 'csv');
    assert.deepEqual([stdout, stderr], ['', 'SQL query: Query\n[2JDone.\n\nThe answer has no rows.\n']);
  });

  it('says on stderr that it waits for the service', async () => {
    const { code, stdout, stderr } = await run('ask', 'Who is busy?');
    assert.deepEqual([code, stdout], [0, '[2JDone.\n']);
    assert.match(stderr, /^The service asked to wait\. Retrying in \d s…\nReconnecting…\n$/);
  });

  it('says on stderr for which question of a test it waits', async () => {
    cli.write({ 'busy/.analytics-chat/questions.yml': questions(['busy', 'Who is busy?']) });
    asked.delete('Who is busy?');
    const { stdout, stderr } = await run('eval', 'busy');
    assert.match(
      stderr,
      /\nbusy: The service asked to wait\. Retrying in \d s…\nbusy: Reconnecting…\n\[1\/1\] skipped/,
    );
    assert.doesNotMatch(stdout, /wait|Reconnecting/);
    asked.delete('Who is busy?');
    const asTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };
    const running = cli.start(['eval', 'busy'], { ...env(), ...asTerminal });
    assert.match((await running.ended).stderr, / · Reconnecting…/);
  });

  it('says on stderr that it waits for all rows of an answer', async () => {
    const url = { ANALYTICS_CHAT_DATA_QUERY_URL: new URL('/query', service.chatApiUrl).href };
    cli.write({ 'waiting/.analytics-chat/questions.yml': questions(['moons', 'List all moons']) });
    const failing = query;
    for (const [args, line] of [
      [['ask', 'List all moons', '--format', 'csv'], /^The service asked to wait\. Retrying in \d s…$/m],
      [['eval', 'waiting', '--accept'], /^moons: The service asked to wait\. Retrying in \d s…$/m],
    ] as const) {
      query = (response) => {
        query = failing;
        response.writeHead(429, { 'Retry-After': '0' }).end();
      };
      assert.match((await cli.run(args, { ...env(), ...url })).stderr, line);
    }
    query = failing;
  });

  it('says so if the answer has neither text nor a query', async () => {
    assert.deepEqual(await run('ask', 'Say nothing.'), {
      code: 0,
      stdout: '',
      stderr: 'The agent returned no answer.\n',
    });
  });

  it('says that a query failed, where there is nothing else to show or to compare', async () => {
    for (const [code, ...args] of [
      [0, 'ask', 'What fails silently?'],
      [0, 'ask', 'What fails silently?', '--format', 'csv'],
      [1, 'compare', 'What fails silently?', '--branches', 'main,dev'],
    ] as const) {
      const { stdout, stderr, ...ended } = await run(...args);
      assert.deepEqual([ended.code, stdout], [code, '']);
      assert.match(stderr, /^(main: |dev: )?The agent’s query failed: no such column x$/m);
    }
    const { code, stdout, stderr } = await run('ask', 'What fails?', '--format', 'json');
    assert.deepEqual([code, (JSON.parse(stdout) as { answer: unknown }).answer], [0, '\u001b[2JDone.']);
    assert.match(stderr, /^The agent’s query failed: no such column x$/m);
  });

  it('says over MCP that the service asks to wait for longer than a client does', async () => {
    const busy = await scriptedService((_, response) => void response.writeHead(429, { 'Retry-After': '50' }).end());
    const client = new Client({ name: 'test', version: '1.0.0' });
    const url = { ANALYTICS_CHAT_API_URL: busy.chatApiUrl };
    const args = [cli.file, 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...env(), ...url } }));
    const answered = await client
      .callTool({ name: 'ask', arguments: { question: 'Who is there?' } })
      .finally(() => client.close());
    await busy.stop();
    assert.deepEqual(answered.content, [
      { type: 'text', text: 'Too many requests. Wait 50 seconds before you ask again.' },
    ]);
  });

  it('says over MCP that a query failed, or that there is no answer', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli.file, 'mcp'], env: env() }));
    const textOf = async (name: string, input: Record<string, string>): Promise<unknown> => {
      const { content } = await client.callTool({ name, arguments: input });
      return (content as { text: string }[])[0]?.text;
    };
    const failed = await textOf('ask', { question: 'What fails silently?' });
    const silent = await textOf('ask', { question: 'Say nothing.' });
    const halfway = await client.callTool({ name: 'ask', arguments: { question: 'What fails halfway?' } });
    await client.close();
    const where = '\n\nAsked on branch main as service token\nchatId: c1';
    assert.equal(failed, `The agent’s query failed: no such column x${where}`);
    assert.equal(silent, `The agent returned no answer.${where}`);
    assert.match(
      (halfway.content as { text: string }[])[0]!.text,
      /Earth[^]*\nThe agent’s query failed: only a part\n/,
    );
    const { queries } = halfway.structuredContent as { queries: { rows: unknown; error: unknown }[] };
    assert.deepEqual([queries[0]!.rows, queries[0]!.error], [[['Venus'], ['Mars'], ['Earth']], 'only a part']);
  });

  it('keeps every digit of large numbers, and removes escape sequences of an answer', async () => {
    const json = await run('ask', 'How heavy are they?', '--format', 'json');
    assert.match(json.stdout, /\{"kg": "5972000000000000000000001"\}/);
    const { stdout } = await run('ask', 'How heavy are they?');
    assert.match(stdout, /^\[2JDone\.\n\n {23}kg\n5972000000000000000000001\n/);
  });

  it('says what to set for a proxy or a certificate on the command line, not in the editor', async () => {
    const proxy = await run('ask', 'Which proxy?');
    assert.deepEqual(
      [proxy.code, proxy.stderr],
      [
        2,
        'The proxy requires a user name and password. Add them to HTTPS_PROXY, for example http://user:password@proxy:8080.\n',
      ],
    );
    const untrusted = await serve(() => undefined, SELF_SIGNED);
    const { code, stderr } = await cli.run(['ask', 'x'], { ...env(), ANALYTICS_CHAT_API_URL: untrusted.url });
    await untrusted.close();
    assert.equal(code, 2);
    assert.match(stderr, /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).* set NODE_EXTRA_CA_CERTS to its file\.\n$/);
  });

  it('says that a service token can’t ask as the identity of an argument or of a question', async () => {
    const message = 'A service token identifies its user. Set ANALYTICS_CHAT_API_KEY to ask as “europe”.';
    assert.equal((await run('ask', 'x', '--as', 'europe')).stderr, `${message}\n`);
    cli.write({ 'named/.analytics-chat/questions.yml': 'eval_questions:\n  - {name: a, question: x, as: europe}\n' });
    assert.ok((await run('eval', 'named')).stdout.startsWith(`errored  a: ${message}\n`));
  });

  it('sends the token in its own header, without session settings', () => {
    for (const { headers, body } of service.requests) {
      assert.equal(headers['x-svc-auth-token'], 'some.jwt.token');
      assert.equal(headers.authorization, undefined);
      assert.equal(body['sessionSettings'], undefined);
    }
  });
});

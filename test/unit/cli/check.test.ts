/** `analytics-chat check` in a git repository with the demo's model and questions. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { loadModelFiles } from '../../sandbox/semantic/branchFiles.ts';
import { until } from '../../support/until.ts';
import { makeDemoRepository } from '../../vscode/demoRepository.ts';
import { copyWorkspace, removeWorkspace } from '../../vscode/workspace.ts';
import { useSandbox } from '../sandbox/support.ts';
import { Cli, type Ended } from './support.ts';

const LINE_ITEMS = 'model/cubes/line_items.yml';
/** Of the demo's questions, two that use revenue, and one that uses the segments of customers. */
const QUESTIONS = `eval_questions:
  - name: revenue_by_quarter
    question: What was our revenue by quarter over the last two years?
    certifiedQuery: revenue_by_quarter
  - {name: revenue_by_month_2024, question: revenue by month in 2024, sql: SELECT MEASURE(revenue) FROM sales}
  - {name: enterprise_customers, question: How many enterprise customers do we have?, sql: SELECT segment FROM customers}
  - {name: orders, question: number of orders by year, sql: SELECT MEASURE(order_count) FROM order_overview}
`;

describe('check on the command line', () => {
  const cli = new Cli();
  const sandbox = useSandbox();
  let env: Record<string, string>;
  let repository: string;
  let workspace: string;
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      cwd: workspace,
      stdio: 'pipe',
    });
  const asked = (from: number): number =>
    sandbox.requests.slice(from).filter(({ path }) => path.endsWith('/stream-chat-state')).length;
  const check = (...args: string[]): Promise<Ended> => cli.run(['check', ...args], env, workspace);
  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(join(workspace, path), change(readFileSync(join(workspace, path), 'utf8')));

  before(async () => {
    await cli.build();
    workspace = repository = copyWorkspace('model');
    rmSync(join(repository, 'agents/eval_questions'), { recursive: true });
    writeFileSync(join(repository, 'agents/eval_questions.yml'), QUESTIONS);
    assert.ok(makeDemoRepository(repository, await loadModelFiles()));
    git('checkout', '--quiet', 'dev-net-revenue');
    env = {
      ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl,
      ANALYTICS_CHAT_API_KEY: sandbox.apiKey,
      ANALYTICS_CHAT_EXTERNAL_ID: 'ci',
      ANALYTICS_CHAT_DATA_QUERY_URL: sandbox.dataQueryUrl,
    };
  });
  after(() => {
    removeWorkspace(repository);
    cli.remove();
  });
  beforeEach(() => {
    workspace = copyWorkspace(repository);
  });
  afterEach(() => {
    sandbox.faults();
    removeWorkspace(workspace);
  });

  it('asks only the questions that use the changed measure and says where their answers changed: exit code 1', async () => {
    const from = sandbox.requests.length;
    const file = join(cli.folder, 'check.json');
    const { code, stdout, stderr } = await check('--json', file);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^Asking 2 questions on main and dev-net-revenue, at most 12 requests \(2 of 4\)\.$/m);
    assert.equal(asked(from), 12);
    assert.match(stderr, /^changed line_items\.revenue$/m);
    const line =
      readFileSync(join(workspace, LINE_ITEMS), 'utf8')
        .split('\n')
        .findIndex((each) => /- name: revenue$/.test(each)) + 1;
    assert.ok(line > 0);
    assert.ok(
      stdout
        .split('\n')
        .some((each) =>
          new RegExp(`^${LINE_ITEMS}:${line}: revenue by month in 2024: 12 of 12 rows changed, −\\d`).test(each),
        ),
      stdout,
    );
    assert.match(stdout, /\n2 changed · 12 requests · [\d,]+ tokens · \d+\.\d s\n$/);
    const { command, contexts, counts, requests, questions } = JSON.parse(readFileSync(file, 'utf8')) as {
      questions: { file: string; attempts: number[] }[];
      [name: string]: unknown;
    };
    assert.deepEqual([command, counts, requests], ['check', { changed: 2 }, 12]);
    assert.deepEqual(contexts, [
      { branch: 'main', identity: 'ci' },
      { branch: 'dev-net-revenue', identity: 'ci' },
    ]);
    assert.ok(questions.every(({ file: path }) => existsSync(join(workspace, path))));
    assert.deepEqual(
      questions.map(({ attempts }) => attempts),
      Array(2).fill([3, 3]),
    );
    assert.match(
      stderr,
      /^Warning: dev-net-revenue has no upstream branch; the service answers from what is pushed\.$/m,
    );
  });

  it('asks as the identity that --as names, and asks nothing as an unknown one', async () => {
    const settings = { europe: { externalId: 'eve', userAttributes: [{ name: 'region', value: 'Europe' }] } };
    const named = {
      ...env,
      ANALYTICS_CHAT_EXTERNAL_ID: '',
      ANALYTICS_CHAT_SESSION_SETTINGS: JSON.stringify(settings),
    };
    const from = sandbox.requests.length;
    const unknown = await cli.run(['check', '--as', 'asia'], named, workspace);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /There is no identity “asia”/);
    assert.equal(sandbox.requests.length, from);
    const { code, stdout, stderr } = await cli.run(['check', '--as', 'europe'], named, workspace);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /revenue by month in 2024: 12 of 12 rows changed/);
    const users = sandbox.requests.slice(from).map(({ body }) => {
      const { sessionSettings } = JSON.parse(body) as { sessionSettings?: { externalId?: string } };
      return sessionSettings?.externalId;
    });
    assert.deepEqual([...new Set(users)], ['eve']);
  });

  it('asks nothing when no question uses what changed, or nothing changed: exit code 0', async () => {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    const from = sandbox.requests.length;
    const file = join(cli.folder, 'none.json');
    assert.deepEqual((await check('--json', file)).stdout, 'The data model has not changed.\n');
    assert.deepEqual((JSON.parse(readFileSync(file, 'utf8')) as { questions: unknown[] }).questions, []);
    git('mv', 'model/cubes/products.yml', 'model/cubes/goods.yml');
    edit('model/cubes/goods.yml', (text) => text.replace('cubes:', '# Our products\ncubes:'));
    assert.deepEqual((await check()).stdout, 'The data model has not changed.\n');
    edit('model/cubes/returns.yml', (text) => `${text}\n  - name: unused\n    sql_table: unused\n`);
    const added = await check();
    assert.deepEqual([added.code, added.stdout], [0, 'No question uses what changed.\n']);
    assert.match(added.stderr, /^Warning: model\/cubes\/returns\.yml is not committed;/m);
    assert.match(added.stderr, /^added unused$/m);
    assert.equal(asked(from), 0);
  });

  it('warns of commits that are not pushed and of files that are not committed', async () => {
    // Few questions use what this branch changes.
    git('checkout', '--quiet', 'dev-customer-groups');
    git('clone', '--quiet', '--bare', '.', join(workspace, '..', 'remote.git'));
    git('remote', 'add', 'origin', join(workspace, '..', 'remote.git'));
    git('fetch', '--quiet', 'origin');
    git('branch', '--quiet', '--set-upstream-to', 'origin/dev-customer-groups');
    assert.doesNotMatch((await check('--base', 'origin/main')).stderr, /Warning/);
    git('commit', '--quiet', '--allow-empty', '--message', 'More');
    edit(LINE_ITEMS, (text) => `${text}# more\n`);
    const { stderr } = await check();
    assert.match(stderr, /^Warning: model\/cubes\/line_items\.yml is not committed;/m);
    assert.match(stderr, /^Warning: dev-customer-groups is 1 commit ahead of its upstream branch;/m);
    git('push', '--quiet', 'origin', 'HEAD');
    git('branch', '--quiet', '--set-upstream-to', 'origin/main');
    assert.doesNotMatch((await check()).stderr, /ahead|no upstream/, 'as after git checkout -b … origin/main');
  });

  it('uses the base of the remote if there is no local branch of that name, as in CI', async () => {
    git('update-ref', 'refs/remotes/origin/main', 'main');
    git('checkout', '--quiet', '-b', 'mine', 'main');
    git('branch', '--quiet', '-D', 'main');
    assert.deepEqual(await check(), { code: 0, stdout: 'The data model has not changed.\n', stderr: '' });
  });

  it('compares with what the remote has, not with an older local branch, and warns of files in new folders', async () => {
    const remote = join(workspace, '..', `${basename(workspace)}-remote.git`);
    git('checkout', '--quiet', '-b', 'colleague', 'main');
    edit(LINE_ITEMS, (text) => text.replace('- name: revenue\n', '- name: revenue\n        ours: true\n'));
    git('commit', '--quiet', '--all', '--message', 'Of a colleague');
    git('clone', '--quiet', '--bare', '.', remote);
    git('--git-dir', remote, 'branch', '--quiet', '--force', 'main', 'colleague');
    git('remote', 'add', 'origin', remote);
    git('fetch', '--quiet', 'origin');
    git('checkout', '--quiet', '-b', 'mine', 'origin/main');
    git('config', 'status.showUntrackedFiles', 'no');
    mkdirSync(join(workspace, 'model/cubes/new'));
    writeFileSync(join(workspace, 'model/cubes/new/unused.yml'), 'cubes: [{name: unused, sql_table: t}]\n');
    for (const base of ['main', 'origin/main']) {
      const { stderr } = await check('--base', base);
      assert.deepEqual(stderr.match(/^(?:added|changed|removed) .*$/gm), ['added unused'], base);
    }
    git('branch', '--quiet', '--force', 'main', 'origin/main');
    git('--git-dir', remote, 'branch', '--quiet', '--force', 'main', 'main~');
    git('fetch', '--quiet', 'origin');
    // The remote is behind now.
    assert.match((await check('--base', 'origin/main')).stderr, /^changed line_items\.revenue$/m);
    edit('agents/eval_questions.yml', (text) => text.replace(/question: .*/, 'question: unused?'));
    assert.match((await check()).stderr, /^Warning: model\/cubes\/new\/unused\.yml is not committed;/m);
    rmSync(remote, { recursive: true });
  });

  it('finds the data model in a submodule and in the only repository of a folder', async () => {
    const above = join(workspace, '..', `${basename(workspace)}-above`);
    mkdirSync(above);
    const inside = (...words: string[]): string =>
      execFileSync('git', ['-C', join(above, 'analytics'), ...words], { encoding: 'utf8' });
    git('clone', '--quiet', workspace, join(above, 'analytics'));
    inside('fetch', '--quiet', 'origin', 'main:refs/remotes/origin/main');
    for (const isSuper of [false, true]) {
      if (isSuper) {
        execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', above]);
        const words = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', workspace, 'analytics'];
        execFileSync('git', ['-C', above, ...words]);
        git('-C', above, 'commit', '--quiet', '--message', 'With a submodule');
      }
      const { stderr } = await cli.run(['check', 'analytics'], env, above);
      assert.match(stderr, /^changed line_items\.revenue$/m);
      assert.match(stderr, /on main and dev-net-revenue/);
    }
    rmSync(above, { recursive: true });
  });

  it('compares the other repositories if one inside has no common commit, and says so', async () => {
    const inner = join(workspace, 'vendor/shop');
    mkdirSync(join(inner, 'model'), { recursive: true });
    writeFileSync(join(inner, 'model/shops.yml'), 'cubes:\n  - name: shops\n    sql_table: shops\n');
    git('-C', inner, 'init', '--quiet', '--initial-branch=trunk');
    git('-C', inner, 'add', '.');
    git('-C', inner, 'commit', '--quiet', '--message', 'Shops');
    const { code, stderr } = await check();
    assert.equal(code, 1);
    assert.match(stderr, /^vendor\/shop is not compared: main and its HEAD have no common commit\.$/m);
    assert.match(stderr, /^changed line_items\.revenue$/m);
  });

  it('leaves out worktrees of other branches in the folder of the repository', async () => {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    git('worktree', 'add', '--quiet', 'trees/net', 'dev-net-revenue');
    assert.deepEqual(await check(), { code: 0, stdout: 'The data model has not changed.\n', stderr: '' });
    assert.match(
      (await cli.run(['check'], env, join(workspace, 'trees/net'))).stderr,
      /^changed line_items\.revenue$/m,
    );
  });

  it('names files that it can’t follow, exits with 2, and asks every question with --all', async () => {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    writeFileSync(join(workspace, 'model/globals.py'), 'a = 1\n');
    const from = sandbox.requests.length;
    const { code, stdout, stderr } = await check();
    assert.deepEqual([code, stdout], [2, 'No question is known to use what changed.\n']);
    assert.match(stderr, /^model\/globals\.py: code that can’t be followed$/m);
    assert.match(stderr, /Ask every question with --all\.$/m);
    assert.equal(asked(from), 0);
    git('branch', '--quiet', '-m', 'dev-customer-groups-2');
    assert.match((await check('--all', '--branch', 'dev-customer-groups')).stderr, /\(4 of 4\)/);
  });

  it('exits with 2 when it can’t ask: on the base, without a base, outside of or without git, or as the service fails', async () => {
    git('checkout', '--quiet', 'main');
    const onBase = await check();
    assert.deepEqual([onBase.code, onBase.stdout], [2, '']);
    assert.match(onBase.stderr, /^main is the base/);
    git('checkout', '--quiet', '--detach', 'dev-net-revenue');
    assert.match((await check()).stderr, /name one with --branch/);
    assert.match(
      (await check('--branch', 'dev-net-revenue', '--base', 'nowhere')).stderr,
      /^git: nowhere and HEAD have/,
    );
    git('checkout', '--quiet', '--orphan', 'unrelated');
    git('commit', '--quiet', '--message', 'No common commit, as in a shallow clone');
    assert.match((await check()).stderr, /^git: main and HEAD have no common commit here\. Fetch the history of both/);
    git('checkout', '--quiet', '--detach', 'dev-net-revenue');
    assert.match((await cli.run(['check'], env)).stderr, /^git: .*not a git repository/);
    const withoutGit = await cli.run(['check'], { ...env, PATH: cli.folder }, workspace);
    assert.deepEqual(withoutGit, {
      code: 2,
      stdout: '',
      stderr: 'Git was not found. Install it, and add it to PATH.\n',
    });
    git('checkout', '--quiet', 'dev-net-revenue');
    git('branch', '--quiet', '-m', 'unknown-to-the-service');
    const from = sandbox.requests.length;
    const unserved = await check();
    assert.deepEqual([unserved.code, unserved.stdout], [2, '']);
    assert.match(unserved.stderr, /\nThe service does not serve the branch “unknown-to-the-service”\. .*\n$/);
    assert.equal(asked(from), 2);
  });

  it('runs no program of the repository: no monitor, diff, conversion, filter, or git in its folder', async () => {
    const ran = join(workspace, '..', `${basename(workspace)}-ran`);
    const program = join(workspace, 'git');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${ran}'\n`, { mode: 0o755 });
    for (const name of [
      'core.fsmonitor',
      'diff.external',
      'diff.x.command',
      'diff.x.textconv',
      'filter.x.clean',
      'filter.x.process',
    ])
      git('config', name, program);
    git('config', 'filter.x.required', 'true');
    writeFileSync(join(workspace, '.gitattributes'), '*.yml diff=x filter=x\n');
    writeFileSync(join(workspace, LINE_ITEMS), `${readFileSync(join(workspace, LINE_ITEMS), 'utf8')}# more\n`);
    const PATH = ['', '.', process.env['PATH']].join(delimiter);
    const { code, stderr } = await cli.run(['check'], { ...env, PATH }, workspace);
    assert.equal(code, 1, stderr);
    assert.ok(!existsSync(ran), existsSync(ran) ? readFileSync(ran, 'utf8') : '');
  });

  it('compares the other files if one is too large or not UTF-8, and says so', async () => {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    writeFileSync(join(workspace, 'model/cubes/huge.yml'), `# ${'x'.repeat(5_000_000)}\n`);
    writeFileSync(join(workspace, 'model/cubes/wide.yml'), '\ufeffcubes: []\n', 'utf16le');
    const { code, stdout, stderr } = await check();
    assert.deepEqual([code, stdout], [2, 'The data model has not changed in other files.\n']);
    for (const name of ['huge', 'wide'])
      assert.match(
        stderr,
        new RegExp(`^model/cubes/${name}\\.yml is not compared: it has more than 5 MB, or is not`, 'm'),
      );
    edit(LINE_ITEMS, () => `# ${'x'.repeat(5_000_000)}\n`);
    assert.doesNotMatch((await check()).stderr, /removed/);
    git('add', 'model/cubes/huge.yml');
    git('commit', '--quiet', '--message', 'Huge', '--', 'model/cubes/huge.yml');
    git('rm', '--quiet', '--cached', LINE_ITEMS);
    git('checkout', '--quiet', '-b', 'next');
    writeFileSync(join(workspace, 'model/cubes/huge.yml'), 'cubes: []\n');
    assert.match((await check('--base', 'mine')).stderr, /huge\.yml is not compared/);
  });

  it('exits with 2 if a model file can’t be read, instead of taking it for deleted', async function () {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    const file = join(workspace, 'model/cubes/loop.yml');
    symlinkSync('loop.yml', file);
    const { code, stdout, stderr } = await check();
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^Can’t read model\/cubes\/loop\.yml: ELOOP/);
    rmSync(file);
    rmSync(join(workspace, LINE_ITEMS));
    assert.match((await check()).stderr, /^removed line_items\.revenue$/m);
  });

  it('reads thousands of files, a part at a time', async () => {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    const count = 400;
    for (let at = 0; at < count; at += 1)
      writeFileSync(join(workspace, `model/cubes/c${at}.yml`), `cubes: [{name: c${at}, sql_table: t}]\n`);
    const limited = ['-c', `ulimit -n 150 && exec "$0" "$@"`, process.execPath, cli.file, 'check'];
    const { stderr, status } = spawnSync('bash', limited, {
      cwd: workspace,
      env: { ...env, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr.match(/^added c\d+$/gm)?.length, count, stderr);
  });

  it('reports invalid questions and exits with 2', async () => {
    git('checkout', '--quiet', '-b', 'mine', 'main');
    edit('agents/eval_questions.yml', (text) => `${text}\n  - {name: unfinished}\n`);
    edit('model/cubes/returns.yml', (text) => `${text}\n  - name: unused\n    sql_table: unused\n`);
    const { code, stdout, stderr } = await check();
    assert.deepEqual([code, stdout], [2, 'No question uses what changed.\n']);
    assert.match(stderr, /^agents\/eval_questions\.yml:\d+:5: “question” is missing\.$/m);
  });

  it('exits with 2 if the path selects no questions', async () => {
    const { code, stderr } = await check('model');
    assert.deepEqual([code, stderr], [2, 'No questions found.\n']);
  });

  it('says for which question it waits', async () => {
    git('checkout', '--quiet', 'dev-customer-groups');
    sandbox.faults({ status: 429, retryAfter: 1, requests: 1 });
    const { stderr } = await check();
    assert.match(stderr, /^[^:\n]+: The service asked to wait\. Retrying in \d s…$/m);
  });

  it('aborts on the service at SIGINT and exits with 130', async () => {
    sandbox.faults({ pace: 200, requests: 8 });
    const from = sandbox.requests.length;
    const running = cli.start(['check'], env, workspace);
    await until(() => asked(from) > 0);
    running.kill('SIGINT');
    assert.equal((await running.ended).code, 130);
    assert.ok(sandbox.requests.slice(from).some(({ path }) => path.endsWith('/chat/abort')));
  });
});

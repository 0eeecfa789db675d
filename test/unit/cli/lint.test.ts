import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { repoRoot } from '../../vscode/paths.ts';
import { Cli } from './support.ts';

const VIEW = 'model/views/sales.yml';

describe('lint on the command line', () => {
  const cli = new Cli();
  const workspace = join(repoRoot, 'test/fixtures/workspaces/model');
  const view = readFileSync(join(workspace, VIEW), 'utf8');
  const { length } = view.slice(0, view.indexOf('units_sold')).split('\n');
  const lint = (args: readonly string[], env: Record<string, string> = {}, cwd = 'broken') =>
    cli.run(['lint', ...args], env, join(cli.folder, cwd));

  before(async () => {
    await cli.build();
    for (const name of ['whole', 'broken']) cpSync(workspace, join(cli.folder, name), { recursive: true });
    cli.write({
      [`broken/${VIEW}`]: view.replace('- units_sold', '- units_solt'),
      'broken/agents/eval_questions/twice.yml': `eval_questions:
  - name: orders_by_status
    question: Orders?
    sql: SELECT status FROM order_overview
`,
    });
  });
  after(() => cli.remove());

  it('succeeds without problems, and needs no service', async () => {
    const { code, stdout, stderr } = await lint([], {}, 'whole');
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(stderr, /^0 problems in \d+ files\n$/);
  });

  it('fails with a line for each unknown name and each repeated name of a question', async () => {
    const { code, stdout } = await lint([]);
    assert.equal(code, 1);
    assert.deepEqual(
      stdout.match(/^\S+:\d+:\d+: /gm),
      [
        'agents/eval_questions/twice.yml:2:11: ',
        'agents/eval_questions.yml:87:32: ',
        'agents/eval_questions.yml:94:36: ',
        'agents/certified_queries/return_rate_by_category.md:7:66: ',
        `${VIEW}:${length}:13: `,
      ],
      stdout,
    );
    assert.match(stdout, /There is no member “units_solt” in “line_items”\. Did you mean “units_sold”\?\n$/);
  });

  it('reports only the problems in the given paths', async () => {
    const { code, stdout } = await lint(['model/views']);
    assert.deepEqual([code, stdout.split('\n').length], [1, 2]);
    assert.equal((await lint(['model/cubes'])).code, 0);
    assert.equal((await lint(['models'])).code, 0, 'without problems in the other model');
  });

  it('writes the problems as JSON', async () => {
    await lint([VIEW, '--json', 'problems.json']);
    const { files, ...rest } = JSON.parse(readFileSync(join(cli.folder, 'broken/problems.json'), 'utf8')) as {
      files: number;
    };
    assert.ok(files > 10);
    const [column, endColumn] = [13, 23];
    const message = 'There is no member “units_solt” in “line_items”. Did you mean “units_sold”?';
    const problem = { file: VIEW, line: length, column, endColumn, message, nearest: ['units_sold'] };
    assert.deepEqual(rest, { version: 1, command: 'lint', problems: [problem] });
  });

  it('annotates the problems where GitHub Actions runs it, and nowhere else', async () => {
    const { stdout } = await lint([VIEW], { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cli.folder });
    assert.match(
      stdout,
      new RegExp(`^::error file=broken/${VIEW},line=${length},col=13,endColumn=23::There is no `, 'm'),
    );
    assert.doesNotMatch((await lint([VIEW])).stdout, /::error/);
  });

  it('says which files keep it from reporting cubes and views', async () => {
    cli.write({ 'open/model/a.yml': 'views:\n  - name: a\n    cubes:\n      - join_path: b\n' });
    assert.equal((await lint([], {}, 'open')).code, 1);
    cli.write({ 'open/model/b.yml': 'cubes:\n  {{ cubes() }}\n' });
    const { code, stderr } = await lint([], {}, 'open');
    assert.deepEqual(
      [code, /not reported, because these files may define more: model\/b\.yml\n/.test(stderr)],
      [0, true],
    );
  });

  it('follows links in the data model, once', async () => {
    cli.write({
      'linked/model/a.yml': 'views:\n  - name: a\n    cubes:\n      - join_path: b\n        includes: [x]\n',
      'shared/b.yml': 'cubes:\n  - name: b\n    dimensions:\n      - {name: x, sql: x, type: string}\n',
    });
    for (const [path, target] of [
      ['linked/model/shared', 'shared'],
      ['shared/back', 'linked/model'],
    ])
      symlinkSync(join(cli.folder, target!), join(cli.folder, path!), 'junction');
    const { code, stdout } = await lint([], {}, 'linked');
    assert.deepEqual([code, stdout], [0, '']);
  });

  it('reports a file of the data model that is not UTF-8', async () => {
    cli.write({ 'encoded/model/a.yml': '', 'encoded/model/b.yml': 'cubes:\n  - name: b\n' });
    writeFileSync(join(cli.folder, 'encoded/model/a.yml'), Buffer.from('cubes:\n  - name: a\n', 'utf16le'));
    const { code, stdout } = await lint([], {}, 'encoded');
    assert.deepEqual(
      [code, stdout],
      [1, 'model/a.yml:1:1: This file is not UTF-8. Save it with the encoding UTF-8.\n'],
    );
  });

  it('does not succeed without a data model', async () => {
    cli.write({ 'none/semantic/orders.yml': 'cubes:\n  - name: orders\n', 'none/.analytics-chat/questions.yml': '' });
    const { code, stderr } = await lint([], {}, 'none');
    assert.deepEqual([code, /^No data model in \S+none\. Its files must be in /.test(stderr)], [2, true], stderr);
  });

  it('does not run for a path that does not exist', async () => {
    const { code, stderr } = await lint(['nowhere']);
    assert.equal(code, 2);
    assert.match(stderr, /No such file or folder/);
  });
});

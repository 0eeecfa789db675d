/** The workspace of `npm start`: a repository with branches, and identities that see different rows. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'mocha';
import { parse } from 'yaml';
import { checkSessionSettings } from '../../../src/api/sessionRules.ts';
import { demoIdentities } from '../../sandbox/identities.ts';
import { loadModelFiles } from '../../sandbox/semantic/branchFiles.ts';
import { makeDemoRepository } from '../../vscode/demoRepository.ts';
import { copyWorkspace, removeWorkspace } from '../../vscode/workspace.ts';
import { ask, dev, queryOf, useSandbox } from './support.ts';

describe('demo repository', () => {
  let workspace: string;
  before(async () => {
    workspace = copyWorkspace('model');
    assert.ok(makeDemoRepository(workspace, await loadModelFiles()));
  });
  after(() => removeWorkspace(workspace));
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: workspace, encoding: 'utf8' }).trim();

  it('has main checked out, a clean working tree, and every branch of the sandbox', async () => {
    assert.equal(git('status', '--porcelain', '--branch'), '## main');
    const branches = git('branch', '--format=%(refname:short)').split('\n');
    assert.deepEqual(branches.sort(), [...(await loadModelFiles()).keys()].sort());
  });

  it('changes only the members that a branch is about', () => {
    const changed = (branch: string): string =>
      git('diff', '--unified=0', 'main', branch)
        .split('\n')
        .filter((line) => /^[-+] /.test(line))
        .join('\n');
    assert.equal(git('diff', '--name-only', 'main', 'dev-net-revenue'), 'model/cubes/line_items.yml');
    assert.match(changed('dev-net-revenue'), /^\+ +sql: '\{CUBE\}\.amount - \{CUBE\}\.refund'$/m);
    assert.equal(changed('dev-net-revenue').split('\n').length, 8);
    // A branch that only adds lines removes none.
    assert.doesNotMatch(changed('dev-margin'), /^-/m);
    for (const name of git('ls-tree', '-r', '--name-only', 'dev-customer-groups', 'model').split('\n'))
      assert.ok(parse(git('show', `dev-customer-groups:${name}`)), name);
  });
});

describe('demo identities', () => {
  const sandbox = useSandbox();

  it('are valid session settings', () => {
    for (const settings of Object.values(demoIdentities)) assert.deepEqual(checkSessionSettings(settings), []);
  });

  it('see different rows for the same question', async () => {
    const seen = new Map<string, string>();
    for (const [name, sessionSettings] of [['everyone', dev] as const, ...Object.entries(demoIdentities)]) {
      const lines = await ask(sandbox, { input: 'revenue by region in 2024', sessionSettings });
      seen.set(name, JSON.stringify(queryOf(lines).data));
    }
    // Marc is an internal user with the same rows as Ana.
    assert.equal(seen.get('Marc, internal user'), seen.get('Ana, Europe'));
    seen.delete('Marc, internal user');
    assert.equal(new Set(seen.values()).size, seen.size, [...seen].join('\n'));
  });
});

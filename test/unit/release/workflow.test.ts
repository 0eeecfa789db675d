import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { ciWorkflow } from '../../../src/evals/report/ciWorkflow.ts';
import { repoRoot } from '../../vscode/paths.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
}
interface Job {
  permissions: Record<string, string>;
  steps: Step[];
}

describe('The release workflow', () => {
  const text = readFileSync(join(repoRoot, '.github', 'workflows', 'release.yml'), 'utf8');
  const { permissions, jobs } = parse(text) as { permissions: object; jobs: Record<string, Job> };
  const all = Object.values(jobs);

  it('pins every action to a commit', () => {
    const uses = all.flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []));
    assert.ok(uses.length > 5);
    for (const action of uses) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('runs code of dependencies only without secrets and write permissions', () => {
    assert.deepEqual(permissions, {});
    for (const job of all) {
      const runs = job.steps.map(({ run }) => run ?? '').join('\n');
      if (!/\.ci\/run|npm (?:run|test|start)/.test(runs)) continue;
      assert.deepEqual(job.permissions, { contents: 'read' });
      assert.doesNotMatch(JSON.stringify(job), /secrets\.|github\.token/);
    }
  });

  it('publishes the command line that copied CI workflows install', () => {
    const product = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as {
      name: string;
      private?: true;
    };
    assert.match(ciWorkflow('1.2.3', ''), new RegExp(`npm pack ${product.name}@1\\.2\\.3 `));
    assert.equal(product.private, undefined);
    // The tarball whose checksum the extension contains; another `npm pack` could compress it differently.
    assert.doesNotMatch(text, /npm pack/);
    assert.match(text, /path: \|\n[^:]*dist\/\*\.tgz[^]*run: npm publish \.\/dist\/\*\.tgz /);
  });

  it('attests what it publishes: the extension and the command line', () => {
    const subjects = all.flatMap(({ steps }) =>
      steps.flatMap(({ uses, with: inputs }) =>
        uses?.startsWith('actions/attest-build-provenance@') ? (inputs?.['subject-path']?.split('\n') ?? []) : [],
      ),
    );
    assert.deepEqual(
      subjects.filter((line) => line !== ''),
      ['*.vsix', 'dist/*.tgz'],
    );
  });

  it('packages, attests and publishes without install scripts', () => {
    for (const command of text.match(/npm ci.*/g) ?? []) assert.equal(command, 'npm ci --ignore-scripts');
  });
});

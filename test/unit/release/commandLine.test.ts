/** The npm package of the command line, and the workflow that installs it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { parse } from 'yaml';
import { ciWorkflow } from '../../../src/evals/report/ciWorkflow.ts';
import { checksumLine, packCommandLine } from '../../release/commandLine.mjs';
import { repoRoot } from '../../vscode/paths.ts';

const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string };

interface Step {
  name?: string;
  run?: string;
  env?: Record<string, string>;
}

describe('the npm package', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
  let tarball = '';
  let embedded = '';

  before(() => {
    tarball = packCommandLine(folder);
    embedded = readFileSync(join(repoRoot, 'dist', 'cli.sha512'), 'utf8');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has the same bytes as when the extension was built, which contains their checksum', () => {
    assert.equal(checksumLine(tarball), embedded, 'dist is out of date: npm run build');
    assert.match(embedded, /^[0-9a-f]{128} {2}analytics-chat-[\d.]+\.tgz\n$/);
  });

  /** Runs the step of the workflow with a registry that serves this tarball. */
  async function install(served: Buffer): Promise<{ succeeds: boolean; output: string; installed: string }> {
    const registry = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return void response.end(served);
      const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      const dist = { tarball: `${address}/analytics-chat-${version}.tgz` };
      const versions = { [version]: { name: 'analytics-chat', version, dist } };
      response.end(JSON.stringify({ name: 'analytics-chat', 'dist-tags': { latest: version }, versions }));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { jobs } = parse(ciWorkflow(version, embedded.trim())) as { jobs: { questions: { steps: Step[] } } };
    const step = jobs.questions.steps.find(({ run }) => run?.includes('npm pack')) ?? assert.fail();
    const cwd = mkdtempSync(join(folder, 'runner-'));
    const env = {
      ...process.env,
      ...step.env,
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
      npm_config_cache: join(cwd, 'cache'),
      npm_config_prefix: cwd,
    };
    const script = ['-e', '-c', step.run ?? ''];
    const result = await promisify(execFile)('bash', script, { cwd, env }).then(
      ({ stdout, stderr }) => ({ succeeds: true, output: stdout + stderr }),
      (failure: { stdout: string; stderr: string }) => ({ succeeds: false, output: failure.stdout + failure.stderr }),
    );
    registry.close();
    return { ...result, installed: join(cwd, 'bin', 'analytics-chat') };
  }

  // The workflow runs on Linux.
  if (process.platform === 'linux') {
    it('is installed by the workflow, without a network', async () => {
      const { succeeds, output, installed } = await install(readFileSync(tarball));
      assert.ok(succeeds, output);
      const { stdout } = await promisify(execFile)(process.execPath, [installed, '--version']);
      assert.equal(stdout.trim(), version);
    });

    it('is not installed if the registry serves another one, as the key would get to it', async () => {
      const other = Buffer.from(readFileSync(tarball));
      other[9] = other[9]! ^ 1;
      const { succeeds, output, installed } = await install(other);
      assert.ok(!succeeds);
      assert.match(output, /FAILED/);
      assert.ok(!existsSync(installed));
    });
  }

  it('gets the key only after it was checked', () => {
    const { jobs } = parse(ciWorkflow(version, embedded.trim())) as { jobs: { questions: { steps: Step[] } } };
    const { steps } = jobs.questions;
    const withKey = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
    assert.deepEqual(
      withKey.map(({ run }) => run?.split(' ', 2)),
      [['analytics-chat', 'eval']],
    );
    assert.ok(steps.indexOf(withKey[0]!) > steps.findIndex(({ run }) => run?.includes('sha512sum --check')));
    assert.doesNotMatch(JSON.stringify(steps), /npx/);
  });
});

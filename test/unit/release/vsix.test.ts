/** The VSIX is reproducible, small and complete. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { webview } from '../../../esbuild.mjs';
import { packageVsix } from '../../release/package.mjs';
import { isFull } from '../../support/runs.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { copyRepository } from './support/repositoryCopy.ts';

const MAX_BYTES = 3_000_000;

describe('the package', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  const file = join(folder, 'analytics-chat.vsix');

  before(() => packageVsix(file));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has at most 3 MB', () => {
    assert.ok(statSync(file).size <= MAX_BYTES, `${statSync(file).size} bytes`);
  });

  it('contains the script and the styles of every page', () => {
    // A zip file contains the names of its files as plain text.
    const names = readFileSync(file, 'latin1');
    for (const page of Object.keys(webview.entryPoints ?? {}))
      for (const ending of ['js', 'css'])
        assert.ok(names.includes(`extension/dist/webview/${page}.${ending}`), `${page}.${ending}`);
  });

  // A second build takes as long as many other tests together.
  if (isFull)
    it('has the same bytes when built in another folder', () => {
      const again = join(folder, 'again.vsix');
      const copy = copyRepository();
      let checksum = '';
      try {
        for (const command of [['esbuild.mjs'], [join('test', 'release', 'package.mjs'), again]])
          execFileSync(process.execPath, command, { cwd: copy, stdio: 'pipe' });
        checksum = readFileSync(join(copy, 'dist', 'cli.sha512'), 'utf8');
      } finally {
        rmSync(copy, { recursive: true });
      }
      assert.ok(readFileSync(file).equals(readFileSync(again)));
      assert.equal(checksum, readFileSync(join(repoRoot, 'dist', 'cli.sha512'), 'utf8'));
    });
});

/** The npm package: its files, and that it runs without other packages. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { repoRoot } from '../../vscode/paths.ts';
import { Cli } from './support.ts';

describe('npm package', () => {
  const cli = new Cli();
  const at = (...path: string[]): string => join(cli.folder, ...path);
  const npm = (cwd: string, command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  let files: string[];

  before(async () => {
    await cli.build();
    for (const name of ['package.json', '.npmignore', 'README.md', 'LICENSE', 'ThirdPartyNotices.txt'])
      cpSync(join(repoRoot, name), at('source', name));
    cpSync(cli.file, at('source', 'dist', 'cli.js'));
    cli.write({
      'source/dist/api.d.ts': '',
      'source/dist/extension.js': '',
      'source/dist/webview/main.js': '',
      'source/dist/sbom.cdx.json': '{}',
      'source/src/extension.ts': '',
      'source/.env': 'KEY=1',
    });
    mkdirSync(at('empty'));
    const [packed] = JSON.parse(
      npm(at('source'), 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', cli.folder),
    ) as {
      files: { path: string }[];
    }[];
    files = packed?.files.map(({ path }) => path).sort() ?? [];
  });
  after(() => cli.remove());

  it('contains the command line and the types of the API, and nothing else of the extension', () => {
    assert.deepEqual(files, [
      'LICENSE',
      'README.md',
      'ThirdPartyNotices.txt',
      'dist/api.d.ts',
      'dist/cli.js',
      'package.json',
    ]);
  });

  it('runs with npx from a tarball in an empty folder, offline', () => {
    const tarball = readdirSync(cli.folder).find((name) => name.endsWith('.tgz')) ?? assert.fail();
    const npx = (...args: string[]): string =>
      npm(
        at('empty'),
        'npx',
        '--yes',
        '--offline',
        '--cache',
        at('cache'),
        '--package',
        at(tarball),
        'analytics-chat',
        ...args,
      );
    assert.match(npx('--help'), /^Usage: analytics-chat/);
    assert.deepEqual(readdirSync(at('empty')), []);
  });
});

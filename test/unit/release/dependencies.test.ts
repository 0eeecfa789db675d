/** Every dependency is documented with its purpose. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repoRoot } from '../../vscode/paths.ts';

const read = (file: string): string => readFileSync(join(repoRoot, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>;

describe('dependencies', () => {
  it('are all listed in CONTRIBUTING.md, which lists no others', () => {
    const table = read('CONTRIBUTING.md').split('## Dependencies')[1]?.split('\n## ')[0] ?? '';
    const rows = [...table.matchAll(/^\| (`.*?) \| .+ \|$/gm)].flatMap(([, names = '']) => names.split(', '));
    const named = rows.map((name) => name.replace(/`/g, ''));
    const used = Object.keys(manifest['devDependencies'] ?? {}).filter((name) => !name.startsWith('@types/'));
    assert.deepEqual(named.sort(), used.sort());
  });

  it('are never installed by users', () => {
    assert.deepEqual(Object.keys(manifest['dependencies'] ?? {}), []);
    for (const key of ['extensionPack', 'extensionDependencies']) assert.equal(manifest[key], undefined, key);
  });
});

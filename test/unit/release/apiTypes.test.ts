/** The types of the public API, as copied by other extensions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { apiTypes } from '../../../esbuild.mjs';
import { repoRoot } from '../../vscode/paths.ts';

const CONSUMER = `import * as vscode from 'vscode';
import type { AnalyticsChatApi } from './api';

export async function lastQuery(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<AnalyticsChatApi>('analytics-chat.analytics-chat');
  const api = await extension?.activate();
  if (api?.version !== 1) return undefined;
  const { queries } = await api.ask('revenue by month', { signal: new AbortController().signal });
  return queries[0]?.sql ?? api.lastSql();
}
export const wrong = (api: AnalyticsChatApi): number =>
  // @ts-expect-error A title is text.
  api.threads().then(([first]) => first.title);
`;

describe('the types of the public API', () => {
  const folder = join(repoRoot, 'out', 'api-types');
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are shipped, and compile on their own in another extension', () => {
    const { types } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { types: string };
    assert.equal(types, './dist/api.d.ts');
    assert.ok(readFileSync(join(repoRoot, '.vscodeignore'), 'utf8').split('\n').includes('!dist/api.d.ts'));
    mkdirSync(folder, { recursive: true });
    // Not as a declaration file: those are not checked, as the libraries' take a second.
    const [shipped, consumer] = [join(folder, 'api.ts'), join(folder, 'consumer.ts')];
    writeFileSync(shipped, readFileSync(join(repoRoot, apiTypes)));
    writeFileSync(consumer, CONSUMER);
    const options = '--strict --skipLibCheck --noEmit --target es2022 --module node16 --types vscode,node'.split(' ');
    const compiler = join(repoRoot, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const { status, stdout } = spawnSync(
      process.execPath,
      [compiler, '--ignoreConfig', ...options, shipped, consumer],
      {
        cwd: repoRoot,
        encoding: 'utf8',
      },
    );
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });
});

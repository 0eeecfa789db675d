import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Absolute path of the repository. */
export const repoRoot = join(import.meta.dirname, '..', '..');

/** The folder in which the editor is cached between runs; `@vscode/test-electron` uses the same one. */
export const cacheFolder = join(repoRoot, '.vscode-test');

const bundledNode = join(repoRoot, 'node_modules', '.bin', 'node');
const isNode24 = Number(process.versions.node.split('.')[0]) >= 24;

/** Path of Node 24, which the editor's server requires: the running Node, or the one in the dev dependencies. */
export const node24 = isNode24 ? process.execPath : bundledNode;

/**
 * @returns the folder that contains `include/node` for native builds: that of Node's npm package, which avoids a
 * download, or else the system's. `undefined` leaves the search to node-gyp.
 */
export function nodeHeaders(): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const candidates = [
    join(repoRoot, 'node_modules', 'node', 'node_modules', name),
    join(repoRoot, 'node_modules', name),
    join(process.execPath, '..', '..'),
    '/usr',
    '/usr/local',
  ];
  return candidates.find((folder) => existsSync(join(folder, 'include', 'node', 'node_api.h')));
}

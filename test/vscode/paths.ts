import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's own folder, absolute. */
export const repoRoot = join(import.meta.dirname, '..', '..');

/** Where the editor is kept between runs; `@vscode/test-electron` uses the same folder. */
export const cacheFolder = join(repoRoot, '.vscode-test');

const bundledNode = join(repoRoot, 'node_modules', '.bin', 'node');
const isNode24 = Number(process.versions.node.split('.')[0]) >= 24;

/** A Node 24, which the editor's server wants: the one that runs this, or the one that the project depends on. */
export const node24 = isNode24 ? process.execPath : bundledNode;

/**
 * The folder that holds `include/node` for native builds: the npm package of Node carries its own headers,
 * so nothing is downloaded; the machine's are the second choice. `undefined` leaves the search to node-gyp.
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

/** How big the bundles are, and the package around them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageVsix } from '../../release/package.mjs';
import { repoRoot } from '../../vscode/paths.ts';
import type { Result } from '../result.ts';

const dist = join(repoRoot, 'dist');

/** @returns kilobytes of what `npm run build` has made, and of the package around it */
export default async function bench(): Promise<Result[]> {
  if (!existsSync(join(dist, 'extension.js'))) throw new Error('Nothing is built yet: run "npm run build" first.');
  const page = withStaticImports('main.js').map((name) => readFileSync(join(dist, 'webview', name)));
  const zipped = page.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
  return [
    { name: 'extension host, minified', value: statSync(join(dist, 'extension.js')).size / 1000, unit: 'KB' },
    { name: 'webview without charts, gzipped', value: zipped / 1000, unit: 'KB' },
    { name: 'package (VSIX)', value: packageSize() / 1000, unit: 'KB' },
  ];
}

/** The script and all that it must have before it can run; what it imports later, such as charts, is not in it. */
function withStaticImports(entry: string): string[] {
  const found = new Set([entry]);
  for (const name of found) {
    const code = readFileSync(join(dist, 'webview', name), 'utf8');
    for (const [, file = ''] of code.matchAll(/(?:from|import)\s*"\.\/(chunk-\w+\.js)"/g)) found.add(file);
  }
  return [...found];
}

function packageSize(): number {
  const folder = mkdtempSync(join(tmpdir(), 'package-size-'));
  try {
    const file = join(folder, 'package.vsix');
    packageVsix(file);
    return statSync(file).size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

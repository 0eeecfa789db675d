/**
 * Measures the size of the bundles and of the package, compared with a published chat extension that ships with VS
 * Code.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { packageVsix } from '../../release/package.mjs';
import { installEditor } from '../../vscode/install.ts';
import { repoRoot } from '../../vscode/paths.ts';
import type { Result } from '../result.ts';

const dist = join(repoRoot, 'dist');

/** @returns kilobytes of the output of `npm run build`, and of the package */
export default async function bench(): Promise<Result[]> {
  if (!existsSync(join(dist, 'extension.js'))) throw new Error('Nothing is built yet: run "npm run build" first.');
  const page = withStaticImports('webview', 'main.js').map((file) => readFileSync(file));
  const entries = ['extension.mjs', 'start.mjs'].flatMap((entry) => withStaticImports('node', entry));
  const host = entries.reduce((sum, file) => sum + statSync(file).size, 0);
  const zipped = page.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
  const peer = join(await installEditor(), '..', '..', 'extensions', 'copilot');
  const beside = (name: string, bytes: number, theirs: number): Result => ({
    ...{ name, value: bytes / 1000, unit: 'KB' },
    ratios: { 'Copilot Chat': bytes / theirs },
  });
  return [
    beside('extension host, minified', host, hostSize(peer)),
    {
      name: 'extension host for web workers, minified',
      value: statSync(join(dist, 'extension.js')).size / 1000,
      unit: 'KB',
    },
    { name: 'webview without charts, gzipped', value: zipped / 1000, unit: 'KB' },
    beside('package (VSIX)', packageSize(), compressedSize(peer)),
  ];
}

/** The size of the entry point of an installed extension, according to its manifest. */
function hostSize(extension: string): number {
  const { main } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as { main: string };
  return statSync(createRequire(import.meta.url).resolve(join(extension, main))).size;
}

/** The minimum size of an installed extension's files in a package. */
function compressedSize(extension: string): number {
  const files = globSync('**/*', { cwd: extension, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => deflateRawSync(readFileSync(join(parentPath, name))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @returns the built script and everything it needs to start; lazy chunks such as charts are not included */
function withStaticImports(folder: string, entry: string): string[] {
  const found = new Set([entry]);
  for (const name of found) {
    const code = readFileSync(join(dist, folder, name), 'utf8');
    for (const [, file = ''] of code.matchAll(/(?:from|import)\s*"\.\/(chunk-\w+\.m?js)"/g)) found.add(file);
  }
  return [...found].map((name) => join(dist, folder, name));
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

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** The latest versions, installed only for the benchmark: the product contains none of them. */
const packages = [
  ...['react', 'react-dom', 'react-markdown', 'remark-gfm', 'streamdown'],
  ...['@incremark/core', '@incremark/react', 'streaming-markdown', 'marked'],
];

const folder = fileURLToPath(new URL('../../../.vscode-test/bench/markdown/', import.meta.url));

/** Installs the peers beside the test editor. */
export async function installPeers(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}package.json`, '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await promisify(execFile)('npm', ['install', ...options, ...packages.map((name) => `${name}@latest`)], {
    cwd: folder,
  });
}

const bundles = new Map<string, Promise<string>>();

/** @returns a script for the page, built from a file in this folder */
export function bundle(entry: string): Promise<string> {
  const made = bundles.get(entry) ?? bundled(entry);
  bundles.set(entry, made);
  return made;
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: 'iife',
    // With names, for the profile.
    minifySyntax: true,
    minifyWhitespace: true,
    target: 'es2024',
    write: false,
    nodePaths: [`${folder}node_modules`],
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.css': 'empty' },
  });
  return outputFiles[0]?.text ?? '';
}

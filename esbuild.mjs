// Builds the bundles of the extension host (desktop, remote and web), of the webview and of the command line. Lists
// their third-party packages in ThirdPartyNotices.txt and dist/sbom.cdx.json.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bundledPackages } from './test/release/bundled.mjs';
import { thirdPartyNotices } from './test/release/notices.mjs';
import { softwareBill } from './test/release/sbom.mjs';

const watch = process.argv.includes('--watch');
const production = !watch && !process.argv.includes('--dev');
const product = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  target: 'es2024',
  metafile: true,
  define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
};

/** @type {esbuild.BuildOptions} */
export const host = {
  ...common,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  format: 'cjs',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['vscode', 'node:*'],
};

/**
 * The same for Node extension hosts, as ES modules: a module imported with `import()` is loaded when it is first
 * needed.
 * @type {esbuild.BuildOptions}
 */
export const nodeHost = {
  ...host,
  outdir: 'dist/node',
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
};

/** @type {esbuild.BuildOptions} */
export const webview = {
  ...common,
  entryPoints: {
    main: 'webview/app/main.tsx',
    compare: 'webview/compare/main.tsx',
    results: 'webview/results/main.tsx',
    answers: 'webview/evals/main.tsx',
  },
  outdir: 'dist/webview',
  format: 'esm',
  platform: 'browser',
  // Pages share chunks; charts, tables and the studio are loaded when first shown.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]',
  loader: { '.ttf': 'file' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** @type {esbuild.BuildOptions} */
export const commandLine = {
  ...common,
  entryPoints: { cli: 'src/cli/main.ts' },
  outdir: 'dist',
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  banner: { js: '#!/usr/bin/env node' },
  define: { ...common.define, PRODUCT_VERSION: JSON.stringify(product.version) },
};

/** The types of the public API: declarations only, so the source ships as it is. */
export const apiTypes = 'src/vscode/native/publicApi.ts';

/** The files of the extension; tests inspect each of them. */
export const bundles = [host, nodeHost, webview];

/**
 * The notices cover the command line too; the bill of materials covers only the extension.
 * @param {esbuild.Metafile[]} extension
 * @param {esbuild.Metafile} cli
 */
function listPackages(extension, cli) {
  const packages = bundledPackages(import.meta.dirname, [...extension, cli]);
  writeFileSync('ThirdPartyNotices.txt', thirdPartyNotices(packages, readFileSync('LICENSE', 'utf8')));
  copyFileSync(apiTypes, 'dist/api.d.ts');
  const bill = softwareBill(product, bundledPackages(import.meta.dirname, extension));
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bill, null, 2)}\n`);
}

async function main() {
  const options = [...bundles, commandLine].map((each) => ({ ...each, logLevel: 'info' }));
  rmSync('dist', { recursive: true, force: true });
  if (watch) for (const each of options) await (await esbuild.context(each)).watch();
  else {
    const built = await Promise.all(options.map(async (each) => (await esbuild.build(each)).metafile));
    listPackages(built.slice(0, -1), built[built.length - 1]);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

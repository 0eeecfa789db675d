// Builds the two bundles, the extension host's (for desktop, remote and browser) and the webview's, and lists what they
// hold of others: ThirdPartyNotices.txt for people, dist/sbom.cdx.json for tools.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bundledPackages } from './test/release/bundled.mjs';
import { thirdPartyNotices } from './test/release/notices.mjs';
import { softwareBill } from './test/release/sbom.mjs';
import { yamlParserPlugin } from './src/insert/yamlParserPlugin.mjs';
import { partsPlugin } from './src/vscode/partsPlugin.mjs';
import { trialPlugin } from './webview/chart/trialPlugin.mjs';

const watch = process.argv.includes('--watch');
const production = !watch && !process.argv.includes('--dev');
const product = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const extension = `${product.publisher}.${product.name}`;

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
  // For debugging all of it is one file.
  ...(production ? { format: 'esm', splitting: true } : { format: 'cjs' }),
  plugins: [yamlParserPlugin, ...(production ? [partsPlugin(extension)] : [])],
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['vscode', 'node:*'],
  chunkNames: '[name]-[hash]',
};

/** @type {esbuild.BuildOptions} */
export const webview = {
  ...common,
  entryPoints: {
    main: 'webview/app/main.tsx',
    compare: 'webview/compare/main.tsx',
    results: 'webview/results/main.tsx',
  },
  outdir: 'dist/webview',
  format: 'esm',
  platform: 'browser',
  // The chart code is a chunk of its own, loaded at the first chart.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]',
  loader: { '.ttf': 'file' },
  plugins: [trialPlugin],
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** The types of the public API: declarations only, so the source ships as it is. */
export const apiTypes = 'src/vscode/native/publicApi.ts';

/** @param {esbuild.Metafile[]} metafiles */
function listPackages(metafiles) {
  const packages = bundledPackages(import.meta.dirname, metafiles);
  writeFileSync('ThirdPartyNotices.txt', thirdPartyNotices(packages, readFileSync('LICENSE', 'utf8')));
  copyFileSync(apiTypes, 'dist/api.d.ts');
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(softwareBill(product, packages), null, 2)}\n`);
}

async function main() {
  const bundles = [host, webview].map((options) => ({ ...options, logLevel: 'info' }));
  rmSync('dist', { recursive: true, force: true });
  if (watch) for (const options of bundles) await (await esbuild.context(options)).watch();
  else
    listPackages((await Promise.all(bundles.map((options) => esbuild.build(options)))).map((built) => built.metafile));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

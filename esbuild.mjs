// Builds two bundles, one for the extension host (desktop, remote and web) and one for the webview. Lists their
// third-party packages in ThirdPartyNotices.txt and dist/sbom.cdx.json.
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
  // Pages share chunks; charts, tables and the studio are loaded when first shown.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]',
  loader: { '.ttf': 'file' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** The types of the public API: declarations only, so the source ships as it is. */
export const apiTypes = 'src/vscode/native/publicApi.ts';

/** Everything the build makes; tests look into each of them. */
export const bundles = [host, webview];

/** @param {esbuild.Metafile[]} metafiles */
function listPackages(metafiles) {
  const packages = bundledPackages(import.meta.dirname, metafiles);
  writeFileSync('ThirdPartyNotices.txt', thirdPartyNotices(packages, readFileSync('LICENSE', 'utf8')));
  copyFileSync(apiTypes, 'dist/api.d.ts');
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(softwareBill(product, packages), null, 2)}\n`);
}

async function main() {
  const options = bundles.map((each) => ({ ...each, logLevel: 'info' }));
  rmSync('dist', { recursive: true, force: true });
  if (watch) for (const each of options) await (await esbuild.context(each)).watch();
  else listPackages((await Promise.all(options.map((each) => esbuild.build(each)))).map((built) => built.metafile));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

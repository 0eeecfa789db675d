// Builds the two bundles: the extension host's (one file for desktop, remote and browser) and the webview's.
import { rmSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { trialPlugin } from './webview/chart/trialPlugin.ts';

const watch = process.argv.includes('--watch');
const production = !watch && !process.argv.includes('--dev');

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  target: 'es2024',
  logLevel: 'info',
  define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
};

/** @type {esbuild.BuildOptions} */
const host = {
  ...common,
  // What writes SQL into files is loaded at its first use.
  entryPoints: { extension: 'src/extension.ts', sql: 'src/vscode/sqlChunk.ts' },
  outdir: 'dist',
  format: 'cjs',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  external: ['vscode', 'node:*'],
  // The web worker host has `require` and no module loader.
  supported: { 'dynamic-import': false },
};

/** @type {esbuild.BuildOptions} */
const webview = {
  ...common,
  entryPoints: { main: 'webview/main.tsx', compare: 'webview/compare/main.tsx', results: 'webview/results/main.tsx' },
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

rmSync('dist', { recursive: true, force: true });
if (watch) {
  for (const options of [host, webview]) await (await esbuild.context(options)).watch();
} else {
  await Promise.all([host, webview].map((options) => esbuild.build(options)));
}

// Builds the bundles of the extension host (desktop, remote and web), of the webview and of the command line. Lists
// their third-party packages in ThirdPartyNotices.txt and dist/sbom.cdx.json, and packs the command line.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { keySchemas } from './src/evals/files/schema.ts';
import { bundledPackages } from './test/release/bundled.mjs';
import { checksumLine, packCommandLine } from './test/release/commandLine.mjs';
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
  // The module that creates the services, from the entry point.
  define: { ...common.define, SERVICES: '"./vscode/start.ts"' },
};

/**
 * The same for Node extension hosts, as ES modules: a module imported with `import()` is loaded when it is first
 * needed.
 * @type {esbuild.BuildOptions}
 */
const nodeHost = {
  ...host,
  entryPoints: ['src/vscode/start.ts'],
  outdir: 'dist/node',
  format: 'esm',
  splitting: true,
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  // Acts as if each module imported this one: what starting the services loads becomes one chunk, instead of one for each
  // set of lazy chunks that share it. VS Code needs about a millisecond to load a file.
  inject: ['src/vscode/start.ts'],
};

/**
 * The entry point for Node, which imports the first of those modules.
 * @type {esbuild.BuildOptions}
 */
export const nodeEntry = {
  ...host,
  outdir: 'dist/node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  external: [...(host.external ?? []), './start.mjs'],
  define: { ...common.define, SERVICES: '"./start.mjs"' },
};

/** @type {esbuild.BuildOptions} */
export const webview = {
  ...common,
  entryPoints: {
    main: 'webview/app/main.tsx',
    runs: 'webview/runs/Runs.tsx',
    results: 'webview/results/Results.tsx',
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

/**
 * The styles of the first paint, which the hosts insert into the HTML.
 * @type {esbuild.BuildOptions}
 */
const firstStyles = { ...common, sourcemap: false, entryPoints: ['webview/app/first.css'], write: false };

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
export const bundles = [host, nodeHost, nodeEntry, webview];

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

/**
 * @param {esbuild.Metafile} pages
 * @returns {Record<string, string[]>} for each page, the chunks that it imports statically, directly or not
 */
export function staticChunks({ outputs }) {
  /** @type {(file: string, found?: Set<string>) => Set<string>} */
  const importsOf = (file, found = new Set()) => {
    for (const { kind, path } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && !found.has(path)) importsOf(path, found.add(path));
    return found;
  };
  const names = Object.keys(webview.entryPoints ?? {});
  return Object.fromEntries(
    names.map((name) => [name, [...importsOf(`${webview.outdir}/${name}.js`)].map((path) => basename(path))]),
  );
}

/** The JSON schemas of `yamlValidation` in the manifest. */
function writeSchemas() {
  mkdirSync('dist/schemas', { recursive: true });
  for (const [name, schemaOf] of Object.entries(keySchemas)) {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf() };
    writeFileSync(`dist/schemas/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
  }
}

/** @type {(options: esbuild.BuildOptions) => Promise<esbuild.Metafile>} */
const build = async (options) => (await esbuild.build({ ...options, logLevel: 'info', metafile: true })).metafile;

async function main() {
  rmSync('dist', { recursive: true, force: true });
  writeSchemas();
  if (watch) {
    for (const each of [...bundles, commandLine]) await (await esbuild.context({ ...each, logLevel: 'info' })).watch();
    return;
  }
  // The hosts' HTML contains the styles of its first paint and preloads the chunks of each page.
  const pages = await build(webview);
  const [styles] = (await esbuild.build(firstStyles)).outputFiles ?? [];
  const inserted = {
    PAGE_CHUNKS: JSON.stringify(staticChunks(pages)),
    FIRST_STYLES: JSON.stringify(styles?.text ?? ''),
  };
  const hostBuilds = [host, nodeHost, nodeEntry].map((each) => ({ ...each, define: { ...each.define, ...inserted } }));
  const [cli, ...hosts] = await Promise.all([commandLine, ...hostBuilds].map(build));
  if (cli) listPackages([...hosts, pages], cli);
  // Copied CI workflows install the command line only if it is this one.
  writeFileSync('dist/cli.sha512', checksumLine(packCommandLine(resolve('dist'))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

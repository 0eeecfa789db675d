/** What is in the bundles, and that the license notices match their packages. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type BuildResult, type Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';
import { bundles, commandLine, nodeEntry, staticChunks, webview } from '../../../esbuild.mjs';
import { bundledPackages, type BundledPackage } from '../../release/bundled.mjs';
import { thirdPartyNotices } from '../../release/notices.mjs';
import { purl, softwareBill } from '../../release/sbom.mjs';
import { repoRoot } from '../../vscode/paths.ts';

/**
 * Found in published libraries, but never run: the CSP of the pages has no `unsafe-eval`, and Vega interprets parsed
 * expressions (`ast: true`).
 */
const inLibraries = [
  // d3-dsv, objectConverter
  /^new Function\("d","return \{"/,
  // vega-runtime: generated code for expressions, fields and comparators, replaced by vega-interpreter
  /^Function\(\.\.\.\w+\.concat\(\w+\)\)/,
  /^Function\("_",`return _\$\{\w+\};`\)/,
  /^Function\("a","b","var u, v; return "\+/,
  // @microsoft/fast-element: fallback if there is no globalThis
  /^new Function\("return this"\)\(\)/,
];
const createsCode = /(?<![\w$.])(?:new Function\b|Function\(|eval\((?!\w+,\w+\)\{)|import\("data:)/g;

type Built = BuildResult<{ metafile: true; write: false }>;
let built: Promise<Built[]> | undefined;
/** Builds the bundles of the extension, and then that of the command line, once: like `npm run build`, but in memory. */
const allBuilt = (): Promise<Built[]> =>
  (built ??= Promise.all(
    [...bundles, commandLine].map((options) =>
      build({ ...options, absWorkingDir: repoRoot, write: false, metafile: true }),
    ),
  ));

describe('bundles', () => {
  const host = new Map<string, string>();
  const pages = new Map<string, string>();
  let chunks: Record<string, string[]> = {};
  let outputs: Metafile['outputs'] = {};
  let entry: string[] = [];
  const all = new Set<string>();
  const isBuilt = (name: string): boolean => [...all].some((file) => file.includes(name));
  before(async () => {
    for (const [index, options] of bundles.entries()) {
      const { outputFiles, metafile } = (await allBuilt())[index]!;
      const to = options === webview ? pages : host;
      if (options === webview) [chunks, outputs] = [staticChunks(metafile), metafile.outputs];
      for (const file of Object.keys(metafile.inputs)) all.add(file);
      if (options === nodeEntry) entry = Object.keys(metafile.inputs);
      for (const { path, text } of outputFiles) if (/\.m?js$/.test(path)) to.set(basename(path), text);
    }
  });

  const found = (texts: Map<string, string>): string[] =>
    [...texts].flatMap(([name, text]) =>
      [...text.matchAll(createsCode)]
        .map(({ index }) => text.slice(index, index + 60))
        .filter((code) => texts === host || !inLibraries.some((known) => known.test(code)))
        .map((code) => `${name}: ${code}`),
    );

  it('of the extension create no code from text', () => assert.deepEqual(found(host), []));

  it('of the webview create no code from text, apart from known library code that never runs', () =>
    assert.deepEqual(found(pages), []));

  it('of the webview are listed by page with all chunks that it imports first', () => {
    for (const [page, names] of Object.entries(chunks)) {
      const files = [`${page}.js`, ...names];
      for (const file of files)
        for (const [, imported] of (pages.get(file) ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g))
          assert.ok(files.includes(imported ?? ''), `${file} imports ${imported}`);
      assert.ok(names.length > 0, page);
    }
  });

  it('draw the composer without the code that draws answers', () => {
    const first = ['main.js', ...(chunks['main'] ?? [])].flatMap((file) =>
      Object.keys(outputs[`dist/webview/${file}`]?.inputs ?? {}),
    );
    assert.ok(first.some((file) => file.endsWith('Composer.tsx')));
    for (const late of ['/markdown-it/', '/highlight.js/', '/dompurify/', '/vega-lite/', '/vega-view/']) {
      assert.ok(isBuilt(late), late);
      assert.ok(!first.some((file) => file.includes(late)), late);
    }
  });

  it('set the page of the view before the code of the services is loaded', () => {
    assert.ok(entry.some((file) => file.endsWith('host/html.ts')));
    for (const late of ['vscode/start.ts', '/chatViews.ts', '/chatSession.ts', '/participant.ts']) {
      assert.ok(isBuilt(late), late);
      assert.ok(!entry.some((file) => file.endsWith(late)), late);
    }
  });

  it('of the extension are one file for web workers and ES modules for Node', () => {
    const { main, browser } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    assert.deepEqual([main, browser], ['./dist/node/extension.mjs', './dist/extension.js']);
    assert.doesNotMatch(host.get('extension.js') ?? '', /\b(?:import|require)\("\.{1,2}\//);
  });
});

describe('packages in the bundles', () => {
  let packages: BundledPackage[];
  const named = (name: string): boolean => packages.some((each) => each.name === name);

  before(async () => {
    packages = bundledPackages(
      repoRoot,
      (await allBuilt()).map(({ metafile }) => metafile),
    );
  });

  it('are detected in every bundle', () => {
    // Packages of the host, of the page, of its style sheet and of the charts.
    for (const name of ['sql-formatter', 'preact', '@vscode/codicons', 'vega-interpreter'])
      assert.ok(named(name), name);
    for (const name of ['typescript', 'esbuild', '@vscode/vsce', 'vega-embed']) assert.ok(!named(name), name);
  });

  it('are in ThirdPartyNotices.txt with their licenses (npm run build writes it)', () => {
    const read = (file: string): string => readFileSync(join(repoRoot, file), 'utf8');
    assert.equal(read('ThirdPartyNotices.txt'), thirdPartyNotices(packages, read('LICENSE')));
  });

  it('have licenses that allow shipping them', () => {
    const allowed = /^(MIT|ISC|0BSD|BSD-[23]-Clause|CC-BY-4\.0|\(MPL-2\.0 OR Apache-2\.0\))$/;
    assert.deepEqual(
      packages.filter(({ license }) => !allowed.test(license)).map(({ name, license }) => `${name}: ${license}`),
      [],
    );
  });

  it('are exactly those in the bill of materials, which is deterministic', () => {
    const product = { name: 'analytics-chat', version: '1.2.3', license: 'MIT' };
    const bill = softwareBill(product, packages) as { components: { purl: string }[] };
    assert.deepEqual(
      bill.components.map((component) => component.purl),
      packages.map(purl),
    );
    assert.deepEqual(softwareBill(product, packages), bill);
  });
});

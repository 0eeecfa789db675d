import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';
import { bundles, nodeEntry, staticChunks, webview } from '../../../esbuild.mjs';
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

describe('bundles', () => {
  const host = new Map<string, string>();
  const pages = new Map<string, string>();
  let chunks: Record<string, string[]> = {};
  let outputs: Metafile['outputs'] = {};
  let entry: string[] = [];
  const all = new Set<string>();
  const isBuilt = (name: string): boolean => [...all].some((file) => file.includes(name));
  before(async () => {
    for (const options of bundles) {
      const built = { ...options, absWorkingDir: repoRoot, write: false, metafile: true } as const;
      const { outputFiles, metafile } = await build(built);
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

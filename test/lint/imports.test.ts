import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'mocha';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');

/** Every source file of the extension and of its webviews. */
function sources(): string[] {
  return ['src', 'webview'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, room, name)),
  );
}

/** The imports of a file, including `import type` and dynamic imports. */
const importsOf = (file: string): string[] =>
  ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName);

/** @returns the first import cycle as paths, or `undefined` */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return undefined;
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return undefined;
}

describe('imports', () => {
  it('have their cycles detected', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    assert.deepEqual(findCycle(graph), ['b', 'd', 'b']);
    assert.equal(findCycle(new Map([['a', ['b']]])), undefined);
  });

  it('form no cycle, not even of types', () => {
    const graph = new Map(
      sources().map((file) => [
        file,
        importsOf(file)
          .filter((name) => name.startsWith('.'))
          .map((name) => resolve(dirname(file), name)),
      ]),
    );
    assert.ok(graph.size > 20);
    assert.deepEqual(
      findCycle(graph)?.map((file) => relative(root, file)),
      undefined,
    );
  });

  it('of vscode are only in src/vscode and src/extension.ts', () => {
    const allowed = (file: string): boolean => /^src\/(?:vscode\/|extension\.ts$)/.test(file);
    const guilty = sources()
      .filter((file) => importsOf(file).includes('vscode'))
      .map((file) => relative(root, file).replaceAll('\\', '/'));
    assert.ok(guilty.some(allowed));
    assert.deepEqual(
      guilty.filter((file) => !allowed(file)),
      [],
    );
  });
});

/** The import rules of the rooms, which the linter enforces. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ESLint } from 'eslint';
import { before, describe, it } from 'mocha';

const root = resolve(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: root });

/** @returns the lines with a problem that the linter finds in a file with this code */
async function lint(file: string, code: string): Promise<number[]> {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  return (result?.messages ?? []).filter(({ ruleId }) => ruleId === 'rooms/imports').map(({ line }) => line);
}

/** @returns those of the folders from which a file of `room` may not import */
async function refused(room: string, targets: readonly string[]): Promise<string[]> {
  const code = targets.map((target, at) => `import type { X${at} } from '${relative(room, join(target, 'x.ts'))}';\n`);
  const lines = await lint(`${room}/a.ts`, code.join(''));
  return targets.filter((_, at) => lines.includes(at + 1)).map((target) => `${room} -> ${target}`);
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

describe('import rules', () => {
  let rooms: Record<string, readonly string[]>;

  before(async () => {
    ({ rooms } = (await import(join(root, 'eslint.config.mjs'))) as { rooms: typeof rooms });
  });

  it('fail on an import of every room that a room may not import', async () => {
    for (const [room, allowed] of Object.entries(rooms)) {
      const allowedHere = [...allowed, room];
      const forbidden = Object.keys(rooms).filter((target) => !allowedHere.some((each) => isInside(target, each)));
      assert.deepEqual(
        await refused(room, forbidden),
        forbidden.map((target) => `${room} -> ${target}`),
      );
    }
  });

  it('pass what a room may import, and its own files', async () => {
    for (const [room, allowed] of Object.entries(rooms)) assert.deepEqual(await refused(room, [room, ...allowed]), []);
  });

  for (const [what, file, code] of [
    ['a dynamic import', 'src/api/a.ts', "export const a = () => import('../vscode/host/log.ts');"],
    ['an exported module', 'src/api/a.ts', "export { a } from '../chat/session/clock.ts';"],
    ['an import type', 'src/api/a.ts', "export type A = import('../chat/session/clock.ts').Clock;"],
    ['an import in a nested folder', 'src/chat/history/files/a.ts', "import '../../session/clock.ts';"],
    ['the API of VS Code outside src/vscode', 'src/evals/a.ts', "import type * as vscode from 'vscode';"],
    ['a module of Node.js in code for browsers', 'src/compare/a.ts', "import 'node:fs';"],
    ['a module of Node.js without prefix', 'src/compare/a.ts', "import 'fs';"],
    ['a module of Node.js loaded with the history', 'src/chat/history/a.ts', "import 'node:fs';"],
    ['React in a page', 'webview/ui/a.tsx', "import 'react-dom/client';"],
  ] as const)
    it(`fail on ${what}`, async () => {
      assert.equal((await lint(file, code)).length, 1);
    });

  it('let the history load modules of Node.js on demand, and anyone use their types', async () => {
    assert.deepEqual(await lint('src/chat/history/a.ts', "export const a = () => import('node:fs');"), []);
    assert.deepEqual(await lint('src/api/a.ts', "import type { Stats } from 'node:fs';\nexport type A = Stats;"), []);
  });
});

describe('areas of src/vscode', () => {
  let areas: Record<string, readonly string[]>;

  before(async () => {
    ({ areas } = (await import(join(root, 'eslint.config.mjs'))) as { areas: typeof areas });
  });

  it('each have a row of the areas before them that they may import, in at most twenty pairs', () => {
    const names = Object.keys(areas);
    const folders = readdirSync(join(root, 'src/vscode'), { withFileTypes: true }).filter((each) => each.isDirectory());
    assert.deepEqual([...names, 'host'].sort(), folders.map(({ name }) => name).sort());
    for (const [at, area] of names.entries())
      assert.deepEqual(
        areas[area]?.filter((other) => !names.slice(0, at).includes(other)),
        [],
        area,
      );
    assert.ok(Object.values(areas).flat().length <= 20);
  });

  it('import no file that composes them', async () => {
    assert.equal((await lint('src/vscode/runs/a.ts', "import { start } from '../start.ts';")).length, 1);
    assert.deepEqual(await lint('src/vscode/runs/a.ts', "import type { Services } from '../services.ts';"), []);
  });
});

describe('files', () => {
  const names = ['src', 'webview'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|css)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );

  it('have different names within a room', () => {
    const room = (name: string): string => name.split('/', 2).join('/');
    const twice = [...Map.groupBy(names, (name) => `${room(name)} ${basename(name)}`)].filter(
      ([, same]) => same.length > 1,
    );
    assert.deepEqual(twice, []);
  });

  it('are at most twenty to a folder', () => {
    const full = [...Map.groupBy(names, (name) => dirname(name))].filter(([, inside]) => inside.length > 20);
    assert.deepEqual(full, []);
  });
});

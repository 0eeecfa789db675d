/** The host's bundle in its parts: read when they are reached, and what they share is there once. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { partsPlugin } from '../../../src/vscode/partsPlugin.mjs';

const sources = {
  'first.ts': `
    import { Wrong, count } from './shared.ts';
    import { t } from 'vscode';
    const said = async (load) => { try { await load(); } catch (failure) { return failure instanceof Wrong ? t(failure.message) : 'other'; } };
    export const one = () => said(async () => (await import('./one.ts')).fail());
    export const two = () => said(async () => (await import('./two.ts')).fail());
    export const counted = count;`,
  'one.ts': `import { deep } from './later.ts'; export const fail = () => deep('one');`,
  'two.ts': `import { deep } from './later.ts'; export const fail = () => deep('two');`,
  'later.ts': `import { Wrong, count } from './shared.ts'; let calls = 0; export const deep = (from) => { count(); throw new Wrong(from + (calls += 1)); };`,
  'shared.ts': `let all = 0; export const count = () => (all += 1); export class Wrong extends Error {}`,
};

interface Built {
  one(): Promise<string>;
  two(): Promise<string>;
  counted(): number;
}

describe('the parts of the host', () => {
  let folder: string;
  let dist: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parts-'));
    dist = join(folder, 'dist');
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
    await build({
      entryPoints: [join(folder, 'first.ts')],
      outdir: dist,
      bundle: true,
      minify: true,
      format: 'esm',
      splitting: true,
      platform: 'neutral',
      external: ['vscode'],
      metafile: true,
      plugins: [partsPlugin('acme.tool')],
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the bundle as an extension host does, one that cannot read files while it `isOffline`. */
  function run(reads: string[], host = { isOffline: false }): Built {
    const vscode = {
      t: (text: string) => `said ${text}`,
      Uri: { joinPath: (...parts: string[]) => join(...parts) },
      extensions: { getExtension: (id: string) => ({ extensionUri: id === 'acme.tool' ? folder : '' }) },
      workspace: {
        fs: {
          readFile: async (path: string) => {
            if (host.isOffline) throw new Error('offline');
            reads.push(path.slice(dist.length + 1).replace(/-.*/, ''));
            return readFileSync(path);
          },
        },
      },
    };
    const module = { exports: {} as Built };
    const require = (id: string): unknown => (id === 'vscode' ? vscode : assert.fail(`asked for ${id}`));
    new Function('require', 'module', readFileSync(join(dist, 'first.js'), 'utf8'))(require, module);
    return module.exports;
  }

  it('are read when they are reached, each once', async () => {
    const reads: string[] = [];
    const built = run(reads);
    assert.equal(reads.length, 0);
    const said = await Promise.all([built.one(), built.one()]);
    assert.deepEqual(said, ['said one1', 'said one2']);
    assert.equal(new Set(reads).size, reads.length);
    assert.deepEqual([reads.includes('one'), reads.includes('two')], [true, false]);
  });

  it('share what they have in common, with its classes and its state', async () => {
    const built = run([]);
    assert.equal(await built.one(), 'said one1');
    assert.equal(await built.two(), 'said two2');
    assert.equal(built.counted(), 3);
  });

  it('are tried again when they could not be read', async () => {
    const host = { isOffline: true };
    const built = run([], host);
    assert.equal(await built.one(), 'other');
    host.isOffline = false;
    assert.equal(await built.one(), 'said one1');
  });

  it('leave no file behind that nobody reads', () => {
    const names = readdirSync(dist);
    const texts = names.map((name) => readFileSync(join(dist, name), 'utf8'));
    for (const name of names.filter((each) => each !== 'first.js'))
      assert.ok(
        texts.some((text) => text.includes(name)),
        name,
      );
  });
});

/** Loads the bundles that not every window needs, each at its first use. */
import * as vscode from 'vscode';
import type * as historyChunk from './historyChunk.ts';
import type * as sqlChunk from './sqlChunk.ts';

/** The loader of the extension host, which serves `node:` modules where there is Node. */
declare const require: (id: string) => unknown;

interface Chunks {
  history: typeof historyChunk;
  sql: typeof sqlChunk;
}

const loading = new Map<string, Promise<unknown>>();

/**
 * @param name of the bundle in `dist`
 * @param extension folder of the extension; the same bundle serves every host
 */
export function loadChunk<Name extends keyof Chunks>(name: Name, extension: vscode.Uri): Promise<Chunks[Name]> {
  const known = loading.get(name) as Promise<Chunks[Name]> | undefined;
  const chunk = known ?? load<Chunks[Name]>(vscode.Uri.joinPath(extension, 'dist', `${name}.js`));
  loading.set(name, chunk);
  return chunk;
}

async function load<Chunk extends Chunks[keyof Chunks]>(file: vscode.Uri): Promise<Chunk> {
  const source = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const module: { exports: unknown } = { exports: {} };
  // The browser's extension host has no loader for a second file; this is how it loads the first one, too.
  new Function('module', 'exports', 'require', source)(module, module.exports, require);
  const chunk = module.exports as Chunk;
  chunk.useBundle(vscode.l10n.bundle ?? {}, vscode.env.language);
  return chunk;
}

/** Loads the bundle that writes SQL into files, at its first use. */
import * as vscode from 'vscode';
import type * as sqlChunk from './sqlChunk.ts';

export type SqlChunk = typeof sqlChunk;

let loading: Promise<SqlChunk> | undefined;

/** @param extension folder of the extension; the same bundle serves every host */
export function loadSql(extension: vscode.Uri): Promise<SqlChunk> {
  loading ??= load(vscode.Uri.joinPath(extension, 'dist', 'sql.js'));
  return loading;
}

async function load(file: vscode.Uri): Promise<SqlChunk> {
  const source = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const module: { exports: unknown } = { exports: {} };
  // The browser's extension host has no loader for a second file; this is how it loads the first one, too.
  new Function('module', 'exports', source)(module, module.exports);
  return module.exports as SqlChunk;
}

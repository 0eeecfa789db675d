/** Reads the files that may define the data model, once until one of them changes. */
import * as vscode from 'vscode';
import type { ModelFile } from '../../compare/definitions.ts';

/** Files that may define the data model, outside the folders in `NOT_IN`. */
const MODEL_FILES = '**/{model,models,schema,cubes,views}/**/*.{yml,yaml,js}';
export const NOT_IN = '**/{node_modules,.git,dbt_packages,target}/**';
const MAX_FILES = 2000;

export type WorkspaceFile = ModelFile & { uri: vscode.Uri };

export class ModelFiles implements vscode.Disposable {
  readonly #pattern: string;
  #files: Promise<readonly WorkspaceFile[]> | undefined;
  #watcher: vscode.Disposable | undefined;

  constructor(pattern = MODEL_FILES) {
    this.#pattern = pattern;
  }

  read(): Promise<readonly WorkspaceFile[]> {
    this.#watcher ??= this.#watch();
    this.#files ??= readFiles(this.#pattern);
    return this.#files;
  }

  dispose(): void {
    this.#watcher?.dispose();
  }

  #watch(): vscode.Disposable {
    const forget = (): void => {
      this.#files = undefined;
    };
    const watcher = vscode.workspace.createFileSystemWatcher(this.#pattern);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(forget),
      watcher.onDidChange(forget),
      watcher.onDidDelete(forget),
      vscode.workspace.onDidChangeWorkspaceFolders(forget),
    );
  }
}

/** @returns the files that may define the data model, as they are on disk */
export const readModelFiles = (): Promise<WorkspaceFile[]> => readFiles(MODEL_FILES);

/** @returns the files that match a pattern, outside the folders in `NOT_IN` */
export async function readFiles(pattern: vscode.GlobPattern): Promise<WorkspaceFile[]> {
  const uris = await vscode.workspace.findFiles(pattern, NOT_IN, MAX_FILES);
  const files = await Promise.all(
    uris.map(async (uri) => {
      // A file that was deleted meanwhile defines nothing.
      const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined);
      return bytes ? [{ uri, fileName: uri.path, text: new TextDecoder().decode(bytes) }] : [];
    }),
  );
  return files.flat();
}

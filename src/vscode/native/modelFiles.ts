/** Finds and reads the files that may define the data model. */
import * as vscode from 'vscode';
import type { ModelFile } from '../../compare/definitions.ts';
import type { SourceFile } from '../../evals/files/sourceFile.ts';

/** Files in which definitions are looked up, outside the folders in `NOT_IN`. */
const DEFINING_FILES = '**/{model,models,schema,cubes,views}/**/*.{yml,yaml,js}';
export const NOT_IN = '**/{node_modules,.git,dbt_packages,target}/**';
const MAX_FILES = 2000;

export type WorkspaceFile = ModelFile & { uri: vscode.Uri };

/** Reads the files once, and again after one of them has changed. */
export class ModelFiles implements vscode.Disposable {
  readonly #pattern: string;
  #files: Promise<readonly WorkspaceFile[]> | undefined;
  #watcher: vscode.Disposable | undefined;

  constructor(pattern = DEFINING_FILES) {
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
export const readModelFiles = (): Promise<WorkspaceFile[]> => readFiles(DEFINING_FILES);

/** @returns the files that match a pattern, outside the folders in `NOT_IN` */
async function readFiles(pattern: vscode.GlobPattern): Promise<WorkspaceFile[]> {
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

/** The usual folders of data models, with every kind of file that can define members. */
export const MODEL_FILES = '**/{model,models,schema,cubes,views}/**/*.{yml,yaml,jinja,jinja2,j2,js,mjs,cjs,ts}';

/** @returns the model files of a folder as they are on disk, including these paths where they exist */
export async function readModel(folder: vscode.WorkspaceFolder, paths: readonly string[]): Promise<SourceFile[]> {
  const texts = new Map<string, string>();
  for (const { uri, text } of await readFiles(new vscode.RelativePattern(folder, MODEL_FILES)))
    for (const path of pathsIn(folder, [uri])) texts.set(path, text);
  for (const path of paths) {
    if (texts.has(path)) continue;
    // A deleted file defines nothing.
    const bytes = await vscode.workspace.fs
      .readFile(vscode.Uri.joinPath(folder.uri, path))
      .then(undefined, () => undefined);
    if (bytes) texts.set(path, new TextDecoder().decode(bytes));
  }
  return [...texts].map(([path, text]) => ({ path, text }));
}

/** @returns the paths in the folder, each once; other files are left out */
export function pathsIn({ uri: folder }: vscode.WorkspaceFolder, uris: readonly vscode.Uri[]): string[] {
  const inFolder = uris.filter((uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.toString());
  return [...new Set(inFolder.map((uri) => vscode.workspace.asRelativePath(uri, false)))];
}

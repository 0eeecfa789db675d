/** The files of a workspace folder that define the data model; paths are relative to the folder. */
import * as vscode from 'vscode';
import type { SourceFile } from '../../evals/files/sourceFile.ts';
import { readFiles } from '../native/definitionFiles.ts';

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

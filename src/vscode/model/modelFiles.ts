/** Finds and reads the files that may define the data model. */
import * as vscode from 'vscode';
import type { MemberDefinition } from '../../model/members.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { NOT_SEARCHED } from '../../model/lint/modelPaths.ts';
import { watchFiles } from '../host/files.ts';

/** The usual folders of data models, with every kind of file that can define members. */
export const MODEL_FILES = '**/{model,models,schema,cubes,views}/**/*.{yml,yaml,jinja,jinja2,j2,js,mjs,cjs,ts}';
/** Configurations of data models, which say where these come from. */
export const CONFIG_FILES = '**/cube.{js,ts,py}';
export const NOT_IN = `**/{${[...NOT_SEARCHED].join(',')}}/**`;
/** Maximum number of files that are read. */
export const MOST_FILES = 20_000;
/** Number of files that are read at once. */
const BATCH = 200;

export type ModelSource = SourceFile & { uri: vscode.Uri };

interface ParsedFile {
  text: string;
  members: readonly MemberDefinition[];
  /** Offset of the first syntax error. */
  error: number | undefined;
}

/** Reads the files once, and each of them again after it has changed. */
export class ModelFiles implements vscode.Disposable {
  readonly #parsed = new Map<string, ParsedFile>();
  #files: Promise<readonly ModelSource[]> | undefined;
  #watcher: vscode.Disposable | undefined;

  /** @returns the files and the configurations; one that has not changed is the same object as before */
  read(): Promise<readonly ModelSource[]> {
    this.#watcher ??= this.#watch();
    this.#files ??= Promise.all([MODEL_FILES, CONFIG_FILES].map((pattern) => readModelFiles(pattern))).then((files) =>
      files.flat(),
    );
    return this.#files;
  }

  /** @returns the members in a file, or those of its last version that parsed; each version is parsed once */
  async membersIn({ path, text }: SourceFile): Promise<readonly MemberDefinition[]> {
    return (await this.#parse({ path, text })).members;
  }

  /** @returns the offset of a syntax error, because of which a file has the members of its last version that parsed */
  async errorIn({ path, text }: SourceFile): Promise<number | undefined> {
    return (await this.#parse({ path, text })).error;
  }

  async #parse(file: SourceFile): Promise<ParsedFile> {
    const known = this.#parsed.get(file.path);
    if (known?.text === file.text) return known;
    const { mayDefineMembers, membersIn, treeOf } = await import('../../model/members.ts');
    const members = membersIn(file);
    const error = mayDefineMembers(file) ? treeOf(file).error : undefined;
    const isKept = error !== undefined && known !== undefined;
    const parsed = { text: file.text, members: isKept ? known.members : members, error };
    this.#parsed.set(file.path, parsed);
    return parsed;
  }

  dispose(): void {
    this.#watcher?.dispose();
  }

  #watch(): vscode.Disposable {
    return vscode.Disposable.from(
      ...[MODEL_FILES, CONFIG_FILES].map((pattern) => watchFiles(pattern, (uri) => this.#update(uri))),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#files = undefined;
      }),
    );
  }

  /** Reads a file again that was created, changed or deleted. */
  #update(uri: vscode.Uri): void {
    if (uri.path.split('/').some((name) => NOT_SEARCHED.has(name))) return;
    this.#files = this.#files?.then(async (files) => {
      const text = await readText(uri);
      const others = files.filter((file) => file.path !== uri.path || file.uri.toString() !== uri.toString());
      return text === undefined ? others : [...others, { uri, path: uri.path, text }];
    });
  }
}

/** @returns the files that may define the data model, as they are on disk, outside the folders in `NOT_IN` */
export async function readModelFiles(pattern: vscode.GlobPattern = MODEL_FILES): Promise<ModelSource[]> {
  const uris = await vscode.workspace.findFiles(pattern, NOT_IN, MOST_FILES);
  const files: ModelSource[] = [];
  for (let at = 0; at < uris.length; at += BATCH) {
    const batch = uris.slice(at, at + BATCH).map(async (uri) => {
      const text = await readText(uri);
      return text === undefined ? [] : [{ uri, path: uri.path, text }];
    });
    files.push(...(await Promise.all(batch)).flat());
  }
  return files;
}

/** @returns the text of a file; undefined if it was deleted, so that it defines nothing */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined);
  return bytes && new TextDecoder().decode(bytes);
}

/** @returns the model files of a folder as they are on disk, including these paths where they exist */
export async function readModel(folder: vscode.WorkspaceFolder, paths: readonly string[]): Promise<SourceFile[]> {
  const texts = new Map<string, string>();
  for (const { uri, text } of await readModelFiles(new vscode.RelativePattern(folder, MODEL_FILES)))
    for (const path of pathsIn(folder, [uri])) texts.set(path, text);
  for (const path of paths) {
    if (texts.has(path)) continue;
    const text = await readText(vscode.Uri.joinPath(folder.uri, path));
    if (text !== undefined) texts.set(path, text);
  }
  return [...texts].map(([path, text]) => ({ path, text }));
}

/** @returns the paths in the folder, each once; other files are left out */
export function pathsIn({ uri: folder }: vscode.WorkspaceFolder, uris: readonly vscode.Uri[]): string[] {
  const inFolder = uris.filter((uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.toString());
  return [...new Set(inFolder.map((uri) => vscode.workspace.asRelativePath(uri, false)))];
}

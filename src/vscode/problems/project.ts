/** The files of a workspace folder that name members of its data model, with unsaved changes. */
import * as vscode from 'vscode';
import type { Project } from '../../evals/lint/lint.ts';
import { mayDefineMembers, treeOf } from '../../model/members.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { readSettings } from '../host/settings.ts';
import { MOST_FILES, type ModelSource } from '../model/modelFiles.ts';
import type { Services } from '../services.ts';

export type ProjectServices = Services<'modelFiles' | 'questionFiles'>;

export interface FolderProject extends Project {
  folder: vscode.WorkspaceFolder;
  /** The files that are open in an editor. */
  open: readonly SourceFile[];
  /** Files with a syntax error, of which the last version without one is used. */
  broken: ReadonlySet<SourceFile>;
}

/** A file with its path relative to its workspace folder, and the URI of that. */
interface LocatedFile {
  folder: string | undefined;
  file: SourceFile;
}

/** Reads the files of folders. A file that has not changed is the same object as before, so that it is parsed once. */
export class Projects {
  readonly #services: ProjectServices;
  readonly #locations = new WeakMap<ModelSource, LocatedFile>();
  /** The last versions without a syntax error, by the URIs of open documents. */
  readonly #parsed = new Map<string, SourceFile>();

  constructor(services: ProjectServices) {
    this.#services = services;
  }

  async read(folder: vscode.WorkspaceFolder): Promise<FolderProject> {
    const { modelFiles, questionFiles } = this.#services;
    const all = await modelFiles.read();
    const model = new Map<string, SourceFile>();
    for (const each of all) {
      const { folder: own, file } = this.#located(each);
      if (own === folder.uri.toString()) model.set(each.uri.toString(), file);
    }
    const agent = new Map<string, SourceFile>();
    for (const file of await questionFiles.filesIn(folder)) {
      const key = vscode.Uri.joinPath(folder.uri, file.path).toString();
      agent.set(key, file);
      // In a workspace folder that is called “model”, every file is found as one of the data model.
      model.delete(key);
    }
    const [open, broken] = [new Set<SourceFile>(), new Set<SourceFile>()];
    for (const document of vscode.workspace.textDocuments) {
      const key = document.uri.toString();
      const files = [model, agent].find((each) => each.has(key));
      if (files === undefined) continue;
      const file = this.#versionOf(document, files.get(key)!);
      const used = hasError(file) ? (this.#parsed.get(key) ?? file) : file;
      if (used === file) this.#parsed.set(key, file);
      else broken.add(used);
      files.set(key, used);
      open.add(used);
    }
    return {
      folder,
      model: [...model.values()],
      isPartial: all.length >= MOST_FILES || hidesFiles(folder),
      agent: [...agent.values()],
      agentsPath: readSettings(folder).agentsPath,
      open: [...open],
      broken,
    };
  }

  #located(file: ModelSource): LocatedFile {
    let located = this.#locations.get(file);
    if (located === undefined) {
      const { uri, text } = file;
      const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
      located = { folder, file: { path: vscode.workspace.asRelativePath(uri, false), text } };
      this.#locations.set(file, located);
    }
    return located;
  }

  #versionOf(document: vscode.TextDocument, file: SourceFile): SourceFile {
    const text = document.getText();
    const known = this.#parsed.get(document.uri.toString());
    return [file, known].find((each) => each?.text === text) ?? { path: file.path, text };
  }
}

const hasError = (file: SourceFile): boolean => mayDefineMembers(file) && treeOf(file).error !== undefined;

/** Whether the user's settings hide files from searches, which may be files of the data model. */
function hidesFiles(folder: vscode.WorkspaceFolder): boolean {
  const files = vscode.workspace.getConfiguration('files', folder);
  const usual = fieldsOf(files.inspect('exclude')?.defaultValue);
  return Object.entries(fieldsOf(files.get('exclude'))).some(
    ([pattern, hides]) => hides !== false && !(pattern in usual),
  );
}

/** Shows names that the data model does not have in the Problems view, while the user types. */
import * as vscode from 'vscode';
import { findUnknownNames, type FileProblems, type UnknownName } from '../../evals/lint/lint.ts';
import { ModelNames } from '../../model/lint/names.ts';
import { rangeOf } from '../host/ranges.ts';
import { readSettings } from '../host/settings.ts';
import { DescriptionHints } from './descriptionHints.ts';
import { Renames } from './renames.ts';
import { Projects, type FolderProject, type ProjectServices } from './project.ts';

/** Milliseconds without further changes before the files are checked. */
const SETTLING_TIME = 300;
/** Milliseconds of work before other work of the extension host is let in. */
const SLICE = 10;

/** A folder with the names of its data model. */
export interface CheckedProject extends FolderProject {
  names: ModelNames;
}

export class NameProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('analyticsChat.names');
  readonly #projects: Projects;
  readonly #onFailure: (failure: unknown) => void;
  /** The unknown name of each problem that is shown. */
  readonly #unknown = new WeakMap<vscode.Diagnostic, UnknownName>();
  readonly hints = new DescriptionHints();
  readonly #renames = new Renames();
  /** Files of each folder by the URIs of those with problems. */
  readonly #shown = new Map<string, Map<string, vscode.Uri>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Increases with each check; an earlier one then stops. */
  #check = 0;

  constructor(services: ProjectServices, onFailure: (failure: unknown) => void) {
    this.#projects = new Projects(services);
    this.#onFailure = onFailure;
  }

  refreshSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh().catch(this.#onFailure), SETTLING_TIME);
  }

  /** Checks all folders with the setting; another check or a disposal in the meantime ends it. */
  async refresh(): Promise<void> {
    const check = (this.#check += 1);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const enabled = folders.filter((folder) => readSettings(folder).problemsEnabled);
    this.hints.keep(enabled.filter((folder) => readSettings(folder).missingDescriptions));
    for (const key of this.#shown.keys())
      if (!enabled.some(({ uri }) => uri.toString() === key)) this.#clear(key, new Set());
    for (const folder of enabled) {
      const project = await this.#projects.read(folder);
      if (this.#check !== check) return;
      await this.#run(project, () => this.#check !== check);
    }
  }

  /** @returns the current files of a folder with their names, for a change of them */
  async read(folder: vscode.WorkspaceFolder): Promise<CheckedProject> {
    const project = await this.#projects.read(folder);
    return { ...project, names: new ModelNames(project.model, project.isPartial) };
  }

  /** @returns the unknown name of a problem */
  of(diagnostic: vscode.Diagnostic): UnknownName | undefined {
    return this.#unknown.get(diagnostic);
  }

  dispose(): void {
    this.#check += 1;
    clearTimeout(this.#timer);
    this.#collection.dispose();
    this.hints.dispose();
  }

  async #run(project: FolderProject, isObsolete: () => boolean): Promise<void> {
    const key = project.folder.uri.toString();
    const checked = new Set<string>();
    this.#renames.add(project);
    const steps = findUnknownNames({ ...project, renames: this.#renames.names }, [...project.open, ...project.agent]);
    let end = performance.now() + SLICE;
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      if (step.value) this.#show(project, step.value, checked);
      if (performance.now() < end) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (isObsolete()) return;
      end = performance.now() + SLICE;
    }
    this.#clear(key, checked);
    if (readSettings(project.folder).missingDescriptions) this.hints.show(project, step.value);
  }

  #show({ folder, broken }: FolderProject, { file, problems }: FileProblems, checked: Set<string>): void {
    const uri = vscode.Uri.joinPath(folder.uri, file.path);
    checked.add(uri.toString());
    // The editor moves earlier problems with the text.
    if (broken.has(file)) return;
    const shown = this.#shown.get(folder.uri.toString()) ?? new Map<string, vscode.Uri>();
    this.#shown.set(folder.uri.toString(), shown);
    if (problems.length === 0 && !shown.delete(uri.toString())) return;
    if (problems.length > 0) shown.set(uri.toString(), uri);
    this.#collection.set(
      uri,
      problems.map((problem) => this.#diagnosticOf(problem)),
    );
  }

  #diagnosticOf(problem: UnknownName): vscode.Diagnostic {
    const diagnostic = new vscode.Diagnostic(rangeOf(problem.range), problem.message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Analytics Chat';
    this.#unknown.set(diagnostic, problem);
    return diagnostic;
  }

  /** Removes the problems of a folder, except those of files that were checked. */
  #clear(folder: string, checked: ReadonlySet<string>): void {
    const shown = this.#shown.get(folder) ?? new Map<string, vscode.Uri>();
    for (const [key, uri] of shown) {
      if (checked.has(key)) continue;
      this.#collection.delete(uri);
      shown.delete(key);
    }
  }
}

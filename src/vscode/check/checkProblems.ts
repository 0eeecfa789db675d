/** Shows the findings of checks in the Problems view, until the members that they are about change again. */
import * as vscode from 'vscode';
import {
  currentFindings,
  problemsOf,
  restoredFindings,
  storedFindings,
  type Finding,
} from '../../evals/check/findings.ts';
import { changesBetween, type CheckedChange } from '../../evals/check/plan.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { watchFiles } from '../host/files.ts';
import { rangeOf } from '../host/ranges.ts';
import type { CheckMemory } from './checkMemory.ts';
import { readSettings } from '../host/settings.ts';
import { MODEL_FILES, readModel } from '../model/modelFiles.ts';
import type { ModelVersions } from './modelVersions.ts';

const LEVELS = {
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};
/** Milliseconds without further changes before the files are read again, for example after a checkout. */
const SETTLING_TIME = 100;

/** The last check of a workspace folder. */
interface FolderCheck {
  folder: vscode.WorkspaceFolder;
  changed: readonly string[];
  before: readonly SourceFile[];
  files: readonly SourceFile[];
  findings: readonly Finding[];
  watcher: vscode.Disposable;
}

export class CheckProblems implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('analyticsChat.check');
  readonly #checks = new Map<string, FolderCheck>();
  readonly #clean: (text: string) => string;
  readonly #memory: CheckMemory;
  readonly #folders: vscode.Disposable;

  /** @param clean redacts credentials */
  constructor(clean: (text: string) => string, memory: CheckMemory) {
    this.#clean = clean;
    this.#memory = memory;
    this.#folders = vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
      removed.forEach((folder) => this.#forget(folder));
      this.#show();
    });
  }

  /** Shows the findings of an earlier window again whose changes still exist. */
  restore(versions: ModelVersions): void {
    const { folder, before, after } = versions;
    const changes = changesOf({ folder, before, files: after });
    this.begin(versions, restoredFindings(this.#memory.get(folder), changes));
  }

  /** Replaces the findings of an earlier check of the folder. */
  begin({ folder, before, after, changed }: ModelVersions, findings: readonly Finding[]): void {
    this.#checks.get(keyOf(folder))?.watcher.dispose();
    const check = { folder, changed, before, files: after };
    this.#set({ ...check, findings, watcher: this.#watch(folder, changed) });
  }

  add(folder: vscode.WorkspaceFolder, findings: readonly Finding[]): void {
    const check = this.#checks.get(keyOf(folder));
    if (!check || findings.length === 0) return;
    check.findings = currentFindings([...check.findings, ...findings], changesOf(check));
    this.#set(check);
  }

  /** Removes findings about members that have been reverted or edited since. */
  async refresh(folder: vscode.WorkspaceFolder): Promise<void> {
    const check = this.#checks.get(keyOf(folder));
    if (!check) return;
    check.files = await readModel(folder, check.changed);
    check.findings = currentFindings(check.findings, changesOf(check));
    this.#set(check);
  }

  dispose(): void {
    this.#folders.dispose();
    this.#collection.dispose();
    for (const { watcher } of this.#checks.values()) watcher.dispose();
  }

  #forget(folder: vscode.WorkspaceFolder): void {
    this.#checks.get(keyOf(folder))?.watcher.dispose();
    this.#checks.delete(keyOf(folder));
  }

  #set(check: FolderCheck): void {
    this.#checks.set(keyOf(check.folder), check);
    const findings = check.findings.map((finding) => ({ ...finding, message: this.#clean(finding.message) }));
    this.#memory.keep(check.folder, storedFindings(findings));
    this.#show();
  }

  #show(): void {
    this.#collection.clear();
    // The collection merges the entries of one file.
    this.#collection.set([...this.#checks.values()].flatMap((check) => this.#entriesOf(check)));
  }

  #entriesOf({ folder, findings, files }: FolderCheck): [vscode.Uri, vscode.Diagnostic[]][] {
    return problemsOf(findings, files).map(({ path, range, level, message, questions }) => {
      const diagnostic = new vscode.Diagnostic(rangeOf(range), this.#clean(message), LEVELS[level]);
      diagnostic.source = 'Analytics Chat';
      diagnostic.relatedInformation = questions
        .filter((question) => question.path !== '')
        .map((question) => {
          const uri = vscode.Uri.joinPath(folder.uri, question.path);
          const location = new vscode.Location(uri, rangeOf(question.range).start);
          return new vscode.DiagnosticRelatedInformation(location, plainText(question.name));
        });
      return [vscode.Uri.joinPath(folder.uri, path), [diagnostic]];
    });
  }

  #watch(folder: vscode.WorkspaceFolder, changed: readonly string[]): vscode.Disposable {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.refresh(folder), SETTLING_TIME);
    };
    const watchers = [MODEL_FILES, ...changed].map((pattern) =>
      watchFiles(new vscode.RelativePattern(folder, pattern), refreshSoon),
    );
    return vscode.Disposable.from(...watchers, { dispose: () => clearTimeout(timer) });
  }
}

const changesOf = ({ folder, before, files }: Pick<FolderCheck, 'folder' | 'before' | 'files'>): CheckedChange[] =>
  changesBetween(before, files, readSettings(folder).agentsPath);

const keyOf = ({ uri }: vscode.WorkspaceFolder): string => uri.toString();

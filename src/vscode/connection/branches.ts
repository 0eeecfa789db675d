/** The current development branch, stored per workspace folder in the workspace state. */
import * as vscode from 'vscode';
import type { QuestionContext } from '../../shared/thread/model.ts';
import { readSettings, SECTION } from '../host/settings.ts';
import { watchGitBranches } from '../host/git.ts';

const CURRENT = 'branch';
const RECENT = 'recentBranches';
const RECENT_LIMIT = 8;

interface Branch {
  /** Empty until a branch is chosen: requests then omit the branch and the service uses its main branch. */
  name: string;
  isDefault: boolean;
}

export class Branches implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable[];
  /** The folder of the last active editor; the first workspace folder until there is one, or if it was removed. */
  #folder: vscode.WorkspaceFolder | undefined;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#folder = folderOf(vscode.window.activeTextEditor) ?? vscode.workspace.workspaceFolders?.[0];
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#use(folderOf(editor))),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        const folders = vscode.workspace.workspaceFolders ?? [];
        if (!folders.some((folder) => keyOf(folder) === keyOf(this.#folder))) this.#use(folders[0]);
      }),
    ];
  }

  /** `isDefault` is true for the main branch and if no branch is chosen (2.1). */
  get current(): Branch {
    return this.currentIn(this.#folder);
  }

  /** @returns the current branch of a workspace folder */
  currentIn(folder: vscode.WorkspaceFolder | undefined): Branch {
    const name = this.#memento.get(keyOf(folder), '');
    return { name, isDefault: name === '' || name === this.mainOf(folder) };
  }

  /** Display name of the current branch. */
  get label(): string {
    return this.current.name || this.main;
  }

  /** Name of the main branch, from the setting `mainBranch` of the current folder. */
  get main(): string {
    return this.mainOf(this.#folder);
  }

  mainOf(folder: vscode.WorkspaceFolder | undefined): string {
    return readSettings(folder).mainBranch;
  }

  /** Branches from the setting `branches` of the current folder. */
  get offered(): readonly string[] {
    return readSettings(this.#folder).branches;
  }

  /** @returns the branch part of a question context */
  contextOn(name: string): Pick<QuestionContext, 'branch' | 'isDefaultBranch'> {
    return { branch: name, isDefaultBranch: name === this.main };
  }

  get recent(): readonly string[] {
    return this.#memento.get<string[]>(RECENT, []);
  }

  /** @param folder workspace folder; defaults to that of the last active editor */
  async switchTo(name: string, folder = this.#folder): Promise<void> {
    await this.#memento.update(keyOf(folder), name);
    const recent = [name, ...this.recent.filter((other) => other !== name)].slice(0, RECENT_LIMIT);
    await this.#memento.update(RECENT, recent);
    this.#changed.fire();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }

  #use(folder: vscode.WorkspaceFolder | undefined): void {
    if (!folder || folder === this.#folder) return;
    this.#folder = folder;
    this.#changed.fire();
  }
}

const keyOf = (folder: vscode.WorkspaceFolder | undefined): string =>
  folder ? `${CURRENT}:${folder.uri.toString()}` : CURRENT;

const folderOf = (editor: vscode.TextEditor | undefined): vscode.WorkspaceFolder | undefined =>
  editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);

const follows = (folder: vscode.WorkspaceFolder): boolean => readSettings(folder).followGitBranch;

/** Switches the branch when the Git branch changes, if the setting `followGitBranch` is on. */
export function followGit(branches: Branches): vscode.Disposable {
  let watching: Promise<vscode.Disposable> | undefined;
  const stop = (): void => {
    void watching?.then((watch) => watch.dispose());
    watching = undefined;
  };
  const update = (): void => {
    if (!vscode.workspace.workspaceFolders?.some(follows)) stop();
    else
      watching ??= watchGitBranches((folder, name) => {
        if (follows(folder)) void branches.switchTo(name, folder);
      });
  };
  update();
  return vscode.Disposable.from(
    { dispose: stop },
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`${SECTION}.followGitBranch`)) return;
      // Restart the watcher, so that it reports the branch of folders that have just turned the setting on.
      stop();
      update();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
  );
}

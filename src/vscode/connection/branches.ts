/** The current development branch, stored per workspace folder in the workspace state. */
import * as vscode from 'vscode';
import type { QuestionContext } from '../../shared/thread/model.ts';
import { readSettings, SECTION } from '../host/settings.ts';
import { watchGitBranches } from '../host/git.ts';

const CURRENT = 'branch';
const RECENT = 'recentBranches';
const RECENT_LIMIT = 8;
const ANSWERED = 'answeredGitBranches';
const ANSWERED_LIMIT = 100;

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
  /** The branch that Git has checked out, by folder. */
  readonly #checkedOut = new Map<string, string>();
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
    return this.currentIn();
  }

  /** @returns the current branch of a workspace folder, by default of that of the last active editor */
  currentIn(folder = this.#folder): Branch {
    const name = this.#memento.get(keyOf(folder), '');
    return { name, isDefault: name === '' || name === this.mainOf(folder) };
  }

  /** Display name of the current branch. */
  get label(): string {
    return this.current.name || this.main;
  }

  /** Name of the main branch, from the setting `mainBranch` of the current folder. */
  get main(): string {
    return this.mainOf();
  }

  mainOf(folder = this.#folder): string {
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
    // The user knows which branch is checked out, and has chosen one.
    await this.#answerOffer(folder);
    const recent = [name, ...this.recent.filter((other) => other !== name)].slice(0, RECENT_LIMIT);
    await this.#memento.update(RECENT, recent);
    this.#changed.fire();
  }

  /** The branch that Git has checked out, offered once if questions run on another one; empty if there is no offer. */
  get offeredByGit(): string {
    const name = this.#checkedOut.get(keyOf(this.#folder)) ?? '';
    return name === this.label || this.#answered.includes(this.#offerOf(this.#folder)) ? '' : name;
  }

  /** Ends the offer of the branch that Git has checked out now. */
  async declineOffer(folder = this.#folder): Promise<void> {
    await this.#answerOffer(folder);
    this.#changed.fire();
  }

  async #answerOffer(folder: vscode.WorkspaceFolder | undefined): Promise<void> {
    const offer = this.#offerOf(folder);
    const others = this.#answered.filter((other) => other !== offer);
    await this.#memento.update(ANSWERED, [offer, ...others].slice(0, ANSWERED_LIMIT));
  }

  /** Records the branch that Git has checked out, and switches to it if the setting `followGitBranch` is on. */
  checkOut(folder: vscode.WorkspaceFolder, name: string): void {
    this.#checkedOut.set(keyOf(folder), name);
    this.follow(folder);
  }

  /** Switches to the branch that Git has checked out, if the setting `followGitBranch` is on. */
  follow(folder: vscode.WorkspaceFolder): void {
    const name = this.#checkedOut.get(keyOf(folder));
    if (name !== undefined && readSettings(folder).followGitBranch) void this.switchTo(name, folder);
    else this.#changed.fire();
  }

  get #answered(): readonly string[] {
    return this.#memento.get<string[]>(ANSWERED, []);
  }

  #offerOf(folder: vscode.WorkspaceFolder | undefined): string {
    return `${keyOf(folder)} ${this.#checkedOut.get(keyOf(folder)) ?? ''}`;
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

/** Keeps track of the branches that Git has checked out, which questions follow or are offered. */
export function followGit(branches: Branches): vscode.Disposable {
  const watching = watchGitBranches((folder, name) => branches.checkOut(folder, name));
  return vscode.Disposable.from(
    { dispose: () => void watching.then((watch) => watch.dispose()) },
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`${SECTION}.followGitBranch`)) return;
      for (const folder of vscode.workspace.workspaceFolders ?? []) branches.follow(folder);
    }),
  );
}

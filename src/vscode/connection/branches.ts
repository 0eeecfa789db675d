/** The development branch that queries run against: one for each folder of the workspace, kept over restarts. */
import * as vscode from 'vscode';
import type { QuestionContext } from '../../shared/thread/model.ts';
import { readSettings } from '../host/settings.ts';

const CURRENT = 'branch';
const RECENT = 'recentBranches';
const RECENT_LIMIT = 8;

export interface Branch {
  /** Empty while none was chosen: then requests name no branch and the service takes its main one. */
  name: string;
  isDefault: boolean;
}

export class Branches implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #editors: vscode.Disposable;
  /** The folder that is worked in: that of the file last edited, the first one until then. */
  #folder: vscode.WorkspaceFolder | undefined;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#folder = folderOf(vscode.window.activeTextEditor) ?? vscode.workspace.workspaceFolders?.[0];
    this.#editors = vscode.window.onDidChangeActiveTextEditor((editor) => {
      const folder = folderOf(editor);
      if (!folder || folder === this.#folder) return;
      this.#folder = folder;
      this.#changed.fire();
    });
  }

  /** 2.1: `isDefaultBranch` is true when the main branch is named, and without a name. */
  get current(): Branch {
    const name = this.#memento.get(keyOf(this.#folder), '');
    return { name, isDefault: name === '' || name === this.main };
  }

  /** What to show for the current branch. */
  get label(): string {
    return this.current.name || this.main;
  }

  /** The service's main branch, as the folder that is worked in has it. */
  get main(): string {
    return readSettings(this.#folder).mainBranch;
  }

  /** Branches that the settings of that folder name. */
  get offered(): readonly string[] {
    return readSettings(this.#folder).branches;
  }

  /** @returns the part of a stamp that names a branch */
  stampOn(name: string): Pick<QuestionContext, 'branch' | 'isDefaultBranch'> {
    return { branch: name, isDefaultBranch: name === this.main };
  }

  get recent(): readonly string[] {
    return this.#memento.get<string[]>(RECENT, []);
  }

  /** @param folder of the workspace; the one that is worked in by default */
  async switchTo(name: string, folder = this.#folder): Promise<void> {
    await this.#memento.update(keyOf(folder), name);
    const recent = [name, ...this.recent.filter((other) => other !== name)].slice(0, RECENT_LIMIT);
    await this.#memento.update(RECENT, recent);
    this.#changed.fire();
  }

  dispose(): void {
    this.#editors.dispose();
    this.#changed.dispose();
  }
}

const keyOf = (folder: vscode.WorkspaceFolder | undefined): string =>
  folder ? `${CURRENT}:${folder.uri.toString()}` : CURRENT;

const folderOf = (editor: vscode.TextEditor | undefined): vscode.WorkspaceFolder | undefined =>
  editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);

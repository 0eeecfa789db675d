/** Keeps the findings of checks for the next window, by folder. */
import type * as vscode from 'vscode';

export class CheckMemory {
  readonly #state: vscode.Memento;

  /** @param state that of the workspace */
  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** @returns unchecked; undefined if nothing is kept */
  get(folder: vscode.WorkspaceFolder): unknown {
    return this.#state.get(keyOf(folder));
  }

  keep(folder: vscode.WorkspaceFolder, findings: readonly object[]): void {
    void this.#state.update(keyOf(folder), findings.length > 0 ? findings : undefined);
  }
}

const keyOf = ({ uri }: vscode.WorkspaceFolder): string => `analyticsChat.check:${uri.toString()}`;

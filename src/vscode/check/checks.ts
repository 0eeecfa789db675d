/** The checks of this window, which *Check My Change* and the lenses in model files share. */
import * as vscode from 'vscode';
import type { CheckMemory } from './checkMemory.ts';
import type { CheckProblems } from './checkProblems.ts';
import type { PastQuestions } from './pastQuestions.ts';

export class Checks implements vscode.Disposable {
  readonly pastQuestions: PastQuestions;
  readonly #clean: (text: string) => string;
  readonly #memory: CheckMemory;
  #problems: Promise<CheckProblems> | undefined;

  /** @param clean redacts credentials */
  constructor(pastQuestions: PastQuestions, clean: (text: string) => string, memory: CheckMemory) {
    this.pastQuestions = pastQuestions;
    this.#clean = clean;
    this.#memory = memory;
  }

  problems(): Promise<CheckProblems> {
    this.#problems ??= import('./checkProblems.ts').then(
      ({ CheckProblems }) => new CheckProblems(this.#clean, this.#memory),
    );
    return this.#problems;
  }

  /**
   * Shows the problems of an earlier window again.
   * @param mainOf returns the main branch of a folder
   * @throws Error if Git can't read a folder
   */
  async restore(mainOf: (folder: vscode.WorkspaceFolder) => string): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      if (this.#memory.get(folder) === undefined) continue;
      const { modelVersions } = await import('./modelVersions.ts');
      const versions = await modelVersions(folder, mainOf(folder));
      if (versions) (await this.problems()).restore(versions);
    }
  }

  dispose(): void {
    void this.#problems?.then((problems) => problems.dispose());
  }
}

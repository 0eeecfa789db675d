/** The checks of this window, which *Check My Change* and the lenses in model files share. */
import type * as vscode from 'vscode';
import type { CheckProblems } from './checkProblems.ts';
import type { PastQuestions } from './pastQuestions.ts';

export class Checks implements vscode.Disposable {
  readonly pastQuestions: PastQuestions;
  readonly #clean: (text: string) => string;
  #problems: Promise<CheckProblems> | undefined;

  /** @param clean redacts credentials */
  constructor(pastQuestions: PastQuestions, clean: (text: string) => string) {
    this.pastQuestions = pastQuestions;
    this.#clean = clean;
  }

  problems(): Promise<CheckProblems> {
    this.#problems ??= import('./checkProblems.ts').then(({ CheckProblems }) => new CheckProblems(this.#clean));
    return this.#problems;
  }

  dispose(): void {
    void this.#problems?.then((problems) => problems.dispose());
  }
}

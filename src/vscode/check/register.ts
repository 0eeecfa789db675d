/** Adds the lenses to model files, and sets the context key of workspaces that have any. */
import * as vscode from 'vscode';
import { MODEL_FILES, NOT_IN } from '../native/modelFiles.ts';
import type { CheckProblems } from './checkProblems.ts';
import { MemberLens } from './memberLens.ts';
import type { Sessions } from '../threads/sessions.ts';
import type { QuestionFiles } from '../evals/questionFiles.ts';
import type { PastQuestions } from './pastQuestions.ts';

/** Services that *Check My Change* and the lenses in model files share. */
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

export interface RegisterServices {
  sessions: Sessions;
  checks: Checks;
  questionFiles: QuestionFiles;
}

/** Milliseconds after an answer until the numbers of the lenses are updated. */
const SETTLING_TIME = 1000;

export function offerChecks({ questionFiles, checks, sessions }: RegisterServices): vscode.Disposable {
  const lens = new MemberLens(questionFiles, checks.pastQuestions);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answered = sessions.onDidChange(({ events }) => {
    if (!events.some(({ type }) => type === 'finished')) return;
    clearTimeout(timer);
    timer = setTimeout(() => lens.forgetPastQuestions(), SETTLING_TIME);
  });
  const setContext = async (): Promise<void> => {
    const [found] = await vscode.workspace.findFiles(MODEL_FILES, NOT_IN, 1);
    await vscode.commands.executeCommand('setContext', 'analyticsChat.model', found !== undefined);
  };
  void setContext();
  return vscode.Disposable.from(
    lens,
    answered,
    { dispose: () => clearTimeout(timer) },
    vscode.languages.registerCodeLensProvider({ pattern: MODEL_FILES }, lens),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void setContext()),
  );
}

/** What *Check My Change* and the lenses in model files share, and when they are offered. */
import * as vscode from 'vscode';
import { type ModelFiles, MODEL_FILES, NOT_IN } from '../model/modelFiles.ts';
import type { Services } from '../services.ts';
import type { CheckProblems } from './checkProblems.ts';
import { MemberLens } from './memberLens.ts';
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

interface RegisterServices extends Services<'connections' | 'sessions' | 'questionFiles'> {
  checks: Checks;
  modelFiles: ModelFiles;
}

/** Milliseconds after an answer until the numbers of the lenses are updated. */
const SETTLING_TIME = 1000;

/** Milliseconds after activation until the workspace is searched for model files: the first view comes first. */
const SEARCH_DELAY = 500;

/**
 * Registers the lenses, and sets the context key `analyticsChat.model` while the workspace has model files, so that
 * *Check My Change* is offered.
 */
export function offerChecks(services: RegisterServices): vscode.Disposable {
  const { checks, connections, modelFiles, questionFiles, sessions } = services;
  const lens = new MemberLens(modelFiles, questionFiles, checks.pastQuestions);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answered = sessions.onDidChange(({ events }) => {
    if (!events.some(({ type }) => type === 'finished')) return;
    clearTimeout(timer);
    timer = setTimeout(() => lens.refresh(), SETTLING_TIME);
  });
  const setContext = async (): Promise<void> => {
    const [found] = await vscode.workspace.findFiles(MODEL_FILES, NOT_IN, 1);
    await vscode.commands.executeCommand('setContext', 'analyticsChat.model', found !== undefined);
  };
  const search = setTimeout(() => void setContext(), SEARCH_DELAY);
  return vscode.Disposable.from(
    lens,
    answered,
    new vscode.Disposable(() => {
      clearTimeout(timer);
      clearTimeout(search);
    }),
    vscode.languages.registerCodeLensProvider({ pattern: MODEL_FILES }, lens),
    connections.onDidChange(() => lens.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => lens.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void setContext()),
  );
}

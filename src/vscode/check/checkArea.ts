/** *Check My Change*, whose code is loaded when first used, and the lenses in model files. */
import * as vscode from 'vscode';
import type { CommandHandlers } from '../host/area.ts';
import { MODEL_FILES, NOT_IN } from '../model/modelFiles.ts';
import type { Services } from '../services.ts';
import type { CheckMyChangeServices } from './checkMyChange.ts';
import { Checks } from './checks.ts';
import { MemberLens } from './memberLens.ts';
import { PastQuestions } from './pastQuestions.ts';

type LensServices = Services<'connections' | 'modelFiles' | 'questionFiles' | 'sessions'>;

export function registerCheck(services: Omit<CheckMyChangeServices, 'checks'> & LensServices & Services<'history'>) {
  const checks = new Checks(new PastQuestions(services), (text) => services.log.redact(text));
  return Object.assign(vscode.Disposable.from(checks, offerChecks(services, checks.pastQuestions)), {
    commands: {
      'analyticsChat.checkMyChange': async (argument) => {
        await (await import('./checkMyChange.ts')).checkMyChange({ ...services, checks }, argument);
      },
    } satisfies CommandHandlers,
  });
}

/** Milliseconds after an answer until the numbers of the lenses are updated. */
const SETTLING_TIME = 1000;

/** Milliseconds after activation until the workspace is searched for model files: the first view comes first. */
const SEARCH_DELAY = 500;

/**
 * Registers the lenses, and sets the context key `analyticsChat.model` while the workspace has model files, so that
 * *Check My Change* is offered.
 */
export function offerChecks(services: LensServices, pastQuestions: PastQuestions): vscode.Disposable {
  const { connections, modelFiles, questionFiles, sessions } = services;
  const lens = new MemberLens(modelFiles, questionFiles, pastQuestions);
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

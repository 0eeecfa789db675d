/** *Check My Change*, whose code is loaded when first used, and the lenses in model files. */
import * as vscode from 'vscode';
import { messageOf } from '../../shared/text/checks.ts';
import type { CommandHandlers } from '../host/area.ts';
import { MODEL_FILES, NOT_IN } from '../model/modelFiles.ts';
import type { Services } from '../services.ts';
import type { CheckMyChangeServices } from './checkMyChange.ts';
import { CheckMemory } from './checkMemory.ts';
import { Checks } from './checks.ts';
import { MemberLens } from './memberLens.ts';
import { PastQuestions } from './pastQuestions.ts';

type LensServices = Services<'connections' | 'modelFiles' | 'questionFiles' | 'sessions'>;

export function registerCheck(services: Omit<CheckMyChangeServices, 'checks'> & LensServices & Services<'history'>) {
  const { branches, context, log } = services;
  const memory = new CheckMemory(context.workspaceState);
  const checks = new Checks(new PastQuestions(services), (text) => log.redact(text), memory);
  const restore = (): Promise<void> =>
    checks
      .restore((folder) => branches.mainOf(folder))
      .catch((failure: unknown) => log.warn(`Problems of the last check were not restored: ${messageOf(failure)}`));
  return Object.assign(vscode.Disposable.from(checks, offerChecks(services, checks.pastQuestions, restore)), {
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
 * @param onReady is called once the first view had its time
 */
export function offerChecks(
  services: LensServices,
  pastQuestions: PastQuestions,
  onReady: () => unknown,
): vscode.Disposable {
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
  const search = setTimeout(() => {
    void setContext();
    onReady();
  }, SEARCH_DELAY);
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

/** *Check My Change*, whose code is loaded when first used. */
import * as vscode from 'vscode';
import type { CommandHandlers } from '../host/area.ts';
import { MODEL_FILES, NOT_IN } from '../model/modelFiles.ts';
import type { CheckMyChangeServices } from './checkMyChange.ts';
import type { CheckProblems } from './checkProblems.ts';

export function registerCheck(services: Omit<CheckMyChangeServices, 'problems'>) {
  let problems: CheckProblems | undefined;
  return Object.assign(vscode.Disposable.from(offerChecks(), new vscode.Disposable(() => problems?.dispose())), {
    commands: {
      'analyticsChat.checkMyChange': async (argument) => {
        const { checkMyChange, CheckProblems } = await import('./checkMyChange.ts');
        problems ??= new CheckProblems(services.log.redact.bind(services.log));
        await checkMyChange({ ...services, problems }, argument);
      },
    } satisfies CommandHandlers,
  });
}

/** Milliseconds after activation until the workspace is searched for model files: the first view comes first. */
const SEARCH_DELAY = 500;

/** Sets the context key `analyticsChat.model` while the workspace has model files, so that *Check My Change* is offered. */
function offerChecks(): vscode.Disposable {
  const setContext = async (): Promise<void> => {
    const [found] = await vscode.workspace.findFiles(MODEL_FILES, NOT_IN, 1);
    await vscode.commands.executeCommand('setContext', 'analyticsChat.model', found !== undefined);
  };
  const search = setTimeout(() => void setContext(), SEARCH_DELAY);
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearTimeout(search)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void setContext()),
  );
}

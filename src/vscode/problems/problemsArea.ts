/** Unknown names in the Problems view, with their fixes, and *Rename* for members; the code is loaded after the first view. */
import * as vscode from 'vscode';
import { kindOfFile } from '../../evals/files/layout.ts';
import { isModelPath } from '../../model/lint/modelPaths.ts';
import type { CommandHandlers } from '../host/area.ts';
import { watchFiles } from '../host/files.ts';
import { readSettings, SECTION } from '../host/settings.ts';
import { CONFIG_FILES, MODEL_FILES } from '../model/modelFiles.ts';
import type { Services } from '../services.ts';
import type { NameProblems } from './nameProblems.ts';
import { provideFixes, provideRename } from './providers.ts';

/** Milliseconds after activation until the files are read: the first view comes first. */
const START_DELAY = 1500;

export function registerProblems({ modelFiles, questionFiles, log }: Services<'modelFiles' | 'questionFiles' | 'log'>) {
  let created: Promise<NameProblems> | undefined;
  const problems = (): Promise<NameProblems> =>
    (created ??= import('./nameProblems.ts').then(
      ({ NameProblems }) =>
        new NameProblems({ modelFiles, questionFiles }, (failure) => log.error('Names could not be checked.', failure)),
    ));
  const refresh = (): void => void problems().then((each) => each.refreshSoon());
  const refreshFor = ({ uri }: vscode.TextDocument): void => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const path = vscode.workspace.asRelativePath(uri, false);
    if (folder && (isModelPath(path) || kindOfFile(path, readSettings(folder).agentsPath))) refresh();
  };
  const start = setTimeout(refresh, START_DELAY);
  const subscriptions = vscode.Disposable.from(
    new vscode.Disposable(() => {
      clearTimeout(start);
      void created?.then((each) => each.dispose());
    }),
    watchFiles(MODEL_FILES, refresh),
    watchFiles(CONFIG_FILES, refresh),
    questionFiles.onDidChange(() => {
      // They are read soon after the activation; the first check comes later.
      if (created) refresh();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => refreshFor(document)),
    // Open files are checked first.
    vscode.workspace.onDidOpenTextDocument(refreshFor),
    vscode.workspace.onDidCloseTextDocument(refreshFor),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.problems`)) refresh();
    }),
    provideFixes(problems),
    provideRename(problems),
  );
  return Object.assign(subscriptions, {
    commands: {
      'analyticsChat.renameEverywhere': async (argument) => {
        await (await import('./renameEverywhere.ts')).renameEverywhere(await problems(), argument);
      },
    } satisfies CommandHandlers,
  });
}

/**
 * Creates the services, and registers the areas with them. Loaded after the first page of the window has its HTML, so
 * that the message field does not wait for it.
 */
import * as vscode from 'vscode';
import { useBundle } from '../shared/text/l10n.ts';
import { registerCheck } from './check/checkArea.ts';
import { registerConnection } from './connection/connectionArea.ts';
import type { DevelopmentConnection } from './connection/development.ts';
import { registerConversation } from './conversation/conversationArea.ts';
import { createServices } from './createServices.ts';
import { registerEvals } from './evals/evalsArea.ts';
import { handleIntent, type CommandHandlers, type IntentHandlers } from './host/area.ts';
import { strings } from './host/settings.ts';
import { tickStep } from './host/walkthrough.ts';
import { registerInsert } from './insert/insertArea.ts';
import { registerModel } from './model/modelArea.ts';
import { registerNative } from './native/nativeArea.ts';
import type { NativeHandlers } from './native/offerNatively.ts';
import type { AnalyticsChatApi, ThreadSummary } from './native/publicApi.ts';
import { registerProblems } from './problems/problemsArea.ts';
import { registerResults } from './results/resultsArea.ts';
import { restoreResults } from './results/resultsTab.ts';
import { discardUnfinished } from './results/writeRows.ts';
import { restoreRun } from './runs/restore.ts';
import { registerRuns } from './runs/runsArea.ts';
import { registerThreads } from './threads/threadsArea.ts';
import type { ChatViews } from './views/chatViews.ts';

export interface Started {
  views: ChatViews;
  api: Omit<AnalyticsChatApi, 'version' | 'onDidChangeThread'>;
  native: NativeHandlers;
  restoreThread: Restore;
  restoreRun: Restore;
  restoreResults: Restore;
  /** Runs a command of the manifest. */
  run(command: string, argument: unknown): Promise<unknown>;
  /** Saves pending changes, and removes the files of running exports. */
  flush(): Promise<void>;
}

/** Fills a restored editor tab. @param state the state that its page saved, unchecked */
export type Restore = (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;

/** @param changed emitter of `onDidChangeThread` in the public API */
export function start(
  context: vscode.ExtensionContext,
  development: DevelopmentConnection,
  changed: vscode.EventEmitter<ThreadSummary>,
): Started {
  // This code is in another bundle than the entry point.
  useBundle(strings(), vscode.env.language);
  const services = createServices(context, development);
  const { guarded, repository, views } = services;
  const connection = registerConnection(services);
  const threads = registerThreads(services);
  const insert = registerInsert(services);
  const results = registerResults(services);
  const model = registerModel(services);
  const runs = registerRuns(services);
  const evals = registerEvals(services);
  const check = registerCheck(services);
  const problems = registerProblems(services);
  const native = registerNative(services, changed);
  const conversation = registerConversation(services, {
    ...connection.slash,
    ...threads.slash,
    ...insert.slash,
    ...runs.slash,
  });
  const commands: CommandHandlers = {
    ...connection.commands,
    ...threads.commands,
    ...conversation.commands,
    ...insert.commands,
    ...results.commands,
    ...model.commands,
    ...runs.commands,
    ...evals.commands,
    ...check.commands,
    ...problems.commands,
  };
  const intents: IntentHandlers = {
    ...connection.intents,
    ...threads.intents,
    ...conversation.intents,
    ...insert.intents,
    ...results.intents,
    ...model.intents,
    ...evals.intents,
  };
  context.subscriptions.push(
    connection,
    threads,
    conversation,
    insert,
    model,
    evals,
    check,
    problems,
    native,
    views.onIntent(({ view, intent }) => {
      tickStep(intent.type);
      void guarded(() => handleIntent(intents, view, intent));
    }),
  );
  return {
    views,
    api: native.api,
    native: native.handlers,
    restoreThread: (panel, state) => views.restorePanel(panel, state),
    restoreRun: (panel, state) => restoreRun(services, panel, state),
    restoreResults: (panel, state) => restoreResults(services, panel, state),
    run: (command, argument) =>
      guarded(async () => {
        // A command can run before any view has restored the last thread.
        await repository.restore();
        return commands[command]?.(argument);
      }),
    flush: async () => {
      await Promise.all([services.endHistory(), discardUnfinished()]);
    },
  };
}

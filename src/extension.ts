/**
 * Extension entry point: registers what VS Code looks for right after the activation, and returns the public API. All of
 * it needs the services, whose code is loaded after the page that is opened first.
 */
import * as vscode from 'vscode';
import { useBundle } from './shared/text/l10n.ts';
import { developmentConnection } from './vscode/connection/development.ts';
import { strings } from './vscode/host/settings.ts';
import type { AnalyticsChatApi, ThreadSummary } from './vscode/native/publicApi.ts';
import { offerNatively } from './vscode/native/offerNatively.ts';
import type { Restore, start as startServices, Started } from './vscode/start.ts';
import { holdMessages, PANEL_TYPE, RESULTS_TYPE, RUNS_TYPE, showPage, VIEW_ID } from './vscode/host/html.ts';

/**
 * Milliseconds within which VS Code requests the page of the view that caused the activation, and then shows it. The
 * services start afterwards, because they would slow it down; the page's own code takes longer to load than they do.
 */
const FIRST_PAGE = 100;

/** Path of `vscode/start.ts`, inserted by the build: for Node it is a file of its own. */
declare const SERVICES: string;

let starting: Promise<Started> | undefined;

export function activate(context: vscode.ExtensionContext): AnalyticsChatApi {
  useBundle(strings(), vscode.env.language);
  const development = developmentConnection(context.extensionMode);
  const changed = new vscode.EventEmitter<ThreadSummary>();
  let running: Started | undefined;
  const started = (): Promise<Started> =>
    (starting ??= (import(SERVICES) as Promise<{ start: typeof startServices }>).then(
      ({ start }) => (running = start(context, development, changed)),
    ));
  const timer = setTimeout(() => void started(), FIRST_PAGE);
  context.subscriptions.push(
    changed,
    new vscode.Disposable(() => clearTimeout(timer)),
    vscode.window.registerWebviewViewProvider(VIEW_ID, {
      async resolveWebviewView(view, { state }) {
        showPage(view.webview, context.extensionUri, 'main');
        const held = holdMessages(view.webview);
        if (starting === undefined) {
          clearTimeout(timer);
          await new Promise((resolve) => setTimeout(resolve, FIRST_PAGE));
        }
        await (await started()).views.resolve(view, held, state);
      },
    }),
    restoring(PANEL_TYPE, async (...tab) => (await started()).restoreThread(...tab)),
    restoring(RUNS_TYPE, async (...tab) => (await started()).restoreRun(...tab)),
    restoring(RESULTS_TYPE, async (...tab) => (await started()).restoreResults(...tab)),
    offerNatively(context.extensionUri, async () => (await started()).native),
    ...commandIds(context.extension).map((id) =>
      vscode.commands.registerCommand(id, async (argument?: unknown) => (await started()).run(id, argument)),
    ),
  );
  return {
    version: 1,
    onDidChangeThread: changed.event,
    ask: async (...question) => (await started()).api.ask(...question),
    abort: async (threadId) => (await started()).api.abort(threadId),
    threads: async () => (await started()).api.threads(),
    // Until the services are started, no thread is open.
    lastSql: (threadId) => running?.api.lastSql(threadId),
  };
}

/** @param restore fills a restored editor tab */
const restoring = (type: string, restore: Restore): vscode.Disposable =>
  vscode.window.registerWebviewPanelSerializer(type, { deserializeWebviewPanel: restore });

/** @returns the ids of the commands in the manifest; a test checks that each has an implementation */
function commandIds({ packageJSON }: vscode.Extension<unknown>): string[] {
  const { contributes } = packageJSON as { contributes: { commands: { command: string }[] } };
  return contributes.commands.map(({ command }) => command);
}

/** Ends what the services do; VS Code waits a few seconds for the promise. */
export async function deactivate(): Promise<void> {
  await (await starting)?.flush();
}

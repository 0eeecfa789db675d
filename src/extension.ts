/** Extension entry point: creates the services, registers the contributions and returns the public API. */
import * as vscode from 'vscode';
import type { ChatSession } from './chat/session/chatSession.ts';
import { originOf } from './chat/connection/connectionList.ts';
import type { History } from './chat/history/history.ts';
import { textIn } from './shared/text/checks.ts';
import { plural, useBundle } from './shared/text/l10n.ts';
import { Branches, followGit } from './vscode/connection/branches.ts';
import { TestResults } from './vscode/evals/testTree.ts';
import { strings, SECTION } from './vscode/host/settings.ts';
import { Recorder, Replays } from './vscode/threads/recorder.ts';
import { ChatViews, VIEW_ID } from './vscode/views/chatViews.ts';
import { PastQuestions } from './vscode/check/pastQuestions.ts';
import { Checks, offerChecks } from './vscode/check/memberLens.ts';
import { commands } from './vscode/commands/handlers.ts';
import { restoreComparison } from './vscode/compare/open.ts';
import { Connections } from './vscode/connection/connections.ts';
import { keepContextKeys, showStatus } from './vscode/connection/statusBar.ts';
import { Connector, developmentConnection } from './vscode/connection/connector.ts';
import { Credentials } from './vscode/connection/credentials.ts';
import { CredentialChanges } from './vscode/connection/credentialChanges.ts';
import { offerQuestionTests } from './vscode/commands/questionTests.ts';
import { QuestionFiles } from './vscode/evals/questionFiles.ts';
import { rememberEditors } from './vscode/insert/editors.ts';
import { provideMembers, showProvenance } from './vscode/native/memberProviders.ts';
import { Members } from './vscode/native/members.ts';
import { Identities } from './vscode/connection/identities.ts';
import { handleIntent, viewContextOf } from './vscode/views/intents.ts';
import { ThreadRepository } from './vscode/threads/threadRepository.ts';
import { offerNatively } from './vscode/native/registerNative.ts';
import { publicApi } from './vscode/native/api.ts';
import type { AnalyticsChatApi } from './vscode/native/publicApi.ts';
import { openHistory } from './vscode/threads/openHistory.ts';
import { Log } from './vscode/host/log.ts';
import { COMPARE_TYPE, PANEL_TYPE, RESULTS_TYPE } from './vscode/views/html.ts';
import { Charts } from './vscode/results/charts.ts';
import { restoreResults } from './vscode/results/resultsTab.ts';
import { Sessions } from './vscode/threads/sessions.ts';
import { LifetimeNotices } from './vscode/connection/lifetimeNotices.ts';
import { guardedWith } from './vscode/host/notify.ts';
import { ConnectionSetup } from './vscode/commands/connect.ts';
import { ThreadLists } from './vscode/threads/threadLists.ts';
import { UnreadThreads } from './vscode/threads/unread.ts';

export function activate(context: vscode.ExtensionContext): AnalyticsChatApi {
  useBundle(strings(), vscode.env.language);
  const development = developmentConnection(context.extensionMode);
  const log = new Log();
  if (development.apiKey) log.addSecret(development.apiKey);
  const credentials = new Credentials(context, log, new CredentialChanges(context.globalStorageUri));
  const branches = new Branches(context.workspaceState);
  const connections = new Connections(context, development.chatApiUrl);
  const standIn = development.chatApiUrl ? { externalId: 'dev' } : undefined;
  const identities = new Identities(context.workspaceState, connections, standIn);
  const connector = new Connector(connections, credentials, branches, identities, development, (line, text) =>
    recorder.keepText(line, text),
  );
  const sessions = new Sessions({
    connect: connector.connect,
    context: connector.context,
    onFailure: (error) => log.error(`Chat request failed (${error.kind}).`, error),
  });

  const recorder: Recorder = new Recorder(sessions);
  const replays = new Replays(sessions);

  let opened: Promise<History> | undefined;
  const history = (): Promise<History> =>
    (opened ??= openHistory(context, log).catch((failure) => {
      // Don't cache a failure: the next call retries.
      opened = undefined;
      throw failure;
    }));
  const repository = new ThreadRepository(
    history,
    sessions,
    context.workspaceState,
    () => (connections.current ? originOf(connections.current) : ''),
    (failure) => log.error('A thread could not be kept.', failure),
  );
  flush = () => (opened ? repository.flush() : Promise.resolve());

  const guarded = guardedWith(log);
  const views: ChatViews = new ChatViews(context.extensionUri, sessions, repository, {
    viewContext: (session) => viewContextOf(services, session),
    draft: (threadId) => sessions.draft(threadId),
    onIntent: (view, intent) => void guarded(() => handleIntent(services, view, intent)),
    onProblem: (text) => log.warn(text),
    onShown: (session) => unread.seen(session),
  });
  const unread = new UnreadThreads(sessions, (session) => views.of(session).some(({ visible }) => visible));
  const charts = new Charts((session) => views.viewContextChanged(session));
  const members = new Members(context.workspaceState, sessions, connections, (id) => repository.isReadOnly(id));
  const questionFiles = new QuestionFiles((failure) => log.error('The question tests could not be read.', failure));
  const basic = {
    context,
    log,
    credentials,
    branches,
    identities,
    connections,
    connector,
    sessions,
    repository,
    history,
    views,
    charts,
    members,
    unread,
    questionFiles,
    recorder,
    replays,
    guarded,
  };
  const lifetimeNotices = new LifetimeNotices({ ...basic, globalState: context.globalState });
  const threadLists = new ThreadLists(basic);
  const checks = new Checks(new PastQuestions(history, connections, identities), (text) => log.redact(text));
  const services = {
    ...basic,
    lifetimeNotices,
    connectionSetup: new ConnectionSetup(basic),
    threadLists,
    testResults: new TestResults(),
    checks,
  };

  context.subscriptions.push(
    log,
    identities,
    sessions,
    repository,
    views,
    vscode.window.registerWebviewViewProvider(VIEW_ID, views),
    restoring(PANEL_TYPE, async (panel, state) =>
      views.adoptPanel(panel, await sessionOf(repository, sessions, state)),
    ),
    restoring(COMPARE_TYPE, (panel, state) => restoreComparison(services, panel, state)),
    restoring(RESULTS_TYPE, (panel, state) => restoreResults(services, panel, state)),
    charts,
    members,
    unread,
    threadLists,
    questionFiles,
    offerQuestionTests(services),
    checks,
    offerChecks(services),
    unread.onDidChange(() =>
      views.setBadge(
        unread.count,
        plural(unread.count, '{0} chat with an unread answer|{0} chats with unread answers'),
      ),
    ),
    recorder,
    keepContextKeys(services),
    rememberEditors(),
    showProvenance(),
    provideMembers(members),
    offerNatively(services),
    branches,
    connections,
    connections.onDidChange(() => views.viewContextChanged()),
    showStatus(connections, branches),
    lifetimeNotices,
    followGit(branches),
    branches.onDidChange(() => views.viewContextChanged()),
    identities.onDidChange(() => views.viewContextChanged()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION)) views.viewContextChanged();
    }),
    context.secrets.onDidChange(() => views.viewContextChanged()),
    ...commandIds(context.extension).map((id) =>
      vscode.commands.registerCommand(id, (argument?: unknown) =>
        guarded(async () => {
          // A command can run before any view has restored the last thread.
          await repository.restore();
          return commands[id as keyof typeof commands](services, argument);
        }),
      ),
    ),
  );
  return publicApi(services);
}

/** @param restore fills a restored editor tab; `state` is the state that its page saved, unchecked */
const restoring = (
  type: string,
  restore: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>,
): vscode.Disposable => vscode.window.registerWebviewPanelSerializer(type, { deserializeWebviewPanel: restore });

/** @returns the ids of the commands in the manifest; a test checks that each has an implementation */
function commandIds({ packageJSON }: vscode.Extension<unknown>): string[] {
  const { contributes } = packageJSON as { contributes: { commands: { command: string }[] } };
  return contributes.commands.map(({ command }) => command);
}

let flush = (): Promise<void> => Promise.resolve();

/** Saves pending changes; VS Code waits a few seconds for the promise. */
export function deactivate(): Promise<void> {
  return flush();
}

/** @returns the thread that a tab showed before the restart, or a new one if it can't be opened */
async function sessionOf(repository: ThreadRepository, sessions: Sessions, state: unknown): Promise<ChatSession> {
  const threadId = textIn(state, 'threadId');
  return threadId !== undefined ? repository.open(threadId).catch(() => sessions.create()) : sessions.create();
}

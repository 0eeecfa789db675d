/**
 * Creates the services, and everything that needs them. Loaded after the first page of the window has its HTML, so that
 * the message field does not wait for it.
 */
import * as vscode from 'vscode';
import { originOf } from '../chat/connection/connectionList.ts';
import type { History } from '../chat/history/history.ts';
import { plural, useBundle } from '../shared/text/l10n.ts';
import { Branches, followGit } from './connection/branches.ts';
import { TestResults } from './evals/testTree.ts';
import { strings, SECTION } from './host/settings.ts';
import { Recorder } from './threads/recorder.ts';
import { Replays } from './threads/replays.ts';
import { ChatViews } from './views/chatViews.ts';
import { PastQuestions } from './check/pastQuestions.ts';
import { Checks, offerChecks } from './check/checks.ts';
import { commands } from './commands/handlers.ts';
import { restoreComparison } from './runs/open.ts';
import { Connections } from './connection/connections.ts';
import { keepContextKeys, showStatus } from './connection/statusBar.ts';
import { Connector } from './connection/connector.ts';
import type { DevelopmentConnection } from './connection/development.ts';
import { Credentials } from './connection/credentials.ts';
import { CredentialChanges } from './connection/credentialChanges.ts';
import { offerQuestionTests } from './evals/questionTests.ts';
import { QuestionFiles } from './evals/questionFiles.ts';
import { rememberEditors } from './insert/editors.ts';
import { provideMembers, showProvenance } from './model/memberProviders.ts';
import { Members } from './model/members.ts';
import { ModelFiles } from './model/modelFiles.ts';
import { Identities } from './connection/identities.ts';
import { handleIntent } from './conversation/intents.ts';
import { viewContextOf } from './conversation/viewContext.ts';
import { ThreadRepository } from './threads/threadRepository.ts';
import { handleLinks, nativeHandlers } from './native/nativeHandlers.ts';
import type { NativeHandlers } from './native/registerNative.ts';
import { publicApi } from './native/api.ts';
import type { ThreadSummary } from './native/publicApi.ts';
import { openHistory } from './threads/openHistory.ts';
import { Log } from './host/log.ts';
import { Charts } from './results/charts.ts';
import { restoreResults } from './results/resultsTab.ts';
import { discardUnfinished } from './results/writeRows.ts';
import { Sessions } from './threads/sessions.ts';
import { LifetimeNotices } from './connection/lifetimeNotices.ts';
import { guardedWith } from './host/command.ts';
import { ConnectionSetup } from './connection/connect.ts';
import { ThreadLists } from './threads/threadLists.ts';
import { UnreadThreads } from './threads/unread.ts';

export interface Started {
  views: ChatViews;
  api: ReturnType<typeof publicApi>;
  native: NativeHandlers;
  restoreThread: Restore;
  restoreComparison: Restore;
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
    onUnknownLine: (count) => log.warn(`Lines of the service that were ignored in this chat: ${count}.`),
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
    (failure) => log.error('A thread could not be saved.', failure),
  );

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
  const modelFiles = new ModelFiles();
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
  const lifetimeNotices = new LifetimeNotices(basic);
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
    charts,
    members,
    unread,
    threadLists,
    questionFiles,
    offerQuestionTests(services),
    checks,
    modelFiles,
    offerChecks({ ...services, modelFiles }),
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
    provideMembers(members, modelFiles),
    handleLinks(services),
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
  );
  return {
    views,
    api: publicApi(services, changed),
    native: nativeHandlers(services),
    restoreThread: (panel, state) => views.restorePanel(panel, state),
    restoreComparison: (panel, state) => restoreComparison(services, panel, state),
    restoreResults: (panel, state) => restoreResults(services, panel, state),
    run: (command, argument) =>
      guarded(async () => {
        // A command can run before any view has restored the last thread.
        await repository.restore();
        return commands[command as keyof typeof commands](services, argument);
      }),
    flush: async () => {
      await Promise.all([opened && repository.flush(), discardUnfinished()]);
    },
  };
}

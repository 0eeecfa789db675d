/** Creates the services, each after those that it uses. */
import type * as vscode from 'vscode';
import { originOf } from '../chat/connection/connectionList.ts';
import { Branches } from './connection/branches.ts';
import { Connections } from './connection/connections.ts';
import { Connector } from './connection/connector.ts';
import { CredentialChanges } from './connection/credentialChanges.ts';
import { Credentials } from './connection/credentials.ts';
import type { DevelopmentConnection } from './connection/development.ts';
import { Identities } from './connection/identities.ts';
import { LifetimeNotices } from './connection/lifetimeNotices.ts';
import { TokenCommands } from './connection/tokenCommands.ts';
import { viewContextOf } from './conversation/viewContext.ts';
import { QuestionFiles } from './evals/questionFiles.ts';
import { guardedWith } from './host/command.ts';
import { Log } from './host/log.ts';
import { Members } from './model/members.ts';
import { ModelFiles } from './model/modelFiles.ts';
import { Charts } from './results/charts.ts';
import type { AllServices } from './services.ts';
import { LazyHistory } from './threads/openHistory.ts';
import { Recorder } from './threads/recorder.ts';
import { Replays } from './threads/replays.ts';
import { Sessions } from './threads/sessions.ts';
import { ThreadRepository } from './threads/threadRepository.ts';
import { UnreadThreads } from './threads/unread.ts';
import { ChatViews } from './views/chatViews.ts';

/** @returns the services, and a function that saves pending changes of the history before the extension host exits */
export function createServices(
  context: vscode.ExtensionContext,
  development: DevelopmentConnection,
): AllServices & { endHistory: () => Promise<void> } {
  const { globalState, workspaceState } = context;
  const log = new Log();
  if (development.apiKey) log.addSecret(development.apiKey);
  const guarded = guardedWith(log);
  const credentials = new Credentials(context, log, new CredentialChanges(context.globalStorageUri));
  const branches = new Branches(workspaceState);
  const connections = new Connections(context, development.chatApiUrl);
  const standIn = development.chatApiUrl ? { externalId: 'dev' } : undefined;
  const identities = new Identities(workspaceState, connections, standIn);
  const lifetimeNotices = new LifetimeNotices(globalState, identities);
  const tokenCommands = new TokenCommands((token) => log.addSecret(token));
  const connector = new Connector(connections, credentials, branches, identities, development, tokenCommands);
  const sessions = new Sessions({
    connect: connector.connect,
    context: connector.context,
    connectionAt: (home) => connections.of(home),
    onFailure: (error) => log.error(`Chat request failed (${error.kind}).`, error),
    onUnknownLine: (count) => log.warn(`Lines of the service that were ignored in this chat: ${count}.`),
  });
  const recorder = new Recorder(sessions, connector);
  const replays = new Replays(sessions);
  const lazyHistory = new LazyHistory(context, log);
  const repository = new ThreadRepository(
    lazyHistory.get,
    sessions,
    workspaceState,
    () => (connections.current ? originOf(connections.current) : ''),
    (failure) => log.error('A thread could not be saved.', failure),
  );
  const charts = new Charts();
  const members = new Members(workspaceState, sessions, connections, (id) => repository.isReadOnly(id));
  const modelFiles = new ModelFiles();
  const questionFiles = new QuestionFiles((failure) => log.error('The question tests could not be read.', failure));
  const found = { lifetimeNotices, members, questionFiles, repository, sessions };
  const shown = { branches, charts, connections, identities, ...found };
  const views = new ChatViews(context.extensionUri, sessions, repository, {
    viewContext: (session) => viewContextOf(shown, session),
    onProblem: (text) => log.warn(text),
  });
  const unread = new UnreadThreads(sessions, (session) => views.of(session).some(({ visible }) => visible));
  context.subscriptions.push(
    log,
    identities,
    connector,
    sessions,
    repository,
    views,
    charts,
    members,
    unread,
    questionFiles,
    modelFiles,
    recorder,
    branches,
    connections,
  );
  const history = lazyHistory.get;
  const endHistory = async (): Promise<void> => {
    if (lazyHistory.isOpen) await repository.flush();
  };
  const others = {
    context,
    credentials,
    connector,
    tokenCommands,
    endHistory,
    guarded,
    history,
    log,
    modelFiles,
    questionFiles,
  };
  return { ...shown, ...others, recorder, replays, unread, views };
}

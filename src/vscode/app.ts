/** The services that commands and views use; created once, in `extension.ts`. */
import type * as vscode from 'vscode';
import type { Branches } from './connection/branches.ts';
import type { Charts } from './results/charts.ts';
import type { ChatViews } from './views/chatViews.ts';
import type { Connections } from './connection/connections.ts';
import type { ConnectionSetup } from './commands/connect.ts';
import type { Connector } from './connection/connector.ts';
import type { Credentials } from './connection/credentials.ts';
import type { LifetimeNotices } from './connection/lifetimeNotices.ts';
import type { Identities } from './connection/identities.ts';
import type { Guarded } from './host/guarded.ts';
import type { History } from '../chat/history/history.ts';
import type { ThreadRepository } from './threads/threadRepository.ts';
import type { Members } from './native/members.ts';
import type { Log } from './host/log.ts';
import type { QuestionFiles } from './evals/questionFiles.ts';
import type { TestResults } from './evals/testResults.ts';
import type { Recorder } from './threads/recorder.ts';
import type { Replays } from './threads/replays.ts';
import type { Sessions } from './threads/sessions.ts';
import type { ThreadLists } from './threads/threadLists.ts';
import type { UnreadThreads } from './threads/unread.ts';

export interface App {
  context: vscode.ExtensionContext;
  log: Log;
  credentials: Credentials;
  branches: Branches;
  identities: Identities;
  connections: Connections;
  connector: Connector;
  lifetimeNotices: LifetimeNotices;
  connectionSetup: ConnectionSetup;
  sessions: Sessions;
  repository: ThreadRepository;
  history: () => Promise<History>;
  views: ChatViews;
  charts: Charts;
  members: Members;
  unread: UnreadThreads;
  threadLists: ThreadLists;
  questionFiles: QuestionFiles;
  testResults: TestResults;
  recorder: Recorder;
  replays: Replays;
  guarded: Guarded;
}

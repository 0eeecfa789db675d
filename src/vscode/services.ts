/** The services that `createServices.ts` creates; a function names those that it uses. */
import type * as vscode from 'vscode';
import type { History } from '../chat/history/history.ts';
import type { Branches } from './connection/branches.ts';
import type { Connections } from './connection/connections.ts';
import type { Connector } from './connection/connector.ts';
import type { Credentials } from './connection/credentials.ts';
import type { TokenCommands } from './connection/tokenCommands.ts';
import type { Identities } from './connection/identities.ts';
import type { LifetimeNotices } from './connection/lifetimeNotices.ts';
import type { QuestionFiles } from './evals/questionFiles.ts';
import type { Log } from './host/log.ts';
import type { Guarded } from './host/command.ts';
import type { Members } from './model/members.ts';
import type { ModelFiles } from './model/modelFiles.ts';
import type { Charts } from './results/charts.ts';
import type { Recorder } from './threads/recorder.ts';
import type { Replays } from './threads/replays.ts';
import type { Sessions } from './threads/sessions.ts';
import type { ThreadRepository } from './threads/threadRepository.ts';
import type { UnreadThreads } from './threads/unread.ts';
import type { ChatViews } from './views/chatViews.ts';

export interface AllServices {
  context: vscode.ExtensionContext;
  log: Log;
  guarded: Guarded;
  branches: Branches;
  connections: Connections;
  connector: Connector;
  credentials: Credentials;
  tokenCommands: TokenCommands;
  identities: Identities;
  sessions: Sessions;
  repository: ThreadRepository;
  /** Opens the history on first use. */
  history: () => Promise<History>;
  unread: UnreadThreads;
  recorder: Recorder;
  replays: Replays;
  views: ChatViews;
  charts: Charts;
  lifetimeNotices: LifetimeNotices;
  members: Members;
  modelFiles: ModelFiles;
  questionFiles: QuestionFiles;
}

export type Services<Name extends keyof AllServices> = Pick<AllServices, Name>;

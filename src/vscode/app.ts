/** What commands and views work with; put together once, in `extension.ts`. */
import type * as vscode from 'vscode';
import type { Branches } from './branch.ts';
import type { Charts } from './results/charts.ts';
import type { ChatViews } from './chatViews.ts';
import type { Connections } from './connections.ts';
import type { Connector } from './connector.ts';
import type { Credentials } from './credentials.ts';
import type { Identities } from './identity.ts';
import type { History } from '../chat/history/history.ts';
import type { Keeper } from './keeper.ts';
import type { Members } from './members.ts';
import type { Log } from './log.ts';
import type { Recorder } from './recorder.ts';
import type { Replays } from './replays.ts';
import type { Sessions } from './sessions.ts';
import type { ThreadLists } from './threadLists.ts';
import type { Unseen } from './unseen.ts';

export interface App {
  context: vscode.ExtensionContext;
  log: Log;
  credentials: Credentials;
  branches: Branches;
  identities: Identities;
  connections: Connections;
  connector: Connector;
  sessions: Sessions;
  keeper: Keeper;
  history: () => Promise<History>;
  views: ChatViews;
  charts: Charts;
  members: Members;
  unseen: Unseen;
  threadLists: ThreadLists;
  recorder: Recorder;
  replays: Replays;
  /** Runs what the user asked for in a view; whatever it throws is shown and logged. */
  guarded: (work: () => unknown) => Promise<unknown>;
}

/** A command's work; it gets what `executeCommand` was given, unchecked. */
export type Command = (app: App, argument?: unknown) => Promise<unknown> | unknown;

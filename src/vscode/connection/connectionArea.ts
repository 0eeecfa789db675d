/** Connections, branches and identities: their commands, and what shows the current ones. */
import * as vscode from 'vscode';
import type { CommandHandlers, IntentHandlers, SlashHandlers } from '../host/area.ts';
import { promptFrom, type ChatView } from '../host/chatView.ts';
import type { Services } from '../services.ts';
import { followGit } from './branches.ts';
import { connectTo, setApiKeyOf, signOut, testConnection, type ConnectionSetupServices } from './connect.ts';
import { keepContextKeys, showStatus } from './statusBar.ts';
import { switchConnection } from './switchConnection.ts';
import { switchBranch, switchIdentity } from './switchContext.ts';

type ConnectionServices = ConnectionSetupServices &
  Services<'branches' | 'connector' | 'identities' | 'lifetimeNotices' | 'repository'>;

export function registerConnection(services: ConnectionServices) {
  const { branches, connections, lifetimeNotices, sessions, views } = services;
  const connect = (): Promise<boolean> => connectTo(services, connections.current);
  /** Runs a command on the connection of the thread in a view. */
  const promptFor = (view: ChatView, command: () => unknown): Promise<unknown> => {
    sessions.activate(view.session);
    return promptFrom(view, command);
  };
  return Object.assign(
    vscode.Disposable.from(
      showStatus(services),
      keepContextKeys(services),
      followGit(branches),
      assignLifetimeNotices(services),
    ),
    {
      commands: {
        'analyticsChat.connect': connect,
        'analyticsChat.setApiKey': (argument) => setApiKeyOf(services, argument),
        'analyticsChat.switchConnection': () => switchConnection(services),
        'analyticsChat.testConnection': () => testConnection(services),
        'analyticsChat.signOut': () => signOut(services),
        'analyticsChat.switchBranch': (argument) => switchBranch(services, argument),
        'analyticsChat.switchIdentity': (argument) => switchIdentity(services, argument),
      } satisfies CommandHandlers,
      intents: {
        connect: (view) => promptFrom(view, connect),
        switchConnection: (view) => promptFor(view, () => switchConnection(services)),
        switchBranch: (view) => promptFrom(view, () => switchBranch(services)),
        switchIdentity: (view) => promptFor(view, () => switchIdentity(services)),
        offeredBranch: async (_view, { accept }) =>
          accept ? branches.switchTo(branches.offeredByGit) : branches.declineOffer(),
        dismissLifetime: async ({ session }) => {
          await lifetimeNotices.dismiss(sessions.connectionOf(session));
          views.viewContextChanged();
        },
      } satisfies Partial<IntentHandlers>,
      slash: {
        branch: (view) => promptFrom(view, () => switchBranch(services)),
        identity: (view) => promptFrom(view, () => switchIdentity(services)),
      } satisfies Partial<SlashHandlers>,
    },
  );
}

/** Assigns the notice of each connection to the first thread open in a view that asks a question. */
export const assignLifetimeNotices = ({
  lifetimeNotices,
  sessions,
  views,
}: Services<'lifetimeNotices' | 'sessions' | 'views'>): vscode.Disposable =>
  sessions.onDidChange(({ session, events }) => {
    if (!events.some(({ type }) => type === 'sent') || views.of(session).length === 0) return;
    if (lifetimeNotices.assign(sessions.connectionOf(session), session.thread.id)) views.viewContextChanged(session);
  });

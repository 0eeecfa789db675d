/** Shows the current state outside of views: in the status bar, and as context keys. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { shownName } from '../../chat/connection/connectionList.ts';
import { createStatusItem } from '../host/notify.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { generatedSql, isRunning } from '../../shared/thread/turns.ts';
import type { Services } from '../services.ts';

/**
 * Status bar items for the current connection, branch and, unless it is the connection's own one, identity; hidden if
 * there is no connection.
 */
export function showStatus({
  connections,
  branches,
  identities,
}: Services<'connections' | 'branches' | 'identities'>): vscode.Disposable {
  const connection = createStatusItem(
    'analyticsChat.connection',
    1,
    t('Analytics Chat: Connection'),
    'analyticsChat.switchConnection',
  );
  const branch = createStatusItem('analyticsChat.branch', 0, t('Analytics Chat: Branch'), 'analyticsChat.switchBranch');
  const identity = createStatusItem(
    'analyticsChat.identity',
    -1,
    t('Analytics Chat: Identity'),
    'analyticsChat.switchIdentity',
  );
  const update = (): void => {
    const { current } = connections;
    const user = identities.current;
    if (current && user !== identities.names()[0])
      identity.show(
        'account',
        user,
        t('Analytics Chat: Questions are asked as {0}. Click to switch.', user),
        t('Analytics Chat identity: {0}', user),
      );
    else identity.hide();
    if (!current) {
      connection.hide();
      // Without a connection, the item would look like a second Git branch.
      branch.hide();
      return;
    }
    connection.show(
      'plug',
      shownName(current),
      t('Analytics Chat: New chats use {0}. Click to switch.', connections.described(current)),
      t('Analytics Chat connection: {0}', shownName(current)),
    );
    branch.show(
      // Not the icon of Git, whose branch may be another one.
      'analytics-chat',
      branches.label,
      t('Analytics Chat: Queries run on branch {0}. Click to switch.', branches.label),
      t('Analytics Chat branch: {0}', branches.label),
    );
  };
  update();
  return vscode.Disposable.from(
    connection,
    branch,
    identity,
    connections.onDidChange(update),
    branches.onDidChange(update),
    identities.onDidChange(update),
    vscode.workspace.onDidChangeConfiguration(update),
  );
}

type ContextKeysServices = Services<'connections' | 'sessions' | 'repository'>;

/** Delay in milliseconds that batches the lines of a streaming answer into one update. */
const PAUSE = 100;

type Keys = Readonly<Record<string, string | boolean>>;

function keysOf({ sessions, repository, connections }: ContextKeysServices, { thread }: ChatSession): Keys {
  const begun = thread.turns.length > 0 ? 'begun' : 'empty';
  return {
    chat: repository.isReadOnly(thread.id) ? 'recorded' : begun,
    sql: generatedSql(thread).length > 0 ? 'some' : 'none',
    connection: connections.current ? 'set' : 'none',
    running: sessions.all.some((session) => isRunning(session.thread)),
  };
}

/**
 * Keeps the context keys for `when` clauses current: `analyticsChat.chat` (`empty`, `begun`, `recorded`), `.sql`
 * (`some`, `none`), `.connection` (`set`, `none`) and `.running`. They are unset until a thread is active; until then
 * the Command Palette offers every command that may apply.
 */
export function keepContextKeys(services: ContextKeysServices): vscode.Disposable {
  let known: Keys = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    timer = undefined;
    // Leave the keys unset until the last thread is restored.
    const { current } = services.sessions;
    if (!current) return;
    const keys = keysOf(services, current);
    for (const [name, value] of Object.entries(keys))
      if (known[name] !== value) void vscode.commands.executeCommand('setContext', `analyticsChat.${name}`, value);
    known = keys;
  };
  const soon = (): void => void (timer ??= setTimeout(update, PAUSE));
  return vscode.Disposable.from(
    services.sessions.onDidChange(soon),
    services.sessions.onDidChangeActive(soon),
    vscode.workspace.onDidChangeConfiguration(soon),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

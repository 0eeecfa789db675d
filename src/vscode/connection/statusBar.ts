/** Status bar items for the current connection and branch; hidden if there is no connection. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { shownName } from '../../chat/connection/connectionList.ts';
import { createStatusItem } from '../host/notify.ts';
import type { Branches } from './branches.ts';
import type { Connections } from './connections.ts';

export function showStatus(connections: Connections, branches: Branches): vscode.Disposable {
  const connection = createStatusItem(
    'analyticsChat.connection',
    1,
    t('Analytics Chat: Connection'),
    'analyticsChat.switchConnection',
  );
  const branch = createStatusItem('analyticsChat.branch', 0, t('Analytics Chat: Branch'), 'analyticsChat.switchBranch');
  const update = (): void => {
    const { current } = connections;
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
      'git-branch',
      branches.label,
      t('Analytics Chat: Queries run on branch {0}. Click to switch.', branches.label),
      t('Analytics Chat branch: {0}', branches.label),
    );
  };
  update();
  return vscode.Disposable.from(
    connection,
    branch,
    connections.onDidChange(update),
    branches.onDidChange(update),
    vscode.workspace.onDidChangeConfiguration(update),
  );
}

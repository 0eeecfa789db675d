/** The connection and the branch in the status bar. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { shownName } from '../../chat/connection/connectionList.ts';
import type { Branches } from './branches.ts';
import type { Connections } from './connections.ts';

/** Shown while there are several: then it matters which one is asked. */
export function showConnection(connections: Connections): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('analyticsChat.connection', vscode.StatusBarAlignment.Left, 1);
  item.name = t('Analytics Chat: Connection');
  item.command = 'analyticsChat.switchConnection';
  const update = (): void => {
    // Most have one connection: that there is no choice is found out first.
    const current = connections.several ? connections.current : undefined;
    if (!current) return item.hide();
    item.text = `$(plug) ${shownName(current)}`;
    item.tooltip = t('Analytics Chat: new chats go to {0}. Click to switch.', connections.described(current));
    item.accessibilityInformation = { label: t('Analytics Chat connection: {0}', shownName(current)) };
    item.show();
  };
  update();
  return vscode.Disposable.from(
    item,
    connections.onDidChange(update),
    vscode.workspace.onDidChangeConfiguration(update),
  );
}

export function showBranch(branches: Branches): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('analyticsChat.branch', vscode.StatusBarAlignment.Left, 0);
  item.name = t('Analytics Chat: Branch');
  item.command = 'analyticsChat.switchBranch';
  const update = (): void => {
    item.text = `$(git-branch) ${branches.label}`;
    item.tooltip = t('Analytics Chat: queries run against the branch {0}. Click to switch.', branches.label);
    item.accessibilityInformation = { label: t('Analytics Chat branch: {0}', branches.label) };
  };
  update();
  item.show();
  return vscode.Disposable.from(item, branches.onDidChange(update), vscode.workspace.onDidChangeConfiguration(update));
}

/** The branch in the status bar. */
import * as vscode from 'vscode';
import { t } from '../shared/l10n.ts';
import type { Branches } from './branch.ts';

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

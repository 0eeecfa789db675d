/** Warnings that offer the command that helps. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { showWarningMessage } from './notify.ts';

export const offerTrust = (reason: string): Promise<void> =>
  offer(reason, t('Manage Workspace Trust'), 'workbench.trust.manage');

export const offerToConnect = (reason: string): Promise<void> => offer(reason, t('Connect'), 'analyticsChat.connect');

async function offer(reason: string, action: string, command: string): Promise<void> {
  if ((await showWarningMessage(reason, action)) === action) await vscode.commands.executeCommand(command);
}

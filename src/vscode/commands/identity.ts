/** The *Switch Identity…* command and the identity picker. */
import * as vscode from 'vscode';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from './command.ts';
import { showQuickPick } from '../host/quickPick.ts';
import type { Identities } from '../connection/identities.ts';
import type { Connections } from '../connection/connections.ts';
import { type Sessions, connectionOf } from '../threads/sessions.ts';

export interface SwitchIdentityServices {
  identities: Identities;
  connections: Connections;
  sessions: Sessions;
}

/**
 * Sets the identity for the connection of the active thread.
 * @param argument name of an identity; if omitted, the user picks one
 * @returns the new current identity, or undefined if the user cancels
 * @throws Error if there is no such identity
 */
export const switchIdentity: Command<SwitchIdentityServices> = async (services, argument) => {
  const entry = connectionOf(services, services.sessions.active);
  const chosen = typeof argument === 'string' ? argument : await pickIdentity(services, { entry });
  if (chosen === undefined) return undefined;
  if (!services.identities.names(entry).includes(chosen))
    throw new Error(t('There is no identity named “{0}”.', chosen));
  await services.identities.switchTo(chosen, entry);
  return chosen;
};

interface IdentityPick {
  title?: string;
  placeHolder?: string;
  /** An identity to leave out of the list. */
  except?: string;
  /** The connection whose identities are listed; defaults to the current one. */
  entry?: ConnectionEntry | undefined;
}

/** @returns the picked identity; undefined if the user cancels or opens the settings to add one */
export async function pickIdentity(
  services: { identities: Identities; connections: Connections },
  options: IdentityPick = {},
): Promise<string | undefined> {
  const {
    title = t('Analytics Chat: Switch Identity'),
    placeHolder = t('Select an identity for the next questions'),
    except,
    entry = services.connections.current,
  } = options;
  const add = t('Add an identity in the settings…');
  const picks = services.identities
    .names(entry)
    .filter((name) => name !== except)
    .map((label) => ({ label, description: label === services.identities.on(entry) ? t('current') : '' }));
  const chosen = await showQuickPick([...picks, { label: add }], { title, placeHolder });
  if (chosen?.label !== add) return chosen?.label;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'analyticsChat.identities');
  return undefined;
}
